"""What a turn told, by the model or by rule: candidates for memory, each with its quote."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field

from saegim.conversations.types import Exchange
from saegim.domain.errors import ModelUnavailable
from saegim.llm.model_call import CallSource, ModelCall
from saegim.llm.ports import ModelRole
from saegim.llm.search_mode import is_search_mode
from saegim.llm.steps import Steps, load
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.memory.candidate import CandidateMemory, Speaker, StatementWeights, normalise, verbatim
from saegim.memory.extraction.agreement import takes_up
from saegim.memory.rules.extractor import extract_statements
from saegim.memory.types import CORE, MemoryType
from saegim.text.tokens import cut, delimited

MOST_STATEMENTS = 12
_MESSAGE_TOKENS, _REPLY_TOKENS, _RECENT_TOKENS = 4_000, 1_000, 300


class StatementForm(BaseModel):
    """One statement as the extractor gives it."""

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
    """What the extractor fills in; an empty list where there is nothing to remember."""

    statements: list[StatementForm]


EXTRACT = StructuredStep(
    "extract", ModelRole.EXTRACTOR, StepPath.BACKGROUND, Extraction, max_output_tokens=4_000
)


@dataclass(frozen=True, slots=True)
class ExtractionInput:
    """The turn that is read, and the ones before it that tell what it refers to.

    `of_documents` says that the reply rests on documents, whose words it may repeat."""

    message: str
    reply: str
    speaker: Speaker
    before: tuple[Exchange, ...] = ()
    of_documents: bool = False

    @property
    def agreed(self) -> str:
        """What of the reply counts as told by the person."""
        mine = takes_up(self.message) and not self.of_documents
        return _said(self.reply) if mine else ""


class QuotesNothing(ModelUnavailable):
    """Statements of which none stands in the turn: the model made them up."""


async def extract(
    steps: Steps, turn: ExtractionInput
) -> tuple[tuple[CandidateMemory, ...], ModelCall]:
    """What the turn told, normalised. Raises ModelUnavailable where a model is set and fails."""

    def by_rule() -> Extraction:
        return Extraction(
            statements=[
                _as_form(candidates) for candidates in extract_statements(turn.message, turn.before)
            ]
        )

    result = await steps.structured(EXTRACT, extract_prompt(turn), by_rule, None)
    candidates, given = accepted(result.value.statements, turn), result.value.statements
    quoted = any(verbatim(one.quote, turn.message, _said(turn.reply)) for one in given)
    if result.call.source is CallSource.MODEL and given and not quoted:
        raise QuotesNothing("extract: no statement quotes the turn")
    return candidates, result.call


def accepted(
    statements: Sequence[StatementForm], turn: ExtractionInput
) -> tuple[CandidateMemory, ...]:
    """The statements whose quote stands in the message, or in a reply that the message agrees to;
    normalised, each content once."""
    found: dict[str, CandidateMemory] = {}
    for statement in statements[:MOST_STATEMENTS]:
        quote = verbatim(statement.quote, turn.message, turn.agreed)
        if quote is None or not statement.content.strip():
            continue
        candidate = normalise(_candidate(statement, quote, turn.speaker), turn.speaker)
        found.setdefault(candidate.content, candidate)
    return tuple(found.values())


def extract_prompt(turn: ExtractionInput) -> StepPrompt:
    """What the extractor is shown: the new turn, and the ones before apart from it."""
    today = turn.speaker.said_at.astimezone(ZoneInfo(turn.speaker.time_zone)).date()
    reply = _said(turn.reply)
    data = "\n\n".join(
        [
            delimited("turns_before", "\n\n".join(_shown(turn.before))),
            delimited("message", cut(turn.message, _MESSAGE_TOKENS)),
            delimited("reply", cut(reply, _REPLY_TOKENS)),
        ]
    )
    prompt = load("saegim.memory", "extract")
    return prompt.step((Message("user", data),), today=today.isoformat())


def _said(reply: str) -> str:
    """What a reply says of itself: one that only quotes says nothing."""
    return "" if is_search_mode(reply) else reply


def _shown(turns: Iterable[Exchange]) -> Iterable[str]:
    for turn in turns:
        reply = cut(_said(turn.reply), _RECENT_TOKENS)
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
        salience=candidate.weights.salience,
        stability=candidate.weights.stability,
        future_use=candidate.weights.future_use,
        core=CORE in candidate.tags,
    )
