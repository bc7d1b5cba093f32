"""Settings, activity counts and daily notices of communities."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
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
        """Return the settings of a guild."""
        return await self._store.guild(tenant, guild)

    async def change(
        self,
        tenant: UUID,
        guild: str,
        change: Callable[[Guild], Guild],
        seen: ExpectedVersion | None = None,
    ) -> Guild:
        """Change the settings of a guild, not of its channels. Raises VersionConflict if they are
        not those that were seen."""
        return await self._store.change(tenant, guild, change, seen)

    async def speak(self, tenant: UUID, guild: str, channel: str, voice: Voice) -> Guild:
        """Set persona and rules of a channel."""
        await self._store.speak(tenant, guild, channel, voice)
        return await self._store.guild(tenant, guild)

    async def place(self, tenant: UUID, guild: str, channel: str, linked: bool) -> ChannelSettings:
        """Return the settings for a user in a channel."""
        return place_of(await self._store.guild(tenant, guild), channel, linked)

    async def count(self, tenant: UUID, guild: str, counts: Mapping[str, int]) -> None:
        """Add to the message counts of today."""
        await self._store.count(tenant, guild, self._clock.now().date(), counts)

    async def ranking(self, tenant: UUID, guild: str, days: int, most: int) -> Sequence[Active]:
        """Return the most active users of the last days, including today."""
        since = self._clock.now().date() - timedelta(days=days - 1)
        return await self._store.rank(tenant, guild, since, most)

    async def add_notice(self, tenant: UUID, request: NoticeRequest) -> Notice:
        """Add a daily weather notice; the first is at the next time of day. Raises Invalid."""
        now = self._clock.now()
        try:
            last_sent_on = last_day(request.at, request.time_zone, now)
        except (ZoneInfoNotFoundError, ValueError):
            raise Invalid("unknown time zone") from None
        notice = Notice(id=new_id(now), last_sent_on=last_sent_on, **asdict(request))
        await self._store.add_notice(tenant, notice)
        return notice

    async def notices(self, tenant: UUID, guild: str) -> Sequence[Notice]:
        """Return the notices of a guild."""
        return await self._store.notices(tenant, guild)

    async def drop_notice(self, tenant: UUID, notice: UUID) -> None:
        """Delete a notice."""
        await self._store.drop_notice(tenant, notice)

    async def due(self, tenant: UUID, guild: str) -> list[DueNotice]:
        """Claim and return the notices that are due; each is returned once a day."""
        notices: list[DueNotice] = []
        now = self._clock.now()
        for notice in await self._store.notices(tenant, guild):
            day = due_on(notice, now)
            if day is not None and await self._store.claim(tenant, notice.id, day):
                notices.append(DueNotice(notice, await self._weather.at(notice.place)))
        return notices
