"""Team memory: records that the readers of a collection share."""

from collections.abc import Mapping
from typing import Annotated, Self
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, Field, model_validator

from saegim.api.caller import Call, CallDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.api.schemas.memory import Content, Topic
from saegim.api.views import View, example
from saegim.audit.types import AuditAction
from saegim.domain.policy import Permission, allows
from saegim.memory.types import MemoryType
from saegim.team_memory.service import TeamCorrection, may_edit, may_withdraw
from saegim.team_memory.types import TeamRecord, TeamStatement

router = APIRouter(prefix="/v1", tags=["team memory"])


class ContributionView(View):
    """Who said or confirmed a record. `memory_id` and `turn_id` are set for one's own; `name` and
    `quote` are empty for callers who may not share anything themselves."""

    name: str
    quote: str
    said_at: AwareDatetime
    shared_at: AwareDatetime
    mine: bool
    memory_id: UUID | None
    turn_id: UUID | None


class TeamMemoryView(View):
    """A shared record. `collection` names the collection whose readers see it; `may_edit` says
    whether the caller may change it, `may_delete` whether the caller may delete it."""

    team_memory_id: UUID
    collection_id: UUID
    collection: str
    type: MemoryType
    content: str
    topic: str
    said_at: AwareDatetime
    version: int
    changed_at: AwareDatetime
    contributions: list[ContributionView]
    may_edit: bool
    may_delete: bool


class TeamMemoryPage(BaseModel):
    """Shared records, newest first. Pass `next_before` as `before` for the next page."""

    team_memories: list[TeamMemoryView]
    next_before: UUID | None


class NewTeamMemoryBody(BaseModel, extra="forbid"):
    """A memory of the caller to share, or a new statement. Without `collection_id` the first
    collection that the caller can read."""

    model_config = example(content="데이터베이스는 PostgreSQL로 정했다", type="decision")

    memory_id: UUID | None = None
    content: Content | None = None
    type: MemoryType = MemoryType.DECISION
    topic: Topic = ""
    collection_id: UUID | None = None

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if (self.memory_id is None) == (self.content is None):
            raise ValueError("send memory_id or content")
        return self


class TeamMemoryChange(BaseModel, extra="forbid"):
    """The corrected fields. Omitted fields stay as they are."""

    model_config = example(content="데이터베이스는 PostgreSQL 18로 정했다")

    content: Content | None = None
    type: MemoryType | None = None
    topic: Topic | None = None


class TeamMemoryVersionView(View):
    """A version of a shared record and who wrote it; `mine`: the caller did."""

    version: int
    type: MemoryType
    content: str
    topic: str
    changed_at: AwareDatetime
    mine: bool
    name: str


class TeamMemoryQuery(BaseModel):
    """Filters of the list. All words of `q` must match."""

    q: Annotated[str, Query(max_length=500)] = ""
    before: UUID | None = None
    count: Annotated[int, Field(ge=1, le=200)] = 50


@router.get("/team-memory")
async def list_team_memory(
    query: Annotated[TeamMemoryQuery, Query()], call: CallDep
) -> TeamMemoryPage:
    """Lists the shared records that the caller may see, newest first."""
    service = call.services.team_memory
    records = await service.browse(call.caller, query.q, query.count, query.before)
    last = records[-1].id if len(records) == query.count else None
    return TeamMemoryPage(team_memories=await _views(call, records), next_before=last)


@router.post("/team-memory", status_code=201)
async def share_memory(body: NewTeamMemoryBody, call: CallDep) -> TeamMemoryView:
    """Shares a memory of the caller, or a statement, with the readers of a collection."""
    service = call.services.team_memory
    async with call.recording(AuditAction.TEAM_MEMORY_CHANGED):
        if body.memory_id is not None:
            shared = await service.share(call.caller, body.memory_id, body.collection_id)
        else:
            statement = TeamStatement(body.type, body.content or "", body.topic)
            shared = await service.add(call.caller, statement, body.collection_id)
    [view] = await _views(call, [shared])
    return view


