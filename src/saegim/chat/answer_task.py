"""What an answer is written from, and what comes of it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from saegim.chat.context.assembly import Context
from saegim.chat.context.evidence import RetrievedContext
from saegim.chat.routing import TurnRoute
from saegim.chat.rules.calculator import calculate, on_calendar
from saegim.chat.rules.types import RuleInputs
from saegim.chat.types import AssistantConfig, Evidence
from saegim.chat.understanding import is_statement_about_self
from saegim.usage.trace import AnswerUse

_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Task:
    route: TurnRoute
    context: Context
    gathered: RetrievedContext
    config: AssistantConfig
    rules: RuleInputs
    doubts: tuple[str, ...] = ()
    """Why rules are unsure of the search; empty if the answer can start at once."""

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
        message = self.context.message
        if not self.route.searches or is_statement_about_self(message):
            return False
        if calculate(message) is not None or on_calendar(message, _ANY_DAY) is not None:
            # A date or a sum that shares words with a document is no answer from it.
            return False
        return bool(self.context.passages) and self.is_confident and not self.gathered.has_facts


@dataclass(slots=True)
class AnswerResult:
    """Whether the answer is complete, how it was made, and what it cites."""

    complete: bool
    use: AnswerUse
    task: Task
    """The task that was answered; it has tool results if a draft's tools ran."""
    cited: list[Evidence] = field(default_factory=list[Evidence])
    by_rule: bool = False
