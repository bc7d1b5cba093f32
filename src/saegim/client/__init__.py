"""The Python client. Stands alone: imports nothing else of ours."""

from saegim.client.client import SaegimClient
from saegim.client.errors import ClientError, SaegimProblem, Unreachable
from saegim.client.events import Done, Event, Opened, Restart, Status, Token
from saegim.client.retry import Retry
from saegim.client.types import AssistantSaid, ChatReply, Ready, Trace, Turn, TurnState, UserSaid

__all__ = [
    "AssistantSaid",
    "ChatReply",
    "ClientError",
    "Done",
    "Event",
    "Opened",
    "Ready",
    "Restart",
    "Retry",
    "SaegimClient",
    "SaegimProblem",
    "Status",
    "Token",
    "Trace",
    "Turn",
    "TurnState",
    "Unreachable",
    "UserSaid",
]
