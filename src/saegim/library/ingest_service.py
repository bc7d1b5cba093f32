"""Open ingests, add files, follow and cancel them."""

from collections.abc import Mapping
from uuid import UUID

from saegim.auth.grants import Grants
from saegim.domain.errors import NotFound
from saegim.domain.ids import Clock, new_id
from saegim.domain.policy import Permission, allows, require
from saegim.domain.scope import Caller
from saegim.domain.tenancy import CollectionAccess
from saegim.library.import_plan import file_hash
from saegim.library.ingest_repository import PostgresIngests
from saegim.library.jobs import BROKE_OFF_AFTER
from saegim.library.repository import PostgresLibrary
from saegim.library.types import Ingest, IngestFile, entry_name

SWEEP_BATCH = 100


class Ingests:
    def __init__(
        self, files: PostgresIngests, documents: PostgresLibrary, clock: Clock, grants: Grants
    ) -> None:
        self._grants = grants
        self._files = files
        self._documents = documents
        self._clock = clock

    async def open(self, caller: Caller, collection: str, type: str) -> Ingest:  # noqa: A002
        """Open an ingest into a collection. Raises NotFound also without write access."""
        require(caller, Permission.EDIT_LIBRARY)
        tenant = caller.scope.tenant
        target = await self._documents.collection(tenant, collection)
        if not self._may_write(caller, await self._documents.access_to(tenant, target)):
            raise NotFound("collection")
        return await self._open(caller, target, type)

    async def open_own(self, caller: Caller, type: str) -> Ingest:  # noqa: A002
        """Open an ingest into the caller's private collection."""
        require(caller, Permission.ATTACH)
        tenant = caller.scope.tenant
        target = await self._documents.own_collection(tenant, caller.scope.user)
        return await self._open(caller, target, type)

    async def _open(self, caller: Caller, collection: UUID, type: str) -> Ingest:  # noqa: A002
        ingest, tenant = new_id(self._clock.now()), caller.scope.tenant
        await self._files.create(tenant, ingest, collection, type, added_by=caller.scope.user)
        return await self._files.find(tenant, ingest)

    async def add_file(self, caller: Caller, ingest: UUID, name: str) -> UUID:
        """Add a file to upload. Raises NotFound also without access."""
        await self._target(caller, ingest)
        return await self._files.add_file(caller.scope.tenant, ingest, name)

    async def add_small_file(
        self, caller: Caller, ingest: UUID, name: str, content: bytes
    ) -> IngestFile:
        """Add a file of one part and queue it. Raises NotFound also without access."""
        await self._target(caller, ingest)
        return await self._files.add_small_file(caller.scope.tenant, ingest, name, content)

    async def add_entry(
        self,
        caller: Caller,
        collection: UUID,
        type: str,  # noqa: A002 - the API's word
        content: bytes,
    ) -> IngestFile:
        """Import one JSON document into a collection by its id. Raises NotFound without access."""
        require(caller, Permission.EDIT_LIBRARY)
        tenant = caller.scope.tenant
        if not self._may_write(caller, await self._documents.access_to(tenant, collection)):
            raise NotFound("collection")
        ingest = await self._open(caller, collection, type)
        return await self._files.add_small_file(tenant, ingest.id, entry_name(ingest), content)

    async def unchanged(
        self, caller: Caller, ingest: UUID, files: Mapping[str, bytes]
    ) -> frozenset[str]:
        """Return the names of the files, given with their SHA-256, that the collection of an ingest
        has just so: uploading them would change nothing. Raises NotFound also without access."""
        collection, type_ = await self._target(caller, ingest)
        digests = {name: file_hash(name, type_, content) for name, content in files.items()}
        known = await self._documents.see_unchanged_files(
            caller.scope.tenant, collection, digests.values()
        )
        return frozenset(name for name, digest in digests.items() if digest in known)

    async def _target(self, caller: Caller, ingest: UUID) -> tuple[UUID, str]:
        """Return the collection and the type of an ingest. Raises NotFound also without access."""
        access, type_ = await self._files.target(caller.scope.tenant, ingest)
        if not self._may_write(caller, access):
            raise NotFound("ingest")
        return access.id, type_

    async def add_part(self, caller: Caller, file: UUID, part: int, content: bytes) -> None:
        await self._files.add_part(caller.scope.tenant, file, part, content)

    async def abandon(self, caller: Caller, file: UUID) -> None:
        """Delete an interrupted upload."""
        await self._files.abandon(caller.scope.tenant, file)

    async def sweep(self, tenant: UUID, subject: UUID) -> int:
        """Run the job that deletes interrupted uploads, and return how many. May run twice."""
        assert subject == tenant, "uploads are swept for a whole tenant"
        before, swept = self._clock.now() - BROKE_OFF_AFTER, 0
        while count := await self._files.sweep(tenant, before, SWEEP_BATCH):
            swept += count
        return swept

    async def enqueue(self, caller: Caller, file: UUID) -> IngestFile:
        return await self._files.enqueue(caller.scope.tenant, file)

    async def find(self, caller: Caller, ingest: UUID) -> Ingest:
        """Return an ingest with its progress. Raises NotFound also without access."""
        await self._target(caller, ingest)
        return await self._files.find(caller.scope.tenant, ingest)

    async def cancel(self, caller: Caller, ingest: UUID) -> Ingest:
        """Stop an ingest after its current batch. Raises NotFound also without access."""
        await self.find(caller, ingest)
        tenant = caller.scope.tenant
        await self._files.cancel(tenant, ingest)
        return await self._files.find(tenant, ingest)

    def _may_write(self, caller: Caller, access: CollectionAccess) -> bool:
        needed = Permission.EDIT_LIBRARY if access.owner is None else Permission.ATTACH
        return allows(caller, needed) and self._grants.may_write(caller, access)
