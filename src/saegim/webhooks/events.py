"""Events that webhooks can subscribe to."""

from enum import StrEnum


class WebhookEvent(StrEnum):
    """Event types of webhooks."""

    TURN_DONE = "turn.done"
    TURN_UNANSWERED = "turn.unanswered"
    HANDED_OFF = "turn.handed_off"
    INGEST_DONE = "ingest.done"
    ERASURE_DONE = "erasure.done"
    PING = "ping"
