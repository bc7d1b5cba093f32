"""Vectors of a question, for comparison with the rows of a user."""

from collections.abc import Collection, Mapping, Sequence
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
from saegim.memory.recall.types import Scores, Seconds
from saegim.text.rank_fusion import K1, SparseVector, TermHasher, dense_literal, query_vector

CountedTable = Literal["records", "episodes"]

# Weight of terms of the conversation relative to those of the message.
_CONTEXT = 0.3
# A name is that of a speaker if this many turns, and this share of all, begin with it.
_SPOKEN, _SPOKEN_SHARE = 3, 0.01
# Bytes of a row besides its vector: 160 terms of 12 bytes each, and its ids.
_BYTES_OF_TERMS = 2_200


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """Terms of the message and of the context; words that may be speakers, with their terms."""

    terms: Sequence[str]
    context: Sequence[str] = ()
    names: Mapping[str, frozenset[str]] | None = None


@dataclass(frozen=True, slots=True)
class WeightedTerms:
    """Terms weighted by rarity in a table, and the score of a row with all of them."""

    terms: SparseVector
    most: float


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """Vectors of a question for one index version.

    `plain_vector` is of the question without the names of speakers.
    """

    index_version: int
    vector: Sequence[float]
    plain_vector: Sequence[float]
    records: WeightedTerms
    episodes: WeightedTerms
    speakers: frozenset[int]

    @property
    def embedding(self) -> str:
        return dense_literal(self.vector)

    @property
    def plain_embedding(self) -> str:
        return dense_literal(self.plain_vector)


@dataclass(frozen=True, slots=True)
class IndexMark:
    """Version of the index rows of a user.

    `horizon` is the oldest transaction that may still add rows, valid since `server` started.
    """

    version: int
    records: int
    episodes: int
    dimensions: int
    horizon: int
    server: datetime

    def is_followed_by(self, later: "IndexMark") -> bool:
        """Return whether the rows written since can be determined."""
        return (self.version, self.server) == (later.version, later.server)

    @property
    def bytes(self) -> int:
        """Estimate the size of the rows as arrays."""
        rows = self.records + self.episodes
        # An episode has two vectors: of its window and of its last turn.
        return 4 * self.dimensions * (rows + self.episodes) + _BYTES_OF_TERMS * rows


async def ask(
    cell: Cell, scope: Scope, cipher: Cipher, words: QueryTerms, embedding: Sequence[float]
) -> QueryVectors:
    """Build the vectors of a question."""
    counting = TermCountQuery(scope, cipher, words)
    [rows] = await cell.read_together(scope.tenant, counting.query)
    return counting.counted(rows).vectors(embedding)


class TermCountQuery:
    """Query of the row counts of each term of a question."""

    def __init__(self, scope: Scope, cipher: Cipher, words: QueryTerms) -> None:
        self._words = words
        self._hasher = TermHasher(cipher.derive("terms"))
        looked_up = dict.fromkeys([*words.terms, *words.context, *(words.names or ())])
        terms = [record_rows.EVERY, *map(self._hasher.index, looked_up)]
        self.values = index_owner(scope) | {"terms": terms}

    @property
    def query(self) -> QueryCall:
        return ("find_term_counts", self.values)

    def counted(self, rows: Sequence[Row]) -> "TermCounts":
        term_rows = {row["term"]: row for row in rows if row["term"] is not None}
        return self._counted(rows[0], term_rows)

    def counted_since(self, since: Row) -> "TermCounts":
        """Read the counts from a row of `memory_since`."""
        return self._counted(since, _term_rows(since))

    def _counted(self, index: Row, term_rows: Mapping[int, Row]) -> "TermCounts":
        mark = _mark(index, term_rows.get(record_rows.EVERY, _NONE))
        return TermCounts(self._words, term_rows, self._hasher, str(index["embedder"]), mark)


_NONE: Row = {"records": 0, "episodes": 0}


def everything(scope: Scope) -> QueryCall:
    """Return the query for all rows of a user."""
    values = {"terms": [record_rows.EVERY], "since": 0, "subjects": list[UUID]()}
    return ("memory_since", index_owner(scope) | values)


def mark_of(since: Row) -> IndexMark:
    """Return the version of the rows of `everything`."""
    return _mark(since, _term_rows(since).get(record_rows.EVERY, _NONE))


def _term_rows(since: Row) -> dict[int, Row]:
    """Return the row counts by term of a row of `memory_since`."""
    columns: list[list[int]] = [since[name] or [] for name in ("terms", "records", "episodes")]
    return {
        term: {"records": records, "episodes": episodes}
        for term, records, episodes in zip(*columns, strict=True)
    }


