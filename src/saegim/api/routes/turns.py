"""Turns: read, stream, cancel, repeat, rate and explain."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import Response, StreamingResponse

from saegim.api import sse
from saegim.api.caller import CallerDep, ServicesDep
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
from saegim.api.views import view_of
from saegim.chat.feedback.types import Feedback

router = APIRouter(prefix="/v1", tags=["turns"])

PAGE = 100
EVENTS: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}}}


@router.get("/turns/{turn_id}")
async def read_turn(turn_id: UUID, services: ServicesDep, caller: CallerDep) -> TurnView:
    """Returns a turn of the caller."""
    return turn_view(await services.conversations.turns.find(caller.scope, turn_id))


@router.get("/turns/{turn_id}/events", response_class=StreamingResponse)
async def follow_turn(
    turn_id: UUID,
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    last_event_id: Annotated[str | None, Header()] = None,
) -> StreamingResponse:
    """Streams the events of a running or finished turn, starting after `Last-Event-ID`."""
    position = sse.parse_position(last_event_id)
    await services.conversations.turns.find(caller.scope, turn_id)
    return sse.stream(
        services.chat.turns.follow(caller.scope, turn_id, position), locale_of(request)
    )


@router.post("/turns/{turn_id}/cancel")
async def cancel_turn(turn_id: UUID, services: ServicesDep, caller: CallerDep) -> TurnView:
    """Cancels a turn. The part of the answer that was already sent is stored."""
    return turn_view(await services.chat.turns.cancel(caller.scope, turn_id))


@router.post("/turns/{turn_id}/regenerate", response_model=ChatReply, responses=EVENTS)
async def regenerate_turn(
    turn_id: UUID,
    body: AgainBody,
    request: Request,
    response: Response,
    services: ServicesDep,
    caller: CallerDep,
) -> object:
    """Answers the message of a turn again, as a new turn of its session."""
    opened = await services.chat.turns.again(caller, turn_id, body.selected_doc_ids)
    return await answered(opened, request, response, services, stream=False)


@router.post("/turns/{turn_id}/continue", response_model=ChatReply, responses=EVENTS)
async def continue_turn(
    turn_id: UUID, request: Request, response: Response, services: ServicesDep, caller: CallerDep
) -> object:
    """Continues an incomplete answer, as a new turn of its session."""
    opened = await services.chat.turns.resume(caller, turn_id)
    return await answered(opened, request, response, services, stream=False)


@router.put("/turns/{turn_id}/feedback")
async def give_feedback(
    turn_id: UUID, body: FeedbackBody, services: ServicesDep, caller: CallerDep
) -> FeedbackBody:
    """Sets the feedback on a turn of the caller. It replaces earlier feedback."""
    feedback = Feedback(body.thumb, body.correction, body.for_evaluation)
    stored = await services.chat.feedback.give(caller.scope, turn_id, feedback)
    return view_of(FeedbackBody, stored)


@router.get("/turns/{turn_id}/trace")
async def read_trace(turn_id: UUID, services: ServicesDep, caller: CallerDep) -> TraceView:
    """Returns the trace of a finished turn: its route, retrieval, model calls and timings."""
    trace = await services.conversations.turns.trace(caller.scope, turn_id)
    return TraceView(turn_id=turn_id, trace=dict(trace))


@router.get("/sessions/{session_id}/turns")
async def list_turns(
    session_id: UUID,
    services: ServicesDep,
    caller: CallerDep,
    after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> TurnPage:
    """Lists the turns of a session of the caller, oldest first."""
    turns = await services.conversations.turns.turns(caller.scope, session_id, after, PAGE)
    more = turns[-1].number if len(turns) == PAGE else None
    return TurnPage(turns=[turn_view(turn) for turn in turns], next_after=more)
