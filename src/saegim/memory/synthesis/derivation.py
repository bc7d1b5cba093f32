"""Derive observations, the profile and entity pages from records: a function of them alone."""

from collections.abc import Sequence
from datetime import datetime

from saegim.memory.synthesis.entities import entities_of
from saegim.memory.synthesis.profile import profile_of
from saegim.memory.synthesis.statement_groups import StatementGroup, group
from saegim.memory.synthesis.types import DerivedKind, DerivedStatement
from saegim.memory.types import MemoryType, Record

LEAST_PROOFS = 2
_MOST_OBSERVATIONS = 200


def derive(records: Sequence[Record], now: datetime) -> tuple[DerivedStatement, ...]:
    """Return all that follows from records that are not forgotten; the same for any order."""
    groups = group(records, now)
    return (*observations_of(groups), *profile_of(groups), *entities_of(groups))


def next_change(records: Sequence[Record], now: datetime) -> datetime | None:
    """Return when a record ends by itself, so that the result changes without a new statement."""
    ends = (record.valid_to for record in records if record.superseded_by is not None)
    return min((end for end in ends if end is not None and end > now), default=None)


def observations_of(groups: Sequence[StatementGroup]) -> list[DerivedStatement]:
    """Return the beliefs that were said several times, the newest ones."""
    repeated = [
        each
        for each in groups
        if each.proofs >= LEAST_PROOFS and each.newest.type is not MemoryType.TODO
    ]
    repeated.sort(key=lambda each: (each.newest.said_at, each.newest.id), reverse=True)
    return [_observation(each) for each in repeated[:_MOST_OBSERVATIONS]]


def _observation(group: StatementGroup) -> DerivedStatement:
    return DerivedStatement(
        kind=DerivedKind.OBSERVATION,
        key=str(group.records[0].id),
        title=group.newest.topic,
        text=group.newest.content,
        sources=tuple(record.id for record in group.records),
        against=tuple(record.id for record in group.against),
        proofs=group.proofs,
        confidence=group.confidence,
        first_seen=group.records[0].said_at,
        last_seen=group.newest.said_at,
    )
