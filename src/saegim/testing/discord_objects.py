"""What Discord sends, as far as a client needs it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any

EPOCH_MS = 1_420_070_400_000
BOT = 900
APPLICATION = 901

_numbers = count(1)


def snowflake(at: datetime | None = None) -> int:
    """An id as Discord makes them: the time, then a number."""
    at = at or datetime.now(UTC)
    return (int(at.timestamp() * 1000) - EPOCH_MS) << 22 | (next(_numbers) & 0x3FFFFF)


@dataclass(frozen=True, slots=True)
class DiscordUser:
    """Somebody with an account. `permissions` are those of a member in slash commands."""

    id: int
    name: str
    bot: bool = False
    permissions: int = 0

    def user(self) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "username": self.name,
            "global_name": self.name,
            "discriminator": "0",
            "avatar": None,
            "bot": self.bot,
        }

    def member(self) -> dict[str, Any]:
        return {
            "user": self.user(),
            "roles": [],
            "joined_at": "2024-01-01T00:00:00+00:00",
            "deaf": False,
            "mute": False,
            "flags": 0,
            "permissions": str(self.permissions),
        }


@dataclass(frozen=True, slots=True)
class ChannelOption:
    """A channel as an option of a slash command."""

    id: int


MANAGES = 1 << 5
OURSELVES = DiscordUser(BOT, "새김", bot=True)


@dataclass(slots=True)
class DiscordGuild:
    """A guild with its channels by name, and threads with the channel each hangs from."""

    id: int
    name: str
    channels: dict[int, str]
    locale: str = "ko"
    people: dict[int, DiscordUser] = field(default_factory=dict[int, DiscordUser])
    threads: dict[int, int] = field(default_factory=dict[int, int])

    def created(self) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "name": self.name,
            "owner_id": "1",
            "preferred_locale": self.locale,
            "roles": [{**_ROLE, "id": str(self.id), "name": "@everyone"}],
            "channels": [self._channel(each) for each in self.channels],
            "threads": [self._thread(each) for each in self.threads],
            "members": [OURSELVES.member()],
            "member_count": len(self.people) + 1,
            **_GUILD,
        }

    def shown(self, channel: int) -> dict[str, Any]:
        """A channel or thread as an interaction names it."""
        return self._thread(channel) if channel in self.threads else self._channel(channel)

    def _channel(self, channel: int) -> dict[str, Any]:
        return {
            "id": str(channel),
            "guild_id": str(self.id),
            "type": 0,
            "name": self.channels[channel],
            "position": 0,
            "permission_overwrites": [],
            "parent_id": None,
            "topic": None,
            "nsfw": False,
        }

    def _thread(self, thread: int) -> dict[str, Any]:
        return {
            "id": str(thread),
            "guild_id": str(self.id),
            "parent_id": str(self.threads[thread]),
            "owner_id": "1",
            "type": 11,
            "name": "thread",
            "message_count": 0,
            "member_count": 1,
            "rate_limit_per_user": 0,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 60,
                "archive_timestamp": "2024-01-01T00:00:00+00:00",
                "locked": False,
            },
        }


def message(
    place: tuple[int | None, int],
    author: DiscordUser,
    content: str,
    mentions: Sequence[DiscordUser] = (),
    identifier: int | None = None,
) -> dict[str, Any]:
    """A message in a guild's channel."""
    guild, channel = place
    return {
        "id": str(identifier or snowflake()),
        "channel_id": str(channel),
        **({"guild_id": str(guild), "member": _bare(author)} if guild else {}),
        "author": author.user(),
        "content": content,
        "timestamp": datetime.now(UTC).isoformat(),
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [each.user() for each in mentions],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 0,
    }


def ready(
    session: str, url: str, shard: Sequence[int], guilds: Sequence[DiscordGuild]
) -> dict[str, Any]:
    """What a gateway says first to a client that it knows."""
    return {
        "v": 10,
        "user": OURSELVES.user(),
        "guilds": [{"id": str(each.id), "unavailable": True} for each in guilds],
        "session_id": session,
        "resume_gateway_url": url,
        "shard": list(shard),
        "application": {"id": str(APPLICATION), "flags": 0},
    }


def application() -> dict[str, Any]:
    """The bot's own application."""
    return {
        "id": str(APPLICATION),
        "name": "saegim",
        "icon": None,
        "description": "",
        "bot_public": False,
        "bot_require_code_grant": False,
        "verify_key": "",
        "flags": 0,
        "owner": DiscordUser(1, "owner").user(),
        "team": None,
        "rpc_origins": [],
        "summary": "",
        "redirect_uris": [],
    }


def _bare(author: DiscordUser) -> dict[str, Any]:
    return {name: value for name, value in author.member().items() if name != "user"}


_ROLE: dict[str, Any] = {
    "color": 0,
    "hoist": False,
    "position": 0,
    "permissions": "0",
    "managed": False,
    "mentionable": False,
    "flags": 0,
}
_GUILD: dict[str, Any] = {
    "icon": None,
    "splash": None,
    "discovery_splash": None,
    "emojis": [],
    "stickers": [],
    "features": [],
    "verification_level": 0,
    "default_message_notifications": 0,
    "explicit_content_filter": 0,
    "mfa_level": 0,
    "afk_channel_id": None,
    "afk_timeout": 0,
    "system_channel_id": None,
    "system_channel_flags": 0,
    "rules_channel_id": None,
    "public_updates_channel_id": None,
    "premium_tier": 0,
    "nsfw_level": 0,
    "premium_progress_bar_enabled": False,
    "vanity_url_code": None,
    "description": None,
    "banner": None,
    "presences": [],
    "voice_states": [],
    "stage_instances": [],
    "guild_scheduled_events": [],
    "soundboard_sounds": [],
    "large": False,
    "unavailable": False,
}
