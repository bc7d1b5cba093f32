"""Assistants' configuration in versions: a draft, published when it is good, rolled back if not."""

from collections.abc import Mapping, Set
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
from saegim.domain.errors import Conflict, NotFound
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
        """The tenant's assistants as they answer now."""
        require(caller, Permission.EDIT_ASSISTANTS)
        return await self._store.published(caller.scope.tenant)

    async def usable(self, caller: Caller) -> list[Assistant]:
        """The assistants that the caller may have answer, its credential's own among them."""
        require(caller, Permission.CHAT)
        found = await self._store.published(caller.scope.tenant)
        return [each for each in found if may_talk_to(caller, each)]

    async def add(self, caller: Caller, content: AssistantContent) -> Assistant:
        """One more assistant of the tenant, which answers at once. Raises Conflict where its name
        is taken or a collection is not there."""
        require(caller, Permission.PUBLISH_ASSISTANTS)
        made = Assistant(
            id=new_id(self._clock.now()),
            tenant=caller.scope.tenant,
            name=content.name,
            persona=content.persona,
            policy=content.policy,
            locale=content.locale,
            collections=content.collections,
            config=content.config,
        )
        pending_audit_event.about(made.id)
        await self._store.add_assistant(made, caller.scope.user)
        return made

    async def versions(self, caller: Caller, assistant: UUID) -> list[AssistantVersion]:
        """All versions, newest first."""
        require(caller, Permission.EDIT_ASSISTANTS)
        return await self._store.versions(caller.scope.tenant, assistant)

    async def draft(
        self,
        caller: Caller,
        assistant: UUID,
        content: AssistantContent,
        seen: ExpectedVersion | None = None,
    ) -> AssistantVersion:
        """Writes the draft; what answers does not change. Raises Changed where other versions
        were seen."""
        require(caller, Permission.EDIT_ASSISTANTS)
        edit = self._edit(caller, seen)
        return await self._store.put_draft(caller.scope.tenant, assistant, content, edit)

    async def publish(
        self, caller: Caller, assistant: UUID, seen: ExpectedVersion | None = None
    ) -> AssistantVersion:
        """Makes the draft the version that answers. Raises Changed where other versions were
        seen."""
        require(caller, Permission.PUBLISH_ASSISTANTS)
        for version in await self._store.versions(caller.scope.tenant, assistant):
            if version.state is VersionState.DRAFT:
                return await self._publish(caller, version, seen)
        raise Conflict("the assistant has no draft")

    async def roll_back(
        self, caller: Caller, assistant: UUID, version: int, seen: ExpectedVersion | None = None
    ) -> AssistantVersion:
        """Makes an earlier version the one that answers again. Raises Changed where other
        versions were seen."""
        require(caller, Permission.PUBLISH_ASSISTANTS)
        for found in await self._store.versions(caller.scope.tenant, assistant):
            if found.version == version:
                if found.state is VersionState.DRAFT:
                    raise Conflict("that version was never published")
                return await self._publish(caller, found, seen)
        raise NotFound("version")

    async def configure(
        self,
        caller: Caller,
        assistant: UUID,
        config: Mapping[str, Any],
        seen: ExpectedVersion | None = None,
    ) -> AssistantVersion:
        """Answers with another configuration from now on, as a version that can be gone back
        from. Raises Changed where another configuration was seen."""
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
    """Sets of documents and their audiences (LB11)."""

    def __init__(self, store: PostgresAssistants, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def list(self, caller: Caller) -> list[Collection]:
        """The tenant's collections."""
        require(caller, Permission.MANAGE_COLLECTIONS)
        return await self._store.collections(caller.scope.tenant)

    async def add(self, caller: Caller, name: str, audience: Set[str]) -> Collection:
        """A new collection, which the caller's assistant reads for whom the audience names."""
        require(caller, Permission.MANAGE_COLLECTIONS)
        collection = Collection(new_id(self._clock.now()), name, audience)
        pending_audit_event.about(collection.id)
        await self._store.add(caller.scope.tenant, collection, [caller.assistant])
        return collection

    async def read(self, caller: Caller, collection: UUID) -> Collection:
        """One of the tenant's collections."""
        require(caller, Permission.MANAGE_COLLECTIONS)
        for found in await self._store.collections(caller.scope.tenant):
            if found.id == collection:
                return found
        raise NotFound("collection")

    async def set_audience(
        self,
        caller: Caller,
        collection: UUID,
        audience: Set[str],
        seen: ExpectedVersion | None = None,
    ) -> Collection:
        """Says which groups may read a collection; none means everybody in the tenant. Raises
        Changed where another was seen."""
        require(caller, Permission.MANAGE_COLLECTIONS)
        tenant = caller.scope.tenant
        return await self._store.set_audience(tenant, collection, audience, seen)
