"""What new statements change in memory, as they relate to known records."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from saegim.domain.scope import Scope
from saegim.memory.extraction.repository import ExtractionSourceStore
from saegim.memory.rules.relations import Relation, may_repeat, rejected, says_the_same
from saegim.memory.types import Add, Change, Confirm, NewRecord, Origin, Record, Revise, Supersede

_REPLACES = (Relation.SUPERSEDES, Relation.CONTRADICTS)


@dataclass(frozen=True, slots=True)
class RelatedStatement:
    """A statement of a turn, which is its only source, and how it relates to a known record."""

    new: NewRecord
    relation: Relation = Relation.NEW
    known: Record | None = None

    @property
    def turn(self) -> UUID:
        return self.new.sources[0]


def same_in(new: NewRecord, near: Iterable[Record]) -> Record | None:
    """Return the record that says the same as a statement, word for word."""
    content = new.statement.content
    return next((each for each in near if says_the_same(content, each.content)), None)


async def changes_of(
    scope: Scope,
    session: UUID,
    statements: Sequence[RelatedStatement],
    sources: ExtractionSourceStore,
) -> Mapping[UUID, Sequence[Change]]:
    """Return what the statements change, by turn; nothing is lost by a wrong relation.

    A statement that is older than the record it would change is dropped: turns are not always
    extracted in order. A duplicate in the same conversation is no new source.
    """
    changes = defaultdict[UUID, list[Change]](list)
    for each in statements:
        known, new = each.known, each.new
        if known is None or each.relation is Relation.NEW:
            changes[each.turn].append(Add(new))
        elif each.relation is not Relation.DUPLICATE:
            if known.said_at <= new.said_at:
                changes[each.turn].append(_change(each, known))
        elif not may_repeat(new.statement.content, known.content):
            changes[each.turn].append(Add(new))
        elif known.unsure_since is not None or not await sources.said_in(
            scope, session, known.sources
        ):
            changes[each.turn].append(Confirm(known.id, each.turn, new.statement.importance))
    return changes


def _change(each: RelatedStatement, known: Record) -> Change:
    new, statement = each.new, each.new.statement
    if each.relation in _REPLACES:
        ends_at = max(statement.valid_from or new.said_at, known.said_at)
        contradicts = each.relation is Relation.CONTRADICTS
        return Supersede(known.id, _filed_with(known, new), ends_at, contradicts)
    return Revise(known.id, statement, new.searchable, new.origin, each.turn)


def _filed_with(known: Record, new: NewRecord) -> NewRecord:
    """Return a correction by rule with the type and topic of what it corrects.

    By its own words, "라떼 말고 아메리카노로 바꿨어" is a decision, and no drink.
    """
    if new.origin is not Origin.FALLBACK or not rejected(new.statement.content):
        return new
    return replace(new, statement=replace(new.statement, type=known.type, topic=known.topic))
