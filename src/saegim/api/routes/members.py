"""Members, profiles and linked identities."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from saegim.api.caller import CallDep
from saegim.api.views import View, example
from saegim.audit.types import AuditAction
from saegim.auth.types import ListedMember, MemberChange
from saegim.domain.scope import Role

router = APIRouter(prefix="/v1", tags=["access"])

PAGE = 100
Group = Annotated[str, Field(min_length=1, max_length=200)]


class MemberView(View):
    """A member. `name` is that of the account, or the name in the tenant's own system. `role` is
    the highest of the member's own and those of its keys."""

    member_id: UUID
    name: str
    email: str | None
    role: Role
    groups: list[str]
    disabled: bool
    has_account: bool
    created_at: datetime
    last_seen: datetime | None


class GroupView(View):
    """A group, with the number of its members, open invitations and valid keys, and of the
    collections that it may read."""

    name: str
    members: int
    invitations: int
    keys: int
    collections: int


class MemberPage(BaseModel):
    """Members in order. Pass `next_after` as `after` for the next page."""

    members: list[MemberView]
    next_after: UUID | None


class MemberBody(BaseModel, extra="forbid"):
    """Changes to a member. Omitted fields stay as they are."""

    model_config = example(groups=["sales"])

    role: Role | None = None
    groups: Annotated[list[Group], Field(max_length=100)] | None = None
    disabled: bool | None = None


class IdentityView(View):
    """A name on a channel that is linked to the caller."""

    identity_id: UUID
    channel: str
    name: str
    linked_at: datetime


class CodeView(BaseModel):
    """A one-time code to enter on the channel to link."""

    code: str
    expires_at: datetime


class ProfileView(View):
    """A profile of the caller. `current` is the profile of this request."""

    profile_id: UUID
    name: str
    created_at: datetime
    current: bool


class LinkBody(BaseModel, extra="forbid"):
    """A code created on another channel."""

    model_config = example(code="ABCD2345")

    code: Annotated[str, Field(min_length=8, max_length=20)]


@router.get("/members")
async def list_members(call: CallDep, after: Annotated[UUID | None, Query()] = None) -> MemberPage:
    """Lists the members of the tenant."""
    members = await call.services.auth.members.list(call.caller, after, PAGE)
    last = members[-1].id if len(members) == PAGE else None
    return MemberPage(members=[member_view(each) for each in members], next_after=last)


@router.patch("/members/{member_id}")
async def change_member(member_id: UUID, body: MemberBody, call: CallDep) -> MemberView:
    """Changes the role or groups of a member, or disables the member."""
    groups = None if body.groups is None else frozenset(body.groups)
    change = MemberChange(body.role, groups, body.disabled)
    async with call.recording(AuditAction.MEMBER_CHANGED, member_id):
        return member_view(await call.services.auth.members.change(call.caller, member_id, change))


def member_view(member: ListedMember) -> MemberView:
    return MemberView.of(member, role=member.effective_role)


@router.get("/groups")
async def list_groups(call: CallDep) -> list[GroupView]:
    """Lists the groups of members, invitations, keys and audiences of collections, by name."""
    return GroupView.each(await call.services.auth.members.groups(call.caller))


@router.get("/profiles")
async def list_profiles(call: CallDep) -> list[ProfileView]:
    """Lists the caller's profiles, oldest first. Naming a new one in `Saegim-Profile` creates
    it."""
    return [
        ProfileView.of(each, current=each.id == call.scope.profile)
        for each in await call.services.auth.identities.profiles(call.caller)
    ]


@router.get("/identities")
async def list_identities(call: CallDep) -> list[IdentityView]:
    """Lists the identities that are linked to the caller."""
    return IdentityView.each(await call.services.auth.identities.list(call.caller))


@router.post("/identities/codes", status_code=201)
async def make_code(call: CallDep) -> CodeView:
    """Creates a code that links an identity on another channel to the caller."""
    code = await call.services.auth.identities.code(call.caller)
    return CodeView(code=code.text, expires_at=code.expires_at)


@router.post("/identities", status_code=204)
async def link_identity(body: LinkBody, call: CallDep) -> None:
    """Links the caller's identity on this channel to the user who created the code."""
    async with call.recording(AuditAction.IDENTITY_LINKED, call.scope.user):
        await call.services.auth.identities.link(call.caller, body.code)


@router.delete("/identities/{identity_id}", status_code=204)
async def unlink_identity(identity_id: UUID, call: CallDep) -> None:
    """Removes a linked identity."""
    async with call.recording(AuditAction.IDENTITY_UNLINKED, identity_id):
        await call.services.auth.identities.unlink(call.caller, identity_id)
