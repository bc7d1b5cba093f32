"""What is kept of a person: exported, erased with a receipt; and the audit trail."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from saegim.api.caller import CallerDep, ServicesDep
from saegim.api.large_json import large_json
from saegim.api.pagination import PageDep
from saegim.audit.types import ON_BEHALF, ListedEvent
from saegim.domain.errors import Invalid
from saegim.domain.policy import Permission, require
from saegim.domain.scope import Caller
from saegim.governance.erasure.types import Erasure, ErasureState

router = APIRouter(prefix="/v1", tags=["governance"])

PAGE = 100
Reason = Annotated[str, Field(max_length=2_000)]


class ErasureBody(BaseModel, extra="forbid"):
    """Who is to be erased: oneself (`me`), or with a reason somebody else (`member_id`)."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"member_id": "00000000-0000-7000-8000-000000000000", "reason": "asked by mail"}
            ]
        }
    )

    member_id: UUID | None = None
    me: bool = False
    reason: Reason = ""

    def subject(self, caller: Caller) -> UUID:
        """Whom the body names. Raises Invalid where that is nobody, or two."""
        if self.me == (self.member_id is not None):
            raise Invalid('either "member_id" or "me": true is required')
        return self.member_id or caller.scope.user


class ErasureView(BaseModel):
    """How far an erasure is; with its receipt and signature (hex) once it is done. A planned one
    begins at `runs_at`, and can be cancelled until then."""

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
    """The public key (Ed25519, hex) that the tenant's receipts are checked with."""

    public_key: str


class AuditEventView(BaseModel):
    """An event of the audit trail. `on_behalf` is true where somebody else than the person holds or
    made the credential; `key_made_by` is who made the key."""

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
    """Events, newest first; `next_before` is where the next page starts."""

    events: list[AuditEventView]
    next_before: UUID | None


class VerifiedView(BaseModel):
    """What a look along the chain found; `broken` is empty where it is whole."""

    batches: int
    events: int
    unsealed: int
    unreadable: int
    head: str
    broken: list[str]


@router.post("/erasures", status_code=202)
async def ask_erasure(body: ErasureBody, services: ServicesDep, caller: CallerDep) -> ErasureView:
    """Asks for a person to be erased. Oneself: planned for `runs_at`, until when nothing changes
    and it can be cancelled. Somebody else: at once, and they are locked out from now on."""
    return erasure_view(
        await services.governance.erasures.ask(caller, body.subject(caller), body.reason)
    )


@router.get("/erasures")
async def list_erasures(
    services: ServicesDep, caller: CallerDep, page: PageDep
) -> list[ErasureView]:
    """A page of the tenant's erasures, newest first; of one's own for those who may not erase
    others."""
    found = await services.governance.erasures.list(caller, page.before, page.wanted)
    return page.cut([erasure_view(each) for each in found], [each.id for each in found])


@router.get("/erasures/public-key")
async def read_public_key(services: ServicesDep, caller: CallerDep) -> ErasurePublicKeyView:
    """The key with which anybody can check the tenant's receipts."""
    key = await services.governance.erasures.public_key(caller.scope.tenant)
    return ErasurePublicKeyView(public_key=key.hex())


@router.get("/erasures/{erasure_id}")
async def read_erasure(erasure_id: UUID, services: ServicesDep, caller: CallerDep) -> ErasureView:
    """How far an erasure is."""
    return erasure_view(await services.governance.erasures.find(caller, erasure_id))


@router.delete("/erasures/{erasure_id}")
async def cancel_erasure(erasure_id: UUID, services: ServicesDep, caller: CallerDep) -> ErasureView:
    """Cancels a planned erasure: one's own, or anybody's whom the caller may erase. A 409 where it
    has begun."""
    return erasure_view(await services.governance.erasures.cancel(caller, erasure_id))


@router.get("/export", response_model=dict[str, Any])
async def export_own(services: ServicesDep, caller: CallerDep) -> Response:
    """Everything that is kept of the caller, in plain text; of the current profile alone for those
    who may not export the others."""
    return await large_json(await services.governance.exports.export(caller, None, ""))


@router.get("/members/{member_id}/export", response_model=dict[str, Any])
async def export_other(
    member_id: UUID,
    services: ServicesDep,
    caller: CallerDep,
    reason: Annotated[str, Query(max_length=2_000)] = "",
) -> Response:
    """Everything that is kept of somebody else; says why, and is an event of the trail."""
    return await large_json(await services.governance.exports.export(caller, member_id, reason))


@router.get("/audit")
async def read_audit(
    services: ServicesDep, caller: CallerDep, before: Annotated[UUID | None, Query()] = None
) -> EventPage:
    """The tenant's audit trail, newest first."""
    require(caller, Permission.READ_AUDIT)
    found = await services.audit.trail.events(caller.scope.tenant, before, PAGE)
    more = found[-1].event.id if len(found) == PAGE else None
    return EventPage(events=[event_view(each) for each in found], next_before=more)


@router.post("/audit/verify")
async def verify_audit(services: ServicesDep, caller: CallerDep) -> VerifiedView:
    """Goes along the chain of the audit trail and tells whether it is whole."""
    require(caller, Permission.READ_AUDIT)
    found = await services.audit.trail.verify(caller.scope.tenant)
    return VerifiedView(
        batches=found.batches,
        events=found.events,
        unsealed=found.unsealed,
        unreadable=found.unreadable,
        head=found.head,
        broken=list(found.broken),
    )


def erasure_view(erasure: Erasure) -> ErasureView:
    return ErasureView(
        erasure_id=erasure.id,
        member_id=erasure.member,
        state=erasure.state,
        requested_at=erasure.requested_at,
        runs_at=erasure.runs_at,
        key_destroyed_at=erasure.key_destroyed_at,
        done_at=erasure.done_at,
        receipt=dict(erasure.receipt) if erasure.receipt and erasure.signature else None,
        signature=None if erasure.signature is None else erasure.signature.hex(),
    )


def event_view(listed: ListedEvent) -> AuditEventView:
    event = listed.event
    return AuditEventView(
        event_id=event.id,
        at=event.at,
        action=event.action,
        actor=event.actor,
        actor_id=event.actor_id,
        key_id=event.key,
        key_made_by=listed.key_made_by,
        origin=None if event.origin is None else event.origin.removesuffix(ON_BEHALF),
        on_behalf=event.on_behalf,
        member_id=event.member,
        subject_id=event.subject,
        reason=listed.reason,
        sealed_in=listed.sealed_in,
    )
