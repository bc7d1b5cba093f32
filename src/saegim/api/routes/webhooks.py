"""Where the tenant's own systems are told what happened, and what they were told."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from saegim.api.caller import CallerDep, ServicesDep
from saegim.audit.types import AuditAction
from saegim.webhooks.events import WebhookEvent
from saegim.webhooks.types import Delivery, DeliveryState, Webhook

router = APIRouter(prefix="/v1", tags=["webhooks"])

WebhookEventName = Literal[
    "turn.done", "turn.unanswered", "turn.handed_off", "ingest.done", "erasure.done"
]


class NewWebhook(BaseModel, extra="forbid"):
    """An https address of the tenant's, and what it is to be told."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"url": "https://example.com/saegim", "events": ["turn.unanswered"]}]
        }
    )

    url: Annotated[str, Field(min_length=1, max_length=2_000)]
    events: Annotated[list[WebhookEventName], Field(min_length=1, max_length=10)]


class WebhookView(BaseModel):
    """A webhook; its secret is nowhere."""

    webhook_id: UUID
    url: str
    events: list[WebhookEventName]
    created_at: AwareDatetime


class NewWebhookView(WebhookView):
    """A new webhook. `secret` signs what it is told, and is shown this once."""

    secret: str


class WebhookList(BaseModel):
    """All webhooks of the tenant, oldest first."""

    webhooks: list[WebhookView]


class DeliveryView(BaseModel):
    """One happening as it was told: how often it was tried, and what came back."""

    delivery_id: UUID
    event: WebhookEvent
    subject_id: UUID
    state: DeliveryState
    attempts: int
    status: int | None
    error: str | None
    created_at: AwareDatetime
    settled_at: AwareDatetime | None


class DeliveryPage(BaseModel):
    """Deliveries, newest first; `next_before` is where the next page starts."""

    deliveries: list[DeliveryView]
    next_before: UUID | None


class HandedOff(BaseModel):
    """How many webhooks are told that a person is asked for."""

    notified: int


@router.get("/webhooks")
async def list_webhooks(services: ServicesDep, caller: CallerDep) -> WebhookList:
    """Where the tenant is told."""
    found = await services.webhooks.all(caller.scope.tenant)
    return WebhookList(webhooks=[webhook_view(each) for each in found])


@router.post("/webhooks", status_code=201)
async def add_webhook(body: NewWebhook, services: ServicesDep, caller: CallerDep) -> NewWebhookView:
    """Tells an address of these from now on. Private addresses are never reached."""
    events = frozenset(WebhookEvent(event) for event in body.events)
    async with services.audit.trail.recording(caller, AuditAction.WEBHOOKS_CHANGED):
        added, secret = await services.webhooks.add(caller.scope.tenant, body.url, events)
    return NewWebhookView(secret=secret, **webhook_view(added).model_dump())


@router.delete("/webhooks/{webhook_id}", status_code=204)
async def remove_webhook(webhook_id: UUID, services: ServicesDep, caller: CallerDep) -> None:
    """Tells it nothing more."""
    async with services.audit.trail.recording(caller, AuditAction.WEBHOOKS_CHANGED, webhook_id):
        await services.webhooks.remove(caller.scope.tenant, webhook_id)


@router.post("/webhooks/{webhook_id}/ping", status_code=202)
async def ping_webhook(webhook_id: UUID, services: ServicesDep, caller: CallerDep) -> DeliveryView:
    """Sends it a `ping`, to see whether it hears."""
    return delivery_view(await services.webhooks.ping(caller.scope.tenant, webhook_id))


@router.get("/webhooks/{webhook_id}/deliveries")
async def list_deliveries(
    webhook_id: UUID,
    services: ServicesDep,
    caller: CallerDep,
    before: UUID | None = None,
    count: Annotated[int, Query(ge=1, le=200)] = 50,
) -> DeliveryPage:
    """What it was told in the last thirty days."""
    tenant = caller.scope.tenant
    found = await services.webhooks.deliveries(tenant, webhook_id, before, count)
    return DeliveryPage(
        deliveries=[delivery_view(each) for each in found],
        next_before=found[-1].id if len(found) == count else None,
    )


@router.post("/turns/{turn_id}/hand-off", status_code=202)
async def hand_off(turn_id: UUID, services: ServicesDep, caller: CallerDep) -> HandedOff:
    """Asks for a person: tells the tenant's webhooks that this turn needs one."""
    await services.conversations.turns.find(caller.scope, turn_id)
    return HandedOff(notified=await services.webhooks.hand_off(caller.scope.tenant, turn_id))


def webhook_view(webhook: Webhook) -> WebhookView:
    return WebhookView.model_validate(
        {
            "webhook_id": webhook.id,
            "url": webhook.url,
            "events": sorted(event.value for event in webhook.events),
            "created_at": webhook.created_at,
        }
    )


def delivery_view(delivery: Delivery) -> DeliveryView:
    return DeliveryView(
        delivery_id=delivery.id,
        event=delivery.event,
        subject_id=delivery.subject,
        state=delivery.state,
        attempts=delivery.attempts,
        status=delivery.status,
        error=delivery.error,
        created_at=delivery.created_at,
        settled_at=delivery.settled_at,
    )
