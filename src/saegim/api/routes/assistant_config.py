"""The assistant of the credential: its configuration and its unanswered questions."""

import json
from dataclasses import replace
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel

from saegim.api.caller import CallDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.api.problems import locale_of
from saegim.api.routes.ingests import FileView
from saegim.api.schemas.chat import FaqBody, UnansweredPage
from saegim.audit.types import AuditAction
from saegim.chat.suggestions import starter_of
from saegim.chat.types import AssistantConfig, checked
from saegim.domain.errors import NotFound
from saegim.library.service import FAQ

router = APIRouter(prefix="/v1/assistant", tags=["assistant"])

MOST_STARTERS = 4


class StartersView(BaseModel):
    """What an assistant is for, and questions to begin with."""

    name: str
    description: str
    starters: list[str]


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


@router.get("/starters")
async def read_starters(
    call: CallDep,
    assistant: Annotated[UUID | None, Query(description="The current one without it.")] = None,
) -> StartersView:
    """Returns what an assistant is for, and questions to begin with: its own, else up to four from
    documents that the caller may read."""
    chosen = assistant or call.caller.assistant
    usable = await call.services.assistants.assistants.usable(call.caller)
    found = next((each for each in usable if each.id == chosen), None)
    if found is None:
        raise NotFound("assistant")
    config = AssistantConfig.model_validate(dict(found.config))
    starters = list(dict.fromkeys(config.starters))
    if not starters:
        caller = replace(call.caller, assistant=found.id)
        suggested = await call.services.library.documents.suggested(
            caller, MOST_STARTERS, locale_of(call.request)
        )
        starters = [starter_of(each, found.locale) for each in suggested]
    return StartersView(name=found.name, description=config.description, starters=starters)


@router.get("/unanswered")
async def read_unanswered(
    call: CallDep, days: Annotated[int, Query(ge=1, le=3650)] = 30
) -> UnansweredPage:
    """Lists questions without an answer or with negative feedback, newest first: in words if the
    person shared them, else as clusters of at least three people."""
    found = await call.services.chat.feedback.unanswered(call.caller, days, MOST)
    if found.questions or found.clusters:
        # Recorded before the questions are returned.
        await call.services.audit.trail.note(
            call.caller, AuditAction.QUESTIONS_READ, call.caller.assistant
        )
    return UnansweredPage.of(found)


@router.post("/faq", status_code=202)
async def add_faq_entry(body: FaqBody, call: CallDep) -> FileView:
    """Imports an answer as an FAQ entry of a collection, and takes the question off the list of
    unanswered ones."""
    entry = json.dumps([body.model_dump(include={"question", "answer"})]).encode()
    async with call.recording(AuditAction.DOCUMENTS_ADDED, body.collection_id):
        file = await call.services.library.ingests.add_entry(
            call.caller, body.collection_id, FAQ, entry
        )
    await call.services.chat.feedback.mark_answered(call.caller, body.turn_id, body.terms, MOST)
    return FileView.in_words(file, locale_of(call.request))
