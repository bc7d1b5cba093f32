"""The assistant behind a key: its configuration, and what it could not answer."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from saegim.bootstrap import Services
from saegim.chat.config import AssistantConfig
from saegim.chat.configured import checked
from saegim.domain.scope import Caller
from saegim.entrypoints.api.caller import CallerDep, ServicesDep
from saegim.entrypoints.api.etags import IfMatch, etag, require_match
from saegim.entrypoints.api.shapes import UnansweredPage, UnansweredView
from saegim.governance.audit import Deed

router = APIRouter(prefix="/v1/assistant", tags=["assistant"])

MOST = 200


@router.get("/config")
async def read_config(
    response: Response, services: ServicesDep, caller: CallerDep
) -> AssistantConfig:
    """How the assistant routes, searches and answers, with what it leaves to the defaults."""
    shown = await _config(services, caller)
    response.headers["ETag"] = etag(shown)
    return shown


@router.put("/config")
async def write_config(
    body: AssistantConfig,
    response: Response,
    services: ServicesDep,
    caller: CallerDep,
    if_match: IfMatch = None,
) -> AssistantConfig:
    """Publishes it as a new version, for administrators; what is left out has its default."""
    if if_match is not None:
        require_match(if_match, await _config(services, caller))
    given: dict[str, Any] = body.model_dump(mode="json", exclude_unset=True)
    await services.versions.configure(caller, caller.assistant, checked(given))
    await services.trail.note(caller, Deed.ASSISTANT_PUBLISHED, caller.assistant)
    response.headers["ETag"] = etag(body)
    return body


@router.get("/unanswered")
async def read_unanswered(
    services: ServicesDep,
    caller: CallerDep,
    days: Annotated[int, Query(ge=1, le=3650)] = 30,
) -> UnansweredPage:
    """Questions that had no answer, or one that was called bad, newest first; for editors."""
    found = await services.opinions.unanswered(caller, days, MOST)
    return UnansweredPage(
        questions=[
            UnansweredView(
                turn_id=one.turn,
                at=one.at,
                question=one.question,
                outcome=one.outcome,
                thumb=one.thumb,
                correction=one.correction,
            )
            for one in found
        ]
    )


async def _config(services: Services, caller: Caller) -> AssistantConfig:
    found = await services.assistant_store.assistant(caller.scope.tenant, caller.assistant)
    return AssistantConfig.model_validate(dict(found.config))
