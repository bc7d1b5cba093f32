"""Communities: settings by their admins, counts without content, notices once a day."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from uuid import UUID
from zoneinfo import ZoneInfoNotFoundError

from saegim.community.channel_settings import place_of
from saegim.community.repository import PostgresCommunity
from saegim.community.schedule import due_on, last_day
from saegim.community.types import (
    Active,
    ChannelSettings,
    DueNotice,
    Guild,
    Notice,
    NoticeRequest,
    Voice,
)
from saegim.community.weather import ToolWeather
from saegim.domain.errors import Invalid
from saegim.domain.etags import ExpectedVersion
from saegim.domain.ids import Clock, new_id


class Community:
    def __init__(self, store: PostgresCommunity, weather: ToolWeather, clock: Clock) -> None:
        self._store = store
        self._weather = weather
        self._clock = clock

    async def guild(self, tenant: UUID, guild: str) -> Guild:
        """A guild's settings."""
        return await self._store.guild(tenant, guild)

    async def change(
        self,
        tenant: UUID,
        guild: str,
        change: Callable[[Guild], Guild],
        seen: ExpectedVersion | None = None,
    ) -> Guild:
        """Changes a guild's settings, not its channels'. Raises Changed where others were seen."""
        return await self._store.change(tenant, guild, change, seen)

    async def speak(self, tenant: UUID, guild: str, channel: str, voice: Voice) -> Guild:
        """Says how a channel is spoken in."""
        await self._store.speak(tenant, guild, channel, voice)
        return await self._store.guild(tenant, guild)

    async def place(self, tenant: UUID, guild: str, channel: str, linked: bool) -> ChannelSettings:
        """What holds for a person in a channel."""
        return place_of(await self._store.guild(tenant, guild), channel, linked)

    async def count(self, tenant: UUID, guild: str, counts: Mapping[str, int]) -> None:
        """Adds to what people wrote today: how much, never what."""
        await self._store.count(tenant, guild, self._clock.now().date(), counts)

    async def ranking(self, tenant: UUID, guild: str, days: int, most: int) -> Sequence[Active]:
        """Who wrote most in the last days, today among them."""
        since = self._clock.now().date() - timedelta(days=days - 1)
        return await self._store.rank(tenant, guild, since, most)

    async def add_notice(self, tenant: UUID, wish: NoticeRequest) -> Notice:
        """Tells the weather of a place every day from its next time on. Raises Invalid."""
        try:
            last_sent_on = last_day(wish.at, wish.time_zone, self._clock.now())
        except (ZoneInfoNotFoundError, ValueError):
            raise Invalid("unknown time zone") from None
        notice = Notice(
            id=new_id(self._clock.now()),
            guild=wish.guild,
            channel=wish.channel,
            place=wish.place,
            at=wish.at,
            time_zone=wish.time_zone,
            last_sent_on=last_sent_on,
        )
        await self._store.add_notice(tenant, notice)
        return notice

    async def notices(self, tenant: UUID, guild: str) -> Sequence[Notice]:
        """A guild's notices."""
        return await self._store.notices(tenant, guild)

    async def drop_notice(self, tenant: UUID, notice: UUID) -> None:
        """Tells a notice no more."""
        await self._store.drop_notice(tenant, notice)

    async def due(self, tenant: UUID, guild: str) -> list[DueNotice]:
        """What is to be told now, to whoever asks first: each notice once a day."""
        notices: list[DueNotice] = []
        now = self._clock.now()
        for notice in await self._store.notices(tenant, guild):
            day = due_on(notice, now)
            if day is not None and await self._store.claim(tenant, notice.id, day):
                notices.append(DueNotice(notice, await self._weather.at(notice.place)))
        return notices
