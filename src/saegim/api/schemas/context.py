"""Responses about the context of the model."""

from collections.abc import Sequence
from uuid import UUID

from pydantic import BaseModel

from saegim.api.schemas.chat import EntityView
from saegim.api.views import View
from saegim.chat.context.assembly import Context
from saegim.chat.preview import SessionView
from saegim.conversations.types import entities_as_json


class BlockView(View):
    """A block of the context: its tokens, its budget, and the number of dropped items."""

    name: str
    tokens: int
    budget: int
    items: int
    dropped: int


class ItemView(View):
    """A passage or memory that was considered. `fate` says whether it was used."""

    kind: str
    id: str
    title: str
    fate: str
    tokens: int
    signals: dict[str, float]
    turn: str | None = None
    team: bool = False


class PreviewView(View):
    """The context that the model would receive: blocks with budgets, and all candidate items."""

    blocks: list[BlockView]
    items: list[ItemView]
    tokens: int
    budget: int
    degraded: list[str]


class RecentTurnView(BaseModel):
    """A recent turn as the model would see it; long texts are shortened."""

    number: int
    message: str
    answer: str


class SessionContextView(View):
    """What the model would see of a session for the next message."""

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
    context = view.context
    thread = context.thread
    return SessionContextView.of(
        view.state,
        context.use,
        session_id=view.session,
        summary=thread.summary,
        entities=[EntityView(**entity) for entity in entities_as_json(thread.entities)],
        recent=[
            RecentTurnView(number=turn.number, message=turn.message, answer=turn.reply)
            for turn in thread.recent
        ],
        blocks=context.blocks,
        degraded=view.degraded,
    )


def preview_view(context: Context, degraded: Sequence[str]) -> PreviewView:
    use, blocks, items = context.use, context.blocks, context.items
    return PreviewView.of(use, blocks=blocks, items=items, degraded=degraded)
