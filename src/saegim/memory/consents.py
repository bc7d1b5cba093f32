"""Consent to memory."""

from datetime import UTC, datetime
from uuid import UUID

from saegim.db.cells import Cells, Row, execute
from saegim.domain.errors import Invalid
from saegim.domain.ids import Clock
from saegim.domain.scope import Scope
from saegim.encryption.keyring import Keyring
from saegim.memory.record_writer import RecordWriter
from saegim.memory.types import Action, Actor, ChangeReason, Consent, ConsentSubject

_ALWAYS = datetime.min.replace(tzinfo=UTC)


class PostgresConsents:
    """Stores whether memory may be written and used; `memory_on=False` denies it to everyone."""

    def __init__(
        self, cells: Cells, keyring: Keyring, clock: Clock, *, memory_on: bool = True
    ) -> None:
        self._cells = cells
        self._keyring = keyring
        self._clock = clock
        self._memory_on = memory_on

    async def of(self, scope: Scope, session: UUID | None) -> Consent:
        """Return what tenant, user and session all allow; the default is everything."""
        if not self._memory_on:
            return Consent(learning=False, using=False)
        rows = await self._rows(scope, session)
        return Consent(
            learning=all(row["learning"] for row in rows), using=all(row["recall"] for row in rows)
        )

    async def allows(self, scope: Scope, session: UUID | None) -> bool:
        """Return whether memories may be made of what is said."""
        return (await self.of(scope, session)).learning

    async def learning_since(self, scope: Scope, session: UUID) -> datetime | None:
        """Return since when memories may be made of what is said; None if they may not."""
        rows = await self._rows(scope, session)
        if not self._memory_on or not all(row["learning"] for row in rows):
            return None
        return max((row["changed_at"] for row in rows), default=_ALWAYS)

    async def _rows(self, scope: Scope, session: UUID | None) -> list[Row]:
        subjects = [scope.tenant, scope.user, *([session] if session else [])]
        cell = await self._cells.for_tenant(scope.tenant)
        return await cell.read(scope.tenant, "find_consents", subjects=subjects)

    async def set(
        self,
        scope: Scope,
        subject: ConsentSubject,
        consent: Consent,
        session: UUID | None = None,
    ) -> None:
        """Allow or forbid learning and using for the tenant, the user or a session."""
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
                learning=consent.learning,
                recall=consent.using,
                now=now,
            )
            because = ChangeReason(Actor.PERSON, f"{consent.in_words()}: {subject}")
            writer = RecordWriter(connection, scope, cipher, now, because)
            await writer.note(Action.CONSENT, subject_id)