def index_owner(scope: Scope) -> dict[str, Any]:
    """Return the values that name the index rows of a user."""
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
    """Words of a question with their counts, and the index they were counted in."""

    words: QueryTerms
    rows: Mapping[int, Row]
    hasher: TermHasher
    embedder: str
    mark: IndexMark

    @property
    def speakers(self) -> list[str]:
        """The words of the question that are names of speakers, as terms."""
        return [name for name in self.words.names or {} if self._speaks(name)]

    def vectors(
        self, embedding: Sequence[float], plain: Sequence[float] | None = None
    ) -> QueryVectors:
        """Build the vectors; an embedding of another embedder becomes a zero vector."""
        words = self.words
        names = words.names or {}
        speakers = self.speakers
        speaker_terms = {term for name in speakers for term in names[name]}
        # The speaker is not searched for in the text, unless there are no other terms.
        terms = [term for term in words.terms if term not in speaker_terms] or list(words.terms)
        return QueryVectors(
            index_version=self.mark.version,
            vector=self._fitting(embedding),
            plain_vector=self._fitting(embedding if plain is None else plain),
            records=self._weigh(words.terms, words.context, "records"),
            episodes=self._weigh(terms, words.context, "episodes"),
            speakers=frozenset(map(self.hasher.index, speakers)),
        )

    def _fitting(self, embedding: Sequence[float]) -> Sequence[float]:
        fits = len(embedding) == self.mark.dimensions
        return embedding if fits else [0.0] * self.mark.dimensions

    def _speaks(self, name: str) -> bool:
        turns = self._of("episodes")
        spoken = turns.get(self.hasher.index(name), 0)
        return spoken >= max(_SPOKEN, _SPOKEN_SHARE * turns.get(record_rows.EVERY, 0))

    def _weigh(
        self, terms: Collection[str], context: Collection[str], counted: CountedTable
    ) -> WeightedTerms:
        df = self._of(counted)
        every = df.get(record_rows.EVERY, 0)
        main = query_vector(terms, self.hasher, df, every)
        around = query_vector(context, self.hasher, df, every)
        return WeightedTerms(_merged(main, around), (K1 + 1) * sum(main.values))

    def _of(self, counted: CountedTable) -> dict[int, int]:
        return {term: row[counted] for term, row in self.rows.items()}


def _merged(main: SparseVector, around: SparseVector) -> SparseVector:
    weights = {
        index: _CONTEXT * value for index, value in zip(around.indices, around.values, strict=True)
    } | dict(zip(main.indices, main.values, strict=True))
    indices = tuple(sorted(weights))
    return SparseVector(indices, tuple(weights[index] for index in indices))


# PostgreSQL sends times as microseconds since 2000.
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC).timestamp()


def column(sent: bytes | None, kind: str | list[tuple[str, str]]) -> NDArray[Any]:
    """Decode the values of a column; empty without rows."""
    return np.frombuffer(sent or b"", np.dtype(kind))


def floats(sent: bytes | None) -> Scores:
    return column(sent, ">f4").astype(np.float32)


def seconds(sent: bytes | None) -> Seconds:
    """Decode times as seconds since 1970."""
    return column(sent, ">i8").astype(np.float64) / 1e6 + _EPOCH


def record_columns(row: Row, prefix: str = "") -> dict[str, Any]:
    """Decode the columns that scanned and cached records share."""
    return {
        "ids": column(row[f"{prefix}ids"], "V16"),
        "importance": floats(row[f"{prefix}importance"]),
        "said": seconds(row[f"{prefix}said"]),
        "holds": seconds(row[f"{prefix}holds"]),
    }


def episode_columns(row: Row, prefix: str = "") -> dict[str, Any]:
    """Decode the columns that scanned and cached episodes share."""
    sessions = column(row[f"{prefix}sessions"], [("time", ">i8"), ("chance", ">i8")])
    spoken = column(row[f"{prefix}spoken"], [("length", ">i4"), ("speaker", ">i4")])
    return {
        "ids": column(row[f"{prefix}ids"], "V16"),
        "session": sessions["chance"].astype(np.int64),
        "turn": column(row[f"{prefix}turns"], ">i4").astype(np.int64),
        "said": seconds(row[f"{prefix}said"]),
        "length": spoken["length"].astype(np.int64),
        "marks": column(row[f"{prefix}marks"], ">i4").astype(np.int64),
        "speaker": spoken["speaker"].astype(np.int64),
    }
