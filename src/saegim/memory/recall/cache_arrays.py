"""Cached index rows of a user as arrays, with the same scores as a scan in SQL."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from saegim.db.cells import Row
from saegim.memory.recall.query_vectors import (
    IndexMark,
    QueryVectors,
    column,
    episode_columns,
    record_columns,
    seconds,
)
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
    """Rows and weights of each term, sorted by term."""

    terms: NDArray[np.int32]
    rows: NDArray[np.int32]
    weights: Scores

    @classmethod
    def sent(cls, counts: bytes | None, pairs: bytes | None) -> Self:
        """Decode the number of terms of each row, and their indices and weights row by row."""
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
        return self.terms.nbytes + self.rows.nbytes + self.weights.nbytes

    @classmethod
    def _ordered(cls, terms: Any, rows: Any, weights: Any) -> Self:
        order = np.argsort(terms, kind="stable")
        return cls(terms[order], rows[order], weights[order])

    def then(self, other: "Postings", rows: int) -> "Postings":
        """Append the postings of other rows."""
        return self._ordered(
            np.concatenate((self.terms, other.terms)),
            np.concatenate((self.rows, other.rows + np.int32(rows))),
            np.concatenate((self.weights, other.weights)),
        )

    def scores(self, query: SparseVector, rows: int) -> Scores:
        """Return the inner product of each row with the query."""
        scores = np.zeros(rows, np.float32)
        terms = np.array(query.indices, np.int32)
        firsts = np.searchsorted(self.terms, terms, "left")
        pasts = np.searchsorted(self.terms, terms, "right")
        for first, past, weight in zip(firsts, pasts, query.values, strict=True):
            # A row has a term once, so no index repeats.
            scores[self.rows[first:past]] += np.float32(weight) * self.weights[first:past]
        return scores


@dataclass(frozen=True, slots=True)
class _IndexRows:
    """Columns that records and episodes share."""

    ids: Ids
    vectors: Matrix
    terms: Postings

    @property
    def size(self) -> int:
        columns = (getattr(self, each.name) for each in fields(self))
        return sum(each.size if isinstance(each, Postings) else each.nbytes for each in columns)

    def then(self, others: Self) -> Self:
        """Append other rows."""
        joined: dict[str, Any] = {}
        for each in fields(self):
            one, other = getattr(self, each.name), getattr(others, each.name)
            if isinstance(one, Postings):
                joined[each.name] = one.then(other, len(self.ids))
            else:
                joined[each.name] = np.concatenate((one, other))
        return replace(self, **joined)

    def where(self, valid: Flags, *names: str) -> dict[str, Any]:
        """Return the valid rows of columns."""
        return {name: getattr(self, name)[valid] for name in names}


@dataclass(frozen=True, slots=True)
class RecordRows(_IndexRows):
    """Index rows of records; `ended` is infinite for valid ones."""

    importance: Scores
    said: Seconds
    holds: Seconds
    ended: Seconds
    forgotten: Flags
    type: NDArray[np.int8]

    @classmethod
    def sent(cls, row: Row) -> Self:
        """Decode a row of `memory_since`."""
        types: str = row["record_types"] or ""
        return cls(
            **record_columns(row, "record_"),
            vectors=_vectors(row["record_vectors"], row["dimensions"]),
            terms=Postings.sent(row["record_counts"], row["record_terms"]),
            ended=seconds(row["record_ended"]),
            forgotten=column(row["record_forgotten"], ">i4").astype(np.bool_),
            type=np.array([_TYPES[MemoryType(name)] for name in types.split(",") if name], np.int8),
        )

    def scores(self, query: QueryVectors, narrowing: ScanFilter, last: Flags) -> RecordScores:
        """Return the scores of `scan_memories`."""
        as_of = narrowing.as_of.timestamp()
        valid = last & ~self.forgotten & (self.said <= as_of) & (self.ended > as_of)
        valid &= _said_within(self.said, narrowing)
        if narrowing.types:
            valid &= np.isin(self.type, [_TYPES[kind] for kind in narrowing.types])
        lexical = self.terms.scores(query.records.terms, len(self.ids))
        return RecordScores(
            **self.where(valid, "ids", "importance", "said", "holds"),
            lexical=lexical[valid],
            dense=_dense(self.vectors, query.vector)[valid],
            most=query.records.most,
        )


@dataclass(frozen=True, slots=True)
class EpisodeRows(_IndexRows):
    """Index rows of episodes."""

    own: Postings
    message: Postings
    own_vectors: Matrix
    session: Numbers
    turn: Numbers
    said: Seconds
    length: Numbers
    marks: Numbers
    speaker: Numbers

    @classmethod
    def sent(cls, row: Row) -> Self:
        """Decode a row of `memory_since`."""
        return cls(
            **episode_columns(row, "episode_"),
            vectors=_vectors(row["episode_vectors"], row["dimensions"]),
            terms=Postings.sent(row["episode_counts"], row["episode_terms"]),
            own=Postings.sent(row["own_counts"], row["own_terms"]),
            message=Postings.sent(row["message_counts"], row["message_terms"]),
            own_vectors=_vectors(row["own_vectors"], row["dimensions"]),
        )

    def scores(
        self, query: QueryVectors, narrowing: ScanFilter, last: Flags, mean: Sequence[float]
    ) -> EpisodeScores:
        """Return the scores of `scan_episodes`."""
        as_of = narrowing.as_of.timestamp()
        # An episode without a time matches any time.
        said = np.where(self.said == 0.0, as_of, self.said)
        valid = last & (said <= as_of) & _said_within(said, narrowing)
        terms = query.episodes.terms
        return EpisodeScores(
            **self.where(valid, "ids", "session", "turn", "said", "length", "marks", "speaker"),
            window=self.terms.scores(terms, len(self.ids))[valid],
            own=self.own.scores(terms, len(self.ids))[valid],
            message=self.message.scores(terms, len(self.ids))[valid],
            dense=_dense(self.vectors, query.plain_vector)[valid],
            own_dense=_dense(self.own_vectors, query.plain_vector)[valid],
            common=_dense(self.own_vectors, mean)[valid],
            most=query.episodes.most,
            speakers=query.speakers,
        )


def _vectors(sent: bytes | None, dimensions: int) -> Matrix:
    return column(sent, ">f2").astype(np.float32).reshape(-1, dimensions)


def _dense(vectors: Matrix, vector: Sequence[float]) -> Scores:
    # Half precision like the index, so that both ways give the same scores.
    compared = np.array(vector, np.float16).astype(np.float32)
    return vectors @ compared if len(vectors) else np.zeros(0, np.float32)


def _said_within(said: Seconds, narrowing: ScanFilter) -> Flags | np.bool_:
    within: Flags | np.bool_ = np.True_
    if narrowing.said_from is not None:
        within = within & (said >= narrowing.said_from.timestamp())
    if narrowing.said_until is not None:
        within = within & (said < narrowing.said_until.timestamp())
    return within


Scoring = Callable[[], tuple[RecordScores, EpisodeScores]]

# Bytes of the dictionary entry of a row.
_ENTRY_BYTES = 200
# With more new rows the cache is reloaded.
MOST_WRITTEN = 512


class BasePlusDelta[Rows: (RecordRows, EpisodeRows)]:
    """Rows as loaded, and a second layer of rows written since, which replace them by id."""

    def __init__(self, loaded: Rows) -> None:
        self._layers = [loaded]
        self._last = [np.ones(len(loaded.ids), np.bool_)]
        self._at = {bytes(each): (0, row) for row, each in enumerate(loaded.ids)}

    def __len__(self) -> int:
        return len(self._at)

    def each(self) -> list[tuple[Rows, Flags]]:
        """Return each layer with a mask of its current rows."""
        return list(zip(self._layers, self._last, strict=True))

    @property
    def written(self) -> int:
        """Number of rows in the second layer."""
        return len(self._layers[1].ids) if len(self._layers) > 1 else 0

    @property
    def size(self) -> int:
        return sum(layer.size for layer in self._layers) + _ENTRY_BYTES * len(self._at)

    def follow(self, rows: Rows) -> None:
        """Add rows written since; builds new arrays, as others may be read by a thread."""
        if not len(rows.ids):
            return
        loaded, before = self._layers[0], self.written
        delta = self._layers[1].then(rows) if before else rows
        last = [self._last[0].copy(), np.ones(len(delta.ids), np.bool_)]
        if before:
            last[1][:before] = self._last[1]
        for row, key in enumerate(map(bytes, rows.ids), before):
            if key in self._at:
                layer, earlier = self._at[key]
                last[layer][earlier] = False
            self._at[key] = (1, row)
        self._layers, self._last = [loaded, delta], last


class CachedMemory:
    """All index rows of a user at a version."""

    @classmethod
    def sent(cls, mark: IndexMark, since: Row) -> Self:
        """Decode a row of `memory_since` for all rows."""
        return cls(mark, RecordRows.sent(since), EpisodeRows.sent(since))

    def __init__(self, mark: IndexMark, records: RecordRows, episodes: EpisodeRows) -> None:
        self.mark = mark
        self._records = BasePlusDelta(records)
        self._episodes = BasePlusDelta(episodes)
        self._sum: NDArray[np.float64] = episodes.own_vectors.sum(axis=0, dtype=np.float64)

    @property
    def size(self) -> int:
        return self._records.size + self._episodes.size

    @property
    def rows(self) -> int:
        return len(self._records) + len(self._episodes)

    @property
    def needs_compaction(self) -> bool:
        """Whether so many rows were written since that the cache should be reloaded."""
        return self._records.written + self._episodes.written > MOST_WRITTEN

    def follow(self, mark: IndexMark, since: Row) -> bool:
        """Add the rows written since its version; return whether it is complete."""
        if not self.mark.is_followed_by(mark):
            return False
        # A slower reader may have an older version.
        if mark.horizon >= self.mark.horizon:
            self._records.follow(RecordRows.sent(since))
            self._episodes.follow(EpisodeRows.sent(since))
            self.mark = mark
        return self._has_all_of(mark)

    @property
    def is_all(self) -> bool:
        """Whether it has as many rows as its version counts."""
        return self._has_all_of(self.mark)

    def _has_all_of(self, mark: IndexMark) -> bool:
        return (len(self._records), len(self._episodes)) == (mark.records, mark.episodes)

    def scoring(self, query: QueryVectors, narrowing: ScanFilter) -> Scoring:
        """Return a function that scores the current rows, in any thread."""
        records, episodes = self._records.each(), self._episodes.each()

        def score() -> tuple[RecordScores, EpisodeScores]:
            mean = self._mean(episodes)
            return (
                _concatenated([rows.scores(query, narrowing, last) for rows, last in records]),
                _concatenated(
                    [rows.scores(query, narrowing, last, mean) for rows, last in episodes]
                ),
            )

        return score

    def _mean(self, layers: Sequence[tuple[EpisodeRows, Flags]]) -> list[float]:
        """Return the mean vector of the turns; `mean_of_turns` takes 200 of them."""
        (loaded, valid), *written = layers
        total = self._sum - loaded.own_vectors[~valid].sum(axis=0, dtype=np.float64)
        for rows, last in written:
            total = total + rows.own_vectors[last].sum(axis=0, dtype=np.float64)
        count = sum(int(np.count_nonzero(last)) for _, last in layers)
        return (total / max(count, 1)).astype(np.float32).tolist()


def _concatenated[Found: (RecordScores, EpisodeScores)](layers: list[Found]) -> Found:
    first, *others = layers
    if not others:
        return first
    arrays = {
        each.name: np.concatenate([getattr(layer, each.name) for layer in layers])
        for each in fields(first)
        if isinstance(getattr(first, each.name), np.ndarray)
    }
    return replace(first, **arrays)
