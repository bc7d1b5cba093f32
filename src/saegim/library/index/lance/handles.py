"""Open indexes, few at a time."""

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from saegim.domain.errors import IndexBroken, IndexMissing, OptionalServiceDown
from saegim.library.index.lance.engine import PART, is_gone, is_no_table, load
from saegim.library.index.lance.limits import LanceLimits
from saegim.library.index.lance.paths import IndexLocation, Root
from saegim.library.index.lance.rows import TERMS, VECTOR

# What other processes wrote is seen after this long.
READ_CONSISTENCY = timedelta(seconds=1)
TERMS_INDEX = f"{TERMS}_idx"
COUNTED_SECONDS = 30.0
_MOST_COUNTED = 256
_GROUPS = 2


@dataclass(frozen=True, slots=True, eq=False)
class OpenIndex:
    """A tenant's index, open; what it reads is at most a second old."""

    table: Any
    dimensions: int
    _counted: dict[str, tuple[float, int]] = field(default_factory=dict[str, tuple[float, int]])

    async def about(self, matching: str) -> int:
        """How many rows match, as of half a minute ago at most: counting costs as much as a search.

        Enough to choose how to search, not to tell whether there is anything to find."""
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
    """Opens indexes in groups that share a session and its caches.

    The engine's cache keeps a file of every index open for as long as the session lives, whatever
    happens to the handle. So a group takes a fixed number of indexes; when the newest is full, a
    new one is begun and the oldest goes, with its caches and its files."""

    def __init__(self, root: Root, options: Mapping[str, str], limits: LanceLimits) -> None:
        self._root = root
        self._options = dict(options)
        self._limits = limits
        self._groups: deque[_Group] = deque(maxlen=_GROUPS)

    async def open(self, place: IndexLocation) -> OpenIndex:
        """The index at a place. Raises IndexMissing if there is none, or an unfinished one."""
        for group in self._groups:
            known = group.indexes.get(place)
            if known is not None:
                return known
        group = await self._newest()
        opened = await self._open(group.connection, place)
        return group.indexes.setdefault(place, opened)

    async def open_afresh(self, place: IndexLocation) -> OpenIndex:
        """The same past every cache: what is read comes from the store."""
        return await self._open(await self.connect(self._root.url), place)

    def forget(self, place: IndexLocation, besides: OpenIndex | None = None) -> None:
        """Lets go of handles of a place, besides one that has seen the last write."""
        for group in self._groups:
            if group.indexes.get(place) is not besides:
                group.indexes.pop(place, None)

    def forget_tenant(self, tenant: UUID) -> None:
        for group in self._groups:
            for place in [place for place in group.indexes if place.tenant == tenant]:
                del group.indexes[place]

    async def connection(self) -> Any:
        """A connection for making indexes."""
        return (await self._newest()).connection

    async def connect(self, url: str) -> Any:
        """A connection with caches of its own."""
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
        # Another may have begun one while this one was connecting.
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
        # The index of terms is made last: one without it was never finished.
        if TERMS_INDEX not in names:
            raise IndexMissing(place.table)
        columns = await table.schema()
        return OpenIndex(table, columns.field(VECTOR).type.list_size)
