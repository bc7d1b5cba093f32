"""Consent to memory, and stores for when memory is off."""

from collections.abc import Sequence
from uuid import UUID

from saegim.db.cells import Cells, execute
from saegim.domain.errors import Invalid
from saegim.domain.ids import Clock
from saegim.domain.scope import Scope
from saegim.encryption.keyring import Keyring
from saegim.memory.recall.types import CandidateTexts, RecallQuestion, Scan, ScanFilter, VectorBy
from saegim.memory.record_writer import RecordWriter
from saegim.memory.types import Action, Actor, ChangeReason, ConsentSubject


class PostgresConsents:
    def __init__(self, cells: Cells, keyring: Keyring, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._clock = clock

    async def allows(self, scope: Scope, session: UUID | None) -> bool:
        subjects = [scope.tenant, scope.user, *([session] if session else [])]
        cell = await self._cells.for_tenant(scope.tenant)
        rows = await cell.read(scope.tenant, "find_consents", subjects=subjects)
        return all(row["allowed"] for row in rows)

    async def allow(
        self, scope: Scope, subject: ConsentSubject, allowed: bool, session: UUID | None = None
    ) -> None:
        subject_id = {ConsentSubject.TENANT: scope.tenant, ConsentSubject.USER: scope.user}.get(
            subject, session
        )
        if subject_id is None:
            raise Invalid("session_id is required for the consent of a session")
        cipher = await self._keyring.user(scope.tenant, scope.user)
        async with self._cells.transaction(scope.tenant) as connection:
            now = self._clock.now()
            await execute(
                connection,
                "set_consent",
                tenant=scope.tenant,
                subject_id=subject_id,
                subject=subject,
                allowed=allowed,
                now=now,
            )
            because = ChangeReason(Actor.PERSON, f"memory {'on' if allowed else 'off'}: {subject}")
            writer = RecordWriter(connection, scope, cipher, now, because)
            await writer.note(Action.CONSENT, subject_id)


class MemoryOff:
    """`ConsentStore` that never allows memory."""

    def __init__(self, stored: PostgresConsents) -> None:
        self._stored = stored

    async def allows(self, scope: Scope, session: UUID | None) -> bool:  # noqa: ARG002 - the port's
        return False

    async def allow(
        self, scope: Scope, subject: ConsentSubject, allowed: bool, session: UUID | None = None
    ) -> None:
        await self._stored.allow(scope, subject, allowed, session)


class NoMemory:
    """`RecallStore` without memory."""

    async def scan(
        self,
        scope: Scope,  # noqa: ARG002 - the port's
        question: RecallQuestion,  # noqa: ARG002 - the port's
        vector: VectorBy,  # noqa: ARG002 - the port's
        narrowing: ScanFilter,  # noqa: ARG002 - the port's
    ) -> Scan | None:
        return None

    async def open(
        self,
        scope: Scope,  # noqa: ARG002 - the port's
        records: Sequence[UUID],  # noqa: ARG002 - the port's
        episodes: Sequence[UUID],  # noqa: ARG002 - the port's
    ) -> CandidateTexts:
        return CandidateTexts({}, {})
