"""The words that a tenant's own library is tagged with, kept at hand for a while (TN11)."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from saegim.db.cells import Cells, fetch_all
from saegim.text.analysis import fold


class PostgresTags:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def tags(self, tenant: UUID, most: int) -> tuple[list[str], list[str]]:
        """Names that passages are tagged with, and the types of documents."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            names = await fetch_all(connection, "passage_names", tenant=tenant, most=most)
            types = await fetch_all(connection, "document_types", tenant=tenant)
        return [row["name"] for row in names], [row["type"] for row in types]


KEPT_SECONDS = 120.0
MOST_NAMES = 5_000
MOST_TENANTS = 1_000


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names of equipment and products by their folded spelling, and the types of documents."""

    names: Mapping[str, str] = field(default_factory=dict[str, str])
    types: frozenset[str] = frozenset()


class Vocabularies:
    def __init__(self, store: PostgresTags, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._now = now
        self._known: dict[UUID, tuple[float, Vocabulary]] = {}

    async def of(self, tenant: UUID) -> Vocabulary:
        """A tenant's vocabulary, at most two minutes old."""
        known = self._known.get(tenant)
        if known is not None and self._now() < known[0]:
            return known[1]
        names, types = await self._store.tags(tenant, MOST_NAMES)
        found = Vocabulary({fold(name): name for name in names}, frozenset(types))
        if len(self._known) >= MOST_TENANTS:
            self._known.clear()
        self._known[tenant] = (self._now() + KEPT_SECONDS, found)
        return found
