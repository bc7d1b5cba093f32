"""Webhooks and their deliveries."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, Field

from saegim.api.caller import CallerDep, ServicesDep
from saegim.api.views import example, view_of
from saegim.audit.types import AuditAction
from saegim.webhooks.events import WebhookEvent
from saegim.webhooks.types import Delivery, DeliveryState, Webhook

router = APIRouter(prefix="/v1", tags=["webhooks"])

WebhookEventName = Literal[
    "turn.done", "turn.unanswered", "turn.handed_off", "ingest.done", "erasure.done"
]


class NewWebhook(BaseModel, extra="forbid"):
    """An https URL and the events to deliver."""

    model_config = example(url="https://example.com/saegim", events=["turn.unanswered"])

    url: Annotated[str, Field(min_length=1, max_length=2_000)]
    events: Annotated[list[WebhookEventName], Field(min_length=1, max_length=10)]


class WebhookView(BaseModel):
    """A webhook, without its secret."""

    webhook_id: UUID
    url: str
    events: list[WebhookEventName]
    created_at: AwareDatetime


class NewWebhookView(WebhookView):
    """A new webhook. `secret` signs deliveries and is shown only once."""

    secret: str


class WebhookList(BaseModel):
    """The tenant's webhooks, oldest first."""

    webhooks: list[WebhookView]


class DeliveryView(BaseModel):
    """A delivery of an event: attempts, and the status or error of the last one."""

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
    """Deliveries, newest first. Pass `next_before` as `before` for the next page."""

    deliveries: list[DeliveryView]
    next_before: UUID | None


class HandedOff(BaseModel):
    """Number of notified webhooks."""

    notified: int


@router.get("/webhooks")
async def list_webhooks(services: ServicesDep, caller: CallerDep) -> WebhookList:
    """Lists the webhooks of the tenant."""
    webhooks = await services.webhooks.all(caller.scope.tenant)
    return WebhookList(webhooks=[webhook_view(webhook) for webhook in webhooks])


@router.post("/webhooks", status_code=201)
async def add_webhook(body: NewWebhook, services: ServicesDep, caller: CallerDep) -> NewWebhookView:
    """Creates a webhook. Private addresses are refused."""
    events = frozenset(WebhookEvent(event) for event in body.events)
    async with services.audit.trail.recording(caller, AuditAction.WEBHOOKS_CHANGED):
        added, secret = await services.webhooks.add(caller.scope.tenant, body.url, events)
    return NewWebhookView(secret=secret, **webhook_view(added).model_dump())


@router.delete("/webhooks/{webhook_id}", status_code=204)
async def remove_webhook(webhook_id: UUID, services: ServicesDep, caller: CallerDep) -> None:
    """Deletes a webhook."""
    async with services.audit.trail.recording(caller, AuditAction.WEBHOOKS_CHANGED, webhook_id):
        await services.webhooks.remove(caller.scope.tenant, webhook_id)


@router.post("/webhooks/{webhook_id}/ping", status_code=202)
async def ping_webhook(webhook_id: UUID, services: ServicesDep, caller: CallerDep) -> DeliveryView:
    """Queues a `ping` delivery to test a webhook."""
    return delivery_view(await services.webhooks.ping(caller.scope.tenant, webhook_id))


@router.get("/webhooks/{webhook_id}/deliveries")
async def list_deliveries(
    webhook_id: UUID,
    services: ServicesDep,
    caller: CallerDep,
    before: UUID | None = None,
    count: Annotated[int, Query(ge=1, le=200)] = 50,
) -> DeliveryPage:
    """Lists the deliveries of a webhook in the last 30 days."""
    tenant = caller.scope.tenant
    deliveries = await services.webhooks.deliveries(tenant, webhook_id, before, count)
    return DeliveryPage(
        deliveries=[delivery_view(delivery) for delivery in deliveries],
        next_before=deliveries[-1].id if len(deliveries) == count else None,
    )


@router.post("/turns/{turn_id}/hand-off", status_code=202)
async def hand_off(turn_id: UUID, services: ServicesDep, caller: CallerDep) -> HandedOff:
    """Requests a human for a turn: sends `turn.handed_off` to the webhooks."""
    await services.conversations.turns.find(caller.scope, turn_id)
    return HandedOff(notified=await services.webhooks.hand_off(caller.scope.tenant, turn_id))


def webhook_view(webhook: Webhook) -> WebhookView:
    events = sorted(event.value for event in webhook.events)
    return view_of(WebhookView, webhook, webhook_id=webhook.id, events=events)


def delivery_view(delivery: Delivery) -> DeliveryView:
    return view_of(DeliveryView, delivery, delivery_id=delivery.id, subject_id=delivery.subject)
