"""A question as the vectors that a person's rows are compared with."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from saegim.adapters.keyring.cipher import Cipher
from saegim.adapters.postgres import memory_rows
from saegim.adapters.postgres.access import MEMORY_INDEX
from saegim.adapters.postgres.cells import Asking, Cell, Row
from saegim.domain.scope import Scope
from saegim.search.sparse import K1, SparseVector, TermHasher, query_vector

Kept = Literal["records", "episodes"]

# What the conversation is about weighs so much of what is asked.
_CONTEXT = 0.3
# A name is a speaker's where so many turns begin with it, and such a share of all.
_SPOKEN, _SPOKEN_SHARE = 3, 0.01
# What a row takes beside its vector: 160 terms in twelve bytes each, and what it is found by.
_BYTES_OF_TERMS = 2_200


@dataclass(frozen=True, slots=True)
class Words:
    """What to look for by words: the terms asked for, those of the context, and the words that
    may name a speaker with the terms they make."""

    terms: Sequence[str]
    context: Sequence[str] = ()
    names: Mapping[str, frozenset[str]] | None = None


@dataclass(frozen=True, slots=True)
class Weighed:
    """Terms weighed by how rare they are in a table, and the score of a row that has them all."""

    terms: SparseVector
    most: float


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in the form of the index."""

    index_version: int
    vector: Sequence[float]
    records: Weighed
    episodes: Weighed
    speakers: frozenset[int]

    @property
    def embedding(self) -> str:
        """The vector in the text form of the index."""
        return memory_rows.dense_literal(self.vector)


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
    cell: Cell, scope: Scope, cipher: Cipher, words: Words, embedding: Sequence[float]
) -> Asked:
    """A question in the form of the index."""
    counting = Counting(scope, cipher, words)
    [rows] = await cell.read_together(scope.tenant, counting.query)
    return counting.counted(rows).asked(embedding)


def counting_all(scope: Scope) -> Asking:
    """Looks up how many rows there are."""
    return _counting(scope, [])


def _counting(scope: Scope, terms: Iterable[int]) -> Asking:
    values = {
        "member": scope.user,
        "profile": scope.profile,
        "subject": MEMORY_INDEX,
        "terms": [memory_rows.EVERY, *terms],
    }
    return ("find_term_counts", values)


def mark_of(rows: Sequence[Row]) -> IndexMark:
    """What was looked up tells of the index."""
    index = rows[0]
    every = next((row for row in rows if row["term"] == memory_rows.EVERY), None)
    return IndexMark(
        version=index["index_version"],
        records=every["records"] if every else 0,
        episodes=every["episodes"] if every else 0,
        dimensions=index["dimensions"],
        horizon=index["horizon"],
        server=index["server"],
    )


class Counting:
    """Looks up how many rows hold each term of a question."""

    def __init__(self, scope: Scope, cipher: Cipher, words: Words) -> None:
        self._words = words
        self._hasher = TermHasher(cipher.derive("terms"))
        looked_up = dict.fromkeys([*words.terms, *words.context, *(words.names or ())])
        self.query = _counting(scope, map(self._hasher.index, looked_up))

    def counted(self, rows: Sequence[Row]) -> "Counted":
        """The answer to its query."""
        counts = {row["term"]: row for row in rows if row["term"] is not None}
        embedder = str(rows[0]["embedder"])
        return Counted(self._words, _Counts(counts, self._hasher), embedder, mark_of(rows))


@dataclass(frozen=True, slots=True)
class Counted:
    """The words of a question with how often each is held, and the index they were counted in."""

    words: Words
    counts: "_Counts"
    embedder: str
    mark: IndexMark

    def asked(self, embedding: Sequence[float]) -> Asked:
        """The question with its vector. One of an embedder that was moved from meanwhile says
        nothing: words alone decide."""
        words, counts = self.words, self.counts
        names = words.names or {}
        speaking = [name for name in names if counts.speaks(name)]
        named = {term for name in speaking for term in names[name]}
        # Who speaks is left out of what is looked for, unless nothing else is asked.
        asked = [term for term in words.terms if term not in named] or list(words.terms)
        fits = len(embedding) == self.mark.dimensions
        return Asked(
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
        return spoken >= max(_SPOKEN, _SPOKEN_SHARE * turns.get(memory_rows.EVERY, 0))

    def weigh(self, terms: Iterable[str], context: Iterable[str], counted: Kept) -> Weighed:
        df = self._of(counted)
        every = df.get(memory_rows.EVERY, 0)
        asked = query_vector(terms, self.hasher, df, every)
        around = query_vector(context, self.hasher, df, every)
        most = (K1 + 1) * sum(asked.values)
        return Weighed(_together(asked, around), most)

    def _of(self, counted: Kept) -> dict[int, int]:
        return {term: row[counted] for term, row in self.rows.items()}


def _together(asked: SparseVector, around: SparseVector) -> SparseVector:
    weights = {
        index: _CONTEXT * value for index, value in zip(around.indices, around.values, strict=True)
    } | dict(zip(asked.indices, asked.values, strict=True))
    indices = tuple(sorted(weights))
    return SparseVector(indices, tuple(weights[index] for index in indices))
