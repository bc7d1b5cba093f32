"""Erasure, export and the audit trail."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from saegim.api.caller import CallDep
from saegim.api.large_json import large_json
from saegim.api.pagination import PageDep
from saegim.api.views import View, example
from saegim.audit.types import ON_BEHALF, ListedEvent
from saegim.domain.errors import Invalid
from saegim.domain.policy import Permission, require
from saegim.domain.scope import Caller
from saegim.governance.erasure.types import Erasure, ErasureState

router = APIRouter(prefix="/v1", tags=["governance"])

PAGE = 100
Reason = Annotated[str, Field(max_length=2_000)]


class ErasureBody(BaseModel, extra="forbid"):
    """The member to erase: the caller (`me`), or another member with a reason (`member_id`)."""

    model_config = example(member_id="00000000-0000-7000-8000-000000000000", reason="asked by mail")

    member_id: UUID | None = None
    me: bool = False
    reason: Reason = ""

    def subject(self, caller: Caller) -> UUID:
        """Returns the member to erase. Raises Invalid unless exactly one is named."""
        if self.me == (self.member_id is not None):
            raise Invalid('either "member_id" or "me": true is required')
        return self.member_id or caller.scope.user


class ErasureView(View):
    """An erasure, with its receipt and signature (hex) once it is done. It starts at `runs_at` and
    can be cancelled until then."""

    erasure_id: UUID
    member_id: UUID
    state: ErasureState
    requested_at: datetime
    runs_at: datetime
    key_destroyed_at: datetime | None
    done_at: datetime | None
    receipt: dict[str, Any] | None
    signature: str | None


class ErasurePublicKeyView(BaseModel):
    """The public key (Ed25519, hex) that verifies the tenant's erasure receipts."""

    public_key: str


class AuditEventView(View):
    """An event of the audit trail. `on_behalf` is true if somebody else than the member holds or
    made the credential; `key_made_by` is the member who created the key."""

    event_id: UUID
    at: datetime
    action: str
    actor: str
    actor_id: UUID | None
    key_id: UUID | None
    key_made_by: UUID | None
    origin: str | None
    on_behalf: bool
    member_id: UUID
    subject_id: UUID
    reason: str
    sealed_in: int | None


class EventPage(BaseModel):
    """Events, newest first. Pass `next_before` as `before` for the next page."""

    events: list[AuditEventView]
    next_before: UUID | None


class VerifiedView(View):
    """Result of the verification. `broken` is empty if the chain is intact."""

    batches: int
    events: int
    unsealed: int
    unreadable: int
    head: str
    broken: list[str]


@router.post("/erasures", status_code=202)
async def ask_erasure(body: ErasureBody, call: CallDep) -> ErasureView:
    """Requests the erasure of a member. Erasure of the caller is scheduled for `runs_at` and can be
    cancelled until then. Another member is locked out and erased immediately."""
    subject = body.subject(call.caller)
    return erasure_view(
        await call.services.governance.erasures.ask(call.caller, subject, body.reason)
    )


@router.get("/erasures")
async def list_erasures(call: CallDep, page: PageDep) -> list[ErasureView]:
    """Lists the erasures of the tenant, newest first. Callers who may not erase others see their
    own."""
    erasures = await call.services.governance.erasures.list(call.caller, page.before, page.wanted)
    return page.cut([erasure_view(each) for each in erasures], [each.id for each in erasures])


@router.get("/erasures/public-key")
async def read_public_key(call: CallDep) -> ErasurePublicKeyView:
    """Returns the public key that verifies the tenant's erasure receipts."""
    key = await call.services.governance.erasures.public_key(call.tenant)
    return ErasurePublicKeyView(public_key=key.hex())


@router.get("/erasures/{erasure_id}")
async def read_erasure(erasure_id: UUID, call: CallDep) -> ErasureView:
    """Returns an erasure and its state."""
    return erasure_view(await call.services.governance.erasures.find(call.caller, erasure_id))


@router.delete("/erasures/{erasure_id}")
async def cancel_erasure(erasure_id: UUID, call: CallDep) -> ErasureView:
    """Cancels a scheduled erasure of the caller, or of a member whom the caller may erase. Fails
    with 409 if it has started."""
    return erasure_view(await call.services.governance.erasures.cancel(call.caller, erasure_id))


@router.get("/export", response_model=dict[str, Any])
async def export_own(call: CallDep) -> Response:
    """Exports all stored data of the caller. Without the permission to export, only the current
    profile."""
    return await large_json(await call.services.governance.exports.export(call.caller, None, ""))


@router.get("/members/{member_id}/export", response_model=dict[str, Any])
async def export_other(
    member_id: UUID, call: CallDep, reason: Annotated[str, Query(max_length=2_000)] = ""
) -> Response:
    """Exports all stored data of another member. Requires a reason, recorded in the audit trail."""
    return await large_json(
        await call.services.governance.exports.export(call.caller, member_id, reason)
    )


@router.get("/audit")
async def read_audit(call: CallDep, before: Annotated[UUID | None, Query()] = None) -> EventPage:
    """Lists the events of the audit trail, newest first."""
    require(call.caller, Permission.READ_AUDIT)
    events = await call.services.audit.trail.events(call.tenant, before, PAGE)
    last = events[-1].event.id if len(events) == PAGE else None
    return EventPage(events=[event_view(each) for each in events], next_before=last)


@router.post("/audit/verify")
async def verify_audit(call: CallDep) -> VerifiedView:
    """Verifies the hash chain of the audit trail."""
    require(call.caller, Permission.READ_AUDIT)
    return VerifiedView.of(await call.services.audit.trail.verify(call.tenant))


def erasure_view(erasure: Erasure) -> ErasureView:
    return ErasureView.of(
        erasure,
        receipt=dict(erasure.receipt) if erasure.receipt and erasure.signature else None,
        signature=None if erasure.signature is None else erasure.signature.hex(),
    )


def event_view(listed: ListedEvent) -> AuditEventView:
    event = listed.event
    origin = None if event.origin is None else event.origin.removesuffix(ON_BEHALF)
    return AuditEventView.of(listed, event, event_id=event.id, origin=origin)
