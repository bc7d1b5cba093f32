"""Passages as the engine stores them: ids and codes as text, terms, a vector."""

from array import array
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from re import compile as pattern
from typing import Any
from uuid import UUID

from saegim.library.index.lance.engine import WrongDimensions, load
from saegim.library.index_ports import IndexHit, IndexRow
from saegim.library.types import SearchFilter

TERMS = "terms"
VECTOR = "vector"
PASSAGE = "passage_id"
DOCUMENT = "document_id"
BY_VALUE = (PASSAGE, DOCUMENT)
BY_BITMAP = ("collection_id", "type", "language", "has_steps", "has_conditions", "has_table")

_PLAIN = pattern(r"[a-z0-9_-]{1,64}")


def schema(dimensions: int) -> Any:
    """The columns. Nothing is nullable: the engine needs that of a key to keep it unique."""
    arrow = load().arrow
    flags = ("has_steps", "has_conditions", "has_table")
    texts = (PASSAGE, DOCUMENT, "collection_id", "type", "language", TERMS)
    return arrow.schema(
        [
            *(arrow.field(name, arrow.string(), nullable=False) for name in texts),
            *(arrow.field(name, arrow.bool_(), nullable=False) for name in flags),
            arrow.field(VECTOR, arrow.list_(arrow.float32(), dimensions), nullable=False),
        ]
    )


def table_of(rows: Sequence[IndexRow], dimensions: int) -> Any:
    """Rows as an Arrow table."""
    arrow = load().arrow
    flat = array("f")
    for row in rows:
        if len(row.vector) != dimensions:
            raise WrongDimensions(f"a vector of {len(row.vector)} in an index of {dimensions}")
        flat.extend(row.vector)
    values = arrow.Array.from_buffers(arrow.float32(), len(flat), [None, arrow.py_buffer(flat)])
    columns = {
        PASSAGE: [row.passage.hex for row in rows],
        DOCUMENT: [row.document.hex for row in rows],
        "collection_id": [row.collection.hex for row in rows],
        "type": [code(row.type) for row in rows],
        "language": [code(row.language) for row in rows],
        TERMS: [row.terms for row in rows],
        "has_steps": [row.has_steps for row in rows],
        "has_conditions": [row.has_conditions for row in rows],
        "has_table": [row.has_table for row in rows],
        VECTOR: arrow.FixedSizeListArray.from_arrays(values, dimensions),
    }
    return arrow.table(columns, schema=schema(dimensions))


def code(name: str) -> str:
    """A name that may stand in a filter: itself where it is plain, else a digest of it."""
    if _PLAIN.fullmatch(name):
        return name
    return ":" + blake2b(name.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def among(column: str, values: Iterable[str]) -> str:
    """The condition that a column has one of these ids or codes."""
    listed = ", ".join(f"'{value}'" for value in sorted(values))
    return f"{column} IN ({listed})"


def among_passages(passages: Iterable[UUID]) -> str:
    return among(PASSAGE, (passage.hex for passage in passages))


def condition(where: SearchFilter) -> str:
    """A filter in the engine's words; made of ids, codes and booleans, never of free text."""
    parts = [among("collection_id", (collection.hex for collection in where.collections))]
    if where.types:
        parts.append(among("type", map(code, where.types)))
    if where.without_types:
        parts.append(f"NOT ({among('type', map(code, where.without_types))})")
    if where.documents:
        parts.append(among(DOCUMENT, (document.hex for document in where.documents)))
    if where.language is not None:
        parts.append(among("language", [code(where.language)]))
    flags = {
        "has_steps": where.has_steps,
        "has_conditions": where.has_conditions,
        "has_table": where.has_table,
    }
    parts += [
        f"{name} = {str(wanted).lower()}" for name, wanted in flags.items() if wanted is not None
    ]
    return " AND ".join(parts)


def hits(
    found: Any, scores: Sequence[float], similar: Sequence[float] | None = None
) -> list[IndexHit]:
    """What the engine found, as it found it."""
    passages, documents = found.column(PASSAGE).to_pylist(), found.column(DOCUMENT).to_pylist()
    near = similar or [None] * len(scores)
    return [
        IndexHit(UUID(passage), UUID(document), score, how_near)
        for passage, document, score, how_near in zip(
            passages, documents, scores, near, strict=True
        )
    ]


def cosines(found: Any, vector: Sequence[float]) -> list[float]:
    """The similarity of each row's vector to this one."""
    numpy = load().numpy
    rows = found.column(VECTOR).combine_chunks().flatten().to_numpy().reshape(-1, len(vector))
    wanted = numpy.asarray(vector, numpy.float32)
    lengths = numpy.linalg.norm(rows, axis=1) * numpy.linalg.norm(wanted)
    return (rows @ wanted / numpy.maximum(lengths, numpy.finfo(numpy.float32).tiny)).tolist()


def by_query(found: Any, queries: int) -> list[Any]:
    """What a search for several vectors found, for each of them; the engine numbers them."""
    if queries == 1:
        return [found]
    numbers = found.column("query_index").to_numpy()
    return [found.filter(load().arrow.array(numbers == number)) for number in range(queries)]
