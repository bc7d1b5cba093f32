"""Relate new statements to stored records, by model or by rule."""

from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from pydantic import BaseModel

from saegim.llm.model_call import ModelCall
from saegim.llm.ports import ModelRole
from saegim.llm.prompts import load
from saegim.llm.steps import Steps
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.memory.candidate import CandidateMemory
from saegim.memory.egress import steps_for
from saegim.memory.rules.relations import Relation, by_rule, says_the_same
from saegim.memory.types import Record
from saegim.text.tokens import delimited


class VerdictForm(BaseModel):
    """Verdict of the model; `statement` and `known` are numbers of the prompt."""

    statement: int
    relation: Relation
    known: int | None = None


class ReconciliationForm(BaseModel):
    verdicts: list[VerdictForm]


RECONCILE = StructuredStep(
    "reconcile",
    ModelRole.EXTRACTOR,
    StepPath.BACKGROUND,
    ReconciliationForm,
    max_output_tokens=1_500,
)


@dataclass(frozen=True, slots=True)
class StatementMatches:
    """A statement and the nearest records."""

    candidate: CandidateMemory
    known: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class StatementRelation:
    """Relation of a statement to a record; None if it is new."""

    relation: Relation
    record: Record | None = None


NEW = StatementRelation(Relation.NEW)


async def reconcile(
    steps: Steps, matches: Sequence[StatementMatches], time_zone: str
) -> tuple[tuple[StatementRelation, ...], ModelCall | None]:
    """Return the relation of each statement; the model is called only for unclear ones."""
    settled = [_trivial(each) for each in matches]
    open_ = [index for index, verdict in enumerate(settled) if verdict is None]
    if not open_:
        return tuple(verdict or NEW for verdict in settled), None
    unclear = [matches[index] for index in open_]

    def fallback() -> ReconciliationForm:
        verdicts = [_by_rule(number, each) for number, each in enumerate(unclear)]
        return ReconciliationForm(verdicts=verdicts)

    known = (record for each in unclear for record in each.known)
    steps = steps_for(steps, RECONCILE.role, known)
    result = await steps.structured(RECONCILE, reconcile_prompt(unclear, time_zone), fallback, None)
    for number, verdict in enumerate(_read(result.value, unclear)):
        settled[open_[number]] = verdict
    return tuple(verdict or NEW for verdict in settled), result.call


def reconcile_prompt(matches: Sequence[StatementMatches], time_zone: str) -> StepPrompt:
    """Build the prompt with numbered statements and their records."""
    blocks: list[str] = []
    zone = ZoneInfo(time_zone)
    for number, each in enumerate(matches):
        known = "\n".join(
            f"known {index}: {record.content} (said {record.said_at.astimezone(zone).date()})"
            for index, record in enumerate(each.known)
        )
        blocks.append(f"statement {number}: {each.candidate.content}\n{known}")
    data = delimited("statements", "\n\n".join(blocks))
    return load("saegim.memory", "reconcile").step((Message("user", data),))


def _trivial(matches: StatementMatches) -> StatementRelation | None:
    """Return the relation if there is no near record, or an equal one."""
    if not matches.known:
        return NEW
    same = next(
        (each for each in matches.known if says_the_same(matches.candidate.content, each.content)),
        None,
    )
    return None if same is None else StatementRelation(Relation.DUPLICATE, same)


def _by_rule(number: int, matches: StatementMatches) -> VerdictForm:
    relation, index = by_rule(
        matches.candidate.content, [record.content for record in matches.known]
    )
    return VerdictForm(statement=number, relation=relation, known=index)


def _read(
    judgement: ReconciliationForm, matches: Sequence[StatementMatches]
) -> list[StatementRelation]:
    """Return one relation per statement; without a valid record it is new, so nothing is lost."""
    verdicts = [NEW] * len(matches)
    for judged in judgement.verdicts:
        if not 0 <= judged.statement < len(matches) or judged.relation is Relation.NEW:
            continue
        known = matches[judged.statement].known
        if judged.known is not None and 0 <= judged.known < len(known):
            verdicts[judged.statement] = StatementRelation(judged.relation, known[judged.known])
    return verdicts
