"""Shared sessions as another member of the tenant reads them."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from saegim.auth.credential_repository import PostgresMembers
from saegim.chat.types import EvidenceKind
from saegim.conversations.history import TurnDetails
from saegim.conversations.shares import SharedSessions
from saegim.domain.errors import NotFound
from saegim.domain.scope import Caller, CredentialKind
from saegim.library.cited_passages import CitedPassages

HIDDEN: dict[str, Any] = {"id": "", "title": "", "readable": False}


@dataclass(frozen=True, slots=True)
class SharedTurn:
    """A turn without redacted words. Citations that the reader may not read have no source."""

    details: TurnDetails
    message: str
    answer: str
    citations: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class SharedPage:
    title: str
    owner_name: str
    shared_at: datetime
    turns: Sequence[SharedTurn]
    more: bool


class SharedReading:
    def __init__(
        self, sessions: SharedSessions, members: PostgresMembers, passages: CitedPassages
    ) -> None:
        self._sessions = sessions
        self._members = members
        self._passages = passages

    async def read(self, caller: Caller, share: UUID, after: int, count: int) -> SharedPage:
        """Return turns of a shared session after a number. Raises NotFound, also for end users of
        an application, who are not members."""
        if caller.credential is CredentialKind.TOKEN:
            raise NotFound("share")
        tenant = caller.scope.tenant
        shared = await self._sessions.read(tenant, share, after, count)
        cited = {one for each in shared.turns for one in passages_of(each.citations)}
        readable = await self._passages.readable(caller, cited)
        names = await self._members.names(tenant, {shared.owner})
        turns = [_readable(each, readable) for each in shared.turns]
        owner = names.get(shared.owner, "")
        return SharedPage(shared.title, owner, shared.shared_at, turns, shared.more)


def passages_of(citations: Sequence[Mapping[str, Any]]) -> list[UUID]:
    """Return the passages among citations."""
    found: list[UUID] = []
    for each in citations:
        if each["kind"] == EvidenceKind.PASSAGE:
            with suppress(ValueError):
                found.append(UUID(each["id"]))
    return found


def _readable(details: TurnDetails, readable: set[UUID]) -> SharedTurn:
    exchange = details.turn.exchange()
    citations = [
        {**each, "readable": True}
        if readable.intersection(passages_of([each]))
        else {key: each[key] for key in ("marker", "kind")} | HIDDEN
        for each in details.citations
    ]
    return SharedTurn(details, exchange.message, exchange.reply, tuple(citations))
