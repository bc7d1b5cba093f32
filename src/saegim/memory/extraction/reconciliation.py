"""How new statements stand to what is known: by the model, or by rule (LM2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from saegim.llm.model_call import ModelCall
from saegim.llm.ports import ModelRole
from saegim.llm.steps import Steps, load
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.memory.candidate import CandidateMemory
from saegim.memory.rules.relations import Relation, by_rule, says_the_same
from saegim.memory.types import Record
from saegim.text.tokens import delimited


class VerdictForm(BaseModel):
    """One verdict as the extractor gives it: `statement` and `known` are numbers it was shown."""

    statement: int
    relation: Relation
    known: int | None = None


class ReconciliationForm(BaseModel):
    """What the extractor fills in about all statements of a turn."""

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
    """A statement and the records that it may concern, nearest first."""

    candidate: CandidateMemory
    known: tuple[Record, ...]


@dataclass(frozen=True, slots=True)
class StatementRelation:
    """How a statement stands to what is known; `record` is the one it concerns, unless new."""

    relation: Relation
    record: Record | None = None


NEW = StatementRelation(Relation.NEW)


async def reconcile(
    steps: Steps, met: Sequence[StatementMatches]
) -> tuple[tuple[StatementRelation, ...], ModelCall | None]:
    """A verdict for each statement; no model is asked where rules leave nothing to judge."""
    settled = [_plain(each) for each in met]
    open_ = [index for index, verdict in enumerate(settled) if verdict is None]
    if not open_:
        return tuple(verdict or NEW for verdict in settled), None
    asked = [met[index] for index in open_]

    def fallback() -> ReconciliationForm:
        return ReconciliationForm(
            verdicts=[_judged(number, each) for number, each in enumerate(asked)]
        )

    result = await steps.structured(RECONCILE, reconcile_prompt(asked), fallback, None)
    for number, verdict in enumerate(_read(result.value, asked)):
        settled[open_[number]] = verdict
    return tuple(verdict or NEW for verdict in settled), result.call


def reconcile_prompt(met: Sequence[StatementMatches]) -> StepPrompt:
    """The statements with their numbers, each with the records that it may concern."""
    blocks: list[str] = []
    for number, each in enumerate(met):
        known = "\n".join(
            f"known {place}: {record.content} (said {record.said_at.date().isoformat()})"
            for place, record in enumerate(each.known)
        )
        blocks.append(f"statement {number}: {each.candidate.content}\n{known}")
    data = delimited("statements", "\n\n".join(blocks))
    return load("saegim.memory", "reconcile").step((Message("user", data),))


def _plain(met: StatementMatches) -> StatementRelation | None:
    """What needs no judging: nothing is known nearby, or the very same is."""
    if not met.known:
        return NEW
    same = next(
        (each for each in met.known if says_the_same(met.candidate.content, each.content)), None
    )
    return None if same is None else StatementRelation(Relation.DUPLICATE, same)


def _judged(number: int, met: StatementMatches) -> VerdictForm:
    relation, place = by_rule(met.candidate.content, [record.content for record in met.known])
    return VerdictForm(statement=number, relation=relation, known=place)


def _read(
    judgement: ReconciliationForm, met: Sequence[StatementMatches]
) -> list[StatementRelation]:
    """One verdict for each statement. One that names no record it was shown is new: at worst a
    fact stands twice, and none is lost."""
    verdicts = [NEW] * len(met)
    for judged in judgement.verdicts:
        if not 0 <= judged.statement < len(met) or judged.relation is Relation.NEW:
            continue
        known = met[judged.statement].known
        if judged.known is not None and 0 <= judged.known < len(known):
            verdicts[judged.statement] = StatementRelation(judged.relation, known[judged.known])
    return verdicts
