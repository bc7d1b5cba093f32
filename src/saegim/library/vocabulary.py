"""The words that a tenant's own library is tagged with, kept at hand for a while (TN11)."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from saegim.library.vocabulary_repository import PostgresTags
from saegim.text.analysis import fold

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
