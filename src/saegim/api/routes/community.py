"""A chat community behind its own door: settings, places, activity, notices."""

from dataclasses import replace
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Query
from pydantic import BaseModel, ConfigDict, Field

from saegim.api.caller import CallerDep, ServicesDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.audit.types import AuditAction
from saegim.community.types import Guild, Notice, NoticeRequest, Voice
from saegim.domain.scope import Locale

router = APIRouter(prefix="/v1/guild", tags=["community"])

ID = r"^[0-9A-Za-z_-]{1,40}$"
Outside = Annotated[str, Field(pattern=ID)]
Persona = Annotated[str, Field(max_length=600)]
Rules = Annotated[str, Field(max_length=1_000)]
PerMinute = Annotated[int, Field(ge=1, le=10_000)]


async def guild_of(saegim_guild: Annotated[str, Header(pattern=ID)]) -> str:
    """The guild that a request is about: a name of the caller's own, within its tenant."""
    return saegim_guild


GuildDep = Annotated[str, Depends(guild_of)]


class VoiceView(BaseModel):
    """How the assistant speaks in a channel."""

    persona: Persona = ""
    rules: Rules = ""


class VoiceBody(VoiceView, extra="forbid"):
    """How the assistant is to speak in a channel; both empty leave it to the guild."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"channel_id": "42", "persona": "츤데레", "rules": "반말 사용"}]
        }
    )

    channel_id: Outside


class GuildChange(BaseModel, extra="forbid"):
    """What is to change; what is left out stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"locale": "ko"}]})

    locale: Locale | None = None
    persona: Persona | None = None
    rules: Rules | None = None
    log_channel: Annotated[
        Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{0,40}$")] | None,
        Field(description="Where the door logs; empty for nowhere."),
    ] = None
    store_messages: Annotated[
        bool | None,
        Field(description="Whether what others said around a message is stored with its turn."),
    ] = None
    user_per_minute: PerMinute | None = None
    guild_per_minute: PerMinute | None = None

    def changed(self, guild: Guild) -> Guild:
        given = self.model_dump(exclude_none=True)
        voice = {name: given.pop(name) for name in ("persona", "rules") if name in given}
        if "log_channel" in given:
            given["log_channel"] = given["log_channel"] or None
        return replace(guild, voice=replace(guild.voice, **voice), **given)


class GuildView(BaseModel):
    """A guild's settings, and how its channels are spoken in."""

    guild_id: str
    locale: Locale | None
    persona: str
    rules: str
    log_channel: str | None
    store_messages: bool
    user_per_minute: int
    guild_per_minute: int
    channels: dict[str, VoiceView]


class ChannelSettingsView(BaseModel):
    """What holds for the caller in a channel: give `profile` and `instructions` with a message."""

    profile: str
    instructions: str
    locale: Locale | None
    store_messages: bool
    log_channel: str | None
    user_per_minute: int
    guild_per_minute: int


class MessageCount(BaseModel, extra="forbid"):
    """How many messages somebody wrote since the last time."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    messages: Annotated[int, Field(ge=1, le=100_000)]


class CountsBody(BaseModel, extra="forbid"):
    """Counts by name, each name once. What was written is not told."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"counts": [{"name": "discord:7", "messages": 3}]}]}
    )

    counts: Annotated[list[MessageCount], Field(min_length=1, max_length=1_000)]


class ActiveView(BaseModel):
    """Somebody's place in the ranking."""

    rank: int
    name: str
    messages: int


class NoticeBody(BaseModel, extra="forbid"):
    """The weather of a place, in a channel, every day at a time."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"channel_id": "42", "place": "서울", "at": "07:30"}]}
    )

    channel_id: Outside
    place: Annotated[str, Field(min_length=1, max_length=100)]
    at: Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    time_zone: Annotated[str, Field(max_length=60)] = "Asia/Seoul"


class NoticeView(NoticeBody):
    """A notice as it is told."""

    notice_id: UUID


class DueNoticeView(BaseModel):
    """What is to be said in a channel now; no text where no provider knew the weather."""

    notice_id: UUID
    channel_id: str
    place: str
    text: str | None


@router.get("")
async def read_guild(
    guild: GuildDep, tag: TagDep, services: ServicesDep, caller: CallerDep
) -> GuildView:
    """A guild's settings; the defaults where it has none. The ETag is of all but its channels."""
    found = await services.community.guild(caller.scope.tenant, guild)
    tag.name(found.settings)
    return guild_view(found)


