"""Assistants with their versions, and collections with their audiences."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field

from saegim.api.caller import CallDep
from saegim.api.etags import ExpectedVersionDep, TagDep
from saegim.api.views import View, example
from saegim.assistants.types import AssistantContent, VersionState
from saegim.audit.types import AuditAction
from saegim.chat.types import checked
from saegim.domain.scope import Locale

router = APIRouter(prefix="/v1", tags=["access"])

Name = Annotated[str, Field(min_length=1, max_length=200)]
Group = Annotated[str, Field(min_length=1, max_length=200)]
Long = Annotated[str, Field(max_length=20_000)]


class ContentBody(View, BaseModel, extra="forbid"):
    """The content of an assistant version."""

    model_config = example(name="bot", persona="You are kind.")

    name: Name
    persona: Long
    policy: Long = ""
    locale: Locale = "ko"
    collections: Annotated[list[UUID], Field(max_length=200)] = []
    config: dict[str, Any] = {}


class AssistantView(View):
    """The published version of an assistant."""

    assistant_id: UUID
    name: str
    persona: str
    policy: str
    locale: Locale
    collections: list[UUID]
    offered_to: list[str] | None


class AvailableAssistantView(View):
    """An assistant that the caller may use. `own` is the assistant of the credential, `current`
    that of this request."""

    assistant_id: UUID
    name: str
    own: bool
    current: bool


class AssistantVersionView(View):
    """A version of an assistant."""

    version: int
    state: VersionState
    content: ContentBody
    made_by: UUID
    created_at: datetime
    published_at: datetime | None


class ToolView(View):
    """A tool of the server that an assistant may use."""

    name: str
    about: str


class AssistantRollbackBody(BaseModel, extra="forbid"):
    """The version to restore."""

    model_config = example(version=1)

    version: Annotated[int, Field(ge=1)]


class CollectionBody(BaseModel, extra="forbid"):
    """A new collection. Without an audience, every member of the tenant may read it."""

    model_config = example(name="contracts", audience=["legal"])

    name: Name
    audience: Annotated[list[Group], Field(max_length=100)] = []


class CollectionChange(BaseModel, extra="forbid"):
    """A new name, or the groups that may read the collection. If empty, every member may."""

    model_config = example(audience=["legal"])

    name: Name | None = None
    audience: Annotated[list[Group], Field(max_length=100)] | None = None


class CollectionView(View):
    """A collection and its audience."""

    collection_id: UUID
    name: str
    audience: list[str]


@router.get("/assistants")
async def list_assistants(call: CallDep) -> list[AssistantView]:
    """Lists the published versions of the tenant's assistants."""
    return AssistantView.each(await call.services.assistants.assistants.published(call.caller))


@router.post("/assistants", status_code=201)
async def add_assistant(body: ContentBody, call: CallDep) -> AssistantView:
    """Creates and publishes an assistant. `offered_to` in its configuration lists the groups that
    may use it. Without `collections`, it reads the shared one (`default`)."""
    if "collections" not in body.model_fields_set:
        body.collections = await call.services.assistants.assistants.shared(call.caller)
    async with call.recording(AuditAction.ASSISTANT_PUBLISHED):
        return AssistantView.of(
            await call.services.assistants.assistants.add(call.caller, content_of(body))
        )


@router.get("/assistants/available")
async def list_available(call: CallDep) -> list[AvailableAssistantView]:
    """Lists the assistants that the caller may name in `Saegim-Assistant`, oldest first."""
    own = call.caller.own_assistant or call.caller.assistant
    return [
        AvailableAssistantView.of(one, own=one.id == own, current=one.id == call.caller.assistant)
        for one in await call.services.assistants.assistants.usable(call.caller)
    ]


@router.get("/tools")
async def list_tools(call: CallDep) -> list[ToolView]:
    """Lists the tools of the server, which the configuration of an assistant can restrict."""
    return ToolView.each(await call.services.tools.offered())


@router.get("/assistants/{assistant_id}/versions")
async def list_versions(
    assistant_id: UUID, tag: TagDep, call: CallDep
) -> list[AssistantVersionView]:
    """Lists all versions of an assistant, newest first."""
    versions = await call.services.assistants.assistants.versions(call.caller, assistant_id)
    tag.name(versions)
    return AssistantVersionView.each(versions)


