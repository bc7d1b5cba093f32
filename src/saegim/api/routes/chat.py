"""`POST /v1/chat`."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header
from fastapi.responses import Response

from saegim.api import sse
from saegim.api.caller import Call, CallDep, SessionDep
from saegim.api.problems import locale_of
from saegim.api.schemas.chat import ChatBody, ChatReply, reply_view
from saegim.chat.events import Event, Position, Status
from saegim.chat.types import ChatRequest
from saegim.conversations.types import OpenTurn

router = APIRouter(prefix="/v1", tags=["chat"])

IdempotencyKey = Annotated[
    str | None,
    Header(max_length=200, description="A message that is sent twice with one key is one turn."),
]


@router.post(
    "/chat",
    response_model=ChatReply,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def chat(
    body: ChatBody,
    response: Response,
    call: CallDep,
    session: SessionDep,
    idempotency_key: IdempotencyKey = None,
) -> object:
    """Sends a message and returns the answer, as JSON or as an event stream. The turn continues if
    the client disconnects."""
    opened = await call.services.chat.turns.receive(
        call.caller,
        ChatRequest(
            message=body.message,
            session=body.session(session),
            idempotency_key=idempotency_key,
            history=body.history(),
            selected_doc_ids=tuple(body.selected_doc_ids),
            attached_doc_ids=tuple(body.attached_doc_ids),
            temporary=body.temporary,
            draft=body.draft,
            controls=body.controls(),
            instructions=body.channel_context.instructions,
            channel_messages=body.channel_context.channel_messages(),
            store_messages=body.channel_context.store_messages,
        ),
    )
    return await answered(opened, call, response, stream=body.stream)


async def answered(opened: OpenTurn, call: Call, response: Response, *, stream: bool) -> object:
    """Returns the answer of a turn as JSON, or as an event stream if the request asks for one."""
    turn = opened.turn
    headers = {"Saegim-Turn": str(turn.id), "Saegim-Session": str(turn.session)}
    if stream or "text/event-stream" in call.request.headers.get("accept", ""):
        streamed = sse.stream(_events(call, opened), locale_of(call.request))
        streamed.headers.update(headers)
        return streamed
    response.headers.update(headers)
    return reply_view(await call.services.chat.turns.reply(turn.scope, turn.id))


async def _events(call: Call, opened: OpenTurn) -> AsyncIterator[Event]:
    turn = opened.turn
    yield Status("received", Position(turn.attempt, 0))
    async for event in call.services.chat.turns.follow(turn.scope, turn.id, Position()):
        yield event
