"""A chat community as its door sees it."""

from collections.abc import Mapping
from typing import Literal
from uuid import UUID

import httpx2
from pydantic import TypeAdapter

from saegim.client.calls import Calls, matching
from saegim.client.types import Shape


class ChannelVoice(Shape):
    """How the assistant speaks in a channel."""

    persona: str = ""
    rules: str = ""


class Guild(Shape):
    """A guild's settings, and how its channels are spoken in."""

    guild_id: str
    locale: Literal["ko", "en"] | None
    persona: str
    rules: str
    log_channel: str | None
    store_messages: bool
    user_per_minute: int
    guild_per_minute: int
    channels: dict[str, ChannelVoice]
    etag: str | None = None
    """Names this state of them."""


class Place(Shape):
    """What holds for a person in a channel."""

    profile: str
    instructions: str
    locale: Literal["ko", "en"] | None
    store_messages: bool
    log_channel: str | None
    user_per_minute: int
    guild_per_minute: int


class Active(Shape):
    """Somebody's place in the ranking."""

    rank: int
    name: str
    messages: int


class Notice(Shape):
    """The weather of a place, told in a channel every day at a time."""

    notice_id: UUID
    channel_id: str
    place: str
    at: str
    time_zone: str


class DueNotice(Shape):
    """What is to be said in a channel now; no text where nobody knew the weather."""

    notice_id: UUID
    channel_id: str
    place: str
    text: str | None


RANKING = TypeAdapter(list[Active])
NOTICES = TypeAdapter(list[Notice])
DUE_NOTICES = TypeAdapter(list[DueNotice])


class CommunityCalls(Calls):
    """The part of the client that a chat community's door uses."""

    async def guild(self, guild: str) -> Guild:
        """A guild's settings."""
        return _guild(await self._call("GET", "/v1/guild", headers=_named(guild)))

    async def change_guild(
        self, guild: str, *, if_match: str | None = None, **changes: object
    ) -> Guild:
        """Changes a guild's settings; what is not named stays. Raises Changed where they are not
        those of `if_match` any more."""
        headers = _named(guild) | matching(if_match)
        return _guild(await self._call("PATCH", "/v1/guild", json=changes, headers=headers))

    async def speak_in(self, guild: str, channel: str, persona: str, rules: str) -> Guild:
        """Says how the assistant speaks in a channel; two empty texts leave it to the guild."""
        body = {"channel_id": channel, "persona": persona, "rules": rules}
        response = await self._call("PUT", "/v1/guild/voice", json=body, headers=_named(guild))
        return Guild.model_validate_json(response.text)

    async def place(self, guild: str, channel: str) -> Place:
        """What holds for us in a channel."""
        params = {"channel_id": channel}
        response = await self._call(
            "GET", "/v1/guild/channel-settings", params=params, headers=_named(guild)
        )
        return Place.model_validate_json(response.text)

    async def count_activity(self, guild: str, counts: Mapping[str, int]) -> None:
        """Adds to what people wrote, by name."""
        listed = [{"name": name, "messages": messages} for name, messages in counts.items()]
        body = {"counts": listed}
        await self._call("POST", "/v1/guild/activity", json=body, headers=_named(guild))

    async def activity_ranking(self, guild: str, days: int = 7, most: int = 10) -> list[Active]:
        """Who wrote most in the last days."""
        params = {"days": days, "most": most}
        response = await self._call(
            "GET", "/v1/guild/ranking", params=params, headers=_named(guild)
        )
        return RANKING.validate_json(response.text)

    async def notices(self, guild: str) -> list[Notice]:
        """A guild's notices."""
        response = await self._call("GET", "/v1/guild/notices", headers=_named(guild))
        return NOTICES.validate_json(response.text)

    async def add_notice(
        self, guild: str, channel: str, place: str, at: str, time_zone: str = "Asia/Seoul"
    ) -> Notice:
        """Tells the weather of a place in a channel every day."""
        body = {"channel_id": channel, "place": place, "at": at, "time_zone": time_zone}
        response = await self._call("POST", "/v1/guild/notices", json=body, headers=_named(guild))
        return Notice.model_validate_json(response.text)

    async def drop_notice(self, notice: UUID) -> None:
        """Tells a notice no more."""
        await self._call("DELETE", f"/v1/guild/notices/{notice}")

    async def due_notices(self, guild: str) -> list[DueNotice]:
        """What is to be said now; whoever asks first is told."""
        response = await self._call("POST", "/v1/guild/notices/due", headers=_named(guild))
        return DUE_NOTICES.validate_json(response.text)


def _guild(response: httpx2.Response) -> Guild:
    guild = Guild.model_validate_json(response.text)
    return guild.model_copy(update={"etag": response.headers.get("ETag")})


def _named(guild: str) -> dict[str, str]:
    return {"Saegim-Guild": guild}
