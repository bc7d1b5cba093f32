"""Turns: read, stream, cancel, repeat, rate and explain."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Header, Query
from fastapi.responses import Response, StreamingResponse

from saegim.api import sse
from saegim.api.caller import CallDep
from saegim.api.problems import locale_of
from saegim.api.routes.chat import IdempotencyKey, answered
from saegim.api.schemas.chat import (
    AgainBody,
    BranchBody,
    ChatReply,
    EditBody,
    FeedbackBody,
    TraceView,
    TurnPage,
    TurnView,
    turn_view,
)
from saegim.api.schemas.shares import SuggestionsView
from saegim.chat.feedback.types import Feedback
from saegim.chat.service import Variant
from saegim.chat.types import EffectKind
from saegim.conversations.history import TurnDetails
from saegim.domain.errors import NotFound

router = APIRouter(prefix="/v1", tags=["turns"])

PAGE = 100
NEWEST = 2**31 - 1
EVENTS: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}}}


@router.get("/turns/{turn_id}")
async def read_turn(turn_id: UUID, call: CallDep) -> TurnView:
    """Returns a turn of the caller."""
    found = await call.services.conversations.history.find(call.scope, turn_id)
    [view] = await _views(call, [found])
    return view


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
    await call.services.chat.turns.cancel(call.scope, turn_id)
    return turn_view(await call.services.conversations.history.find(call.scope, turn_id))


@router.post("/turns/{turn_id}/regenerate", response_model=ChatReply, responses=EVENTS)
async def regenerate_turn(
    turn_id: UUID,
    body: AgainBody,
    response: Response,
    call: CallDep,
    idempotency_key: IdempotencyKey = None,
) -> object:
    """Answers the message of a turn again, as a variant of it. The turn and those after it go out
    of use."""
    variant = Variant(None, tuple(body.selected_doc_ids), None, idempotency_key)
    opened = await call.services.chat.turns.again(call.caller, turn_id, variant)
    return await answered(opened, call, response, stream=False)


@router.post("/turns/{turn_id}/edit", response_model=ChatReply, responses=EVENTS)
async def edit_turn(
    turn_id: UUID,
    body: EditBody,
    response: Response,
    call: CallDep,
    idempotency_key: IdempotencyKey = None,
) -> object:
    """Answers another message instead of that of a turn, as a variant of it. The turn and those
    after it go out of use."""
    attached = None if body.attached_doc_ids is None else tuple(body.attached_doc_ids)
    variant = Variant(body.message, tuple(body.selected_doc_ids), attached, idempotency_key)
    opened = await call.services.chat.turns.again(call.caller, turn_id, variant)
    return await answered(opened, call, response, stream=False)


@router.post("/turns/{turn_id}/continue", response_model=ChatReply, responses=EVENTS)
async def continue_turn(
    turn_id: UUID, response: Response, call: CallDep, idempotency_key: IdempotencyKey = None
) -> object:
    """Continues an incomplete answer, the last of its session, as a new turn."""
    opened = await call.services.chat.turns.resume(call.caller, turn_id, idempotency_key)
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


@router.get("/turns/{turn_id}/suggestions")
async def suggest(turn_id: UUID, call: CallDep) -> SuggestionsView:
    """Returns up to three questions to ask after a turn, from documents around those it cites."""
    found = await call.services.reading.suggestions.after(call.caller, turn_id)
    return SuggestionsView(suggestions=found)


@router.get("/sessions/{session_id}/turns")
async def list_turns(
    session_id: UUID,
    call: CallDep,
    after: Annotated[int, Query(ge=0, le=NEWEST)] = 0,
    before: Annotated[int | None, Query(ge=1, le=NEWEST)] = None,
    count: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> TurnPage:
    """Lists the turns of the branch in use of a session of the caller, oldest first. With `before`,
    the last ones before that number."""
    history = call.services.conversations.history
    if before is not None:
        turns = await history.page_before(call.scope, session_id, before, count)
        earlier = turns[0].turn.number if len(turns) == count else None
        return TurnPage(turns=await _views(call, turns), next_after=None, next_before=earlier)
    turns = await history.page(call.scope, session_id, after, count)
    more = turns[-1].turn.number if len(turns) == count else None
    return TurnPage(turns=await _views(call, turns), next_after=more)


@router.put("/sessions/{session_id}/branch")
async def use_branch(session_id: UUID, body: BranchBody, call: CallDep) -> TurnPage:
    """Puts the branch through a turn in use, down to its newest descendant, and returns its first
    turns. Refused while a turn of the session is in progress."""
    await call.services.conversations.turns.use_branch(call.scope, session_id, body.turn_id)
    return await list_turns(session_id, call)


async def _views(call: CallDep, turns: Sequence[TurnDetails]) -> list[TurnView]:
    """Builds views of turns, with the words they remembered or brought back, if still known."""
    views = [turn_view(turn) for turn in turns]
    effects = [effect for view in views for effect in view.effects]
    records = {each.id: [each.id] for each in effects if each.kind is EffectKind.REMEMBERED}
    for undone in {each.id for each in effects if each.kind is EffectKind.UNDONE}:
        with suppress(NotFound):
            did = (await call.services.conversations.turns.find(call.scope, undone)).effects
            records[undone] = [UUID(e["id"]) for e in did if e["kind"] == EffectKind.FORGOTTEN]
    named = [record for each in records.values() for record in each]
    found = await call.services.memory.records.find(call.scope, named) if named else ()
    contents = {record.id: record.content for record in found}
    for effect in effects:
        known = (contents.get(record) for record in records.get(effect.id, ()))
        effect.text = " · ".join(filter(None, known))
    return views
