"""Webhooks and their deliveries."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, Field

from saegim.api.caller import CallDep
from saegim.api.views import View, example
from saegim.audit.types import AuditAction
from saegim.webhooks.outbox import WebhookEvent
from saegim.webhooks.types import DeliveryState, Webhook

router = APIRouter(prefix="/v1", tags=["webhooks"])

WebhookEventName = Literal[
    "turn.done", "turn.unanswered", "turn.handed_off", "ingest.done", "erasure.done"
]


class NewWebhook(BaseModel, extra="forbid"):
    """An https URL and the events to deliver."""

    model_config = example(url="https://example.com/saegim", events=["turn.unanswered"])

    url: Annotated[str, Field(min_length=1, max_length=2_000)]
    events: Annotated[list[WebhookEventName], Field(min_length=1, max_length=10)]


class WebhookView(View):
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


class DeliveryView(View):
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
async def list_webhooks(call: CallDep) -> WebhookList:
    """Lists the webhooks of the tenant."""
    webhooks = await call.services.webhooks.all(call.tenant)
    return WebhookList(webhooks=[webhook_view(webhook) for webhook in webhooks])


@router.post("/webhooks", status_code=201)
async def add_webhook(body: NewWebhook, call: CallDep) -> NewWebhookView:
    """Creates a webhook. Private addresses are refused."""
    events = frozenset(WebhookEvent(event) for event in body.events)
    async with call.recording(AuditAction.WEBHOOKS_CHANGED):
        added, secret = await call.services.webhooks.add(call.tenant, body.url, events)
    return NewWebhookView(secret=secret, **webhook_view(added).model_dump())


@router.delete("/webhooks/{webhook_id}", status_code=204)
async def remove_webhook(webhook_id: UUID, call: CallDep) -> None:
    """Deletes a webhook."""
    async with call.recording(AuditAction.WEBHOOKS_CHANGED, webhook_id):
        await call.services.webhooks.remove(call.tenant, webhook_id)


@router.post("/webhooks/{webhook_id}/ping", status_code=202)
async def ping_webhook(webhook_id: UUID, call: CallDep) -> DeliveryView:
    """Queues a `ping` delivery to test a webhook."""
    return DeliveryView.of(await call.services.webhooks.ping(call.tenant, webhook_id))


@router.get("/webhooks/{webhook_id}/deliveries")
async def list_deliveries(
    webhook_id: UUID,
    call: CallDep,
    before: UUID | None = None,
    count: Annotated[int, Query(ge=1, le=200)] = 50,
) -> DeliveryPage:
    """Lists the deliveries of a webhook in the last 30 days."""
    tenant = call.tenant
    deliveries = await call.services.webhooks.deliveries(tenant, webhook_id, before, count)
    last = deliveries[-1].id if len(deliveries) == count else None
    return DeliveryPage(deliveries=DeliveryView.each(deliveries), next_before=last)


@router.post("/turns/{turn_id}/hand-off", status_code=202)
async def hand_off(turn_id: UUID, call: CallDep) -> HandedOff:
    """Requests a human for a turn: sends `turn.handed_off` to the webhooks."""
    await call.services.conversations.turns.find(call.scope, turn_id)
    return HandedOff(notified=await call.services.webhooks.hand_off(call.tenant, turn_id))


def webhook_view(webhook: Webhook) -> WebhookView:
    events = sorted(event.value for event in webhook.events)
    return WebhookView.of(webhook, events=events)
