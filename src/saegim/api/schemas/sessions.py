"""Requests and responses about sessions."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from saegim.api.views import View, example
from saegim.conversations.sessions import SessionChange
from saegim.text.analysis import normalise


class ListedSessionView(View):
    """A session. The title is the user's, else the model's, else the first message without
    greetings. `turns` counts the messages, with all variants. `share_id` is that of its link, if it
    is shared."""

    session_id: UUID
    assistant_id: UUID
    title: str
    turns: int
    used_at: datetime
    temporary: bool
    pinned: bool
    share_id: UUID | None
    shared_at: datetime | None


class SessionBody(BaseModel, extra="forbid"):
    """New values of a session. An empty title brings the automatic one back."""

    model_config = example(title="EC2 비용", pinned=True)

    title: Annotated[str, Field(max_length=200)] | None = None
    pinned: bool | None = None

    def change(self) -> SessionChange:
        title = None if self.title is None else " ".join(normalise(self.title).split())
        return SessionChange(title, self.pinned)


class TurnHitView(View):
    """A turn that matches a search, with the sentence that matches best."""

    session_id: UUID
    title: str
    turn_id: UUID
    snippet: str
    used_at: Annotated[datetime, Field(description="When the message was sent.")]


class TurnHits(BaseModel):
    """Turns that match a search, best first."""

    hits: list[TurnHitView]


class SessionPage(BaseModel):
    """Sessions, most recently used first. Pass `next_before` as `before` for the next page."""

    sessions: list[ListedSessionView]
    next_before: UUID | None
