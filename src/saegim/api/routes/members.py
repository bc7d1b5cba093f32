"""People: members with their roles, and the names by which one person is known."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from saegim.api.caller import CallerDep, ServicesDep
from saegim.audit.types import AuditAction
from saegim.auth.types import ListedMember, MemberChange
from saegim.domain.scope import Role

router = APIRouter(prefix="/v1", tags=["access"])

PAGE = 100
Group = Annotated[str, Field(min_length=1, max_length=200)]


class MemberView(BaseModel):
    """A member, by the name it has outside."""

    member_id: UUID
    name: str
    role: Role
    groups: list[str]
    disabled: bool
    created_at: datetime


class MemberPage(BaseModel):
    """Members in order; `next_after` is where the next page starts."""

    members: list[MemberView]
    next_after: UUID | None


class MemberBody(BaseModel, extra="forbid"):
    """What is to change; what is left out stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"groups": ["sales"]}]})

    role: Role | None = None
    groups: Annotated[list[Group], Field(max_length=100)] | None = None
    disabled: bool | None = None


class IdentityView(BaseModel):
    """A name that was linked to the caller."""

    identity_id: UUID
    channel: str
    name: str
    linked_at: datetime


class CodeView(BaseModel):
    """A code to be said on the channel that is to be linked; used once."""

    code: str
    expires_at: datetime


class ProfileView(BaseModel):
    """One of the caller's name spaces; `current` where it is the one that the request names."""

    profile_id: UUID
    name: str
    created_at: datetime
    current: bool


class LinkBody(BaseModel, extra="forbid"):
    """A code that was given on another channel."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"code": "ABCD2345"}]})

    code: Annotated[str, Field(min_length=8, max_length=20)]


@router.get("/members")
async def list_members(
    services: ServicesDep, caller: CallerDep, after: Annotated[UUID | None, Query()] = None
) -> MemberPage:
    """The tenant's members, a page at a time."""
    found = await services.auth.members.list(caller, after, PAGE)
    more = found[-1].id if len(found) == PAGE else None
    return MemberPage(members=[member_view(each) for each in found], next_after=more)


@router.patch("/members/{member_id}")
async def change_member(
    member_id: UUID, body: MemberBody, services: ServicesDep, caller: CallerDep
) -> MemberView:
    """Changes a member's role or groups, or locks it out."""
    groups = None if body.groups is None else frozenset(body.groups)
    change = MemberChange(body.role, groups, body.disabled)
    async with services.audit.trail.recording(caller, AuditAction.MEMBER_CHANGED, member_id):
        return member_view(await services.auth.members.change(caller, member_id, change))


@router.get("/profiles")
async def list_profiles(services: ServicesDep, caller: CallerDep) -> list[ProfileView]:
    """The caller's name spaces, oldest first; a new one is made by naming it."""
    return [
        ProfileView(
            profile_id=each.id,
            name=each.name,
            created_at=each.created_at,
            current=each.id == caller.scope.profile,
        )
        for each in await services.auth.identities.profiles(caller)
    ]


@router.get("/identities")
async def list_identities(services: ServicesDep, caller: CallerDep) -> list[IdentityView]:
    """The names that were linked to the caller."""
    return [
        IdentityView(
            identity_id=each.id, channel=each.channel, name=each.name, linked_at=each.linked_at
        )
        for each in await services.auth.identities.list(caller)
    ]


@router.post("/identities/codes", status_code=201)
async def make_code(services: ServicesDep, caller: CallerDep) -> CodeView:
    """A code for the caller to say on another channel."""
    code = await services.auth.identities.code(caller)
    return CodeView(code=code.text, expires_at=code.expires_at)


@router.post("/identities", status_code=204)
async def link_identity(body: LinkBody, services: ServicesDep, caller: CallerDep) -> None:
    """Links the caller's name on this channel to whoever was given the code."""
    async with services.audit.trail.recording(
        caller, AuditAction.IDENTITY_LINKED, caller.scope.user
    ):
        await services.auth.identities.link(caller, body.code)


@router.delete("/identities/{identity_id}", status_code=204)
async def unlink_identity(identity_id: UUID, services: ServicesDep, caller: CallerDep) -> None:
    """Takes a name away again."""
    async with services.audit.trail.recording(caller, AuditAction.IDENTITY_UNLINKED, identity_id):
        await services.auth.identities.unlink(caller, identity_id)


def member_view(member: ListedMember) -> MemberView:
    return MemberView(
        member_id=member.id,
        name=member.name,
        role=member.role,
        groups=sorted(member.groups),
        disabled=member.disabled,
        created_at=member.created_at,
    )
