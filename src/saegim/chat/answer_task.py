"""What an answer is written from, and what comes of it."""

from dataclasses import dataclass, field

from saegim.chat.context.assembly import Context
from saegim.chat.context.evidence import RetrievedContext
from saegim.chat.routing import TurnRoute
from saegim.chat.rules.types import RuleInputs
from saegim.chat.turn_tools.offer import OfferedTools
from saegim.chat.turn_tools.types import TurnWork
from saegim.chat.types import NO_CLIENT_TOOLS, AssistantConfig, Evidence
from saegim.conversations.stored_turns import ClientTools
from saegim.llm.types import FunctionCall, Message
from saegim.usage.trace import AnswerUse


@dataclass(frozen=True, slots=True)
class Task:
    route: TurnRoute
    context: Context
    gathered: RetrievedContext
    config: AssistantConfig
    rules: RuleInputs
    work: TurnWork
    """What the tools of the turn share."""
    offered: OfferedTools | None = None
    """What the model may use; None if it takes no tools."""
    doubts: tuple[str, ...] = ()
    """Why rules are unsure of the search; empty if the answer can start at once."""
    client: ClientTools = NO_CLIENT_TOOLS
    """The client's tools, and what was called for this message before."""

    @property
    def evidence(self) -> dict[str, Evidence]:
        """What may be cited, by marker; tools add to it."""
        return self.work.evidence

    @property
    def changes_memory(self) -> bool:
        """Whether tools have prepared changes of memory, or a question about one."""
        return bool(self.work.changes or self.work.proposal)

    @property
    def is_memory_request(self) -> bool:
        """Whether the message agrees to forget or asks to undo, which is done by rule."""
        return self.rules.changed is not None

    @property
    def is_confident(self) -> bool:
        return self.gathered.findings.confidence >= self.config.thresholds.confidence

    @property
    def asks_documents(self) -> bool:
        """Whether documents that match the message were in the prompt."""
        if not self.route.searches:
            return False
        return bool(self.context.passages) and self.is_confident and not self.gathered.has_facts


@dataclass(slots=True)
class AnswerResult:
    """Whether the answer is complete, how it was made, and what it cites."""

    complete: bool
    use: AnswerUse
    task: Task
    cited: list[Evidence] = field(default_factory=list[Evidence])
    by_rule: bool = False
    for_client: tuple[FunctionCall, ...] = ()
    """Calls that the client is to run before the answer goes on."""
    rounds: tuple[Message, ...] = ()
    """The calls so far and their results, of an answer that goes on."""
