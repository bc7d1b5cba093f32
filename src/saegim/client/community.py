"""Calls of a chat channel for its community: settings, activity, notices."""

from collections.abc import Awaitable, Mapping
from typing import Any, Literal
from uuid import UUID

import httpx2

from saegim.client.calls import Calls, matching, parse, parse_list
from saegim.client.types import Shape


class ChannelVoice(Shape):
    """Persona and rules of a channel."""

    persona: str = ""
    rules: str = ""


class Guild(Shape):
    """Settings of a guild and of its channels."""

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
    """The version of the settings, for `if_match`."""


class Place(Shape):
    """Settings for a user in a channel."""

    profile: str
    instructions: str
    locale: Literal["ko", "en"] | None
    store_messages: bool
    log_channel: str | None
    user_per_minute: int
    guild_per_minute: int


class Active(Shape):
    """Rank of a user by messages."""

    rank: int
    name: str
    messages: int


class Notice(Shape):
    """A daily weather notice in a channel."""

    notice_id: UUID
    channel_id: str
    place: str
    at: str
    time_zone: str


class DueNotice(Shape):
    """A notice to post now; no text if the weather is unknown."""

    notice_id: UUID
    channel_id: str
    place: str
    text: str | None


class CommunityCalls(Calls):
    """Calls of a chat channel."""

    def _in_guild(
        self, guild: str, method: str, path: str, **request: Any
    ) -> Awaitable[httpx2.Response]:
        return self._call(method, path, headers={"Saegim-Guild": guild}, **request)

    async def guild(self, guild: str) -> Guild:
        """Return the settings of a guild."""
        return _guild(await self._in_guild(guild, "GET", "/v1/guild"))

    async def change_guild(
        self, guild: str, *, if_match: str | None = None, **changes: object
    ) -> Guild:
        """Change settings of a guild; others stay. Raises VersionConflict if they do not have the
        ETag `if_match` any more."""
        headers = {"Saegim-Guild": guild} | matching(if_match)
        return _guild(await self._call("PATCH", "/v1/guild", json=changes, headers=headers))

    async def speak_in(self, guild: str, channel: str, persona: str, rules: str) -> Guild:
        """Set persona and rules of a channel; two empty texts use those of the guild."""
        body = {"channel_id": channel, "persona": persona, "rules": rules}
        return await parse(Guild, self._in_guild(guild, "PUT", "/v1/guild/voice", json=body))

    async def place(self, guild: str, channel: str) -> Place:
        """Return the settings for the user in a channel."""
        params = {"channel_id": channel}
        return await parse(
            Place, self._in_guild(guild, "GET", "/v1/guild/channel-settings", params=params)
        )

    async def count_activity(self, guild: str, counts: Mapping[str, int]) -> None:
        """Add to the number of messages by user."""
        listed = [{"name": name, "messages": messages} for name, messages in counts.items()]
        body = {"counts": listed}
        await self._in_guild(guild, "POST", "/v1/guild/activity", json=body)

    async def activity_ranking(self, guild: str, days: int = 7, most: int = 10) -> list[Active]:
        """Return the most active users of the last days."""
        params = {"days": days, "most": most}
        return await parse_list(
            Active, self._in_guild(guild, "GET", "/v1/guild/ranking", params=params)
        )

    async def notices(self, guild: str) -> list[Notice]:
        """Return the notices of a guild."""
        return await parse_list(Notice, self._in_guild(guild, "GET", "/v1/guild/notices"))

    async def add_notice(
        self, guild: str, channel: str, place: str, at: str, time_zone: str = "Asia/Seoul"
    ) -> Notice:
        """Add a daily weather notice."""
        body = {"channel_id": channel, "place": place, "at": at, "time_zone": time_zone}
        return await parse(Notice, self._in_guild(guild, "POST", "/v1/guild/notices", json=body))

    async def drop_notice(self, notice: UUID) -> None:
        """Delete a notice."""
        await self._call("DELETE", f"/v1/guild/notices/{notice}")

    async def due_notices(self, guild: str) -> list[DueNotice]:
        """Return the notices to post now; each is returned once."""
        return await parse_list(DueNotice, self._in_guild(guild, "POST", "/v1/guild/notices/due"))


def _guild(response: httpx2.Response) -> Guild:
    guild = Guild.model_validate_json(response.text)
    return guild.model_copy(update={"etag": response.headers.get("ETag")})
