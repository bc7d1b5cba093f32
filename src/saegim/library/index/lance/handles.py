"""Open LanceDB tables: the engine, the schema and the rows."""

import asyncio
import os
import shutil
import time
from array import array
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from re import compile as pattern
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from saegim.domain.errors import IndexBroken, IndexMissing, OptionalServiceDown
from saegim.domain.package_init import skip_package_init
from saegim.library.index_ports import IndexHit, IndexRow
from saegim.library.types import SearchFilter


@dataclass(frozen=True, slots=True)
class LanceLimits:
    """Limits per group of open indexes; two groups are open at once, each with its own caches."""

    open_indexes: int = 256
    index_cache_bytes: int = 256 * 1024 * 1024
    metadata_cache_bytes: int = 64 * 1024 * 1024
    read_seconds: float = 5.0
    write_seconds: float = 60.0
    upkeep_seconds: float = 3600.0
    # Readers in other processes may lag this far before they have to reopen.
    keep_versions: timedelta = timedelta(minutes=10)
    # Smaller indexes are searched exactly, vector by vector.
    vector_index_rows: int = 50_000
    # A filter with at most this many matches is searched exactly.
    exact_rows: int = 5_000
    probes: int = 50
    refine: int = 3


DEFAULT_LIMITS = LanceLimits()


_STORES = ("s3", "gs", "az")


@dataclass(frozen=True, slots=True)
class IndexLocation:
    """One build of a tenant's index."""

    tenant: UUID
    generation: int

    @property
    def table(self) -> str:
        return f"g{self.generation}"


@dataclass(frozen=True, slots=True)
class Root:
    """The root of all indexes of a cell."""

    url: str
    is_local: bool

    @classmethod
    def parse(cls, root: str) -> "Root":
        """Parse a folder or an object store's URL. Raises ValueError for other schemes."""
        scheme, separator, _ = root.partition("://")
        if not separator:
            return cls(str(Path(root).expanduser().absolute()), is_local=True)
        if scheme not in _STORES:
            raise ValueError(f"an index root is a folder or one of {_STORES}, not {scheme}://")
        return cls(root.rstrip("/"), is_local=False)

    def of_tenant(self, tenant: UUID) -> str:
        """Return a tenant's folder, sharded by the last digits of its id: the first are a time."""
        return f"{self.url}/{tenant.hex[-2:]}/{tenant.hex}"

    def of_index(self, place: IndexLocation) -> str:
        return f"{self.of_tenant(place.tenant)}/{place.table}.lance"


def remove_folder(folder: str) -> None:
    """Delete a folder if it exists, and its parent if that is empty then."""
    path = Path(folder)
    with suppress(FileNotFoundError):
        shutil.rmtree(path)
    with suppress(OSError):
        path.parent.rmdir()


PART = "index"

# LanceDB raises RuntimeError for most storage faults and ValueError for damaged files; a timeout is
# an OSError.
FAULTS = (RuntimeError, OSError, ValueError)


class WrongDimensions(ValueError):
    """A vector of the wrong length: a bug of the caller, not a storage fault."""


@cache
def load() -> SimpleNamespace:
    """Return the modules of LanceDB, which are untyped.

    The first call takes seconds and 80 MB, so it belongs in a thread.
    """
    # Its warnings name folders, tenants' ids among them, on standard error.
    os.environ.setdefault("LANCEDB_LOG", "error")
    # The `__init__` of its REST client, which we do not use, takes longer than all the rest.
    skip_package_init("lance_namespace_urllib3_client")
    return SimpleNamespace(
        lancedb=import_module("lancedb"),
        index=import_module("lancedb.index"),
        query=import_module("lancedb.query"),
        arrow=import_module("pyarrow"),
        numpy=import_module("numpy"),
    )


@asynccontextmanager
async def reaching(seconds: float) -> AsyncGenerator[None]:
    """Raise OptionalServiceDown after `seconds` and IndexBroken for storage faults.

    Importing LanceDB does not count as time.
    """
    if not load.cache_info().currsize:
        await asyncio.to_thread(load)
    try:
        async with asyncio.timeout(seconds):
            yield
    except WrongDimensions:
        raise
    except TimeoutError as fault:
        raise OptionalServiceDown(PART) from fault
    except FAULTS as fault:
        raise IndexBroken from fault


