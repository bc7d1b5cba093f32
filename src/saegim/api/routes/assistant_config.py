"""The assistant of the credential: its configuration and its unanswered questions."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from saegim.api.caller import CallDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.api.schemas.chat import UnansweredPage, UnansweredView
from saegim.audit.types import AuditAction
from saegim.chat.types import AssistantConfig, checked

router = APIRouter(prefix="/v1/assistant", tags=["assistant"])

MOST = 200


@router.get("/config")
async def read_config(tag: TagDep, call: CallDep) -> AssistantConfig:
    """Returns how the assistant routes, searches and answers, including defaults."""
    assistant = await call.services.auth.repository.assistant(call.tenant, call.caller.assistant)
    tag.name(assistant.config)
    return AssistantConfig.model_validate(dict(assistant.config))


@router.put("/config")
async def write_config(
    body: AssistantConfig, tag: TagDep, call: CallDep, seen: ExpectedVersionDep = None
) -> AssistantConfig:
    """Publishes the configuration as a new version. Omitted fields have their defaults."""
    config: dict[str, Any] = body.model_dump(mode="json", exclude_unset=True)
    async with call.recording(AuditAction.ASSISTANT_PUBLISHED, call.caller.assistant):
        version = await call.services.assistants.assistants.configure(
            call.caller, call.caller.assistant, checked(config), seen
        )
    tag.name(version.content.config)
    return body


@router.get("/unanswered")
async def read_unanswered(
    call: CallDep,
    reason: Annotated[str, Query(max_length=2_000)] = "",
    days: Annotated[int, Query(ge=1, le=3650)] = 30,
) -> UnansweredPage:
    """Lists questions without an answer or with negative feedback, newest first. Requires a reason,
    which is recorded in the audit trail."""
    questions = await call.services.chat.feedback.unanswered(call.caller, reason, days, MOST)
    # Recorded before the questions are returned.
    await call.services.audit.trail.note(
        call.caller, AuditAction.QUESTIONS_READ, call.caller.assistant, reason
    )
    return UnansweredPage(questions=UnansweredView.each(questions))
