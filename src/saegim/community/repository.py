"""Stores guilds, their activity and notices."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from saegim.community.types import Active, Guild, Notice, Voice
from saegim.db.cells import Cells, Connection, Row, execute, fetch_all, fetch_one
from saegim.domain.errors import Conflict, NotFound
from saegim.domain.etags import ExpectedVersion
from saegim.domain.ids import Clock
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.keyring import Keyring

MOST_NOTICES = 20
RETENTION = timedelta(days=400)


class PostgresCommunity:
    def __init__(self, cells: Cells, keyring: Keyring, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._clock = clock

    async def guild(self, tenant: UUID, guild: str) -> Guild:
        """Return the settings, or the defaults."""
        async with self._cells.transaction(tenant) as connection:
            return await _guild(connection, tenant, guild)

    async def change(
        self,
        tenant: UUID,
        guild: str,
        change: Callable[[Guild], Guild],
        seen: ExpectedVersion | None,
    ) -> Guild:
        """Change the settings under a lock. Raises VersionConflict if they are not those that were
        seen."""
        async with self._cells.transaction(tenant) as connection:
            await execute(connection, "lock_tenant", tenant=tenant)
            before = await _guild(connection, tenant, guild)
            if seen is not None:
                seen.require(before.settings)
            after = change(before)
            where = {"tenant": tenant, "guild": guild, "now": self._clock.now()}
            await execute(connection, "put_guild", **where, **_columns(after))
        return after

    async def speak(self, tenant: UUID, guild: str, channel: str, voice: Voice) -> None:
        """Set persona and rules of a channel; empty ones use those of the guild."""
        where = {"guild": guild, "channel": channel}
        await self._cells.run_query(
            tenant,
            "drop_guild_channel" if voice == Voice() else "put_guild_channel",
            **where,
            **asdict(voice),
        )

    async def count(self, tenant: UUID, guild: str, day: date, counts: Mapping[str, int]) -> None:
        """Add to the message counts of a day, by name, and delete old ones."""
        cipher = await self._keyring.tenant(tenant)
        where = {"tenant": tenant, "guild": guild}
        hashed = {cipher.fingerprint(f"user:{name}"): name for name in counts}
        async with self._cells.transaction(tenant) as connection:
            # Sorted, so that concurrent updates cannot deadlock.
            for name_hash, name in sorted(hashed.items()):
                row = {"day": day, "name_hash": name_hash, "messages": counts[name]}
                sealed = cipher.seal(name, _location(name_hash))
                await execute(connection, "count_activity", **where, **row, name=sealed)
            await execute(connection, "drop_old_activity", **where, before=day - RETENTION)

    async def rank(self, tenant: UUID, guild: str, since: date, most: int) -> Sequence[Active]:
        """Return the most active users since a day."""
        cipher = await self._keyring.tenant(tenant)
        values = {"guild": guild, "since": since, "most": most}
        rows = await self._cells.fetch_all(tenant, "rank_activity", **values)
        return [
            Active(cipher.open(row["name"], _location(row["name_hash"])), row["messages"])
            for row in rows
        ]

    async def add_notice(self, tenant: UUID, notice: Notice) -> None:
        """Store a notice. Raises Conflict if the guild has too many."""
        async with self._cells.transaction(tenant) as connection:
            existing = await fetch_all(
                connection, "list_notices", tenant=tenant, guild=notice.guild
            )
            if len(existing) >= MOST_NOTICES:
                raise Conflict(f"a guild may have {MOST_NOTICES} notices")
            columns = asdict(notice)
            columns["notice"] = columns.pop("id")
            await execute(connection, "add_notice", tenant=tenant, **columns)

    async def notices(self, tenant: UUID, guild: str) -> Sequence[Notice]:
        """Return the notices of a guild, oldest first."""
        rows = await self._cells.fetch_all(tenant, "list_notices", guild=guild)
        return [_notice(row) for row in rows]

    async def drop_notice(self, tenant: UUID, notice: UUID) -> None:
        """Delete a notice. Raises NotFound."""
        if await self._cells.fetch_one(tenant, "drop_notice", notice=notice) is None:
            raise NotFound("notice")

    async def claim(self, tenant: UUID, notice: UUID, day: date) -> bool:
        """Mark the notice of a day as sent; return False if it already was."""
        claim = {"notice": notice, "day": day}
        return await self._cells.fetch_one(tenant, "claim_notice", **claim) is not None


def _location(name_hash: bytes) -> FieldLocation:
    return FieldLocation("guild_activity.name", UUID(bytes=name_hash[:16]))


async def _guild(connection: Connection, tenant: UUID, guild: str) -> Guild:
    row = await fetch_one(connection, "find_guild", tenant=tenant, guild=guild)
    rows = await fetch_all(connection, "list_guild_channels", tenant=tenant, guild=guild)
    channels = {each["channel_id"]: _voice(each) for each in rows}
    if row is None:
        return Guild(guild, channels=channels)
    return Guild(
        id=guild,
        locale=row["locale"],
        voice=_voice(row),
        log_channel=row["log_channel"],
        store_messages=row["store_messages"],
        user_per_minute=row["user_per_minute"],
        guild_per_minute=row["guild_per_minute"],
        channels=channels,
    )


def _columns(guild: Guild) -> dict[str, Any]:
    columns = asdict(guild)
    return columns | columns.pop("voice")


def _voice(row: Row) -> Voice:
    return Voice(row["persona"], row["rules"])


def _notice(row: Row) -> Notice:
    return Notice(
        id=row["notice_id"],
        guild=row["guild_id"],
        channel=row["channel_id"],
        place=row["place"],
        at=row["at"],
        time_zone=row["time_zone"],
        last_sent_on=row["last_sent_on"],
    )
