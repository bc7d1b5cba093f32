"""OpenAI-compatible routes."""

import re
from collections import Counter
from dataclasses import replace
from typing import Annotated, Any, cast
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Path, Request, Response
from fastapi.sse import EventSourceResponse

from saegim.api import sse
from saegim.api.caller import (
    Call,
    ServicesDep,
    SessionDep,
    act_as_of,
    authorise,
)
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
from saegim.auth.types import ActAs
from saegim.chat.events import Position
from saegim.chat.types import Reply, configured
from saegim.domain.errors import NotFound, UnsupportedFeature

router = APIRouter(prefix="/v1", tags=["openai"])

EVENTS: dict[int | str, dict[str, Any]] = {200: {"content": {"text/event-stream": {}}}}
ActAsDep = Annotated[ActAs, Depends(act_as_of)]
Authorization = Annotated[str | None, Header()]


async def completion_call(
    request: Request,
    services: ServicesDep,
    act_as: ActAsDep,
    authorization: Authorization = None,
) -> Call:
    """Authenticates with the user of the body, if the headers name none."""
    user = await _user_in(request)
    caller = await authorise(request, replace(act_as, default_user=user), authorization)
    return Call(request, services, caller)


async def _user_in(request: Request) -> str | None:
    """Returns `user` of a body that is not validated yet: the credential is checked first."""
    try:
        body: object = await request.json()
    except (ValueError, RecursionError):
        return None
    user: object = cast("dict[str, object]", body).get("user") if isinstance(body, dict) else None
    return user if isinstance(user, str) and user.strip() else None


async def models_call(
    request: Request,
    services: ServicesDep,
    act_as: ActAsDep,
    authorization: Authorization = None,
) -> Call:
    """Authenticates any key, also one that acts for users and names none: models are no data of a
    user."""
    caller = await authorise(request, replace(act_as, without_user=True), authorization)
    return Call(request, services, caller)


CompletionCallDep = Annotated[Call, Depends(completion_call)]
ModelsCallDep = Annotated[Call, Depends(models_call)]


@router.post("/chat/completions", response_model=Completion, responses=EVENTS)
async def complete(
    body: CompletionBody,
    response: Response,
    call: CompletionCallDep,
    session: SessionDep,
    idempotency_key: IdempotencyKey = None,
) -> object:
    """Answers the last message. Without `Saegim-Session`, the messages before it are used as
    history and not stored. With it, the history of the session is used and they are ignored. With
    `tools`, the answer may be calls that the client is to run."""
    call, model = await _chosen(call, body.model)
    request = body.request(session, idempotency_key)
    with_usage = body.stream_options is not None and body.stream_options.include_usage
    assistant = await call.services.auth.repository.assistant(call.tenant, call.caller.assistant)
    own = configured(assistant.config, list[str]().append).model
    unsupported = await call.services.chat.turns.unsupported(call.caller, own and own.chosen())
    if unsupported is None and body.requires_tool:
        raise UnsupportedFeature("`tool_choice` can require a call only with a model.")
    ignored = body.ignored(
        unsupported,
        names_user=call.caller.acts_for_others and "saegim-user" not in call.request.headers,
    )
    headers = {"Saegim-Ignored-Parameters": ", ".join(ignored)} if ignored else {}
    response.headers.update(headers)
    opened = await call.services.chat.turns.receive(call.caller, request)
    turn = opened.turn
    headers |= {"Saegim-Turn": str(turn.id), "Saegim-Session": str(turn.session)}
    if body.stream:

        async def usage(reply: Reply) -> Usage:
            return await _usage(call, reply)

        chunks = Chunks(turn, model.id, locale_of(call.request), usage if with_usage else None)
        events = call.services.chat.turns.follow(turn.scope, turn.id, Position())
        return EventSourceResponse(chunks.lines(events), headers=sse.HEADERS | headers)
    response.headers.update(headers)
    reply = await call.services.chat.turns.reply(turn.scope, turn.id)
    raise_if_failed(reply)
    return completion(reply, model.id, turn.created_at, await _usage(call, reply))


@router.get("/models")
async def list_models(call: ModelsCallDep) -> ModelList:
    """Lists the assistants of the credential as models, its own first."""
    return ModelList(data=await _models(call))


@router.get("/models/{model_id}")
async def read_model(model_id: Annotated[str, Path(max_length=200)], call: ModelsCallDep) -> Model:
    """Returns an assistant, by its model ID, assistant ID or name."""
    found = _find(await _models(call), model_id)
    if found is None:
        raise NotFound("model")
    return found


async def _chosen(call: Call, name: str) -> tuple[Call, Model]:
    """Returns the assistant that `name` names. Any other name means the credential's own, so that
    clients change only their base URL; the ID of another assistant is NotFound."""
    models = await _models(call)
    model = _find(models, name)
    if model is None and _is_id(name):
        raise NotFound("model")
    if model is None or model == models[0]:
        return call, models[0]
    authentication = call.services.auth.authentication
    caller = await authentication.choose(call.caller, model.assistant_id)
    return replace(call, caller=caller), model


async def _models(call: Call) -> list[Model]:
    own = call.caller.assistant
    usable = await call.services.assistants.assistants.usable(call.caller)
    ordered = sorted(usable, key=lambda each: each.id != own)
    slugs = Counter(_slug(each.name) for each in ordered)
    return [
        Model(
            id=slug if slugs[slug := _slug(each.name)] == 1 else f"{slug}-{each.id.hex[-8:]}",
            assistant_id=each.id,
            name=each.name,
        )
        for each in ordered
    ]


def _find(models: list[Model], name: str) -> Model | None:
    return next((e for e in models if name in (e.id, str(e.assistant_id), e.name)), None)


def _slug(name: str) -> str:
    return re.sub(r"[^\w.]+", "-", name.lower()).strip("-") or "assistant"


async def _usage(call: Call, reply: Reply) -> Usage:
    if reply.calls:
        return usage_of(reply.usage)
    return usage_of(await call.services.conversations.turns.trace(call.caller.scope, reply.turn))


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
