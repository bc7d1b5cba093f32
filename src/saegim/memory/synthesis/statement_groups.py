"""Group records by their words, with the records that they replaced. No model."""

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from saegim.memory.synthesis.types import DerivedKind, DerivedStatement
from saegim.memory.types import Record
from saegim.text import analysis

_APOSTROPHES = str.maketrans("", "", "'’")


@dataclass(frozen=True, slots=True)
class StatementGroup:
    """Records that hold and say the same, oldest first, and those that they replaced."""

    records: tuple[Record, ...]
    against: tuple[Record, ...] = ()

    @property
    def newest(self) -> Record:
        return self.records[-1]

    @property
    def proofs(self) -> int:
        """Number of turns that said it; a record that the user wrote is one."""
        turns = {turn for record in self.records for turn in record.sources}
        return len(turns) + sum(not record.sources for record in self.records)

    @property
    def confidence(self) -> float:
        """Rule of succession over the turns that said it."""
        return round((self.proofs + 1) / (self.proofs + 2), 2)

    @property
    def importance(self) -> float:
        return max(record.importance for record in self.records)

    def derived(self, kind: DerivedKind) -> DerivedStatement:
        """Return the newest wording with what supports it."""
        return DerivedStatement(
            kind=kind,
            key=str(self.records[0].id),
            title=self.newest.topic.strip(),
            text=self.newest.content,
            sources=tuple(record.id for record in self.records),
            against=tuple(record.id for record in self.against),
            proofs=self.proofs,
            confidence=self.confidence,
            first_seen=self.records[0].said_at,
            last_seen=self.newest.said_at,
        )


def is_living(record: Record, now: datetime) -> bool:
    """Return whether a record holds, and is no digest."""
    ended = record.superseded_by is not None and (record.valid_to is None or record.valid_to <= now)
    return not ended and not record.is_digest


def group(records: Sequence[Record], now: datetime) -> list[StatementGroup]:
    """Return the living records in groups of the same words, ordered by their oldest record."""
    ordered = sorted(records, key=_age)
    members = defaultdict[object, list[Record]](list)
    for record in ordered:
        if is_living(record, now):
            members[_words(record) or record.id].append(record)
    by_id = {record.id: record for record in ordered}
    living = {record.id for found in members.values() for record in found}
    replaced = _replaced(ordered, living)
    return [
        StatementGroup(
            tuple(found),
            tuple(
                sorted(
                    (by_id[old] for each in found for old in replaced.get(each.id, ())), key=_age
                )
            ),
        )
        for found in members.values()
    ]


def _words(record: Record) -> frozenset[str]:
    """Return the words without endings. "Can't" is one word: "t" would be left out."""
    return analysis.word_keys(record.content.translate(_APOSTROPHES))


def _replaced(records: Iterable[Record], living: Set[UUID]) -> dict[UUID, list[UUID]]:
    """Return the records that each living one replaced, directly or not."""
    successors = {each.id: each.superseded_by for each in records if each.id not in living}
    replaced = defaultdict[UUID, list[UUID]](list)
    for record, successor in successors.items():
        seen, at = {record}, successor
        while at is not None and at not in living and at not in seen:
            seen.add(at)
            at = successors.get(at)
        if at is not None and at in living:
            replaced[at].append(record)
    return replaced


def _age(record: Record) -> tuple[datetime, UUID]:
    return record.said_at, record.id
