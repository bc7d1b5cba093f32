"""The assistant behind a key: its configuration, and what it could not answer."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from saegim.api.caller import CallerDep, ServicesDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.api.schemas.chat import UnansweredPage, UnansweredView
from saegim.audit.types import AuditAction
from saegim.chat.types import AssistantConfig, checked

router = APIRouter(prefix="/v1/assistant", tags=["assistant"])

MOST = 200


@router.get("/config")
async def read_config(tag: TagDep, services: ServicesDep, caller: CallerDep) -> AssistantConfig:
    """How the assistant routes, searches and answers, with what it leaves to the defaults."""
    found = await services.auth.repository.assistant(caller.scope.tenant, caller.assistant)
    tag.name(found.config)
    return AssistantConfig.model_validate(dict(found.config))


@router.put("/config")
async def write_config(
    body: AssistantConfig,
    tag: TagDep,
    services: ServicesDep,
    caller: CallerDep,
    seen: ExpectedVersionDep = None,
) -> AssistantConfig:
    """Publishes it as a new version, for administrators; what is left out has its default."""
    given: dict[str, Any] = body.model_dump(mode="json", exclude_unset=True)
    async with services.audit.trail.recording(
        caller, AuditAction.ASSISTANT_PUBLISHED, caller.assistant
    ):
        version = await services.assistants.assistants.configure(
            caller, caller.assistant, checked(given), seen
        )
    tag.name(version.content.config)
    return body


@router.get("/unanswered")
async def read_unanswered(
    services: ServicesDep,
    caller: CallerDep,
    reason: Annotated[str, Query(max_length=2_000)] = "",
    days: Annotated[int, Query(ge=1, le=3650)] = 30,
) -> UnansweredPage:
    """Questions that had no answer, or one that was called bad, newest first, in the words of those
    who asked; for editors, who say why they read them. Each time is an event of the audit trail."""
    found = await services.chat.feedback.unanswered(caller, reason, days, MOST)
    # Noted before it is handed out: nobody reads another person unseen.
    await services.audit.trail.note(caller, AuditAction.QUESTIONS_READ, caller.assistant, reason)
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
