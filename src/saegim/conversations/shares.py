"""Share a session by link: the branch in use up to its last answer, read from the turns."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from saegim.conversations import turn_rows
from saegim.conversations.history import TurnDetails, TurnHistory
from saegim.conversations.sessions import Sessions, title_of
from saegim.db.cells import Cells, fetch_all, fetch_one
from saegim.domain import pending_audit_event
from saegim.domain.errors import NotFound, NothingToShare
from saegim.domain.ids import Clock
from saegim.domain.scope import Scope
from saegim.encryption.keyring import Keyring


@dataclass(frozen=True, slots=True)
class Share:
    id: UUID
    shared_at: datetime


@dataclass(frozen=True, slots=True)
class SharedTurns:
    """A page of a shared session of `owner`; `more` turns follow."""

    owner: UUID
    title: str
    shared_at: datetime
    turns: Sequence[TurnDetails]
    more: bool


class SharedSessions:
    def __init__(
        self,
        cells: Cells,
        keyring: Keyring,
        sessions: Sessions,
        history: TurnHistory,
        clock: Clock,
    ) -> None:
        self._cells = cells
        self._keyring = keyring
        self._sessions = sessions
        self._history = history
        self._clock = clock

    async def share(self, scope: Scope, session: UUID) -> Share:
        """Share a session of the caller up to its last answer; the link of a shared one stays.

        Raises NotFound, and NothingToShare for a temporary session or one without an answer."""
        if (await self._sessions.find(scope, session)).temporary:
            raise NothingToShare("a temporary conversation cannot be shared")
        # Unlike other ids this one is random: it must not be guessed.
        values = {"session": session, "share": uuid4(), "now": self._clock.now()}
        pending_audit_event.about(session)
        row = await self._cells.fetch_one(
            scope.tenant, "share_session", **turn_rows.owner(scope), **values
        )
        if row is None:
            raise NothingToShare("a conversation without an answer cannot be shared")
        return Share(row["share_id"], row["shared_at"])

    async def stop(self, scope: Scope, session: UUID) -> None:
        """Stop sharing a session of the caller. Raises NotFound."""
        pending_audit_event.about(session)
        values = turn_rows.owner(scope) | {"session": session}
        if await self._cells.fetch_one(scope.tenant, "stop_sharing", **values) is None:
            raise NotFound("session")

    async def read(self, tenant: UUID, share: UUID, after: int, count: int) -> SharedTurns:
        """Return answered turns of a shared session after a number, without redacted words.

        Raises NotFound."""
        async with self._cells.transaction(tenant) as connection:
            row = await fetch_one(connection, "find_shared_session", tenant=tenant, share=share)
            if row is None:
                raise NotFound("share")
            ids = {"tenant": tenant, "session": row["session_id"]}
            tree = await turn_rows.read_tree(connection, ids)
            branch = [turn.id for turn in tree.path(tree.find(row["shared_turn"]))]
            found = await fetch_all(
                connection, "shared_turns", **ids, turns=branch, after=after, count=count + 1
            )
            first = await fetch_one(
                connection, "shared_turns", **ids, turns=branch, after=0, count=1
            )
        if first is None:
            raise NotFound("share")
        owner = Scope(tenant, row["member_id"], row["profile_id"])
        cipher = await self._keyring.user(tenant, owner.user)
        # The model's title may be of another variant, which is not shared.
        auto_title = row["auto_title"] if first["in_use"] else None
        title = title_of(row | first | {"auto_title": auto_title}, cipher)
        turns = [turn_rows.read(each, cipher) for each in found[:count]]
        details = await self._history.details(owner, turns)
        return SharedTurns(owner.user, title, row["shared_at"], details, len(found) > count)
