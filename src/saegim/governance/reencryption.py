"""Re-encrypt a user's rows with the newest key, in batches."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from saegim.db.cells import Cells, Connection, Row, execute, fetch_all
from saegim.encryption.cipher import Cipher
from saegim.encryption.keyring import Keyring
from saegim.encryption.rotation import KeyRotation
from saegim.governance.personal_data import PERSONAL, PersonalTable
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind

BATCH = 100
# Longer than any turn, so that the last check finds rows a running turn wrote with an old key.
LAST_LOOK_SECONDS = 60.0


def reseal_job(tenant: UUID, member: UUID, delay: float) -> Job:
    """Return the job; only one runs at a time for each user."""
    lock = f"{JobKind.RESEAL}:{tenant}:{member}"
    return Job(JobKind.RESEAL, tenant, member, lock=lock, delay_seconds=delay)


class Reencryption:
    def __init__(
        self,
        cells: Cells,
        keyring: Keyring,
        rotation: KeyRotation,
        queue: JobQueue,
        last_look: float = LAST_LOOK_SECONDS,
    ) -> None:
        self._cells = cells
        self._keyring = keyring
        self._rotation = rotation
        self._queue = queue
        self._last_look = last_look

    async def begin(self, tenant: UUID, member: UUID) -> int:
        """Create a new data key for a user, queue the job, and return the key's version."""
        version = await self._rotation.begin(tenant, member)
        async with self._cells.transaction(tenant) as connection:
            job = reseal_job(tenant, member, self._rotation.settle_seconds)
            await self._queue.defer_once(connection, job)
        return version

    async def reseal(self, tenant: UUID, member: UUID) -> int:
        """Re-encrypt all rows with the newest key and return how many were written.

        Once none are left, older versions are retired."""
        cipher = await self._keyring.user(tenant, member)
        *older, newest = await self._rotation.versions(tenant, member)
        if not older:
            return 0
        written = 0
        if cipher.version == newest:
            written = await self._reseal_all(tenant, member, cipher)
            if not written:
                await self._rotation.retire(tenant, member, newest)
                return 0
        # The newest key is not in use yet, or rows were found: check again later.
        async with self._cells.transaction(tenant) as connection:
            await self._queue.defer(connection, reseal_job(tenant, member, self._last_look))
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
        cell = await self._cells.for_tenant(ids["tenant"])
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
        new = None if old is None else cipher.seal(cipher.open(old, location), location)
        values[f"new_{column}"] = new
    await execute(connection, f"reseal_{table.name}", **values)
