"""Assistants in versions, and collections with their audiences."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from saegim.api.caller import CallerDep, ServicesDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.assistants.types import (
    AssistantContent,
    AssistantVersion,
    Collection,
    VersionState,
)
from saegim.audit.types import AuditAction
from saegim.chat.types import checked
from saegim.domain.scope import Locale
from saegim.domain.tenancy import Assistant

router = APIRouter(prefix="/v1", tags=["access"])

Name = Annotated[str, Field(min_length=1, max_length=200)]
Group = Annotated[str, Field(min_length=1, max_length=200)]
Long = Annotated[str, Field(max_length=20_000)]


class ContentBody(BaseModel, extra="forbid"):
    """What a version of an assistant holds."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "bot", "persona": "You are kind."}]}
    )

    name: Name
    persona: Long
    policy: Long = ""
    locale: Locale = "ko"
    collections: Annotated[list[UUID], Field(max_length=200)] = []
    config: dict[str, Any] = {}


class AssistantView(BaseModel):
    """An assistant as it answers now."""

    assistant_id: UUID
    name: str
    persona: str
    policy: str
    locale: Locale
    collections: list[UUID]
    offered_to: list[str] | None


class AvailableAssistantView(BaseModel):
    """An assistant that the caller may have answer; `own` is the credential's, `current` the one
    of this request."""

    assistant_id: UUID
    name: str
    own: bool
    current: bool


class AssistantVersionView(BaseModel):
    """One version of an assistant."""

    version: int
    state: VersionState
    content: ContentBody
    made_by: UUID
    created_at: datetime
    published_at: datetime | None


class AssistantRollbackBody(BaseModel, extra="forbid"):
    """Which version is to answer again."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"version": 1}]})

    version: Annotated[int, Field(ge=1)]


class CollectionBody(BaseModel, extra="forbid"):
    """A new collection; without an audience everybody in the tenant may read it."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "contracts", "audience": ["legal"]}]}
    )

    name: Name
    audience: Annotated[list[Group], Field(max_length=100)] = []


class AudienceBody(BaseModel, extra="forbid"):
    """The groups that may read a collection; none means everybody in the tenant."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"audience": ["legal"]}]})

    audience: Annotated[list[Group], Field(max_length=100)]


class CollectionView(BaseModel):
    """A collection and who may read it."""

    collection_id: UUID
    name: str
    audience: list[str]


@router.get("/assistants")
async def list_assistants(services: ServicesDep, caller: CallerDep) -> list[AssistantView]:
    """The tenant's assistants as they answer now."""
    return [assistant_view(each) for each in await services.assistants.assistants.published(caller)]


@router.post("/assistants", status_code=201)
async def add_assistant(
    body: ContentBody, services: ServicesDep, caller: CallerDep
) -> AssistantView:
    """One more assistant, which answers at once; `offered_to` of its configuration says who may
    switch to it."""
    async with services.audit.trail.recording(caller, AuditAction.ASSISTANT_PUBLISHED):
        return assistant_view(await services.assistants.assistants.add(caller, content_of(body)))


@router.get("/assistants/available")
async def list_available(services: ServicesDep, caller: CallerDep) -> list[AvailableAssistantView]:
    """The assistants that the caller may name in `Saegim-Assistant`, oldest first."""
    own = caller.own_assistant or caller.assistant
    return [
        AvailableAssistantView(
            assistant_id=each.id,
            name=each.name,
            own=each.id == own,
            current=each.id == caller.assistant,
        )
        for each in await services.assistants.assistants.usable(caller)
    ]


@router.get("/assistants/{assistant_id}/versions")
async def list_versions(
    assistant_id: UUID, tag: TagDep, services: ServicesDep, caller: CallerDep
) -> list[AssistantVersionView]:
    """All versions of an assistant, newest first; the ETag goes into `If-Match` of a change."""
    found = await services.assistants.assistants.versions(caller, assistant_id)
    tag.name(found)
    return [version_view(each) for each in found]


@router.put("/assistants/{assistant_id}/draft")
async def write_draft(
    assistant_id: UUID,
    body: ContentBody,
    services: ServicesDep,
    caller: CallerDep,
    seen: ExpectedVersionDep = None,
) -> AssistantVersionView:
    """Writes the draft; what answers does not change."""
    return version_view(
        await services.assistants.assistants.draft(caller, assistant_id, content_of(body), seen)
    )


