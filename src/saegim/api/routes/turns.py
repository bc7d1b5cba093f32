"""Turns that were taken: read, follow, cancel, explain."""

from dataclasses import asdict
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
from saegim.chat.feedback.types import Feedback

router = APIRouter(prefix="/v1", tags=["turns"])

PAGE = 100
EVENTS: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}}}


@router.get("/turns/{turn_id}")
async def read_turn(turn_id: UUID, services: ServicesDep, caller: CallerDep) -> TurnView:
    """A turn of the caller's."""
    return turn_view(await services.conversations.turns.find(caller.scope, turn_id))


@router.get("/turns/{turn_id}/events", response_class=StreamingResponse)
async def follow_turn(
    turn_id: UUID,
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    last_event_id: Annotated[str | None, Header()] = None,
) -> StreamingResponse:
    """The events of a turn from `Last-Event-ID` on, whether it still runs or not."""
    position = sse.parse_position(last_event_id)
    await services.conversations.turns.find(caller.scope, turn_id)
    return sse.stream(
        services.chat.turns.follow(caller.scope, turn_id, position), locale_of(request)
    )


@router.post("/turns/{turn_id}/cancel")
async def cancel_turn(turn_id: UUID, services: ServicesDep, caller: CallerDep) -> TurnView:
    """Stops a turn; what was shown of its answer is kept."""
    return turn_view(await services.chat.turns.cancel(caller.scope, turn_id))


@router.post("/turns/{turn_id}/regenerate", response_model=ChatReply, responses=EVENTS)
async def answer_again(
    turn_id: UUID,
    body: AgainBody,
    request: Request,
    response: Response,
    services: ServicesDep,
    caller: CallerDep,
) -> object:
    """Answers a turn's message again, as a new turn of its session."""
    opened = await services.chat.turns.again(caller, turn_id, body.selected_doc_ids)
    return await answered(opened, request, response, services, stream=False)


@router.post("/turns/{turn_id}/continue", response_model=ChatReply, responses=EVENTS)
async def go_on(
    turn_id: UUID, request: Request, response: Response, services: ServicesDep, caller: CallerDep
) -> object:
    """Goes on where an incomplete answer broke off, as a new turn of its session."""
    opened = await services.chat.turns.resume(caller, turn_id)
    return await answered(opened, request, response, services, stream=False)


@router.put("/turns/{turn_id}/feedback")
async def give_feedback(
    turn_id: UUID, body: FeedbackBody, services: ServicesDep, caller: CallerDep
) -> FeedbackBody:
    """A thumb and a correction on a turn of the caller's; the last one holds."""
    given = Feedback(body.thumb, body.correction, body.for_evaluation)
    kept = await services.chat.feedback.give(caller.scope, turn_id, given)
    return FeedbackBody.model_validate(asdict(kept))


@router.get("/turns/{turn_id}/trace")
async def read_trace(turn_id: UUID, services: ServicesDep, caller: CallerDep) -> TraceView:
    """Why a settled turn came out as it did."""
    trace = await services.conversations.turns.trace(caller.scope, turn_id)
    return TraceView(turn_id=turn_id, trace=dict(trace))


@router.get("/sessions/{session_id}/turns")
async def list_turns(
    session_id: UUID,
    services: ServicesDep,
    caller: CallerDep,
    after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> TurnPage:
    """The turns of a session of the caller's, in order."""
    turns = await services.conversations.turns.turns(caller.scope, session_id, after, PAGE)
    more = turns[-1].number if len(turns) == PAGE else None
    return TurnPage(turns=[turn_view(turn) for turn in turns], next_after=more)
