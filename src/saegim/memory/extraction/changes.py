"""Verdicts as changes to records."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from saegim.memory.candidate import Told
from saegim.memory.extraction.reconciliation import Verdict
from saegim.memory.rules.relations import Relation
from saegim.memory.types import (
    Add,
    Change,
    Confirm,
    NewRecord,
    Origin,
    Revise,
    Searchable,
    Statement,
    Supersede,
)

_INSTEAD = (Relation.SUPERSEDES, Relation.CONTRADICTS)


@dataclass(frozen=True, slots=True)
class Asserted:
    """A statement with when, where and by whom it was told."""

    told: Told
    said_at: datetime
    turn: UUID
    origin: Origin
    searchable: Searchable

    def statement(self) -> Statement:
        told = self.told
        return Statement(
            type=told.type,
            content=told.content,
            importance=told.importance,
            valid_from=told.valid_from,
            valid_to=told.valid_to,
            topic=told.topic,
            tags=told.tags,
            pii=told.pii,
        )

    def record(self) -> NewRecord:
        return NewRecord(
            statement=self.statement(),
            said_at=self.said_at,
            sources=(self.turn,),
            quote=self.told.quote,
            origin=self.origin,
            searchable=self.searchable,
        )


def outdated(asserted: Asserted, verdict: Verdict) -> bool:
    """Whether a later statement is known already: turns are not always read in their order."""
    if verdict.record is None or verdict.relation in (Relation.NEW, Relation.DUPLICATE):
        return False
    return verdict.record.said_at > asserted.said_at


def change_of(asserted: Asserted, verdict: Verdict) -> Change:
    """What a verdict does to memory."""
    known = verdict.record
    if known is None or verdict.relation is Relation.NEW:
        return Add(asserted.record())
    if verdict.relation is Relation.DUPLICATE:
        return Confirm(known.id, asserted.turn, asserted.told.importance)
    if verdict.relation in _INSTEAD:
        ends_at = max(asserted.told.valid_from or asserted.said_at, known.said_at)
        contradicts = verdict.relation is Relation.CONTRADICTS
        return Supersede(known.id, asserted.record(), ends_at, contradicts)
    return Revise(
        known.id, asserted.statement(), asserted.searchable, asserted.origin, asserted.turn
    )
