from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from saegim.conversations.stored_turns import Controls, HistoryEntry, Nearby
from saegim.conversations.types import TurnState

LONGEST_MESSAGE_TOKENS = 8_000
LONGEST_INSTRUCTIONS_TOKENS = 1_000
DEFAULT_CONTROLS = Controls()


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """Seconds that a turn may take, what of them stays for the answer, what a step before it may
    take at most, and how long a request waits for the whole reply before it is told to come back.
    """

    whole: float = 30.0
    answer: float = 8.0
    step: float = 6.0
    wait: float = 120.0


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One message as it arrived, before anything of it is stored. From a `temporary` one on, its
    session leaves nothing in long-term memory."""

    message: str
    session: str | None = None
    idempotency_key: str | None = None
    history: tuple[HistoryEntry, ...] | None = None
    selected_doc_ids: tuple[str, ...] = ()
    temporary: bool = False
    instead_of: int | None = None
    instructions: str = ""
    controls: Controls = DEFAULT_CONTROLS
    nearby: tuple[Nearby, ...] = ()
    keep_nearby: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What the caller gets back (WM9)."""

    turn: UUID
    session: UUID
    state: TurnState
    answer: str
    summary: str
    refs: Sequence[str] = ()
    ref_doc_ids: Sequence[str] = ()
    related_doc_ids: Sequence[str] = ()
    degraded: Sequence[str] = ()
    error: str | None = None
    route: str = "general"
    outcome: str = "answered"
    citations: Sequence[Mapping[str, Any]] = ()
    entities: Mapping[str, str] = field(default_factory=dict[str, str])
