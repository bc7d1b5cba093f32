"""Guilds of chat channels such as Discord: settings, activity and notices."""

from dataclasses import replace
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Query
from pydantic import BaseModel, Field

from saegim.api.caller import CallDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.api.views import View, example
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
    """Reads `Saegim-Guild`, a guild ID within the tenant."""
    return saegim_guild


GuildDep = Annotated[str, Depends(guild_of)]


class VoiceView(View):
    """Persona and rules of the assistant in a channel."""

    persona: Persona = ""
    rules: Rules = ""


class VoiceBody(VoiceView, extra="forbid"):
    """Persona and rules for a channel. If both are empty, those of the guild apply."""

    model_config = example(channel_id="42", persona="츤데레", rules="반말 사용")

    channel_id: Outside


class GuildChange(BaseModel, extra="forbid"):
    """Changes to a guild. Omitted fields stay as they are."""

    model_config = example(locale="ko")

    locale: Locale | None = None
    persona: Persona | None = None
    rules: Rules | None = None
    log_channel: Annotated[
        Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{0,40}$")] | None,
        Field(description="Channel for log messages; empty for none."),
    ] = None
    store_messages: Annotated[
        bool | None,
        Field(description="Whether messages of others around a message are stored."),
    ] = None
    user_per_minute: PerMinute | None = None
    guild_per_minute: PerMinute | None = None

    def changed(self, guild: Guild) -> Guild:
        changes = self.model_dump(exclude_none=True)
        voice = {name: changes.pop(name) for name in ("persona", "rules") if name in changes}
        if "log_channel" in changes:
            changes["log_channel"] = changes["log_channel"] or None
        return replace(guild, voice=replace(guild.voice, **voice), **changes)


class GuildView(View):
    """Settings of a guild and of its channels."""

    guild_id: str
    locale: Locale | None
    persona: str
    rules: str
    log_channel: str | None
    store_messages: bool
    user_per_minute: int
    guild_per_minute: int
    channels: dict[str, VoiceView]


class ChannelSettingsView(View):
    """Settings for the caller in a channel. Send `profile` and `instructions` with each message."""

    profile: str
    instructions: str
    locale: Locale | None
    store_messages: bool
    log_channel: str | None
    user_per_minute: int
    guild_per_minute: int


class MessageCount(BaseModel, extra="forbid"):
    """Number of messages of one member since the last report."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    messages: Annotated[int, Field(ge=1, le=100_000)]


class CountsBody(BaseModel, extra="forbid"):
    """Message counts by name, each name once, without content."""

    model_config = example(counts=[{"name": "discord:7", "messages": 3}])

    counts: Annotated[list[MessageCount], Field(min_length=1, max_length=1_000)]


class ActiveView(View):
    """Rank of a member."""

    rank: int
    name: str
    messages: int


class NoticeBody(View, extra="forbid"):
    """A daily weather notice for a place, in a channel."""

    model_config = example(channel_id="42", place="서울", at="07:30")

    channel_id: Outside
    place: Annotated[str, Field(min_length=1, max_length=100)]
    at: Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    time_zone: Annotated[str, Field(max_length=60)] = "Asia/Seoul"


class NoticeView(NoticeBody):
    """A daily weather notice."""

    notice_id: UUID


class DueNoticeView(View):
    """A notice to post now. `text` is null if no provider knew the weather."""

    notice_id: UUID
    channel_id: str
    place: str
    text: str | None


@router.get("")
async def read_guild(guild: GuildDep, tag: TagDep, call: CallDep) -> GuildView:
    """Returns the settings of a guild. The ETag does not cover its channels."""
    settings = await call.services.community.guild(call.tenant, guild)
    tag.name(settings.settings)
    return GuildView.of(settings, settings.voice)


@router.patch("")
async def change_guild(
    guild: GuildDep, body: GuildChange, tag: TagDep, call: CallDep, seen: ExpectedVersionDep = None
) -> GuildView:
    """Changes the settings of a guild."""
    tenant = call.tenant
    async with call.recording(AuditAction.GUILD_CHANGED, tenant, guild):
        after = await call.services.community.change(tenant, guild, body.changed, seen)
    tag.name(after.settings)
    return GuildView.of(after, after.voice)


@router.put("/voice")
async def set_voice(guild: GuildDep, body: VoiceBody, call: CallDep) -> GuildView:
    """Sets the persona and rules of the assistant in a channel."""
    tenant, voice = call.tenant, Voice(body.persona, body.rules)
    async with call.recording(AuditAction.GUILD_CHANGED, tenant, guild):
        after = await call.services.community.speak(tenant, guild, body.channel_id, voice)
    return GuildView.of(after, after.voice)


@router.get("/channel-settings")
async def read_channel_settings(
    guild: GuildDep, call: CallDep, channel_id: Annotated[str, Query(pattern=ID)]
) -> ChannelSettingsView:
    """Returns the settings for the caller in a channel. Each guild has its own memory profile,
    unless the caller's identity is linked."""
    names = await call.services.auth.identities.list(call.caller)
    linked = any(each.name == call.caller.known_as for each in names)
    settings = await call.services.community.place(call.tenant, guild, channel_id, linked)
    return ChannelSettingsView.of(settings, settings.guild)


@router.post("/activity", status_code=204)
async def record_activity(guild: GuildDep, body: CountsBody, call: CallDep) -> None:
    """Adds message counts to the activity ranking."""
    counts = {each.name: each.messages for each in body.counts}
    await call.services.community.count(call.tenant, guild, counts)


@router.get("/ranking")
async def read_activity_ranking(
    guild: GuildDep,
    call: CallDep,
    days: Annotated[int, Query(ge=1, le=400)] = 7,
    most: Annotated[int, Query(ge=1, le=50)] = 10,
) -> list[ActiveView]:
    """Lists the most active members of the last days."""
    active = await call.services.community.ranking(call.tenant, guild, days, most)
    return [ActiveView.of(member, rank=rank) for rank, member in enumerate(active, 1)]


@router.get("/notices")
async def list_notices(guild: GuildDep, call: CallDep) -> list[NoticeView]:
    """Lists the notices of a guild, oldest first."""
    notices = await call.services.community.notices(call.tenant, guild)
    return [notice_view(notice) for notice in notices]


@router.post("/notices", status_code=201)
async def add_notice(guild: GuildDep, body: NoticeBody, call: CallDep) -> NoticeView:
    """Creates a daily weather notice."""
    request = NoticeRequest(guild, body.channel_id, body.place, body.at, body.time_zone)
    return notice_view(await call.services.community.add_notice(call.tenant, request))


@router.post("/notices/due")
async def due_notices(guild: GuildDep, call: CallDep) -> list[DueNoticeView]:
    """Claims the notices that are due. Each notice is returned once a day."""
    notices = await call.services.community.due(call.tenant, guild)
    return [DueNoticeView.of(due.notice, text=due.text) for due in notices]


@router.delete("/notices/{notice_id}", status_code=204)
async def drop_notice(notice_id: UUID, call: CallDep) -> None:
    """Deletes a notice."""
    await call.services.community.drop_notice(call.tenant, notice_id)


def notice_view(notice: Notice) -> NoticeView:
    return NoticeView.of(notice, notice_id=notice.id)