# LanceDB has no exception types for these two, so their messages are compared.


def is_gone(fault: RuntimeError) -> bool:
    """Return whether files are missing: cleaned up under an old handle, or deleted."""
    return "Not found:" in str(fault)


def is_no_table(fault: ValueError) -> bool:
    return "was not found" in str(fault)


TERMS = "terms"
VECTOR = "vector"
PASSAGE = "passage_id"
DOCUMENT = "document_id"
BY_VALUE = (PASSAGE, DOCUMENT)
FLAGS = ("has_steps", "has_conditions", "has_table")
BY_BITMAP = ("collection_id", "type", "language", *FLAGS)

_PLAIN = pattern(r"[a-z0-9_-]{1,64}")


def schema(dimensions: int) -> Any:
    """Return the columns; none is nullable, which LanceDB requires of a unique key."""
    arrow = load().arrow
    texts = (PASSAGE, DOCUMENT, "collection_id", "type", "language", TERMS)
    return arrow.schema(
        [
            *(arrow.field(name, arrow.string(), nullable=False) for name in texts),
            *(arrow.field(name, arrow.bool_(), nullable=False) for name in FLAGS),
            arrow.field(VECTOR, arrow.list_(arrow.float32(), dimensions), nullable=False),
        ]
    )


def table_of(rows: Sequence[IndexRow], dimensions: int) -> Any:
    """Return the rows as an Arrow table. Raises WrongDimensions."""
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
        **{name: [getattr(row, name) for row in rows] for name in FLAGS},
        VECTOR: arrow.FixedSizeListArray.from_arrays(values, dimensions),
    }
    return arrow.table(columns, schema=schema(dimensions))


