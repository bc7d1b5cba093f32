"""Let a model read turns: one request for several, one statement for each fact."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field, ValidationError, WrapValidator
from pydantic_core.core_schema import ValidatorFunctionWrapHandler

from saegim.conversations.types import Turn
from saegim.domain.errors import ModelUnavailable
from saegim.llm.ports import ModelRole
from saegim.llm.prompts import load
from saegim.llm.steps import Steps
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.memory.candidate import (
    CandidateMemory,
    Day,
    Speaker,
    StatementWeights,
    begins,
    ends,
    normalise,
    own_wording,
    verbatim,
)
from saegim.memory.extraction.changes import Relation
from saegim.memory.types import CORE, MemoryType, Record
from saegim.text.own_words import is_own
from saegim.text.tokens import cut, delimited

MOST_STATEMENTS = 30
_MESSAGE_TOKENS, _REPLY_TOKENS, _BEFORE_TOKENS = 1_500, 300, 150


def _known_day(value: object, read: ValidatorFunctionWrapHandler) -> date | None:
    """Return a day; none if it does not exist or stands for ever."""
    try:
        return read(value)
    except ValidationError:
        return None


class StatementForm(BaseModel):
    """A statement of the model; `known` and `rests_on` are numbers of known memories."""

    type: MemoryType
    content: str
    quote: str
    topic: str = ""
    salience: float = Field(default=0.5, ge=0, le=1)
    stability: float = Field(default=0.5, ge=0, le=1)
    future_use: float = Field(default=0.5, ge=0, le=1)
    core: bool = False
    valid_from: Annotated[Day | None, WrapValidator(_known_day)] = None
    valid_to: Annotated[Day | None, WrapValidator(_known_day)] = None
    relation: Relation = Relation.NEW
    known: int | None = None
    rests_on: list[int] = []


class Extraction(BaseModel):
    """Output of the extractor; empty if there is nothing to remember."""

    statements: list[StatementForm]


EXTRACT = StructuredStep(
    "extract", ModelRole.EXTRACTOR, StepPath.BACKGROUND, Extraction, max_output_tokens=6_000
)


@dataclass(frozen=True, slots=True)
class ExtractionInput:
    """The turns to read, earlier ones for references, and what is known that is near them."""

    turns: Sequence[Turn]
    before: Sequence[Turn] = ()
    known: Sequence[Record] = ()
    time_zone: str = "Asia/Seoul"
    mask_contacts: bool = True


@dataclass(frozen=True, slots=True)
class ExtractedStatement:
    """A statement of a turn, and how it relates to a known record."""

    turn: Turn
    candidate: CandidateMemory
    relation: Relation = Relation.NEW
    known: Record | None = None
    rests_on: tuple[Record, ...] = ()


class QuotesNothing(ModelUnavailable):
    """No statement quotes a turn: the model invented them."""


async def extract(steps: Steps, given: ExtractionInput) -> tuple[ExtractedStatement, ...]:
    """Return what the turns tell. Raises ModelUnavailable."""

    def nothing() -> Extraction:
        return Extraction(statements=[])

    result = await steps.structured(EXTRACT, extract_prompt(given), nothing, None)
    statements = result.value.statements
    texts = [text for turn in given.turns for text in _texts(turn)]
    if statements and not any(verbatim(each.quote, *texts) for each in statements):
        raise QuotesNothing("extract: no statement quotes a turn")
    return accepted(statements, given)


def accepted(
    statements: Sequence[StatementForm], given: ExtractionInput
) -> tuple[ExtractedStatement, ...]:
    """Return the statements that quote a person's own words in one of the turns."""
    distinct: dict[str, ExtractedStatement] = {}
    for statement in statements[:MOST_STATEMENTS]:
        turn = next(
            (turn for turn in reversed(given.turns) if is_own(_texts(turn)[0], statement.quote)),
            None,
        )
        if turn is None or not statement.content.strip():
            continue
        known = _numbered(given.known, statement.known)
        rests_on = filter(None, (_numbered(given.known, each) for each in statement.rests_on))
        relation = Relation.NEW if known is None else statement.relation
        changed = () if known is None or relation is Relation.NEW else (known.content,)
        candidate = _candidate(statement, turn, given, changed)
        distinct.setdefault(
            candidate.content,
            ExtractedStatement(turn, candidate, relation, known, tuple(rests_on)),
        )
    return tuple(distinct.values())


def _numbered(known: Sequence[Record], number: int | None) -> Record | None:
    return known[number - 1] if number is not None and 0 < number <= len(known) else None


def _candidate(
    statement: StatementForm, turn: Turn, given: ExtractionInput, changed: Sequence[str]
) -> CandidateMemory:
    message = _texts(turn)[0]
    earlier = [_texts(each)[0] for each in (*given.before, *given.turns)]
    zone = ZoneInfo(given.time_zone)
    speaker = Speaker(turn.created_at, given.time_zone, given.mask_contacts)
    candidate = CandidateMemory(
        type=statement.type,
        content=own_wording(statement.content, statement.quote, earlier, changed),
        quote=verbatim(statement.quote, message) or statement.quote,
        topic=statement.topic,
        weights=StatementWeights(statement.salience, statement.stability, statement.future_use),
        tags=frozenset({CORE}) if statement.core else frozenset(),
        valid_from=begins(statement.valid_from, zone),
        valid_to=ends(statement.valid_to, zone),
    )
    return normalise(candidate, speaker)


def extract_prompt(given: ExtractionInput) -> StepPrompt:
    zone = ZoneInfo(given.time_zone)
    known = "\n".join(
        f"[{number}] {record.said_at.astimezone(zone).date()}: {record.content}"
        for number, record in enumerate(given.known, start=1)
    )
    blocks = {
        "known": known,
        "turns_before": "\n\n".join(_rendered(given.before, zone, _BEFORE_TOKENS)),
        "turns": "\n\n".join(_rendered(given.turns, zone, _MESSAGE_TOKENS)),
    }
    data = "\n\n".join(delimited(name, text) for name, text in blocks.items() if text)
    return load("saegim.memory", "extract").step((Message("user", data),))


def _rendered(turns: Sequence[Turn], zone: ZoneInfo, most: int) -> Iterator[str]:
    for turn in turns:
        message, reply = _texts(turn)
        day = turn.created_at.astimezone(zone)
        lines = [f"({day:%A}, {day.date()})", f"user: {cut(message, most)}"]
        lines += [f"assistant: {cut(reply, min(most, _REPLY_TOKENS))}"] if reply else []
        yield "\n".join(lines)


def _texts(turn: Turn) -> tuple[str, str]:
    """Return message and reply without redacted words; what rules wrote only quotes."""
    exchange = turn.exchange()
    return exchange.message, "" if turn.by_rule else exchange.reply
