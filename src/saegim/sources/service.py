"""Add, list, sync and remove sources; for editors and above."""

from collections.abc import Sequence
from uuid import UUID

from saegim.auth.grants import Grants
from saegim.domain.errors import NotFound, PermissionDenied
from saegim.domain.ids import Clock, new_id
from saegim.domain.policy import Permission, require
from saegim.domain.scope import Caller
from saegim.library.repository import PostgresLibrary
from saegim.sources.readers import Readers
from saegim.sources.repository import PostgresSources
from saegim.sources.types import Folder, NewSource, SourceStatus


class Sources:
    def __init__(
        self,
        store: PostgresSources,
        documents: PostgresLibrary,
        readers: Readers,
        clock: Clock,
        grants: Grants,
    ) -> None:
        self._grants = grants
        self._store = store
        self._documents = documents
        self._readers = readers
        self._clock = clock

    async def add(self, caller: Caller, new: NewSource) -> SourceStatus:
        """Add a source and sync it at once; callers cannot add folders of the server.

        Raises NotFound without a collection of this name that the caller may write to."""
        tenant = _editor(caller)
        if not await self._may_write(
            caller, await self._documents.collection(tenant, new.collection)
        ):
            raise NotFound("collection")
        if isinstance(new.origin, Folder):
            raise PermissionDenied("only operators can add folders")
        return await self.add_as_operator(tenant, new)

    async def add_as_operator(self, tenant: UUID, new: NewSource) -> SourceStatus:
        """Add a source of any kind, as operator; adding the same again returns it."""
        self._readers.check(new.origin)
        collection = await self._documents.collection(tenant, new.collection)
        source = new_id(self._clock.now())
        added = await self._store.add(tenant, source, new, collection)
        return await self._store.status(tenant, added)

    async def all(self, caller: Caller) -> Sequence[SourceStatus]:
        """Return the sources of collections that the caller may write to."""
        statuses = await self._store.all(_editor(caller))
        collections = {status.source.collection for status in statuses}
        writable = {each for each in collections if await self._may_write(caller, each)}
        return [status for status in statuses if status.source.collection in writable]

    async def status(self, caller: Caller, source: UUID) -> SourceStatus:
        """Return a source. Raises NotFound also without access."""
        status = await self._store.status(_editor(caller), source)
        if not await self._may_write(caller, status.source.collection):
            raise NotFound("source")
        return status

    async def sync(self, caller: Caller, source: UUID) -> SourceStatus:
        """Sync a source now. Raises NotFound also without access."""
        await self.status(caller, source)
        tenant = caller.scope.tenant
        await self._store.ask(tenant, source)
        return await self._store.status(tenant, source)

    async def remove(self, caller: Caller, source: UUID) -> None:
        """Remove a source and its documents. Raises NotFound also without access."""
        await self.status(caller, source)
        await self._store.ask_removal(caller.scope.tenant, source)

    async def _may_write(self, caller: Caller, collection: UUID) -> bool:
        access = await self._documents.access_to(caller.scope.tenant, collection)
        return self._grants.may_write(caller, access)


def _editor(caller: Caller) -> UUID:
    require(caller, Permission.EDIT_LIBRARY)
    return caller.scope.tenant
