"""What callers do with ingests: open one, send files, watch, cancel. Editors and above."""

from uuid import UUID

from saegim.auth.grants import Grants
from saegim.domain.errors import NotFound, PermissionDenied
from saegim.domain.ids import Clock, new_id
from saegim.domain.scope import Caller, Role
from saegim.library.ingest_repository import PostgresIngests
from saegim.library.jobs import BROKE_OFF_AFTER
from saegim.library.repository import PostgresLibrary
from saegim.library.types import Ingest, IngestFile

SWEPT_AT_ONCE = 100
EDITORS = frozenset({Role.OWNER, Role.ADMIN, Role.EDITOR})


class Ingests:
    def __init__(
        self,
        files: PostgresIngests,
        documents: PostgresLibrary,
        clock: Clock,
        grants: Grants,
    ) -> None:
        self._grants = grants
        self._files = files
        self._documents = documents
        self._clock = clock

    async def open(self, caller: Caller, collection: str, type: str) -> Ingest:  # noqa: A002
        """A new ingest into a collection, by its name. Raises NotFound where there is none that
        the caller may write to."""
        tenant = self._editor(caller)
        into = await self._documents.collection(tenant, collection)
        if not self._grants.may_write(caller, await self._documents.access_to(tenant, into)):
            raise NotFound("collection")
        return await self._open(tenant, into, type)

    async def open_own(self, caller: Caller, type: str) -> Ingest:  # noqa: A002
        """A new ingest of what only the caller is to read."""
        tenant = self._editor(caller)
        into = await self._documents.own_collection(tenant, caller.scope.user)
        return await self._open(tenant, into, type)

    async def _open(self, tenant: UUID, into: UUID, type: str) -> Ingest:  # noqa: A002
        ingest = new_id(self._clock.now())
        await self._files.create(tenant, ingest, into, type)
        return await self._files.find(tenant, ingest)

    async def add_file(self, caller: Caller, ingest: UUID, name: str) -> UUID:
        """A file that is about to be received. Raises NotFound, whatever the reason."""
        await self.find(caller, ingest)
        return await self._files.add_file(caller.scope.tenant, ingest, name)

    async def add_part(self, caller: Caller, file: UUID, part: int, content: bytes) -> None:
        """The next part of a file that the caller added."""
        await self._files.add_part(self._editor(caller), file, part, content)

    async def abandon(self, caller: Caller, file: UUID) -> None:
        """Removes what came of a file whose upload broke off."""
        await self._files.abandon(self._editor(caller), file)

    async def sweep(self, tenant: UUID, subject: UUID) -> int:
        """The job that removes uploads that broke off; tells how many. Twice does no harm."""
        assert subject == tenant, "uploads are swept for a whole tenant"
        before, swept = self._clock.now() - BROKE_OFF_AFTER, 0
        while count := await self._files.sweep(tenant, before, SWEPT_AT_ONCE):
            swept += count
        return swept

    async def enqueue(self, caller: Caller, file: UUID) -> IngestFile:
        """Queues a file that was received whole."""
        tenant = self._editor(caller)
        await self._files.enqueue(tenant, file)
        found = await self._files.file(tenant, file)
        if found is None:
            raise NotFound("file")
        return found[1]

    async def find(self, caller: Caller, ingest: UUID) -> Ingest:
        """How far an ingest is. Raises NotFound, whatever the reason."""
        tenant = self._editor(caller)
        found = await self._files.find(tenant, ingest)
        into = await self._documents.access_to(tenant, found.collection)
        if not self._grants.may_write(caller, into):
            raise NotFound("ingest")
        return found

    async def cancel(self, caller: Caller, ingest: UUID) -> Ingest:
        """Asks for an ingest to stop with its next batch. Raises NotFound, whatever the reason."""
        await self.find(caller, ingest)
        tenant = caller.scope.tenant
        await self._files.cancel(tenant, ingest)
        return await self._files.find(tenant, ingest)

    def _editor(self, caller: Caller) -> UUID:
        if caller.role not in EDITORS:
            raise PermissionDenied("only editors can add documents")
        return caller.scope.tenant
