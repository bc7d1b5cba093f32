"""What a turn is asked for, how long it may take, and the reply that its caller sees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from saegim.conversations.stored_turns import ChannelMessage, Controls, HistoryEntry
from saegim.conversations.types import Turn, TurnState

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
    channel_messages: tuple[ChannelMessage, ...] = ()
    store_messages: bool = False


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


SUMMARY_CHARACTERS = 150


def summarise(answer: str) -> str:
    """The answer cut at 150 characters, at a space where there is one, then '...' (WM7)."""
    text = " ".join(answer.split())
    if len(text) <= SUMMARY_CHARACTERS:
        return text
    cut = text[:SUMMARY_CHARACTERS]
    if text[SUMMARY_CHARACTERS] != " " and " " in cut:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip() + "..."


def reply_of(turn: Turn, trace: Mapping[str, Any]) -> Reply:
    """The reply of a turn, with what its trace says of how it came about."""
    answer = turn.reply or ""
    routing: Mapping[str, Any] = trace.get("routing") or {}
    used: Mapping[str, Any] = trace.get("answer") or {}
    return Reply(
        turn=turn.id,
        session=turn.session,
        state=turn.state,
        answer=answer,
        summary=summarise(answer),
        refs=tuple(trace.get("refs", ())),
        ref_doc_ids=tuple(trace.get("ref_doc_ids", ())),
        related_doc_ids=tuple(trace.get("related", ())),
        degraded=tuple(trace.get("degraded", ())),
        error=turn.error,
        route=trace.get("route", "general"),
        outcome=used.get("outcome", "answered"),
        citations=tuple(trace.get("citations", ())),
        entities=dict(routing.get("hints", {})),
    )