@router.patch("")
async def change_guild(
    guild: GuildDep,
    body: GuildChange,
    tag: TagDep,
    services: ServicesDep,
    caller: CallerDep,
    seen: ExpectedVersionDep = None,
) -> GuildView:
    """Changes a guild's settings."""
    tenant = caller.scope.tenant
    async with services.audit.trail.recording(caller, AuditAction.GUILD_CHANGED, tenant, guild):
        after = await services.community.change(tenant, guild, body.changed, seen)
    tag.name(after.settings)
    return guild_view(after)


@router.put("/voice")
async def speak(
    guild: GuildDep, body: VoiceBody, services: ServicesDep, caller: CallerDep
) -> GuildView:
    """Says how the assistant speaks in a channel."""
    tenant, voice = caller.scope.tenant, Voice(body.persona, body.rules)
    async with services.audit.trail.recording(caller, AuditAction.GUILD_CHANGED, tenant, guild):
        after = await services.community.speak(tenant, guild, body.channel_id, voice)
    return guild_view(after)


@router.get("/channel-settings")
async def place(
    guild: GuildDep,
    services: ServicesDep,
    caller: CallerDep,
    channel_id: Annotated[str, Query(pattern=ID)],
) -> ChannelSettingsView:
    """What holds for the caller in a channel. Memory is by guild, unless the name was linked."""
    names = await services.auth.identities.list(caller)
    linked = any(each.name == caller.known_as for each in names)
    found = await services.community.place(caller.scope.tenant, guild, channel_id, linked)
    return ChannelSettingsView(
        profile=found.profile,
        instructions=found.instructions,
        locale=found.guild.locale,
        store_messages=found.guild.store_messages,
        log_channel=found.guild.log_channel,
        user_per_minute=found.guild.user_per_minute,
        guild_per_minute=found.guild.guild_per_minute,
    )


@router.post("/activity", status_code=204)
async def count(
    guild: GuildDep, body: CountsBody, services: ServicesDep, caller: CallerDep
) -> None:
    """Counts messages for the ranking."""
    counts = {each.name: each.messages for each in body.counts}
    await services.community.count(caller.scope.tenant, guild, counts)


@router.get("/ranking")
async def ranking(
    guild: GuildDep,
    services: ServicesDep,
    caller: CallerDep,
    days: Annotated[int, Query(ge=1, le=400)] = 7,
    most: Annotated[int, Query(ge=1, le=50)] = 10,
) -> list[ActiveView]:
    """Who wrote most in the last days."""
    found = await services.community.ranking(caller.scope.tenant, guild, days, most)
    return [
        ActiveView(rank=rank, name=each.name, messages=each.messages)
        for rank, each in enumerate(found, 1)
    ]


@router.get("/notices")
async def list_notices(
    guild: GuildDep, services: ServicesDep, caller: CallerDep
) -> list[NoticeView]:
    """A guild's notices, oldest first."""
    found = await services.community.notices(caller.scope.tenant, guild)
    return [notice_view(each) for each in found]


@router.post("/notices", status_code=201)
async def add_notice(
    guild: GuildDep, body: NoticeBody, services: ServicesDep, caller: CallerDep
) -> NoticeView:
    """Tells the weather of a place every day from its next time on."""
    wish = NoticeRequest(guild, body.channel_id, body.place, body.at, body.time_zone)
    return notice_view(await services.community.add_notice(caller.scope.tenant, wish))


@router.post("/notices/due")
async def due_notices(
    guild: GuildDep, services: ServicesDep, caller: CallerDep
) -> list[DueNoticeView]:
    """What is to be said now, to whoever asks first; each notice once a day."""
    notices = await services.community.due(caller.scope.tenant, guild)
    return [
        DueNoticeView(
            notice_id=each.notice.id,
            channel_id=each.notice.channel,
            place=each.notice.place,
            text=each.text,
        )
        for each in notices
    ]


@router.delete("/notices/{notice_id}", status_code=204)
async def drop_notice(notice_id: UUID, services: ServicesDep, caller: CallerDep) -> None:
    """Tells a notice no more."""
    await services.community.drop_notice(caller.scope.tenant, notice_id)


def guild_view(guild: Guild) -> GuildView:
    return GuildView(
        guild_id=guild.id,
        locale=guild.locale,
        persona=guild.voice.persona,
        rules=guild.voice.rules,
        log_channel=guild.log_channel,
        store_messages=guild.store_messages,
        user_per_minute=guild.user_per_minute,
        guild_per_minute=guild.guild_per_minute,
        channels={
            channel: VoiceView(persona=voice.persona, rules=voice.rules)
            for channel, voice in guild.channels.items()
        },
    )


def notice_view(notice: Notice) -> NoticeView:
    return NoticeView(
        notice_id=notice.id,
        channel_id=notice.channel,
        place=notice.place,
        at=notice.at,
        time_zone=notice.time_zone,
    )