@router.get("/team-memory/{team_memory_id}")
async def read_team_memory(team_memory_id: UUID, tag: TagDep, call: CallDep) -> TeamMemoryView:
    """Returns a shared record."""
    record = await call.services.team_memory.read(call.caller, team_memory_id)
    tag.name(record)
    [view] = await _views(call, [record])
    return view


@router.patch("/team-memory/{team_memory_id}")
async def change_team_memory(
    team_memory_id: UUID,
    body: TeamMemoryChange,
    tag: TagDep,
    call: CallDep,
    seen: ExpectedVersionDep = None,
) -> TeamMemoryView:
    """Corrects a shared record by adding a new version. Its author and editors may do so; earlier
    confirmations do not hold for the new version."""
    correction = TeamCorrection(**body.model_dump())
    async with call.recording(AuditAction.TEAM_MEMORY_CHANGED, team_memory_id):
        changed = await call.services.team_memory.change(
            call.caller, team_memory_id, correction, seen
        )
    tag.name(changed)
    [view] = await _views(call, [changed])
    return view


@router.post("/team-memory/{team_memory_id}/confirm")
async def confirm_team_memory(team_memory_id: UUID, call: CallDep) -> TeamMemoryView:
    """Confirms a shared record: it then stays if the person who shared it is erased."""
    async with call.recording(AuditAction.TEAM_MEMORY_CHANGED, team_memory_id):
        confirmed = await call.services.team_memory.confirm(call.caller, team_memory_id)
    [view] = await _views(call, [confirmed])
    return view


@router.delete("/team-memory/{team_memory_id}", status_code=204)
async def delete_team_memory(team_memory_id: UUID, call: CallDep) -> None:
    """Deletes a shared record. If others confirmed it, only editors delete it; its author takes
    their own part back."""
    async with call.recording(AuditAction.TEAM_MEMORY_CHANGED, team_memory_id):
        await call.services.team_memory.remove(call.caller, team_memory_id)


@router.get("/team-memory/{team_memory_id}/versions")
async def list_team_memory_versions(
    team_memory_id: UUID, call: CallDep
) -> list[TeamMemoryVersionView]:
    """Lists the versions of a shared record, newest first."""
    versions = await call.services.team_memory.versions(call.caller, team_memory_id)
    writers = {each.changed_by for each in versions if each.changed_by}
    names = await call.services.auth.members.contributors(call.caller, writers)
    # Names are for those who may share something themselves, as in the contributions.
    of_the_team = allows(call.caller, Permission.ATTACH)
    return [
        TeamMemoryVersionView.of(
            each,
            each.statement,
            version=each.number,
            mine=each.changed_by == call.scope.user,
            name=(names.get(each.changed_by, "") if each.changed_by and of_the_team else ""),
        )
        for each in versions
    ]


async def _views(call: Call, records: list[TeamRecord]) -> list[TeamMemoryView]:
    names = await call.services.team_memory.spaces(call.caller)
    members = {by.member for each in records for by in each.contributions}
    people = await call.services.auth.members.contributors(call.caller, members)
    return [
        TeamMemoryView.of(
            each,
            each.statement,
            collection_id=each.collection,
            collection=names.get(each.collection, ""),
            contributions=_contributions(call, each, people),
            may_edit=may_edit(call.caller, each),
            may_delete=may_withdraw(call.caller, each),
        )
        for each in records
    ]


def _contributions(
    call: Call, record: TeamRecord, people: Mapping[UUID, str]
) -> list[ContributionView]:
    # Visitors of a web page, who may not share anything, learn what the team knows but not who.
    is_of_the_team = allows(call.caller, Permission.ATTACH)
    views: list[ContributionView] = []
    for each in record.contributions:
        mine = each.member == call.scope.user
        memory, turn = (each.memory, each.turn) if mine else (None, None)
        # The name at the time of sharing is unknown to those who signed in with their own key.
        name = people.get(each.member) or each.name
        quote = each.quote
        if not (mine or is_of_the_team):
            name = quote = ""
        views.append(
            ContributionView.of(
                each, name=name, quote=quote, mine=mine, memory_id=memory, turn_id=turn
            )
        )
    return views
