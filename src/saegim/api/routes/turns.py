"""Turns: read, stream, cancel, repeat, rate and explain."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Header, Query
from fastapi.responses import Response, StreamingResponse

from saegim.api import sse
from saegim.api.caller import CallDep
from saegim.api.problems import locale_of
from saegim.api.routes.chat import answered
from saegim.api.schemas.chat import (
    AgainBody,
    ChatReply,
    FeedbackBody,
    TraceView,
    TurnPage,
    TurnView,
    turn_view,
)
from saegim.chat.feedback.types import Feedback

router = APIRouter(prefix="/v1", tags=["turns"])

PAGE = 100
EVENTS: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}}}


@router.get("/turns/{turn_id}")
async def read_turn(turn_id: UUID, call: CallDep) -> TurnView:
    """Returns a turn of the caller."""
    return turn_view(await call.services.conversations.turns.find(call.scope, turn_id))


@router.get("/turns/{turn_id}/events", response_class=StreamingResponse)
async def follow_turn(
    turn_id: UUID, call: CallDep, last_event_id: Annotated[str | None, Header()] = None
) -> StreamingResponse:
    """Streams the events of a running or finished turn, starting after `Last-Event-ID`."""
    position = sse.parse_position(last_event_id)
    await call.services.conversations.turns.find(call.scope, turn_id)
    return sse.stream(
        call.services.chat.turns.follow(call.scope, turn_id, position), locale_of(call.request)
    )


@router.post("/turns/{turn_id}/cancel")
async def cancel_turn(turn_id: UUID, call: CallDep) -> TurnView:
    """Cancels a turn. The part of the answer that was already sent is stored."""
    return turn_view(await call.services.chat.turns.cancel(call.scope, turn_id))


@router.post("/turns/{turn_id}/regenerate", response_model=ChatReply, responses=EVENTS)
async def regenerate_turn(
    turn_id: UUID, body: AgainBody, response: Response, call: CallDep
) -> object:
    """Answers the message of a turn again, as a new turn of its session."""
    opened = await call.services.chat.turns.again(call.caller, turn_id, body.selected_doc_ids)
    return await answered(opened, call, response, stream=False)


@router.post("/turns/{turn_id}/continue", response_model=ChatReply, responses=EVENTS)
async def continue_turn(turn_id: UUID, response: Response, call: CallDep) -> object:
    """Continues an incomplete answer, as a new turn of its session."""
    opened = await call.services.chat.turns.resume(call.caller, turn_id)
    return await answered(opened, call, response, stream=False)


@router.put("/turns/{turn_id}/feedback")
async def give_feedback(turn_id: UUID, body: FeedbackBody, call: CallDep) -> FeedbackBody:
    """Sets the feedback on a turn of the caller. It replaces earlier feedback."""
    feedback = Feedback(body.thumb, body.correction, body.for_evaluation)
    stored = await call.services.chat.feedback.give(call.scope, turn_id, feedback)
    return FeedbackBody.of(stored)


@router.get("/turns/{turn_id}/trace")
async def read_trace(turn_id: UUID, call: CallDep) -> TraceView:
    """Returns the trace of a finished turn: its route, retrieval, model calls and timings."""
    trace = await call.services.conversations.turns.trace(call.scope, turn_id)
    return TraceView(turn_id=turn_id, trace=dict(trace))


@router.get("/sessions/{session_id}/turns")
async def list_turns(
    session_id: UUID, call: CallDep, after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0
) -> TurnPage:
    """Lists the turns of a session of the caller, oldest first."""
    turns = await call.services.conversations.turns.turns(call.scope, session_id, after, PAGE)
    more = turns[-1].number if len(turns) == PAGE else None
    return TurnPage(turns=[turn_view(turn) for turn in turns], next_after=more)