@router.put("/assistants/{assistant_id}/draft")
async def write_draft(
    assistant_id: UUID, body: ContentBody, call: CallDep, seen: ExpectedVersionDep = None
) -> AssistantVersionView:
    """Writes the draft. The published version does not change."""
    return AssistantVersionView.of(
        await call.services.assistants.assistants.draft(
            call.caller, assistant_id, content_of(body), seen
        )
    )


@router.post("/assistants/{assistant_id}/publish")
async def publish(
    assistant_id: UUID, call: CallDep, seen: ExpectedVersionDep = None
) -> AssistantVersionView:
    """Publishes the draft."""
    async with call.recording(AuditAction.ASSISTANT_PUBLISHED, assistant_id):
        return AssistantVersionView.of(
            await call.services.assistants.assistants.publish(call.caller, assistant_id, seen)
        )


@router.post("/assistants/{assistant_id}/rollback")
async def roll_back(
    assistant_id: UUID, body: AssistantRollbackBody, call: CallDep, seen: ExpectedVersionDep = None
) -> AssistantVersionView:
    """Publishes an earlier version again."""
    async with call.recording(AuditAction.ASSISTANT_PUBLISHED, assistant_id):
        version = await call.services.assistants.assistants.roll_back(
            call.caller, assistant_id, body.version, seen
        )
    return AssistantVersionView.of(version)


@router.delete("/assistants/{assistant_id}", status_code=204)
async def remove_assistant(assistant_id: UUID, call: CallDep) -> None:
    """Deletes an assistant. Its conversations stay. The last one, and one that a key uses, cannot
    be deleted."""
    async with call.recording(AuditAction.ASSISTANT_REMOVED, assistant_id):
        await call.services.assistants.assistants.remove(call.caller, assistant_id)


@router.get("/collections")
async def list_collections(call: CallDep) -> list[CollectionView]:
    """Lists the tenant's collections."""
    return CollectionView.each(await call.services.assistants.collections.list(call.caller))


@router.post("/collections", status_code=201)
async def add_collection(body: CollectionBody, call: CallDep) -> CollectionView:
    """Creates a collection. The caller's assistant searches it for members of its audience."""
    async with call.recording(AuditAction.AUDIENCE_CHANGED):
        audience = frozenset(body.audience)
        return CollectionView.of(
            await call.services.assistants.collections.add(call.caller, body.name, audience)
        )


@router.get("/collections/{collection_id}")
async def read_collection(collection_id: UUID, tag: TagDep, call: CallDep) -> CollectionView:
    """Returns a collection."""
    collection = await call.services.assistants.collections.read(call.caller, collection_id)
    tag.name(collection)
    return CollectionView.of(collection)


@router.patch("/collections/{collection_id}", status_code=204)
async def change_collection(
    collection_id: UUID,
    body: CollectionChange,
    tag: TagDep,
    call: CallDep,
    seen: ExpectedVersionDep = None,
) -> None:
    """Renames a collection, or sets the groups that may read it."""
    audience = None if body.audience is None else frozenset(body.audience)
    async with call.recording(AuditAction.AUDIENCE_CHANGED, collection_id):
        collections = call.services.assistants.collections
        tag.name(await collections.change(call.caller, collection_id, body.name, audience, seen))


@router.delete("/collections/{collection_id}", status_code=204)
async def remove_collection(
    collection_id: UUID, call: CallDep, with_documents: bool = False
) -> None:
    """Deletes a collection. One with documents or team memories is refused, unless they are deleted
    with it."""
    async with call.recording(AuditAction.AUDIENCE_CHANGED, collection_id):
        if not with_documents:
            await call.services.team_memory.require_none(call.caller, collection_id)
        await call.services.library.documents.empty_collection(
            call.caller, collection_id, with_documents=with_documents
        )
        await call.services.assistants.collections.remove(call.caller, collection_id)


def content_of(body: ContentBody) -> AssistantContent:
    """Returns the content of a version. Raises Invalid for an invalid configuration."""
    return AssistantContent(
        **body.model_dump(exclude={"collections", "config"}),
        collections=tuple(dict.fromkeys(body.collections)),
        config=checked(body.config),
    )
