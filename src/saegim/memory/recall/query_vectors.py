"""A question as the vectors that a person's rows are compared with."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from saegim.auth.repository import MEMORY_INDEX
from saegim.db.cells import Cell, QueryCall, Row
from saegim.domain.scope import Scope
from saegim.encryption.cipher import Cipher
from saegim.memory import record_rows
from saegim.memory.recall.types import Seconds
from saegim.text.rank_fusion import K1, SparseVector, TermHasher, query_vector

CountedTable = Literal["records", "episodes"]

# What the conversation is about weighs so much of what is asked.
_CONTEXT = 0.3
# A name is a speaker's where so many turns begin with it, and such a share of all.
_SPOKEN, _SPOKEN_SHARE = 3, 0.01
# What a row takes beside its vector: 160 terms in twelve bytes each, and what it is found by.
_BYTES_OF_TERMS = 2_200


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """What to look for by words: the terms asked for, those of the context, and the words that
    may name a speaker with the terms they make."""

    terms: Sequence[str]
    context: Sequence[str] = ()
    names: Mapping[str, frozenset[str]] | None = None


@dataclass(frozen=True, slots=True)
class WeightedTerms:
    """Terms weighed by how rare they are in a table, and the score of a row that has them all."""

    terms: SparseVector
    most: float


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """A question in the form of the index."""

    index_version: int
    vector: Sequence[float]
    records: WeightedTerms
    episodes: WeightedTerms
    speakers: frozenset[int]

    @property
    def embedding(self) -> str:
        """The vector in the text form of the index."""
        return record_rows.dense_literal(self.vector)


@dataclass(frozen=True, slots=True)
class IndexMark:
    """How far a person's rows in the index of memory are: how many there are, and the oldest
    transaction that may still add to them, in the order of a server that is up since then."""

    version: int
    records: int
    episodes: int
    dimensions: int
    horizon: int
    server: datetime

    def is_followed_by(self, later: "IndexMark") -> bool:
        """Whether what was written since can be told."""
        return (self.version, self.server) == (later.version, later.server)

    @property
    def bytes(self) -> int:
        """About how many bytes the rows take as arrays."""
        return (self.records + self.episodes) * (4 * self.dimensions + _BYTES_OF_TERMS)


async def ask(
    cell: Cell, scope: Scope, cipher: Cipher, words: QueryTerms, embedding: Sequence[float]
) -> QueryVectors:
    """A question in the form of the index."""
    counting = TermCountQuery(scope, cipher, words)
    [rows] = await cell.read_together(scope.tenant, counting.query)
    return counting.counted(rows).asked(embedding)


class TermCountQuery:
    """Looks up how many rows hold each term of a question."""

    def __init__(self, scope: Scope, cipher: Cipher, words: QueryTerms) -> None:
        self._words = words
        self._hasher = TermHasher(cipher.derive("terms"))
        looked_up = dict.fromkeys([*words.terms, *words.context, *(words.names or ())])
        terms = [record_rows.EVERY, *map(self._hasher.index, looked_up)]
        self.values = _whose(scope) | {"terms": terms}

    @property
    def query(self) -> QueryCall:
        return ("find_term_counts", self.values)

    def counted(self, rows: Sequence[Row]) -> "TermCounts":
        """The answer to its query."""
        term_rows = {row["term"]: row for row in rows if row["term"] is not None}
        return self._counted(rows[0], term_rows)

    def counted_since(self, since: Row) -> "TermCounts":
        """The same, of what `memory_since` returns."""
        return self._counted(since, _term_rows(since))

    def _counted(self, index: Row, term_rows: Mapping[int, Row]) -> "TermCounts":
        mark = _mark(index, term_rows.get(record_rows.EVERY, _NONE))
        return TermCounts(
            self._words, _Counts(term_rows, self._hasher), str(index["embedder"]), mark
        )


_NONE: Row = {"records": 0, "episodes": 0}


def everything(scope: Scope) -> QueryCall:
    """All of a person's rows."""
    values = {"terms": [record_rows.EVERY], "since": 0, "subjects": list[UUID]()}
    return ("memory_since", _whose(scope) | values)


