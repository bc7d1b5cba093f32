"""Cache of key sets and discovery documents of issuers."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

from saegim.domain.errors import Unavailable


class KeySets(Protocol):
    """HTTP client of OIDC issuers: key sets, discovery documents and token exchange."""

    async def fetch(self, url: str) -> Mapping[str, Any]:
        """Fetches a JSON document. Raises Unavailable."""
        ...

    async def exchange(self, url: str, form: Mapping[str, str]) -> Mapping[str, Any]:
        """Posts a form and returns the response. Raises AuthenticationRequired for a 4xx status,
        and Unavailable."""
        ...


FAILURE_FOR = timedelta(seconds=30)
MOST_CACHED = 1_000


@dataclass(slots=True)
class _Entry:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    document: Mapping[str, Any] | None = None
    fetched_at: datetime | None = None
    failed_at: datetime | None = None


class IssuerDocuments:
    """Fetches each URL once at a time. Failures are cached, too, so that anonymous requests cannot
    make us flood an issuer. Evicts the least recently used entries."""

    def __init__(self, key_sets: KeySets) -> None:
        self._key_sets = key_sets
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    async def get(self, url: str, max_age: timedelta, now: datetime) -> Mapping[str, Any]:
        """Returns the document at a URL, at most `max_age` old. Raises Unavailable."""
        entry = self._entries.setdefault(url, _Entry())
        self._entries.move_to_end(url)
        if len(self._entries) > MOST_CACHED:
            self._entries.popitem(last=False)
        async with entry.lock:
            if entry.document is not None and _within(entry.fetched_at, max_age, now):
                return entry.document
            if _within(entry.failed_at, FAILURE_FOR, now):
                raise Unavailable("the issuer was unreachable a moment ago")
            try:
                entry.document = await self._key_sets.fetch(url)
            except Unavailable:
                entry.failed_at = now
                raise
            entry.fetched_at = now
            return entry.document


def _within(at: datetime | None, age: timedelta, now: datetime) -> bool:
    return at is not None and now - at <= age
