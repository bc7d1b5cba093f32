"""Turn the relations of statements into changes to records."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from saegim.memory.candidate import CandidateMemory
from saegim.memory.extraction.reconciliation import StatementRelation
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

_REPLACES = (Relation.SUPERSEDES, Relation.CONTRADICTS)


@dataclass(frozen=True, slots=True)
class SourcedStatement:
    """A statement with its time, turn and origin."""

    candidate: CandidateMemory
    said_at: datetime
    turn: UUID
    origin: Origin
    searchable: Searchable

    def statement(self) -> Statement:
        return Statement.of(self.candidate)

    def record(self) -> NewRecord:
        return NewRecord(
            statement=self.statement(),
            said_at=self.said_at,
            sources=(self.turn,),
            quote=self.candidate.quote,
            origin=self.origin,
            searchable=self.searchable,
        )


def outdated(asserted: SourcedStatement, verdict: StatementRelation) -> bool:
    """Return whether the record is newer: turns are not always extracted in order."""
    if verdict.record is None or verdict.relation in (Relation.NEW, Relation.DUPLICATE):
        return False
    return verdict.record.said_at > asserted.said_at


def change_of(asserted: SourcedStatement, verdict: StatementRelation) -> Change:
    known = verdict.record
    if known is None or verdict.relation is Relation.NEW:
        return Add(asserted.record())
    if verdict.relation is Relation.DUPLICATE:
        return Confirm(known.id, asserted.turn, asserted.candidate.importance)
    if verdict.relation in _REPLACES:
        ends_at = max(asserted.candidate.valid_from or asserted.said_at, known.said_at)
        contradicts = verdict.relation is Relation.CONTRADICTS
        return Supersede(known.id, asserted.record(), ends_at, contradicts)
    return Revise(
        known.id, asserted.statement(), asserted.searchable, asserted.origin, asserted.turn
    )
