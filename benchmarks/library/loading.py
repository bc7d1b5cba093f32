"""Load a library of any size in bulk: rows by COPY with the owner's role, the index in one step.

The result equals an import: documents of a hundred passages, one in twenty an FAQ. Vectors of
passages in Postgres, which only a rebuild reads, are omitted.
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID, uuid5

import numpy as np
import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from benchmarks.library import corpus
from benchmarks.library.bench_stack import BenchStack
from saegim.library.index.lance.handles import (
    DOCUMENT,
    PASSAGE,
    TERMS,
    VECTOR,
    IndexLocation,
    Root,
    load,
    schema,
)
from saegim.library.service import FAQ
from saegim.text.analysis import index_terms, language

PER_DOCUMENT = 100
FAQ_EVERY = 20
ADDED_AT_ONCE = 50_000
GENERATION = 1
COLUMNS = {
    "document": "document_id collection_id outside_id lookup_key type version metadata "
    "content_hash passages created_at updated_at",
    "section": "section_id document_id ordinal path",
    "passage": "passage_id document_id section_id ordinal text content_hash tokens "
    "has_steps has_conditions has_table language names",
}
COPIED = (
    "tenant",
    "tenant_directory",
    "collection",
    "assistant",
    "assistant_collection",
    "index_state",
    *COLUMNS,
)
SERVE = "update index_state set index_version = %s where tenant_id = %s and subject = 'library'"


@dataclass(frozen=True, slots=True)
class Text:
    """Sentences and their terms, and the sentences of each passage."""

    sentences: Sequence[str]
    terms: Sequence[str]
    languages: Sequence[str]
    drawn: Sequence[tuple[int, ...]]

    @classmethod
    def of(cls, sentences: Sequence[str], passages: int) -> "Text":
        terms = [" ".join(index_terms(sentence)) for sentence in sentences]
        languages = [language(sentence) for sentence in sentences]
        return cls(sentences, terms, languages, corpus.drawn(len(sentences), passages))


@dataclass(frozen=True, slots=True)
class Library:
    """A tenant's passages, by number."""

    bench_stack: BenchStack
    collection: UUID
    size: int

    def passage(self, number: int) -> UUID:
        return uuid5(self.bench_stack.tenant, f"p{number}")

    def document(self, number: int) -> UUID:
        return uuid5(self.bench_stack.tenant, f"d{number // PER_DOCUMENT}")

    def type(self, number: int) -> str:
        return FAQ if number // PER_DOCUMENT % FAQ_EVERY == 0 else "guide"


async def fill(bench_stack: BenchStack, text: Text, real: corpus.Vectors, size: int) -> Library:
    """Creates a tenant's library of `size` passages, and activates its index."""
    with psycopg.connect(bench_stack.stores.servers.postgres.url("saegim")) as owner:
        owner.execute("set search_path to saegim, public")
        found = owner.execute(
            "select collection_id from collection where tenant_id = %s", (bench_stack.tenant,)
        ).fetchone()
        assert found is not None, "a new tenant has a collection"
        library = Library(bench_stack, found[0], size)
        _copy(owner, library, text)
        owner.execute(SERVE, (GENERATION, bench_stack.tenant))
    with psycopg.connect(
        bench_stack.stores.servers.postgres.url("saegim"), autocommit=True
    ) as owner:
        owner.execute("analyze")
    await _index(library, text, real)
    return library


def _copy(owner: psycopg.Connection, library: Library, text: Text) -> None:
    now, tenant = datetime.now(UTC), library.bench_stack.tenant
    documents = range(0, library.size, PER_DOCUMENT)

    def all_documents() -> Iterator[tuple[object, ...]]:
        for at in documents:
            name, kind = f"d{at // PER_DOCUMENT}", library.type(at)
            key = (library.document(at), library.collection, name, name, kind, "1", Jsonb({}))
            yield (*key, b"", PER_DOCUMENT, now, now)

    def all_sections() -> Iterator[tuple[object, ...]]:
        for at in documents:
            yield library.document(at), library.document(at), 0, []

    def all_passages() -> Iterator[tuple[object, ...]]:
        for number, drawn in enumerate(text.drawn[: library.size]):
            document, words = library.document(number), _joined(text.sentences, drawn)
            where = (library.passage(number), document, document, number % PER_DOCUMENT)
            tags = (False, False, False, text.languages[drawn[0]], [])
            yield (*where, words, b"", len(words) // 2, *tags)

    everything = {"document": all_documents, "section": all_sections, "passage": all_passages}
    for table, made in everything.items():
        names = ["tenant_id", *COLUMNS[table].split()]
        command = sql.SQL("copy {} ({}) from stdin").format(
            sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, names))
        )
        with owner.cursor().copy(command) as target:
            for row in made():
                target.write_row((tenant, *row))


async def _index(library: Library, text: Text, real: corpus.Vectors) -> None:
    bench_stack = library.bench_stack
    index = bench_stack.services.library.index
    await index.create(bench_stack.tenant, GENERATION, real.shape[1])
    place = IndexLocation(bench_stack.tenant, GENERATION)
    root = Root.parse(str(bench_stack.stores.index))
    connection = await load().lancedb.connect_async(root.url)
    table = await connection.open_table(place.table, location=root.of_index(place))
    for start in range(0, library.size, ADDED_AT_ONCE):
        await table.add(_rows(library, text, real, start))
    await index.optimise(bench_stack.tenant, GENERATION)


def _rows(library: Library, text: Text, real: corpus.Vectors, start: int) -> object:
    arrow = load().arrow
    count = min(ADDED_AT_ONCE, library.size - start)
    numbers = range(start, start + count)
    drawn = text.drawn[start : start + count]
    flat = arrow.array(np.ravel(corpus.noisy(real, start, count)))
    never = [False] * count
    columns = {
        PASSAGE: [library.passage(number).hex for number in numbers],
        DOCUMENT: [library.document(number).hex for number in numbers],
        "collection_id": [library.collection.hex] * count,
        "type": [library.type(number) for number in numbers],
        "language": [text.languages[which[0]] for which in drawn],
        TERMS: [_joined(text.terms, which) for which in drawn],
        "has_steps": never,
        "has_conditions": never,
        "has_table": never,
        VECTOR: arrow.FixedSizeListArray.from_arrays(flat, real.shape[1]),
    }
    return arrow.table(columns, schema=schema(real.shape[1]))


def _joined(pieces: Sequence[str], which: Sequence[int]) -> str:
    return " ".join(pieces[at] for at in which)


def multiply(one: Library, into: Sequence[UUID]) -> None:
    """Copies a small tenant with its index under other ids."""
    stores, tenant = one.bench_stack.stores, one.bench_stack.tenant
    with psycopg.connect(stores.servers.postgres.url("saegim")) as owner:
        owner.execute("set search_path to saegim, public")
        for table in COPIED:
            found = owner.execute(
                "select column_name from information_schema.columns where table_schema = 'saegim'"
                " and table_name = %s and column_name <> 'tenant_id' order by ordinal_position",
                (table,),
            ).fetchall()
            names = sql.SQL(", ").join(sql.Identifier(row[0]) for row in found)
            command = sql.SQL(
                "insert into {table} (tenant_id, {names}) select new.id, {names} from {table},"
                " unnest(%s::uuid[]) as new (id) where tenant_id = %s"
            ).format(table=sql.Identifier(table), names=names)
            owner.execute(command, (list(into), tenant))
    root = Root.parse(str(stores.index))
    for copy in into:
        shutil.copytree(root.of_tenant(tenant), root.of_tenant(copy))
