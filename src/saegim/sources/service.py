"""What callers do with sources: add one, watch it, ask for a look, remove it. Editors and above."""

from collections.abc import Sequence
from uuid import UUID

from saegim.auth.grants import Grants
from saegim.domain.errors import NotFound, PermissionDenied
from saegim.domain.ids import Clock, new_id
from saegim.domain.scope import Caller
from saegim.library.ingest_service import EDITORS
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
        """A new source, looked at right away. A folder of the server is not a caller's to name.
        Raises NotFound where there is no such collection that the caller may write to."""
        tenant = _editor(caller)
        if not await self._may_write(
            caller, await self._documents.collection(tenant, new.collection)
        ):
            raise NotFound("collection")
        if isinstance(new.origin, Folder):
            raise PermissionDenied("only operators can add folders")
        return await self.add_as_operator(tenant, new)

    async def add_as_operator(self, tenant: UUID, new: NewSource) -> SourceStatus:
        """A new source of any kind, for those who run the server; the same twice is one."""
        self._readers.check(new.origin)
        collection = await self._documents.collection(tenant, new.collection)
        source = new_id(self._clock.now())
        added = await self._store.add(tenant, source, new, collection)
        return await self._store.status(tenant, added)

    async def all(self, caller: Caller) -> Sequence[SourceStatus]:
        """Every source of a collection that the caller may write to."""
        found = await self._store.all(_editor(caller))
        into = {one.source.collection for one in found}
        writable = {each for each in into if await self._may_write(caller, each)}
        return [one for one in found if one.source.collection in writable]

    async def status(self, caller: Caller, source: UUID) -> SourceStatus:
        """How a source is. Raises NotFound, whatever the reason."""
        found = await self._store.status(_editor(caller), source)
        if not await self._may_write(caller, found.source.collection):
            raise NotFound("source")
        return found

    async def sync(self, caller: Caller, source: UUID) -> SourceStatus:
        """Asks for a look at once. Raises NotFound, whatever the reason."""
        await self.status(caller, source)
        tenant = caller.scope.tenant
        await self._store.ask(tenant, source)
        return await self._store.status(tenant, source)

    async def remove(self, caller: Caller, source: UUID) -> None:
        """Removes a source, and with it all that it brought in. Raises NotFound, whatever the
        reason."""
        await self.status(caller, source)
        await self._store.ask_removal(caller.scope.tenant, source)

    async def _may_write(self, caller: Caller, collection: UUID) -> bool:
        into = await self._documents.access_to(caller.scope.tenant, collection)
        return self._grants.may_write(caller, into)


def _editor(caller: Caller) -> UUID:
    if caller.role not in EDITORS:
        raise PermissionDenied("only editors can manage sources")
    return caller.scope.tenant
