"""Assistants with their versions, and collections with their audiences."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field

from saegim.api.caller import CallerDep, ServicesDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.api.views import example, view_of
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
    """The content of an assistant version."""

    model_config = example(name="bot", persona="You are kind.")

    name: Name
    persona: Long
    policy: Long = ""
    locale: Locale = "ko"
    collections: Annotated[list[UUID], Field(max_length=200)] = []
    config: dict[str, Any] = {}


class AssistantView(BaseModel):
    """The published version of an assistant."""

    assistant_id: UUID
    name: str
    persona: str
    policy: str
    locale: Locale
    collections: list[UUID]
    offered_to: list[str] | None


class AvailableAssistantView(BaseModel):
    """An assistant that the caller may use. `own` is the assistant of the credential, `current`
    that of this request."""

    assistant_id: UUID
    name: str
    own: bool
    current: bool


class AssistantVersionView(BaseModel):
    """A version of an assistant."""

    version: int
    state: VersionState
    content: ContentBody
    made_by: UUID
    created_at: datetime
    published_at: datetime | None


class AssistantRollbackBody(BaseModel, extra="forbid"):
    """The version to restore."""

    model_config = example(version=1)

    version: Annotated[int, Field(ge=1)]


class CollectionBody(BaseModel, extra="forbid"):
    """A new collection. Without an audience, every member of the tenant may read it."""

    model_config = example(name="contracts", audience=["legal"])

    name: Name
    audience: Annotated[list[Group], Field(max_length=100)] = []


class AudienceBody(BaseModel, extra="forbid"):
    """The groups that may read a collection. If empty, every member of the tenant may."""

    model_config = example(audience=["legal"])

    audience: Annotated[list[Group], Field(max_length=100)]


class CollectionView(BaseModel):
    """A collection and its audience."""

    collection_id: UUID
    name: str
    audience: list[str]


@router.get("/assistants")
async def list_assistants(services: ServicesDep, caller: CallerDep) -> list[AssistantView]:
    """Lists the published versions of the tenant's assistants."""
    return [assistant_view(each) for each in await services.assistants.assistants.published(caller)]


@router.post("/assistants", status_code=201)
async def add_assistant(
    body: ContentBody, services: ServicesDep, caller: CallerDep
) -> AssistantView:
    """Creates and publishes an assistant. `offered_to` in its configuration lists the groups that
    may use it."""
    async with services.audit.trail.recording(caller, AuditAction.ASSISTANT_PUBLISHED):
        return assistant_view(await services.assistants.assistants.add(caller, content_of(body)))


@router.get("/assistants/available")
async def list_available(services: ServicesDep, caller: CallerDep) -> list[AvailableAssistantView]:
    """Lists the assistants that the caller may name in `Saegim-Assistant`, oldest first."""
    own = caller.own_assistant or caller.assistant
    return [
        AvailableAssistantView(
            assistant_id=assistant.id,
            name=assistant.name,
            own=assistant.id == own,
            current=assistant.id == caller.assistant,
        )
        for assistant in await services.assistants.assistants.usable(caller)
    ]


@router.get("/assistants/{assistant_id}/versions")
async def list_versions(
    assistant_id: UUID, tag: TagDep, services: ServicesDep, caller: CallerDep
) -> list[AssistantVersionView]:
    """Lists all versions of an assistant, newest first."""
    versions = await services.assistants.assistants.versions(caller, assistant_id)
    tag.name(versions)
    return [version_view(version) for version in versions]


@router.put("/assistants/{assistant_id}/draft")
async def write_draft(
    assistant_id: UUID,
    body: ContentBody,
    services: ServicesDep,
    caller: CallerDep,
    seen: ExpectedVersionDep = None,
) -> AssistantVersionView:
    """Writes the draft. The published version does not change."""
    return version_view(
        await services.assistants.assistants.draft(caller, assistant_id, content_of(body), seen)
    )


@router.post("/assistants/{assistant_id}/publish")
async def publish(
    assistant_id: UUID, services: ServicesDep, caller: CallerDep, seen: ExpectedVersionDep = None
) -> AssistantVersionView:
    """Publishes the draft."""
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
    """Publishes an earlier version again."""
    async with services.audit.trail.recording(
        caller, AuditAction.ASSISTANT_PUBLISHED, assistant_id
    ):
        version = await services.assistants.assistants.roll_back(
            caller, assistant_id, body.version, seen
        )
    return version_view(version)


@router.get("/collections")
async def list_collections(services: ServicesDep, caller: CallerDep) -> list[CollectionView]:
    """Lists the tenant's collections."""
    return [collection_view(each) for each in await services.assistants.collections.list(caller)]


@router.post("/collections", status_code=201)
async def add_collection(
    body: CollectionBody, services: ServicesDep, caller: CallerDep
) -> CollectionView:
    """Creates a collection. The caller's assistant searches it for members of its audience."""
    async with services.audit.trail.recording(caller, AuditAction.AUDIENCE_CHANGED):
        audience = frozenset(body.audience)
        return collection_view(
            await services.assistants.collections.add(caller, body.name, audience)
        )


@router.get("/collections/{collection_id}")
async def read_collection(
    collection_id: UUID, tag: TagDep, services: ServicesDep, caller: CallerDep
) -> CollectionView:
    """Returns a collection."""
    collection = await services.assistants.collections.read(caller, collection_id)
    tag.name(collection)
    return collection_view(collection)


@router.patch("/collections/{collection_id}", status_code=204)
async def set_audience(
    collection_id: UUID,
    body: AudienceBody,
    tag: TagDep,
    services: ServicesDep,
    caller: CallerDep,
    seen: ExpectedVersionDep = None,
) -> None:
    """Sets the groups that may read a collection."""
    audience = frozenset(body.audience)
    async with services.audit.trail.recording(caller, AuditAction.AUDIENCE_CHANGED, collection_id):
        collections = services.assistants.collections
        tag.name(await collections.set_audience(caller, collection_id, audience, seen))


def content_of(body: ContentBody) -> AssistantContent:
    """Returns the content of a version. Raises Invalid for an invalid configuration."""
    return AssistantContent(
        **body.model_dump(exclude={"collections", "config"}),
        collections=tuple(dict.fromkeys(body.collections)),
        config=checked(body.config),
    )


def assistant_view(assistant: Assistant) -> AssistantView:
    offered = assistant.offered_to
    return view_of(
        AssistantView,
        assistant,
        assistant_id=assistant.id,
        offered_to=None if offered is None else sorted(offered),
    )


def version_view(version: AssistantVersion) -> AssistantVersionView:
    return view_of(AssistantVersionView, version, content=view_of(ContentBody, version.content))


def collection_view(collection: Collection) -> CollectionView:
    audience = sorted(collection.audience)
    return view_of(CollectionView, collection, collection_id=collection.id, audience=audience)
