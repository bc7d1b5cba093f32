"""Extract candidate memories from a turn, by model or by rule."""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import asdict, dataclass
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field

from saegim.conversations.types import Exchange
from saegim.domain.errors import ModelUnavailable
from saegim.llm.model_call import CallSource, ModelCall
from saegim.llm.ports import ModelRole
from saegim.llm.prompts import load
from saegim.llm.steps import Steps
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.memory.candidate import CandidateMemory, Speaker, StatementWeights, normalise, verbatim
from saegim.memory.rules.extractor import extract_statements
from saegim.memory.types import CORE, MemoryType
from saegim.text.tokens import cut, delimited

MOST_STATEMENTS = 12
_MESSAGE_TOKENS, _REPLY_TOKENS, _RECENT_TOKENS = 4_000, 1_000, 300
_AGREES = re.compile(
    r"그걸로|그것으로|그렇게|그대로|이대로|그\s?(?:안|방법|계획|제안|걸|거)|추천(?:해\s?준|대로)"
    r"|제안(?:한|대로)|말한\s?대로|기억해|저장해|메모해|적어\s?(?:둬|두|줘|놔)|받아들|동의"
    r"|로\s?(?:하자|할게|할래|해\s?줘|정하|정할|결정|가자|진행)"
    r"|^\s*(?:응|네|예|좋아요?|그래요?|오케이|ㅇㅇ|ㅇㅋ)(?!\w)"
    r"|\b(?:yes|yeah|ok|okay|sure|agreed?|accept(?:ed)?|go with|let'?s|remember"
    r"|(?:save|note) (?:that|this|it)|sounds good|do (?:that|it)|that one"
    r"|as you (?:said|suggest))\b",
    re.IGNORECASE,
)


class StatementForm(BaseModel):
    type: MemoryType
    content: str
    quote: str
    topic: str = ""
    salience: float = Field(default=0.5, ge=0, le=1)
    stability: float = Field(default=0.5, ge=0, le=1)
    future_use: float = Field(default=0.5, ge=0, le=1)
    core: bool = False
    valid_from: date | None = None
    valid_to: date | None = None


class Extraction(BaseModel):
    """Output of the extractor; empty if there is nothing to remember."""

    statements: list[StatementForm]


EXTRACT = StructuredStep(
    "extract", ModelRole.EXTRACTOR, StepPath.BACKGROUND, Extraction, max_output_tokens=4_000
)


@dataclass(frozen=True, slots=True)
class ExtractionInput:
    """The turn to extract from, and earlier turns for references.

    `reply` is "" if no model wrote it. `of_documents`: it is based on documents, whose words it may
    repeat. `facts`: what the message tells by its meaning, for the rules.
    """

    message: str
    reply: str
    speaker: Speaker
    before: tuple[Exchange, ...] = ()
    of_documents: bool = False
    facts: Set[str] | None = None

    @property
    def agreed(self) -> str:
        """The reply, if the message agrees to it."""
        agreed = takes_up(self.message) and not self.of_documents
        return self.reply if agreed else ""


def takes_up(message: str) -> bool:
    """Return whether the message agrees to something, or asks to remember it.

    Only then may the reply be extracted: it may repeat a document, a memory or the result of a
    tool, whose authors must not be able to write memory.
    """
    return _AGREES.search(message) is not None


class QuotesNothing(ModelUnavailable):
    """No statement quotes the turn: the model invented them."""


async def extract(
    steps: Steps, turn: ExtractionInput
) -> tuple[tuple[CandidateMemory, ...], ModelCall]:
    """Extract normalised statements. Raises ModelUnavailable if a configured model fails."""

    result = await steps.structured(EXTRACT, extract_prompt(turn), lambda: by_rule(turn), None)
    statements, texts = result.value.statements, (turn.message, turn.reply)
    quoted = any(verbatim(each.quote, *texts) for each in statements)
    if result.call.source is CallSource.MODEL and statements and not quoted:
        raise QuotesNothing("extract: no statement quotes the turn")
    return accepted(statements, turn), result.call


def by_rule(turn: ExtractionInput) -> Extraction:
    statements = extract_statements(turn.message, turn.before, turn.facts)
    return Extraction(statements=[_as_form(each) for each in statements])


def accepted(
    statements: Sequence[StatementForm], turn: ExtractionInput
) -> tuple[CandidateMemory, ...]:
    """Return normalised statements that quote the message, or a reply that it agrees to."""
    distinct: dict[str, CandidateMemory] = {}
    for statement in statements[:MOST_STATEMENTS]:
        quote = verbatim(statement.quote, turn.message, turn.agreed)
        if quote is None or not statement.content.strip():
            continue
        candidate = normalise(_candidate(statement, quote, turn.speaker), turn.speaker)
        distinct.setdefault(candidate.content, candidate)
    return tuple(distinct.values())


def extract_prompt(turn: ExtractionInput) -> StepPrompt:
    today = turn.speaker.said_at.astimezone(ZoneInfo(turn.speaker.time_zone)).date()
    data = "\n\n".join(
        [
            delimited("turns_before", "\n\n".join(_rendered(turn.before))),
            delimited("message", cut(turn.message, _MESSAGE_TOKENS)),
            delimited("reply", cut(turn.reply, _REPLY_TOKENS)),
        ]
    )
    prompt = load("saegim.memory", "extract")
    return prompt.step((Message("user", data),), today=today.isoformat())


def _rendered(turns: Iterable[Exchange]) -> Iterable[str]:
    for turn in turns:
        reply = "" if turn.by_rule else cut(turn.reply, _RECENT_TOKENS)
        yield f"user: {cut(turn.message, _RECENT_TOKENS)}\nassistant: {reply}".rstrip()


def _candidate(statement: StatementForm, quote: str, speaker: Speaker) -> CandidateMemory:
    return CandidateMemory(
        type=statement.type,
        content=statement.content,
        quote=quote,
        topic=statement.topic,
        weights=StatementWeights(statement.salience, statement.stability, statement.future_use),
        tags=frozenset({CORE}) if statement.core else frozenset(),
        valid_from=_midnight(statement.valid_from, speaker),
        valid_to=_midnight(statement.valid_to, speaker),
    )


def _midnight(day: date | None, speaker: Speaker) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), ZoneInfo(speaker.time_zone))


def _as_form(candidate: CandidateMemory) -> StatementForm:
    return StatementForm(
        type=candidate.type,
        content=candidate.content,
        quote=candidate.quote,
        topic=candidate.topic,
        core=CORE in candidate.tags,
        **asdict(candidate.weights),
    )
