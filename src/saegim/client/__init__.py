"""The Python client. Stands alone: imports nothing else of ours."""

from saegim.client.blocking import BlockingClient
from saegim.client.client import SaegimClient
from saegim.client.errors import ClientError, SaegimProblem, Unreachable
from saegim.client.events import (
    Cited,
    Done,
    Event,
    Opened,
    Recalled,
    Restart,
    Status,
    Token,
)
from saegim.client.retry import Retry
from saegim.client.types import (
    AssistantSaid,
    Block,
    ChatReply,
    Citation,
    Entity,
    Evaluated,
    Ready,
    RememberedMemory,
    Said,
    SessionContext,
    Trace,
    Turn,
    TurnRemembered,
    TurnState,
    UserSaid,
)

__all__ = [
    "AssistantSaid",
    "Block",
    "BlockingClient",
    "ChatReply",
    "Citation",
    "Cited",
    "ClientError",
    "Done",
    "Entity",
    "Evaluated",
    "Event",
    "Opened",
    "Ready",
    "Recalled",
    "RememberedMemory",
    "Restart",
    "Retry",
    "SaegimClient",
    "SaegimProblem",
    "Said",
    "SessionContext",
    "Status",
    "Token",
    "Trace",
    "Turn",
    "TurnRemembered",
    "TurnState",
    "Unreachable",
    "UserSaid",
]
