"""Guilds, their activity and notices in Postgres."""

from collections.abc import Callable, Mapping, Sequence
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
KEPT = timedelta(days=400)


class PostgresCommunity:
    def __init__(self, cells: Cells, keyring: Keyring, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._clock = clock

    async def guild(self, tenant: UUID, guild: str) -> Guild:
        """Its settings; the defaults where it has none."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            return await _guild(connection, tenant, guild)

    async def change(
        self,
        tenant: UUID,
        guild: str,
        change: Callable[[Guild], Guild],
        seen: ExpectedVersion | None,
    ) -> Guild:
        """Changes the settings of a guild, which nobody else changes meanwhile; not its
        channels'. Raises Changed where others were seen.
        """
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await execute(connection, "lock_tenant", tenant=tenant)
            before = await _guild(connection, tenant, guild)
            if seen is not None:
                seen.require(before.settings)
            after = change(before)
            where = {"tenant": tenant, "guild": guild, "now": self._clock.now()}
            await execute(connection, "put_guild", **where, **_columns(after))
        return after

    async def speak(self, tenant: UUID, guild: str, channel: str, voice: Voice) -> None:
        """Says how a channel is spoken in; an empty voice is the guild's own again."""
        where = {"tenant": tenant, "guild": guild, "channel": channel}
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            if voice == Voice():
                await execute(connection, "drop_guild_channel", **where)
            else:
                said = {"persona": voice.persona, "rules": voice.rules}
                await execute(connection, "put_guild_channel", **where, **said)

    async def count(self, tenant: UUID, guild: str, day: date, counts: Mapping[str, int]) -> None:
        """Adds to what people wrote on a day, by name; counts of long ago go."""
        cipher = await self._keyring.tenant(tenant)
        where = {"tenant": tenant, "guild": guild}
        hashed = {cipher.fingerprint(f"user:{name}"): name for name in counts}
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            # In one order everywhere: two processes that count the same people never lock up.
            for name_hash, name in sorted(hashed.items()):
                await execute(
                    connection,
                    "count_activity",
                    **where,
                    day=day,
                    name_hash=name_hash,
                    name=cipher.seal(name, _place(name_hash)),
                    messages=counts[name],
                )
            await execute(connection, "drop_old_activity", **where, before=day - KEPT)

    async def rank(self, tenant: UUID, guild: str, since: date, most: int) -> Sequence[Active]:
        """Who wrote most since a day, first."""
        cipher = await self._keyring.tenant(tenant)
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rows = await fetch_all(
                connection, "rank_activity", tenant=tenant, guild=guild, since=since, most=most
            )
        return [
            Active(cipher.open(row["name"], _place(row["name_hash"])), row["messages"])
            for row in rows
        ]

    async def add_notice(self, tenant: UUID, notice: Notice) -> None:
        """Keeps a notice. Raises Conflict where a guild has too many."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            had = await fetch_all(connection, "list_notices", tenant=tenant, guild=notice.guild)
            if len(had) >= MOST_NOTICES:
                raise Conflict(f"a guild may have {MOST_NOTICES} notices")
            await execute(
                connection,
                "add_notice",
                tenant=tenant,
                notice=notice.id,
                guild=notice.guild,
                channel=notice.channel,
                place=notice.place,
                at=notice.at,
                time_zone=notice.time_zone,
                last_sent_on=notice.last_sent_on,
            )

    async def notices(self, tenant: UUID, guild: str) -> Sequence[Notice]:
        """A guild's notices, oldest first."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            rows = await fetch_all(connection, "list_notices", tenant=tenant, guild=guild)
        return [_notice(row) for row in rows]

    async def drop_notice(self, tenant: UUID, notice: UUID) -> None:
        """Takes one away. Raises NotFound."""
        cell = await self._cells.for_tenant(tenant)
        named = {"tenant": tenant, "notice": notice}
        async with cell.transaction(tenant) as connection:
            if await fetch_one(connection, "drop_notice", **named) is None:
                raise NotFound("notice")

    async def claim(self, tenant: UUID, notice: UUID, day: date) -> bool:
        """Whether nobody told this day's notice yet; from now on somebody has."""
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            found = await fetch_one(
                connection, "claim_notice", tenant=tenant, notice=notice, day=day
            )
        return found is not None


def _place(name_hash: bytes) -> FieldLocation:
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
    return {
        "locale": guild.locale,
        "persona": guild.voice.persona,
        "rules": guild.voice.rules,
        "log_channel": guild.log_channel,
        "store_messages": guild.store_messages,
        "user_per_minute": guild.user_per_minute,
        "guild_per_minute": guild.guild_per_minute,
    }


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
