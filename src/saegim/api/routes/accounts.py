"""Accounts with e-mail and password: invitations, links and the own password."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from saegim.api.caller import CallDep, sign_in_of
from saegim.api.cookies import LOOPBACK, public_url
from saegim.api.views import View, example
from saegim.audit.types import AuditAction
from saegim.auth.accounts import LONGEST_EMAIL, InvitationOrder
from saegim.domain.errors import NoPublicUrl
from saegim.domain.scope import Role

router = APIRouter(prefix="/v1", tags=["access"])

Email = Annotated[str, Field(min_length=3, max_length=LONGEST_EMAIL)]
Password = Annotated[str, Field(min_length=1, max_length=1_000)]
PersonName = Annotated[str, Field(max_length=100)]
Group = Annotated[str, Field(min_length=1, max_length=200)]


class InvitationBody(BaseModel, extra="forbid"):
    """A person to invite."""

    model_config = example(email="kim@example.com")

    email: Email
    role: Role = Role.MEMBER
    groups: Annotated[list[Group], Field(max_length=100)] = []
    name: PersonName = ""


class NewInvitationView(BaseModel):
    """A new invitation. `link` is shown only once; whoever opens it chooses the password."""

    invitation_id: UUID
    link: str
    expires_at: datetime


class InvitationView(View):
    """An invitation that nobody has accepted, without its link."""

    invitation_id: UUID
    email: str
    name: str
    role: Role
    groups: list[str]
    invited_by: UUID
    created_at: datetime
    expires_at: datetime
    expired: bool


class ResetLinkView(BaseModel):
    """A link to choose a new password, to hand to the member. It is shown only once."""

    link: str
    expires_at: datetime


class PasswordBody(BaseModel, extra="forbid"):
    """The current and the new password."""

    model_config = example(current="the old password", new="the new password")

    current: Password
    new: Password


@router.get("/invitations")
async def list_invitations(call: CallDep) -> list[InvitationView]:
    """Lists the invitations that nobody has accepted, newest first."""
    now = call.services.clock.now()
    return [
        InvitationView.of(each, expired=each.expires_at <= now)
        for each in await call.services.auth.accounts.invitations(call.caller)
    ]


@router.post("/invitations", status_code=201)
async def invite(body: InvitationBody, call: CallDep) -> NewInvitationView:
    """Invites a person by a link, which is valid once, for seven days. A new invitation of the same
    e-mail address replaces the earlier one."""
    order = InvitationOrder(body.email, body.role, frozenset(body.groups), body.name)
    page = page_url(call.request, "invitation")
    async with call.recording(AuditAction.INVITED):
        made = await call.services.auth.accounts.invite(call.caller, order)
    link = f"{page}?token={made.token}"
    return NewInvitationView(invitation_id=made.id, link=link, expires_at=made.expires_at)


@router.delete("/invitations/{invitation_id}", status_code=204)
async def withdraw_invitation(invitation_id: UUID, call: CallDep) -> None:
    """Withdraws an invitation. Its link is no longer valid."""
    async with call.recording(AuditAction.INVITATION_WITHDRAWN, invitation_id):
        await call.services.auth.accounts.withdraw(call.caller, invitation_id)


@router.post("/members/{member_id}/reset-link", status_code=201)
async def make_reset_link(member_id: UUID, call: CallDep) -> ResetLinkView:
    """Creates a link with which a member chooses a new password. It is valid once, for a day, and
    ends the member's sign-ins when it is used."""
    page = page_url(call.request, "reset")
    async with call.recording(AuditAction.RESET_LINK_MADE, member_id):
        made = await call.services.auth.accounts.make_reset_link(call.caller, member_id)
    return ResetLinkView(link=f"{page}?token={made.token}", expires_at=made.expires_at)


@router.put("/me/password", status_code=204)
async def change_password(body: PasswordBody, call: CallDep) -> None:
    """Changes the caller's password and ends the sign-ins in other browsers."""
    sign_in = await sign_in_of(call.request)
    async with call.recording(AuditAction.PASSWORD_CHANGED, call.scope.user):
        await call.services.auth.accounts.change_password(
            call.caller, body.current, body.new, None if sign_in is None else sign_in.id
        )


def page_url(request: Request, page: str) -> str:
    """Returns the address of a page that takes a token. Raises NoPublicUrl: a client chooses the
    Host header, so that it names the server only on this machine."""
    base = public_url(request)
    if base is None and request.url.hostname not in LOOPBACK:
        raise NoPublicUrl
    return f"{base or str(request.base_url).rstrip('/')}/{page}"
