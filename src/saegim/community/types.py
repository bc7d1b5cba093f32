from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from uuid import UUID

from saegim.domain.scope import Locale

USER_PER_MINUTE = 6
GUILD_PER_MINUTE = 60


@dataclass(frozen=True, slots=True)
class Voice:
    """How the assistant speaks somewhere, and what holds there."""

    persona: str = ""
    rules: str = ""


@dataclass(frozen=True, slots=True)
class Guild:
    """One community's settings. With `store_messages` what others said around a message is stored
    with its turn; else it is read for one answer and stored nowhere."""

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
        """What its admins change at once: all but how each channel is spoken in."""
        return replace(self, channels={})


@dataclass(frozen=True, slots=True)
class ChannelSettings:
    """What holds for one person in one channel. `profile` is where their memory is."""

    guild: Guild
    profile: str
    instructions: str


@dataclass(frozen=True, slots=True)
class Active:
    """How many messages somebody wrote; `name` as the chat service's door calls them."""

    name: str
    messages: int


@dataclass(frozen=True, slots=True)
class NoticeRequest:
    """What a guild wants to be told: the weather of a place, in a channel, every day at a time."""

    guild: str
    channel: str
    place: str
    at: str
    time_zone: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A wish that is kept, and the day for which it was last told."""

    id: UUID
    guild: str
    channel: str
    place: str
    at: str
    time_zone: str
    last_sent_on: date | None = None


@dataclass(frozen=True, slots=True)
class DueNotice:
    """What is to be said in a channel now; None where no provider knew the weather."""

    notice: Notice
    text: str | None
