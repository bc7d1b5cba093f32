"""Show and take back the memories of a turn; delete conversations; consent; retries."""

import contextlib
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from saegim.conversations.state_cache import RedisStateCache
from saegim.conversations.transcripts import PostgresTranscripts
from saegim.domain.errors import OptionalServiceDown
from saegim.domain.scope import Scope
from saegim.memory.consents import PostgresConsents
from saegim.memory.extraction.repository import ExtractionSourceStore
from saegim.memory.extraction.retraction import TurnRetraction
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import (
    Actor,
    ChangeReason,
    Consent,
    ConsentSubject,
    ExtractionFailure,
    Origin,
    Record,
)

_PAGE = 500


class ExtractionStatus(StrEnum):
    """Extraction state of a turn.

    LEFT_OUT: the user asked not to remember it, or took it back. FAILED: the output of the model
    was invalid; it can be retried. OFF: memory is off.
    """

    WAITING = "waiting"
    READ = "read"
    LEFT_OUT = "left_out"
    FAILED = "failed"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class TurnMemories:
    reading: ExtractionStatus
    records: tuple[Record, ...] = ()


@dataclass(frozen=True, eq=False)
class TurnMemoryService:
    sources: ExtractionSourceStore
    records: PostgresRecords
    consents: PostgresConsents
    conversations: PostgresTranscripts
    cache: RedisStateCache
    retraction: TurnRetraction

    async def of_turn(self, scope: Scope, turn: UUID, session: UUID) -> TurnMemories:
        """Return the extraction state and the records of a turn of the caller."""
        state = await self.sources.state(scope, turn)
        if state is None:
            allowed = await self.consents.allows(scope, session)
            return TurnMemories(ExtractionStatus.WAITING if allowed else ExtractionStatus.OFF)
        origin, error = state
        if error is not None:
            return TurnMemories(ExtractionStatus.FAILED)
        if origin == Origin.PERSON:
            return TurnMemories(ExtractionStatus.LEFT_OUT)
        return TurnMemories(ExtractionStatus.READ, await self.sources.records_of(scope, [turn]))

    async def take_back(self, scope: Scope, turn: UUID) -> int:
        """Forget the records that come from a turn alone; return their number.

        The records that they replaced become valid again; records with other sources lose what the
        turn added. The turn is not extracted again.
        """
        because = ChangeReason(Actor.PERSON, "taken back")
        return await self.retraction.take_back(scope, turn, because)

    async def delete_session(self, scope: Scope, session: UUID, *, derived: bool) -> int:
        """Delete a conversation; `derived`: forget the records that come from it alone."""
        if derived:
            await self.conversations.drop_digests(scope, session)
            because = ChangeReason(Actor.PERSON, "the conversation was deleted")
            await self.records.forget_session(scope, session, because)
        turns = await self.conversations.delete_session(scope, session)
        # If the cache is down, its entry expires.
        with contextlib.suppress(OptionalServiceDown):
            await self.cache.drop(scope, session)
        return turns

    async def consent(self, scope: Scope, session: UUID | None = None) -> Consent:
        """Return what memory may do for the caller."""
        return await self.consents.of(scope, session)

    async def switch(self, scope: Scope, subject: ConsentSubject, consent: Consent) -> None:
        """Set what memory may do for the tenant or the user; existing records stay."""
        await self.consents.set(scope, subject, consent)

    async def failures(self, tenant: UUID, count: int) -> tuple[ExtractionFailure, ...]:
        """List failed extractions."""
        return await self.records.failures(tenant, count)

    async def replay(self, tenant: UUID, count: int) -> int:
        """Queue failed extractions again; return their number."""
        failures = await self.records.failures(tenant, count)
        return await self.sources.queue(tenant, [failure.turn for failure in failures])

    async def extract_again(self, tenant: UUID) -> int:
        """Queue all turns extracted by the fallback for the model; return their number."""
        queued = 0
        after: UUID | None = None
        while turns := await self.sources.read_by_fallback(tenant, after, _PAGE):
            queued += await self.sources.queue(tenant, turns)
            after = turns[-1]
        return queued
