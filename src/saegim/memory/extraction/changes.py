"""What new statements change in memory, as they relate to known records."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from saegim.domain.scope import Scope
from saegim.memory.extraction.repository import ExtractionSourceStore
from saegim.memory.types import Add, Change, Confirm, NewRecord, Record, Revise, Supersede
from saegim.text.analysis import fold, word_keys

_MARKS = re.compile(r"[\W_]+")
# A repetition shares more than this part of its words with the record.
_ALIKE = 0.5


class Relation(StrEnum):
    """Relation of a statement to a record."""

    NEW = "new"
    DUPLICATE = "duplicate"
    REFINES = "refines"
    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"


_REPLACES = (Relation.SUPERSEDES, Relation.CONTRADICTS)


def says_the_same(one: str, other: str) -> bool:
    """Return whether two statements are equal but for spaces, punctuation and case."""
    return _MARKS.sub("", fold(one)) == _MARKS.sub("", fold(other))


def may_repeat(statement: str, known: str) -> bool:
    """Return whether a record has so many words of a statement that it may say the same."""
    words = word_keys(statement)
    return len(words & word_keys(known)) > _ALIKE * len(words)


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
        elif not (
            may_repeat(new.statement.content, known.content)
            or says_the_same(new.statement.content, known.content)
        ):
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
        return Supersede(known.id, new, ends_at, contradicts)
    return Revise(known.id, statement, new.searchable, new.origin, each.turn)
