"""A person's rows as arrays: what a scan does in SQL, by arithmetic."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from saegim.db.cells import Row
from saegim.memory.recall.query_vectors import IndexMark, QueryVectors, column, seconds
from saegim.memory.recall.types import (
    EpisodeScores,
    Ids,
    Numbers,
    RecordScores,
    ScanFilter,
    Scores,
    Seconds,
)
from saegim.memory.types import MemoryType
from saegim.text.rank_fusion import SparseVector

Flags = NDArray[np.bool_]
Matrix = NDArray[np.float32]

_TYPES = {kind: code for code, kind in enumerate(MemoryType)}


@dataclass(frozen=True, slots=True)
class Postings:
    """Which rows hold a term and how much it weighs there, in the order of the terms."""

    terms: NDArray[np.int32]
    rows: NDArray[np.int32]
    weights: Scores

    @classmethod
    def sent(cls, counts: bytes | None, pairs: bytes | None) -> Self:
        """From how many terms each row holds, and their numbers and weights, row after row."""
        term_counts = column(counts, ">i4").astype(np.int64)
        words = column(pairs, ">u4")
        before = np.cumsum(term_counts) - term_counts
        at = np.arange(term_counts.sum()) + np.repeat(before, term_counts)
        terms = words[at].astype(np.int32) + np.int32(1)
        weights = words[at + np.repeat(term_counts, term_counts)].view(">f4").astype(np.float32)
        rows = np.repeat(np.arange(len(term_counts), dtype=np.int32), term_counts)
        return cls._ordered(terms, rows, weights)

    @property
    def size(self) -> int:
        """How many bytes they take."""
        return self.terms.nbytes + self.rows.nbytes + self.weights.nbytes

    @classmethod
    def _ordered(cls, terms: Any, rows: Any, weights: Any) -> Self:
        order = np.argsort(terms, kind="stable")
        return cls(terms[order], rows[order], weights[order])

    def then(self, other: "Postings", rows: int) -> "Postings":
        """These of so many rows, followed by those of others."""
        return self._ordered(
            np.concatenate((self.terms, other.terms)),
            np.concatenate((self.rows, other.rows + np.int32(rows))),
            np.concatenate((self.weights, other.weights)),
        )

    def scores(self, asked: SparseVector, rows: int) -> Scores:
        """The inner product of each row with what is asked."""
        found = np.zeros(rows, np.float32)
        wanted = np.array(asked.indices, np.int32)
        firsts = np.searchsorted(self.terms, wanted, "left")
        pasts = np.searchsorted(self.terms, wanted, "right")
        for first, past, weight in zip(firsts, pasts, asked.values, strict=True):
            # A row holds a term once, so that none is added to twice.
            found[self.rows[first:past]] += np.float32(weight) * self.weights[first:past]
        return found


def _size(rows: Any) -> int:
    found = (getattr(rows, each.name) for each in fields(rows))
    return sum(each.size if isinstance(each, Postings) else each.nbytes for each in found)


def _joined(one: Any, other: Any, names: Iterable[str]) -> dict[str, Any]:
    return {name: np.concatenate((getattr(one, name), getattr(other, name))) for name in names}


@dataclass(frozen=True, slots=True)
class RecordRows:
    """Records; `ended` is past all times where one holds."""

    ids: Ids
    vectors: Matrix
    terms: Postings
    importance: Scores
    said: Seconds
    holds: Seconds
    ended: Seconds
    forgotten: Flags
    type: NDArray[np.int8]

    @classmethod
    def sent(cls, row: Row) -> Self:
        """From what `memory_since` returns."""
        types: str = row["record_types"] or ""
        return cls(
            ids=column(row["record_ids"], "V16"),
            vectors=_vectors(row["record_vectors"], row["dimensions"]),
            terms=Postings.sent(row["record_counts"], row["record_terms"]),
            importance=column(row["record_importance"], ">f4").astype(np.float32),
            said=seconds(row["record_said"]),
            holds=seconds(row["record_holds"]),
            ended=seconds(row["record_ended"]),
            forgotten=column(row["record_forgotten"], ">i4").astype(np.bool_),
            type=np.array([_TYPES[MemoryType(name)] for name in types.split(",") if name], np.int8),
        )

    @property
    def size(self) -> int:
        """How many bytes they take."""
        return _size(self)

    def then(self, others: "RecordRows") -> "RecordRows":
        """These rows, followed by others."""
        plain = ("ids", "vectors", "importance", "said", "holds", "ended", "forgotten", "type")
        terms = self.terms.then(others.terms, len(self.ids))
        return RecordRows(terms=terms, **_joined(self, others, plain))

    def scores(self, asked: QueryVectors, narrowing: ScanFilter, last: Flags) -> RecordScores:
        """What `scan_memories` returns."""
        as_of = narrowing.as_of.timestamp()
        holding = last & ~self.forgotten & (self.said <= as_of) & (self.ended > as_of)
        holding &= _said_within(self.said, narrowing)
        if narrowing.types:
            holding &= np.isin(self.type, [_TYPES[kind] for kind in narrowing.types])
        found = self.terms.scores(asked.records.terms, len(self.ids))
        return RecordScores(
            ids=self.ids[holding],
            lexical=found[holding],
            dense=_dense(self.vectors, asked)[holding],
            importance=self.importance[holding],
            said=self.said[holding],
            holds=self.holds[holding],
            most=asked.records.most,
        )


@dataclass(frozen=True, slots=True)
class EpisodeRows:
    """Episodes."""

    ids: Ids
    vectors: Matrix
    terms: Postings
    own: Postings
    session: Numbers
    turn: Numbers
    said: Seconds
    length: Numbers
    marks: Numbers
    speaker: Numbers

    @classmethod
    def sent(cls, row: Row) -> Self:
        """From what `memory_since` returns."""
        sessions = column(row["episode_sessions"], [("time", ">i8"), ("chance", ">i8")])
        spoken = column(row["episode_spoken"], [("length", ">i4"), ("speaker", ">i4")])
        return cls(
            ids=column(row["episode_ids"], "V16"),
            vectors=_vectors(row["episode_vectors"], row["dimensions"]),
            terms=Postings.sent(row["episode_counts"], row["episode_terms"]),
            own=Postings.sent(row["own_counts"], row["own_terms"]),
            session=sessions["chance"].astype(np.int64),
            turn=column(row["episode_turns"], ">i4").astype(np.int64),
            said=seconds(row["episode_said"]),
            length=spoken["length"].astype(np.int64),
            marks=column(row["episode_marks"], ">i4").astype(np.int64),
            speaker=spoken["speaker"].astype(np.int64),
        )

    @property
    def size(self) -> int:
        """How many bytes they take."""
        return _size(self)

    def then(self, others: "EpisodeRows") -> "EpisodeRows":
        """These rows, followed by others."""
        plain = ("ids", "vectors", "session", "turn", "said", "length", "marks", "speaker")
        before = len(self.ids)
        return EpisodeRows(
            terms=self.terms.then(others.terms, before),
            own=self.own.then(others.own, before),
            **_joined(self, others, plain),
        )

    def scores(self, asked: QueryVectors, narrowing: ScanFilter, last: Flags) -> EpisodeScores:
        """What `scan_episodes` returns."""
        as_of = narrowing.as_of.timestamp()
        # One of which nobody knows when it was said was said at any time.
        episodes = np.where(self.said == 0.0, as_of, self.said)
        there = last & (episodes <= as_of) & _said_within(episodes, narrowing)
        terms = asked.episodes.terms
        return EpisodeScores(
            ids=self.ids[there],
            session=self.session[there],
            turn=self.turn[there],
            window=self.terms.scores(terms, len(self.ids))[there],
            own=self.own.scores(terms, len(self.ids))[there],
            dense=_dense(self.vectors, asked)[there],
            said=self.said[there],
            length=self.length[there],
            marks=self.marks[there],
            speaker=self.speaker[there],
            most=asked.episodes.most,
            speakers=asked.speakers,
        )


def _vectors(sent: bytes | None, dimensions: int) -> Matrix:
    return column(sent, ">f2").astype(np.float32).reshape(-1, dimensions)


def _dense(vectors: Matrix, asked: QueryVectors) -> Scores:
    # As the index holds it, so that both ways give the same.
    question = np.array(asked.vector, np.float16).astype(np.float32)
    return vectors @ question if len(vectors) else np.zeros(0, np.float32)


def _said_within(episodes: Seconds, narrowing: ScanFilter) -> Flags | np.bool_:
    first, past = narrowing.said_from, narrowing.said_until
    found: Flags | np.bool_ = np.True_
    if first is not None:
        found = found & (episodes >= first.timestamp())
    if past is not None:
        found = found & (episodes < past.timestamp())
    return found


Scoring = Callable[[], tuple[RecordScores, EpisodeScores]]

# What the place of a row takes, by its id.
_OF_AN_ID = 200
# Where so many rows were written since, it is loaded again.
MOST_WRITTEN = 512


class BasePlusDelta[Rows: (RecordRows, EpisodeRows)]:
    """Rows as they were loaded, and behind them what was written since: a row that stands in both
    counts where it stands last."""

    def __init__(self, loaded: Rows) -> None:
        self._layers = [loaded]
        self._last = [np.ones(len(loaded.ids), np.bool_)]
        self._at = {bytes(found): (0, row) for row, found in enumerate(loaded.ids)}

    def __len__(self) -> int:
        return len(self._at)

    def each(self) -> list[tuple[Rows, Flags]]:
        """Each layer, and which of its rows count."""
        return list(zip(self._layers, self._last, strict=True))

    @property
    def written(self) -> int:
        """How many rows stand behind those that were loaded."""
        return len(self._layers[1].ids) if len(self._layers) > 1 else 0

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return sum(layer.size for layer in self._layers) + _OF_AN_ID * len(self._at)

    def follow(self, rows: Rows) -> None:
        """Takes rows as they were written since. What somebody goes through stays as it was."""
        if not len(rows.ids):
            return
        loaded, before = self._layers[0], self.written
        behind = self._layers[1].then(rows) if before else rows
        last = [self._last[0].copy(), np.ones(len(behind.ids), np.bool_)]
        if before:
            last[1][:before] = self._last[1]
        for row, found in enumerate(map(bytes, rows.ids), before):
            if found in self._at:
                layer, earlier = self._at[found]
                last[layer][earlier] = False
            self._at[found] = (1, row)
        self._layers, self._last = [loaded, behind], last


class CachedMemory:
    """All of a person's rows as of a mark."""

    @classmethod
    def sent(cls, mark: IndexMark, since: Row) -> Self:
        """From what `memory_since` returns of all that was ever written."""
        return cls(mark, RecordRows.sent(since), EpisodeRows.sent(since))

    def __init__(self, mark: IndexMark, records: RecordRows, episodes: EpisodeRows) -> None:
        self.mark = mark
        self._records = BasePlusDelta(records)
        self._episodes = BasePlusDelta(episodes)

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return self._records.size + self._episodes.size

    @property
    def rows(self) -> int:
        return len(self._records) + len(self._episodes)

    @property
    def needs_compaction(self) -> bool:
        """Whether so much was written since that it should be loaded again."""
        return self._records.written + self._episodes.written > MOST_WRITTEN

    def follow(self, mark: IndexMark, since: Row) -> bool:
        """Takes what `memory_since` returns of what was written since its own mark; whether what
        it has is now all there is."""
        if not self.mark.is_followed_by(mark):
            return False
        # Somebody who read earlier and comes later has no news.
        if mark.horizon >= self.mark.horizon:
            self._records.follow(RecordRows.sent(since))
            self._episodes.follow(EpisodeRows.sent(since))
            self.mark = mark
        return self._has_all_of(mark)

    @property
    def is_all(self) -> bool:
        """Whether it has as many rows as its mark counts."""
        return self._has_all_of(self.mark)

    def _has_all_of(self, mark: IndexMark) -> bool:
        return (len(self._records), len(self._episodes)) == (mark.records, mark.episodes)

    def scoring(self, asked: QueryVectors, narrowing: ScanFilter) -> Scoring:
        """What the scans of both tables return, of the rows as they are now, whenever it is done
        and in whichever thread."""
        records, episodes = self._records.each(), self._episodes.each()
        return lambda: (
            _together([rows.scores(asked, narrowing, last) for rows, last in records]),
            _together([rows.scores(asked, narrowing, last) for rows, last in episodes]),
        )


def _together[Found: (RecordScores, EpisodeScores)](layers: list[Found]) -> Found:
    first, *others = layers
    if not others:
        return first
    arrays = {
        each.name: np.concatenate([getattr(layer, each.name) for layer in layers])
        for each in fields(first)
        if isinstance(getattr(first, each.name), np.ndarray)
    }
    return replace(first, **arrays)
