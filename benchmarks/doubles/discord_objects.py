"""Objects of the Discord API, as far as a client needs them."""

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
    """Return an ID as Discord makes them: the time, then a number."""
    at = at or datetime.now(UTC)
    return (int(at.timestamp() * 1000) - EPOCH_MS) << 22 | (next(_numbers) & 0x3FFFFF)


@dataclass(frozen=True, slots=True)
class DiscordUser:
    """A user. `permissions` are those of a member in slash commands."""

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
    """A guild with the names of its channels, and the parents of its threads."""

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
        """Return a channel or thread."""
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
    """Return a message in a channel."""
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
    """Return the READY event."""
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
    """Return the application of the bot."""
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
    **dict.fromkeys(("color", "position", "flags"), 0),
    **dict.fromkeys(("hoist", "managed", "mentionable"), False),
    "permissions": "0",
}
_NONE = (
    "icon splash discovery_splash afk_channel_id system_channel_id rules_channel_id "
    "public_updates_channel_id vanity_url_code description banner"
)
_EMPTY = (
    "emojis stickers features presences voice_states stage_instances guild_scheduled_events "
    "soundboard_sounds"
)
_ZERO = (
    "verification_level default_message_notifications explicit_content_filter mfa_level "
    "afk_timeout system_channel_flags premium_tier nsfw_level"
)
_GUILD: dict[str, Any] = {
    **dict.fromkeys(_NONE.split()),
    **dict.fromkeys(_EMPTY.split(), ()),
    **dict.fromkeys(_ZERO.split(), 0),
    **dict.fromkeys(("premium_progress_bar_enabled", "large", "unavailable"), False),
}