@router.post("/assistants/{assistant_id}/publish")
async def publish(
    assistant_id: UUID, services: ServicesDep, caller: CallerDep, seen: ExpectedVersionDep = None
) -> AssistantVersionView:
    """Makes the draft the version that answers."""
    async with services.audit.trail.recording(
        caller, AuditAction.ASSISTANT_PUBLISHED, assistant_id
    ):
        return version_view(
            await services.assistants.assistants.publish(caller, assistant_id, seen)
        )


@router.post("/assistants/{assistant_id}/rollback")
async def roll_back(
    assistant_id: UUID,
    body: AssistantRollbackBody,
    services: ServicesDep,
    caller: CallerDep,
    seen: ExpectedVersionDep = None,
) -> AssistantVersionView:
    """Makes an earlier version the one that answers again."""
    async with services.audit.trail.recording(
        caller, AuditAction.ASSISTANT_PUBLISHED, assistant_id
    ):
        found = await services.assistants.assistants.roll_back(
            caller, assistant_id, body.version, seen
        )
    return version_view(found)


@router.get("/collections")
async def list_collections(services: ServicesDep, caller: CallerDep) -> list[CollectionView]:
    """The tenant's collections and who may read them."""
    return [collection_view(each) for each in await services.assistants.collections.list(caller)]


@router.post("/collections", status_code=201)
async def add_collection(
    body: CollectionBody, services: ServicesDep, caller: CallerDep
) -> CollectionView:
    """A new collection, which the caller's assistant reads for its audience."""
    async with services.audit.trail.recording(caller, AuditAction.AUDIENCE_CHANGED):
        made = await services.assistants.collections.add(
            caller, body.name, frozenset(body.audience)
        )
    return collection_view(made)


@router.get("/collections/{collection_id}")
async def read_collection(
    collection_id: UUID, tag: TagDep, services: ServicesDep, caller: CallerDep
) -> CollectionView:
    """One collection; its ETag goes into `If-Match` of a change."""
    found = await services.assistants.collections.read(caller, collection_id)
    tag.name(found)
    return collection_view(found)


@router.patch("/collections/{collection_id}", status_code=204)
async def set_audience(
    collection_id: UUID,
    body: AudienceBody,
    tag: TagDep,
    services: ServicesDep,
    caller: CallerDep,
    seen: ExpectedVersionDep = None,
) -> None:
    """Says which groups may read a collection."""
    audience = frozenset(body.audience)
    async with services.audit.trail.recording(caller, AuditAction.AUDIENCE_CHANGED, collection_id):
        tag.name(
            await services.assistants.collections.set_audience(
                caller, collection_id, audience, seen
            )
        )


def content_of(body: ContentBody) -> AssistantContent:
    """What a body says of an assistant. Raises Invalid for a configuration that is none."""
    return AssistantContent(
        name=body.name,
        persona=body.persona,
        policy=body.policy,
        locale=body.locale,
        collections=tuple(dict.fromkeys(body.collections)),
        config=checked(body.config),
    )


def assistant_view(assistant: Assistant) -> AssistantView:
    offered = assistant.offered_to
    return AssistantView(
        assistant_id=assistant.id,
        name=assistant.name,
        persona=assistant.persona,
        policy=assistant.policy,
        locale=assistant.locale,
        collections=list(assistant.collections),
        offered_to=None if offered is None else sorted(offered),
    )


def version_view(version: AssistantVersion) -> AssistantVersionView:
    content = version.content
    return AssistantVersionView(
        version=version.version,
        state=version.state,
        content=ContentBody(
            name=content.name,
            persona=content.persona,
            policy=content.policy,
            locale=content.locale,
            collections=list(content.collections),
            config=dict(content.config),
        ),
        made_by=version.made_by,
        created_at=version.created_at,
        published_at=version.published_at,
    )


def collection_view(collection: Collection) -> CollectionView:
    return CollectionView(
        collection_id=collection.id, name=collection.name, audience=sorted(collection.audience)
    )
