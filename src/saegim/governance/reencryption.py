"""Re-encrypt a user's rows with the newest key, in batches."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from saegim.db.cells import Cells, Connection, Row, execute, fetch_all
from saegim.encryption.cipher import Cipher
from saegim.encryption.keyring import Keyring
from saegim.encryption.rotation import KeyRotation
from saegim.governance.personal_data import PERSONAL, PersonalTable
from saegim.jobs.queue import JobQueue, exclusive_job
from saegim.jobs.types import JobKind

BATCH = 100
# Longer than any turn, so that the last check finds rows a running turn wrote with an old key.
LAST_LOOK_SECONDS = 60.0


@dataclass(frozen=True, eq=False)
class Reencryption:
    cells: Cells
    keyring: Keyring
    rotation: KeyRotation
    queue: JobQueue
    last_look: float = LAST_LOOK_SECONDS

    async def begin(self, tenant: UUID, member: UUID) -> int:
        """Create a new data key for a user, queue the job, and return the key's version."""
        version = await self.rotation.begin(tenant, member)
        async with self.cells.transaction(tenant) as connection:
            seconds = self.rotation.settle_seconds
            job = exclusive_job(JobKind.RESEAL, tenant, member, seconds)
            await self.queue.defer_once(connection, job)
        return version

    async def reseal(self, tenant: UUID, member: UUID) -> int:
        """Re-encrypt all rows with the newest key and return how many were written.

        Once none are left, older versions are retired."""
        cipher = await self.keyring.user(tenant, member)
        *older, newest = await self.rotation.versions(tenant, member)
        if not older:
            return 0
        written = 0
        if cipher.version == newest:
            written = await self._reseal_all(tenant, member, cipher)
            if not written:
                await self.rotation.retire(tenant, member, newest)
                return 0
        # The newest key is not in use yet, or rows were found: check again later.
        async with self.cells.transaction(tenant) as connection:
            job = exclusive_job(JobKind.RESEAL, tenant, member, self.last_look)
            await self.queue.defer(connection, job)
        return written

    async def _reseal_all(self, tenant: UUID, member: UUID, cipher: Cipher) -> int:
        ids = {"tenant": tenant, "member": member}
        written = 0
        for table in PERSONAL:
            if table.sealed:
                while count := await self._batch(table, ids, cipher):
                    written += count
        return written

    async def _batch(self, table: PersonalTable, ids: Mapping[str, UUID], cipher: Cipher) -> int:
        cell = await self.cells.for_tenant(ids["tenant"])
        async with cell.transaction(ids["tenant"]) as connection:
            page = {"version": cipher.version, "most": BATCH}
            rows = await fetch_all(connection, f"sealed_{table.name}", **ids, **page)
            for row in rows:
                await _write(connection, table, ids["tenant"], row, cipher)
        return len(rows)


async def _write(
    connection: Connection, table: PersonalTable, tenant: UUID, row: Row, cipher: Cipher
) -> None:
    values: dict[str, Any] = {"tenant": tenant, "row": row["row_id"]}
    if "part" in row:
        values["part"] = row["part"]
    for column in table.sealed:
        location = table.location(column, row["row_id"])
        values[f"old_{column}"] = old = row[column]
        new = None if old is None else cipher.seal_bytes(cipher.open_bytes(old, location), location)
        values[f"new_{column}"] = new
    await execute(connection, f"reseal_{table.name}", **values)
