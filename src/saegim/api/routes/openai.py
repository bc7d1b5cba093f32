"""OpenAI-compatible routes."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Response
from fastapi.sse import EventSourceResponse

from saegim.api import sse
from saegim.api.caller import Call, CallDep, SessionDep
from saegim.api.openai_chunks import Chunks, raise_if_failed
from saegim.api.problems import locale_of
from saegim.api.routes.chat import IdempotencyKey
from saegim.api.schemas.openai import (
    Completion,
    CompletionBody,
    Model,
    ModelList,
    Usage,
    completion,
    usage_of,
)
from saegim.chat.events import Position
from saegim.conversations.types import Turn
from saegim.domain.errors import NotFound

router = APIRouter(prefix="/v1", tags=["openai"])

EVENTS: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}}}


@router.post("/chat/completions", response_model=Completion, responses=EVENTS)
async def complete(
    body: CompletionBody,
    response: Response,
    call: CallDep,
    session: SessionDep,
    idempotency_key: IdempotencyKey = None,
) -> object:
    """Answers the last message. Without `Saegim-Session`, the messages before it are used as
    history and not stored. With it, the history of the session is used and they are ignored."""
    model = await _model(call, body.model)
    opened = await call.services.chat.turns.receive(
        call.caller, body.request(session, idempotency_key)
    )
    turn = opened.turn
    headers = {"Saegim-Turn": str(turn.id), "Saegim-Session": str(turn.session)}
    if body.stream:

        async def usage() -> Usage:
            return await _usage(call, turn)

        with_usage = body.stream_options is not None and body.stream_options.include_usage
        chunks = Chunks(turn, model.id, locale_of(call.request), usage if with_usage else None)
        events = call.services.chat.turns.follow(turn.scope, turn.id, Position())
        return EventSourceResponse(chunks.lines(events), headers=sse.HEADERS | headers)
    response.headers.update(headers)
    reply = await call.services.chat.turns.reply(turn.scope, turn.id)
    raise_if_failed(reply)
    return completion(reply, model.id, turn.created_at, await _usage(call, turn))


@router.get("/models")
async def list_models(call: CallDep) -> ModelList:
    """Lists the assistant of the credential as a model."""
    return ModelList(data=[await _own(call)])


@router.get("/models/{assistant_id}")
async def read_model(assistant_id: Annotated[str, Path(max_length=200)], call: CallDep) -> Model:
    """Returns the assistant of the credential, by ID or name."""
    own = await _own(call)
    if assistant_id not in (own.id, own.name):
        raise NotFound("model")
    return own


async def _model(call: Call, name: str) -> Model:
    """Returns the assistant of the credential whatever `name` is, so that clients change only their
    base URL. Raises NotFound for the ID of another assistant."""
    own = await _own(call)
    if _is_id(name) and name != own.id:
        raise NotFound("model")
    return own


async def _own(call: Call) -> Model:
    assistant = await call.services.auth.repository.assistant(call.tenant, call.caller.assistant)
    return Model(id=str(assistant.id), name=assistant.name)


async def _usage(call: Call, turn: Turn) -> Usage:
    return usage_of(await call.services.conversations.turns.trace(turn.scope, turn.id))


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
