"""Responses about shared sessions and suggestions."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from saegim.api.schemas.library import LocatorView
from saegim.api.views import View
from saegim.chat.shares import SharedTurn
from saegim.conversations.types import TurnState


class SessionShareView(View):
    """The link of a shared session."""

    share_id: UUID
    path: Annotated[str, Field(description="Path of the page that shows it.")]
    shared_at: datetime


class SharedCitationView(BaseModel):
    """The source of a citation marker. Without `readable` only marker and kind are set: the reader
    may not read the source, or it is a memory of the owner."""

    marker: str
    kind: Literal["passage", "memory", "turn", "tool"]
    readable: bool
    id: str
    title: str
    section: str | None = None
    locator: LocatorView | None = None
    document: str | None = None
    url: str | None = None


class SharedTurnView(View):
    """A turn of a shared session. A turn with `continues` continues the answer of that turn."""

    turn_id: UUID
    number: int
    state: TurnState
    message: str
    answer: str
    created_at: datetime
    continues: UUID | None
    citations: list[SharedCitationView]


class SharedSessionView(View):
    """A shared session, as it was when it was shared. Pass `next_after` as `after` for the next
    page."""

    title: str
    owner_name: str
    shared_at: datetime
    turns: list[SharedTurnView]
    next_after: int | None


class SuggestionsView(BaseModel):
    """Questions to go on with, at most three."""

    suggestions: list[str]


def shared_turn_view(shared: SharedTurn) -> SharedTurnView:
    turn = shared.details.turn
    return SharedTurnView.of(shared, turn, turn_id=turn.id, citations=list(shared.citations))
