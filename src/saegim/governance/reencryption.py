"""Rows sealed by older keys of a person are sealed by the newest, a few at a time."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from saegim.db.cells import Cells, Connection, Row, execute, fetch_all
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.encryption.rotation import KeyRotation
from saegim.governance.personal_data import PERSONAL, SealedColumns
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind

AT_ONCE = 100
# Longer than any turn: what an old version sealed on its way is found by the last look.
LAST_LOOK_SECONDS = 60.0


def reseal_job(tenant: UUID, member: UUID, delay: float) -> Job:
    """One at a time for each person."""
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
        """Gives a person a new data key and queues the work; tells the key's version."""
        version = await self._rotation.begin(tenant, member)
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            job = reseal_job(tenant, member, self._rotation.settle_seconds)
            await self._queue.defer_once(connection, job)
        return version

    async def reseal(self, tenant: UUID, member: UUID) -> int:
        """Seals everything with the newest key; tells how many rows it wrote. Once a look finds
        nothing left, the versions before are retired."""
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
        # Not yet the one that seals, or something was found: look again later.
        cell = await self._cells.for_tenant(tenant)
        async with cell.transaction(tenant) as connection:
            await self._queue.defer(connection, reseal_job(tenant, member, self._last_look))
        return written

    async def _reseal_all(self, tenant: UUID, member: UUID, cipher: Cipher) -> int:
        whose = {"tenant": tenant, "member": member}
        written = 0
        for table in PERSONAL:
            if table.sealed is not None:
                while found := await self._batch(table.sealed, whose, cipher):
                    written += found
        return written

    async def _batch(self, sealed: SealedColumns, whose: Mapping[str, UUID], cipher: Cipher) -> int:
        cell = await self._cells.for_tenant(whose["tenant"])
        async with cell.transaction(whose["tenant"]) as connection:
            rows = await fetch_all(
                connection, sealed.find, **whose, version=cipher.version, most=AT_ONCE
            )
            for row in rows:
                await _write(connection, sealed, whose["tenant"], row, cipher)
        return len(rows)


async def _write(
    connection: Connection, sealed: SealedColumns, tenant: UUID, row: Row, cipher: Cipher
) -> None:
    values: dict[str, Any] = {"tenant": tenant, "row": row["row_id"]}
    if "part" in row:
        values["part"] = row["part"]
    for column, place in sealed.fields.items():
        values[f"old_{column}"] = row[column]
        values[f"new_{column}"] = again(row[column], FieldLocation(place, row["row_id"]), cipher)
    await execute(connection, sealed.write, **values)


def again(sealed: bytes | None, place: FieldLocation, cipher: Cipher) -> bytes | None:
    """What was sealed, sealed by the newest key."""
    return None if sealed is None else cipher.seal(cipher.open(sealed, place), place)
