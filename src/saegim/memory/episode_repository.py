"""Episodes in Postgres."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from saegim.auth.repository import MEMORY_INDEX
from saegim.conversations import turn_rows
from saegim.conversations.types import Redactions
from saegim.db.cells import Cells, Connection, Row, execute, fetch_all, fetch_one
from saegim.domain.ids import Clock, new_id
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.memory import record_rows
from saegim.memory.types import (
    EmbedderMoved,
    EpisodeStatus,
    OwnTurn,
    Searchable,
    TurnWindow,
    WindowChanged,
)
from saegim.text.rank_fusion import TermHasher, dense_literal, document_vector


class PostgresEpisodes:
    def __init__(self, cells: Cells, keyring: Keyring, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._clock = clock

    async def window(self, tenant: UUID, turn: UUID, turns: int) -> TurnWindow | None:
        """Return the last `turns` recorded turns up to `turn`; None if it has no text."""
        async with self._cells.transaction(tenant) as connection:
            last = await fetch_one(connection, "find_settled_turn", tenant=tenant, turn=turn)
            if last is None:
                return None
            rows = await fetch_all(
                connection,
                "window_of_turns",
                tenant=tenant,
                session=last["session_id"],
                number=last["number"],
                count=turns,
            )
        cipher = await self._keyring.user(tenant, last["member_id"])
        rows.reverse()
        read = [turn_rows.read(row, cipher) for row in rows]
        exchanges = [
            replace(turn.exchange(), message="", reply="") if row["left_out"] else turn.exchange()
            for turn, row in zip(read, rows, strict=True)
        ]
        return TurnWindow(read[-1].scope, read[-1].session, tuple(exchanges), _seen(rows))

    async def standing(self, window: TurnWindow) -> EpisodeStatus:
        """Return whether the episode of this window is stored and indexed."""
        tenant = window.scope.tenant
        row = await self._cells.fetch_one(tenant, "find_episode", **_span(window))
        if row is None:
            return EpisodeStatus.NEW
        return EpisodeStatus.INDEXED if row["indexed"] else EpisodeStatus.TO_INDEX

    async def embedder(self, tenant: UUID) -> str:
        """Return the name of the embedder of the tenant's memory index."""
        cell = await self._cells.for_tenant(tenant)
        [state] = await cell.read(tenant, "find_index_state", subject=MEMORY_INDEX)
        return str(state["embedder"])

    async def save(
        self, window: TurnWindow, content: str, searchable: Searchable, own: OwnTurn
    ) -> bool:
        """Store and index the episode of a window; False if it exists.

        `own` is of the last turn alone. Raises EmbedderMoved if the index has another embedder,
        WindowChanged if the window changed since it was read.
        """
        scope = window.scope
        cipher = await self._keyring.user(scope.tenant, scope.user)
        indexed = _EpisodeIndexEntry(searchable, own, TermHasher(cipher.derive("terms")))
        async with self._cells.transaction(scope.tenant) as connection:
            span = _span(window)
            rows = await fetch_all(connection, "lock_window", tenant=scope.tenant, **span)
            if _seen(rows) != window.seen:
                raise WindowChanged
            known = await fetch_one(connection, "find_episode", tenant=scope.tenant, **span)
            episode = known["episode_id"] if known else new_id(self._clock.now())
            sealed = cipher.seal(content, FieldLocation("episode.content", episode))
            stored = (
                await self._add(connection, window, episode, sealed)
                if known is None
                else await fetch_one(
                    connection,
                    "rewrite_episode",
                    tenant=scope.tenant,
                    episode=episode,
                    content=sealed,
                )
            )
            if stored is None:
                return False
            await self._index(connection, window, episode, indexed)
        return True

    async def _add(
        self, connection: Connection, window: TurnWindow, episode: UUID, sealed: bytes
    ) -> Row | None:
        return await fetch_one(
            connection,
            "add_episode",
            **turn_rows.owned(window.scope),
            **_span(window),
            episode=episode,
            content=sealed,
            said_at=window.turns[-1].at,
            now=self._clock.now(),
        )

    async def _index(
        self,
        connection: Connection,
        window: TurnWindow,
        episode: UUID,
        indexed: "_EpisodeIndexEntry",
    ) -> None:
        scope = window.scope
        state = await fetch_one(
            connection, "lock_index_state", tenant=scope.tenant, subject=MEMORY_INDEX
        )
        assert state is not None, "a tenant is made with its index state"
        if state["embedder"] != indexed.embedder:
            raise EmbedderMoved(indexed.embedder)
        index = turn_rows.owned(scope) | {"index_version": state["index_version"]}
        await execute(
            connection,
            "add_episode_vector",
            **index,
            **indexed.columns(),
            episode=episode,
            session=window.session,
            last_turn=window.turns[-1].number,
            said_at=window.turns[-1].at,
        )
        await execute(connection, "count_terms", **index, terms=indexed.counted())


class _EpisodeIndexEntry:
    """The index row of an episode; its speaker is one of its terms."""

    def __init__(self, searchable: Searchable, own: OwnTurn, hasher: TermHasher) -> None:
        features = own.features
        speaker = [features.speaker] if features.speaker else []
        self.embedder = searchable.embedder
        self._embedding = searchable.embedding
        self._own = own
        self._speaker = hasher.index(features.speaker) if features.speaker else 0
        self._terms = document_vector([*speaker, *searchable.terms], hasher)
        self._own_terms = document_vector(features.terms, hasher)
        self._message = document_vector(features.message_terms, hasher)

    def columns(self) -> dict[str, object]:
        return {
            "embedding": dense_literal(self._embedding),
            "terms": self._terms.literal(),
            "own": self._own_terms.literal(),
            "own_embedding": dense_literal(self._own.embedding),
            "message": self._message.literal(),
            "own_length": len(self._own.features.message_terms),
            "marks": int(self._own.features.marks),
            "speaker": self._speaker,
        }

    def counted(self) -> list[int]:
        return record_rows.counted(self._terms)


def _seen(rows: Sequence[Row]) -> tuple[tuple[Redactions, bool], ...]:
    return tuple((turn_rows.redactions_of(row["redactions"]), row["left_out"]) for row in rows)


def _span(window: TurnWindow) -> dict[str, object]:
    return {
        "session": window.session,
        "first_turn": window.turns[0].number,
        "last_turn": window.turns[-1].number,
    }
