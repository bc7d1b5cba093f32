"""A question as the vectors that a person's rows are compared with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from saegim.adapters.keyring.cipher import Cipher
from saegim.adapters.postgres import memory_rows, turn_rows
from saegim.adapters.postgres.access import MEMORY_INDEX
from saegim.adapters.postgres.cells import Connection, fetch_all, fetch_one
from saegim.domain.scope import Scope
from saegim.memory.types import Searchable
from saegim.search.sparse import SparseVector, TermHasher, query_vector

Counted = Literal["records", "episodes"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in the form of the index; its terms weigh by how rare they are in each table."""

    index_version: int
    embedding: str
    records: str
    episodes: str


async def ask(
    connection: Connection, scope: Scope, cipher: Cipher, searchable: Searchable
) -> Asked:
    """Looks up how many rows hold each term of a question."""
    state = await fetch_one(
        connection, "find_index_state", tenant=scope.tenant, subject=MEMORY_INDEX
    )
    assert state is not None, "a tenant is made with its index state"
    hasher = TermHasher(cipher.derive("terms"))
    terms = list(dict.fromkeys(searchable.terms))
    rows = await fetch_all(
        connection,
        "find_term_counts",
        **turn_rows.owned(scope),
        index_version=state["index_version"],
        terms=[memory_rows.EVERY, *map(hasher.index, terms)],
    )
    counts = {row["term"]: row for row in rows}

    def vector(counted: Counted) -> str:
        df = {term: row[counted] for term, row in counts.items()}
        return _weighed(terms, hasher, df).literal()

    return Asked(
        index_version=state["index_version"],
        embedding=memory_rows.dense_literal(searchable.embedding),
        records=vector("records"),
        episodes=vector("episodes"),
    )


def _weighed(terms: list[str], hasher: TermHasher, df: Mapping[int, int]) -> SparseVector:
    return query_vector(terms, hasher, df, df.get(memory_rows.EVERY, 0))