def mark_of(since: Row) -> IndexMark:
    """How far the rows are that `everything` returns."""
    return _mark(since, _term_rows(since).get(record_rows.EVERY, _NONE))


def _term_rows(since: Row) -> dict[int, Row]:
    """In how many rows each term stands, of what `memory_since` returns."""
    columns: list[list[int]] = [since[name] or [] for name in ("terms", "records", "episodes")]
    return {
        term: {"records": records, "episodes": episodes}
        for term, records, episodes in zip(*columns, strict=True)
    }


def _whose(scope: Scope) -> dict[str, Any]:
    return {"member": scope.user, "profile": scope.profile, "subject": MEMORY_INDEX}


def _mark(index: Row, every: Row) -> IndexMark:
    return IndexMark(
        version=index["index_version"],
        records=every["records"],
        episodes=every["episodes"],
        dimensions=index["dimensions"],
        horizon=index["horizon"],
        server=index["server"],
    )


@dataclass(frozen=True, slots=True)
class TermCounts:
    """The words of a question with how often each is held, and the index they were counted in."""

    words: QueryTerms
    counts: "_Counts"
    embedder: str
    mark: IndexMark

    def asked(self, embedding: Sequence[float]) -> QueryVectors:
        """The question with its vector. One of an embedder that was moved from meanwhile says
        nothing: words alone decide."""
        words, counts = self.words, self.counts
        names = words.names or {}
        speaking = [name for name in names if counts.speaks(name)]
        named = {term for name in speaking for term in names[name]}
        # Who speaks is left out of what is looked for, unless nothing else is asked.
        asked = [term for term in words.terms if term not in named] or list(words.terms)
        fits = len(embedding) == self.mark.dimensions
        return QueryVectors(
            index_version=self.mark.version,
            vector=embedding if fits else [0.0] * self.mark.dimensions,
            records=counts.weigh(words.terms, words.context, "records"),
            episodes=counts.weigh(asked, words.context, "episodes"),
            speakers=frozenset(map(counts.hasher.index, speaking)),
        )


@dataclass(frozen=True, slots=True)
class _Counts:
    """In how many rows each term stands."""

    rows: Mapping[int, Row]
    hasher: TermHasher

    def speaks(self, name: str) -> bool:
        turns = self._of("episodes")
        spoken = turns.get(self.hasher.index(name), 0)
        return spoken >= max(_SPOKEN, _SPOKEN_SHARE * turns.get(record_rows.EVERY, 0))

    def weigh(
        self, terms: Iterable[str], context: Iterable[str], counted: CountedTable
    ) -> WeightedTerms:
        df = self._of(counted)
        every = df.get(record_rows.EVERY, 0)
        asked = query_vector(terms, self.hasher, df, every)
        around = query_vector(context, self.hasher, df, every)
        most = (K1 + 1) * sum(asked.values)
        return WeightedTerms(_together(asked, around), most)

    def _of(self, counted: CountedTable) -> dict[int, int]:
        return {term: row[counted] for term, row in self.rows.items()}


def _together(asked: SparseVector, around: SparseVector) -> SparseVector:
    weights = {
        index: _CONTEXT * value for index, value in zip(around.indices, around.values, strict=True)
    } | dict(zip(asked.indices, asked.values, strict=True))
    indices = tuple(sorted(weights))
    return SparseVector(indices, tuple(weights[index] for index in indices))


# Times on the wire are microseconds since the year 2000.
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC).timestamp()


def column(sent: bytes | None, kind: str | list[tuple[str, str]]) -> NDArray[Any]:
    """The values of a column on the wire, one after the other; none where there are no rows."""
    return np.frombuffer(sent or b"", np.dtype(kind))


def seconds(sent: bytes | None) -> Seconds:
    """Times as seconds since 1970."""
    return column(sent, ">i8").astype(np.float64) / 1e6 + _EPOCH
