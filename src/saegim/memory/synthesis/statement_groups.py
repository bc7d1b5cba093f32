"""Group records that say the same, with the records that say otherwise. By words; no model."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from uuid import UUID

from saegim.memory.types import Record
from saegim.text import analysis, function_words

# Share of common words from which two statements of one topic say the same.
_SAME = 0.6
# The newest records of a topic that are compared with each other.
_MOST_COMPARED = 400
_NEGATION_WORDS = """
안 못 않 않는 않아 않은 않다 않을 않고 없 없다 없어 없는 싫 싫어 싫다 그만 끊었 끊음
don doesn didn can cannot won isn aren not no never hat dislik stop quit without
"""
_NEGATIONS = frozenset(_NEGATION_WORDS.split())
_IDLE_WORDS = "사용 사용자 user users 나 내 저 제"
_IDLE = frozenset(_IDLE_WORDS.split()) | function_words.KOREAN | function_words.ENGLISH
_NEGATED = re.compile(r"지\s?(?:않|못|마)|n['’]t\b|no longer", re.IGNORECASE)


@dataclass(frozen=True)
class StatementWords:
    """A record with the words that tell whether it says the same as another."""

    record: Record

    @cached_property
    def _keys(self) -> frozenset[str]:
        return analysis.word_keys(self.record.content) - (_IDLE - _NEGATIONS)

    @cached_property
    def words(self) -> frozenset[str]:
        return self._keys - _NEGATIONS

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(word for word in self.words if any(map(str.isdigit, word)))

    @cached_property
    def negated(self) -> bool:
        return bool(self._keys & _NEGATIONS or _NEGATED.search(self.record.content))

    def is_near(self, other: "StatementWords") -> bool:
        """Return whether both speak of the same, for or against it."""
        if self.numbers != other.numbers:
            return False
        return _overlap(self.words, other.words) >= _SAME


@dataclass(frozen=True, slots=True)
class StatementGroup:
    """Records that say the same, oldest first, and those that say otherwise."""

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
        """Rule of succession over the statements for and against; a replaced one is neither."""
        opposed = sum(record.superseded_by is None for record in self.against)
        return round((self.proofs + 1) / (self.proofs + opposed + 2), 2)

    @property
    def is_doubtful(self) -> bool:
        """Whether it is unsure, or a newer record says the opposite."""
        return self.newest.unsure_since is not None or any(
            record.said_at > self.newest.said_at for record in self.against
        )

    @property
    def importance(self) -> float:
        return max(record.importance for record in self.records)


def is_living(record: Record, now: datetime) -> bool:
    """Return whether a record holds, and is no digest."""
    ended = record.superseded_by is not None and (record.valid_to is None or record.valid_to <= now)
    return not ended and not record.is_digest


def group(records: Sequence[Record], now: datetime) -> list[StatementGroup]:
    """Return all living records in groups, ordered by their oldest record."""
    ordered = sorted(records, key=_age)
    living = [StatementWords(record) for record in ordered if is_living(record, now)]
    same, opposite = _Unions(), defaultdict[UUID, set[UUID]](set)
    for block in _blocks(living):
        for index, one in enumerate(block):
            for other in block[:index]:
                if not one.is_near(other):
                    continue
                if one.negated == other.negated:
                    same.join(one.record.id, other.record.id)
                else:
                    opposite[one.record.id].add(other.record.id)
                    opposite[other.record.id].add(one.record.id)
    by_id = {record.id: record for record in ordered}
    replaced = _replaced(ordered, {each.record.id for each in living})
    members = defaultdict[UUID, list[Record]](list)
    for each in living:
        members[same.root(each.record.id)].append(each.record)
    return [_group(each, opposite, replaced, by_id) for each in members.values()]


def _group(
    records: Sequence[Record],
    opposite: Mapping[UUID, Set[UUID]],
    replaced: Mapping[UUID, Sequence[UUID]],
    by_id: Mapping[UUID, Record],
) -> StatementGroup:
    ids = {record.id for record in records}
    against = {
        other for each in ids for other in (*opposite.get(each, ()), *replaced.get(each, ()))
    }
    others = sorted((by_id[each] for each in against - ids), key=_age)
    return StatementGroup(tuple(records), tuple(others))


def _blocks(living: Iterable[StatementWords]) -> list[list[StatementWords]]:
    blocks = defaultdict[str, list[StatementWords]](list)
    for each in living:
        blocks[analysis.fold(each.record.topic).strip()].append(each)
    return [block[-_MOST_COMPARED:] for block in blocks.values()]


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


class _Unions:
    """Disjoint sets of ids; the root of a set is its first id in the order of ids."""

    def __init__(self) -> None:
        self._parent: dict[UUID, UUID] = {}

    def root(self, one: UUID) -> UUID:
        while (parent := self._parent.get(one, one)) != one:
            one = parent
        return one

    def join(self, one: UUID, other: UUID) -> None:
        first, second = sorted((self.root(one), self.root(other)))
        if first != second:
            self._parent[second] = first


def _overlap(one: Set[str], other: Set[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


def _age(record: Record) -> tuple[datetime, UUID]:
    return record.said_at, record.id