def code(name: str) -> str:
    """Return a name that is safe in a filter: itself if it is plain, else its hash."""
    if _PLAIN.fullmatch(name):
        return name
    return ":" + blake2b(name.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def among(column: str, values: Iterable[str]) -> str:
    """Return the condition that a column has one of these ids or codes."""
    listed = ", ".join(f"'{value}'" for value in sorted(values))
    return f"{column} IN ({listed})"


def condition(where: SearchFilter) -> str:
    """Return the filter as SQL, made of ids, codes and booleans, never of free text."""
    parts = [among("collection_id", (collection.hex for collection in where.collections))]
    if where.types:
        parts.append(among("type", map(code, where.types)))
    if where.without_types:
        parts.append(f"NOT ({among('type', map(code, where.without_types))})")
    if where.documents:
        parts.append(among(DOCUMENT, (document.hex for document in where.documents)))
    if where.language is not None:
        parts.append(among("language", [code(where.language)]))
    flags = {name: getattr(where, name) for name in FLAGS}
    parts += [f"{name} = {str(flag).lower()}" for name, flag in flags.items() if flag is not None]
    return " AND ".join(parts)


def hits(
    found: Any, scores: Sequence[float], similarities: Sequence[float] | None = None
) -> list[IndexHit]:
    """Return the rows as hits, in their order."""
    ids = (found.column(name).to_pylist() for name in (PASSAGE, DOCUMENT))
    columns = zip(*ids, scores, similarities or [None] * len(scores), strict=True)
    return [IndexHit(UUID(row[0]), UUID(row[1]), row[2], row[3]) for row in columns]


def cosines(found: Any, vector: Sequence[float]) -> list[float]:
    """Return the cosine similarity of each row's vector to this one."""
    numpy = load().numpy
    rows = found.column(VECTOR).combine_chunks().flatten().to_numpy().reshape(-1, len(vector))
    query = numpy.asarray(vector, numpy.float32)
    lengths = numpy.linalg.norm(rows, axis=1) * numpy.linalg.norm(query)
    return (rows @ query / numpy.maximum(lengths, numpy.finfo(numpy.float32).tiny)).tolist()


def by_query(found: Any, queries: int) -> list[Any]:
    """Split the result of a search for several vectors by query."""
    if queries == 1:
        return [found]
    numbers = found.column("query_index").to_numpy()
    return [found.filter(load().arrow.array(numbers == number)) for number in range(queries)]


# Writes of other processes are visible after this time.
READ_CONSISTENCY = timedelta(seconds=1)
TERMS_INDEX = f"{TERMS}_idx"
COUNTED_SECONDS = 30.0
_MOST_COUNTED = 256
_GROUPS = 2


@dataclass(frozen=True, slots=True, eq=False)
class OpenIndex:
    """An open index of a tenant; its reads are at most a second old."""

    table: Any
    dimensions: int
    _counted: dict[str, tuple[float, int]] = field(default_factory=dict[str, tuple[float, int]])

    async def about(self, matching: str) -> int:
        """Return how many rows match, cached for half a minute: counting costs as much as a search.

        Exact enough to choose how to search, not to decide whether anything matches.
        """
        now = time.monotonic()
        at, rows = self._counted.get(matching, (0.0, 0))
        if not at or now - at > COUNTED_SECONDS:
            rows = await self.table.count_rows(matching)
            if len(self._counted) >= _MOST_COUNTED:
                self._counted.clear()
            self._counted[matching] = (now, rows)
        return rows


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    connection: Any
    indexes: dict[IndexLocation, OpenIndex] = field(default_factory=dict[IndexLocation, OpenIndex])


class Handles:
    """Opens indexes in groups that share a LanceDB session and its caches.

    A session keeps a file of every index open as long as it lives. So a group takes a fixed number
    of indexes; when the newest group is full, a new one starts and the oldest is closed.
    """

    def __init__(self, root: Root, options: Mapping[str, str], limits: LanceLimits) -> None:
        self._root = root
        self._options = dict(options)
        self._limits = limits
        self._groups: deque[_Group] = deque(maxlen=_GROUPS)

    async def open(self, place: IndexLocation) -> OpenIndex:
        """Open an index. Raises IndexMissing if there is none or it is unfinished."""
        for group in self._groups:
            known = group.indexes.get(place)
            if known is not None:
                return known
        group = await self._newest()
        opened = await self._open(group.connection, place)
        return group.indexes.setdefault(place, opened)

    async def open_afresh(self, place: IndexLocation) -> OpenIndex:
        """Open an index without any cache."""
        return await self._open(await self.connect(self._root.url), place)

    def forget(self, place: IndexLocation, besides: OpenIndex | None = None) -> None:
        """Drop the handles of an index except the one that made the last write."""
        for group in self._groups:
            if group.indexes.get(place) is not besides:
                group.indexes.pop(place, None)

    def forget_tenant(self, tenant: UUID) -> None:
        for group in self._groups:
            for place in [place for place in group.indexes if place.tenant == tenant]:
                del group.indexes[place]

    async def connection(self) -> Any:
        return (await self._newest()).connection

    async def connect(self, url: str) -> Any:
        """Connect with new caches. Raises OptionalServiceDown."""
        lancedb = load().lancedb
        session = lancedb.Session(
            index_cache_size_bytes=self._limits.index_cache_bytes,
            metadata_cache_size_bytes=self._limits.metadata_cache_bytes,
        )
        try:
            return await lancedb.connect_async(
                url,
                session=session,
                storage_options=self._options,
                read_consistency_interval=READ_CONSISTENCY,
            )
        except ValueError as unreachable:
            raise OptionalServiceDown(PART) from unreachable

    def close(self) -> None:
        self._groups.clear()

    async def _newest(self) -> _Group:
        newest = self._groups[-1] if self._groups else None
        if newest is not None and len(newest.indexes) < self._limits.open_indexes:
            return newest
        connection = await self.connect(self._root.url)
        # A concurrent call may have added a group meanwhile.
        if newest is (self._groups[-1] if self._groups else None):
            self._groups.append(_Group(connection))
        return self._groups[-1]

    async def _open(self, connection: Any, place: IndexLocation) -> OpenIndex:
        try:
            table = await connection.open_table(place.table, location=self._root.of_index(place))
            names = {index.name for index in await table.list_indices()}
        except ValueError as error:
            if is_no_table(error):
                raise IndexMissing(place.table) from error
            raise IndexBroken from error
        except RuntimeError as fault:
            if is_gone(fault):
                raise IndexMissing(place.table) from fault
            raise
        # The term index is created last: without it the build is unfinished.
        if TERMS_INDEX not in names:
            raise IndexMissing(place.table)
        columns = await table.schema()
        return OpenIndex(table, columns.field(VECTOR).type.list_size)
