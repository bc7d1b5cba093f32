"""What the model would be shown, as responses of the API."""

from collections.abc import Sequence
from dataclasses import asdict
from uuid import UUID

from pydantic import BaseModel

from saegim.api.schemas.chat import EntityView
from saegim.chat.context.assembly import Context
from saegim.chat.preview import SessionView
from saegim.conversations.types import entities_as_json


class BlockView(BaseModel):
    """One block of a context: what it takes, what it may take, and what it left out."""

    name: str
    tokens: int
    budget: int
    items: int
    dropped: int


class ItemView(BaseModel):
    """A passage or a memory that was considered, and whether it came in."""

    kind: str
    id: str
    title: str
    fate: str
    tokens: int
    signals: dict[str, float]
    turn: str | None = None


class PreviewView(BaseModel):
    """What the model would be shown: blocks against their budgets, and each item's fate."""

    blocks: list[BlockView]
    items: list[ItemView]
    tokens: int
    budget: int
    degraded: list[str]


class RecentTurnView(BaseModel):
    """A recent turn as the model would see it; a long text may be shortened."""

    number: int
    message: str
    answer: str


class SessionContextView(BaseModel):
    """What the model would see of a session if a message came now."""

    session_id: UUID
    completed_turns: int
    summary_version: int
    summarised_through: int
    summary: str
    entities: list[EntityView]
    recent: list[RecentTurnView]
    blocks: list[BlockView]
    tokens: int
    budget: int
    degraded: list[str]


def context_view(view: SessionView) -> SessionContextView:
    state, context = view.state, view.context
    thread = context.thread
    return SessionContextView(
        session_id=view.session,
        completed_turns=state.completed_turns,
        summary_version=state.summary_version,
        summarised_through=state.summarised_through,
        summary=thread.summary,
        entities=[EntityView(**entity) for entity in entities_as_json(thread.entities)],
        recent=[
            RecentTurnView(number=turn.number, message=turn.message, answer=turn.reply)
            for turn in thread.recent
        ],
        blocks=[BlockView(**asdict(block)) for block in context.blocks],
        tokens=context.use.tokens,
        budget=context.use.budget,
        degraded=view.degraded,
    )


def preview_view(context: Context, degraded: Sequence[str]) -> PreviewView:
    return PreviewView(
        blocks=[BlockView(**asdict(block)) for block in context.blocks],
        items=[ItemView(**asdict(item)) for item in context.items],
        tokens=context.use.tokens,
        budget=context.use.budget,
        degraded=list(degraded),
    )
