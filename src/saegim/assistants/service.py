"""Versioned configuration of assistants: draft, publish, roll back; and collections."""

from collections.abc import Mapping, Set
from dataclasses import asdict
from typing import Any
from uuid import UUID

from saegim.assistants.repository import PostgresAssistants
from saegim.assistants.types import (
    AssistantContent,
    AssistantVersion,
    Collection,
    Edit,
    VersionState,
)
from saegim.domain import pending_audit_event
from saegim.domain.errors import Conflict, NoDraft, NotFound
from saegim.domain.etags import ExpectedVersion
from saegim.domain.ids import Clock, new_id
from saegim.domain.policy import Permission, may_talk_to, require
from saegim.domain.scope import Caller
from saegim.domain.tenancy import Assistant


class Assistants:
    def __init__(self, store: PostgresAssistants, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def published(self, caller: Caller) -> list[Assistant]:
        require(caller, Permission.EDIT_ASSISTANTS)
        return await self._store.published(caller.scope.tenant)

    async def usable(self, caller: Caller) -> list[Assistant]:
        """Return the assistants that the caller may talk to."""
        require(caller, Permission.CHAT)
        assistants = await self._store.published(caller.scope.tenant)
        return [each for each in assistants if may_talk_to(caller, each)]

    async def add(self, caller: Caller, content: AssistantContent) -> Assistant:
        """Add a published assistant. Raises Conflict for a taken name or a missing collection."""
        require(caller, Permission.PUBLISH_ASSISTANTS)
        tenant = caller.scope.tenant
        assistant = Assistant(new_id(self._clock.now()), tenant, **asdict(content))
        pending_audit_event.about(assistant.id)
        await self._store.add_assistant(assistant, caller.scope.user)
        return assistant

    async def shared(self, caller: Caller) -> list[UUID]:
        """Return the tenant's first collection, under whatever name."""
        collections = await self._store.collections(caller.scope.tenant)
        return sorted(each.id for each in collections)[:1]

    async def versions(self, caller: Caller, assistant: UUID) -> list[AssistantVersion]:
        require(caller, Permission.EDIT_ASSISTANTS)
        return await self._store.versions(caller.scope.tenant, assistant)

    async def draft(
        self,
        caller: Caller,
        assistant: UUID,
        content: AssistantContent,
        seen: ExpectedVersion | None = None,
    ) -> AssistantVersion:
        """Replace the draft; the published version stays. Raises VersionConflict."""
        require(caller, Permission.EDIT_ASSISTANTS)
        edit = self._edit(caller, seen)
        return await self._store.put_draft(caller.scope.tenant, assistant, content, edit)

    async def publish(
        self, caller: Caller, assistant: UUID, seen: ExpectedVersion | None = None
    ) -> AssistantVersion:
        """Publish the draft. Raises Conflict without one, VersionConflict."""
        require(caller, Permission.PUBLISH_ASSISTANTS)
        for version in await self._store.versions(caller.scope.tenant, assistant):
            if version.state is VersionState.DRAFT:
                return await self._publish(caller, version, seen)
        raise NoDraft("the assistant has no draft")

    async def roll_back(
        self, caller: Caller, assistant: UUID, version: int, seen: ExpectedVersion | None = None
    ) -> AssistantVersion:
        """Publish an earlier version again. Raises NotFound, Conflict, VersionConflict."""
        require(caller, Permission.PUBLISH_ASSISTANTS)
        for each in await self._store.versions(caller.scope.tenant, assistant):
            if each.version == version:
                if each.state is VersionState.DRAFT:
                    raise Conflict("that version was never published")
                return await self._publish(caller, each, seen)
        raise NotFound("version")

    async def remove(self, caller: Caller, assistant: UUID) -> None:
        """Remove an assistant; its conversations stay. Raises NotFound, InUse."""
        require(caller, Permission.PUBLISH_ASSISTANTS)
        await self._store.remove(caller.scope.tenant, assistant)

    async def configure(
        self,
        caller: Caller,
        assistant: UUID,
        config: Mapping[str, Any],
        seen: ExpectedVersion | None = None,
    ) -> AssistantVersion:
        """Publish a new version with another configuration. Raises VersionConflict."""
        require(caller, Permission.PUBLISH_ASSISTANTS)
        edit = self._edit(caller, seen)
        return await self._store.configure(caller.scope.tenant, assistant, config, edit)

    async def _publish(
        self, caller: Caller, version: AssistantVersion, seen: ExpectedVersion | None
    ) -> AssistantVersion:
        edit = self._edit(caller, seen)
        return await self._store.publish(
            caller.scope.tenant, version.assistant, version.version, edit
        )

    def _edit(self, caller: Caller, seen: ExpectedVersion | None) -> Edit:
        return Edit(caller.scope.user, self._clock.now(), seen)


class Collections:
    def __init__(self, store: PostgresAssistants, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def list(self, caller: Caller) -> list[Collection]:
        require(caller, Permission.MANAGE_COLLECTIONS)
        return await self._store.collections(caller.scope.tenant)

    async def add(self, caller: Caller, name: str, audience: Set[str]) -> Collection:
        """Add a collection that the caller's assistant reads."""
        require(caller, Permission.MANAGE_COLLECTIONS)
        collection = Collection(new_id(self._clock.now()), name, audience)
        pending_audit_event.about(collection.id)
        await self._store.add(caller.scope.tenant, collection, [caller.assistant])
        return collection

    async def read(self, caller: Caller, collection: UUID) -> Collection:
        for each in await self.list(caller):
            if each.id == collection:
                return each
        raise NotFound("collection")

    async def change(
        self,
        caller: Caller,
        collection: UUID,
        name: str | None = None,
        audience: Set[str] | None = None,
        seen: ExpectedVersion | None = None,
    ) -> Collection:
        """Rename a collection, or set the groups that may read it; none means everyone.

        Raises NameTaken, VersionConflict."""
        require(caller, Permission.MANAGE_COLLECTIONS)
        return await self._store.change(caller.scope.tenant, collection, name, audience, seen)

    async def remove(self, caller: Caller, collection: UUID) -> None:
        """Delete a collection without documents. Raises NotFound, InUse."""
        require(caller, Permission.MANAGE_COLLECTIONS)
        await self._store.remove_collection(caller.scope.tenant, collection)
