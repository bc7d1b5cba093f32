"""Types of communities."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from uuid import UUID

from saegim.domain.scope import Locale

USER_PER_MINUTE = 6
GUILD_PER_MINUTE = 60


@dataclass(frozen=True, slots=True)
class Voice:
    """Persona and rules of a guild or a channel."""

    persona: str = ""
    rules: str = ""


@dataclass(frozen=True, slots=True)
class Guild:
    """Settings of a community. With `store_messages`, messages of other users around a question are
    stored with its turn; otherwise they are only read."""

    id: str
    locale: Locale | None = None
    voice: Voice = Voice()
    log_channel: str | None = None
    store_messages: bool = False
    user_per_minute: int = USER_PER_MINUTE
    guild_per_minute: int = GUILD_PER_MINUTE
    channels: Mapping[str, Voice] = field(default_factory=dict[str, Voice])

    @property
    def settings(self) -> "Guild":
        """The settings without those of channels, for version checks."""
        return replace(self, channels={})


@dataclass(frozen=True, slots=True)
class ChannelSettings:
    """Settings for a user in a channel. `profile` is the profile of their memory."""

    guild: Guild
    profile: str
    instructions: str


@dataclass(frozen=True, slots=True)
class Active:
    """Number of messages of a user; `name` is the user name of the channel."""

    name: str
    messages: int


@dataclass(frozen=True, slots=True)
class NoticeRequest:
    """A request for a daily weather notice in a channel."""

    guild: str
    channel: str
    place: str
    at: str
    time_zone: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A daily weather notice, and the day it was last sent for."""

    id: UUID
    guild: str
    channel: str
    place: str
    at: str
    time_zone: str
    last_sent_on: date | None = None


@dataclass(frozen=True, slots=True)
class DueNotice:
    """A notice to post now; without text if the weather is unknown."""

    notice: Notice
    text: str | None
