"""What a turn was remembered by, shown and taken back; conversations deleted (LM11)."""

import contextlib
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from saegim.conversations.state_cache import RedisStateCache
from saegim.conversations.transcripts import PostgresTranscripts
from saegim.domain.errors import OptionalServiceDown
from saegim.domain.scope import Scope
from saegim.memory.extraction.repository import ExtractionSourceStore
from saegim.memory.ports import ConsentStore
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import (
    Actor,
    ChangeReason,
    ConsentSubject,
    ExtractionFailure,
    Origin,
    Record,
)

_PAGE = 500


class ExtractionStatus(StrEnum):
    """How far a turn is on its way to memory."""

    WAITING = "waiting"
    READ = "read"
    LEFT_OUT = "left_out"
    """Somebody asked not to remember it, or took it back."""
    FAILED = "failed"
    """The model's answers could not be read; it can be replayed."""
    OFF = "off"
    """Memory is off here, and the turn was not read."""


@dataclass(frozen=True, slots=True)
class TurnMemories:
    """What a turn was remembered by."""

    reading: ExtractionStatus
    records: tuple[Record, ...] = ()


class TurnMemoryService:
    """Memory as far as it follows from what is said: shown, taken back, switched off."""

    def __init__(
        self,
        said: ExtractionSourceStore,
        records: PostgresRecords,
        consents: ConsentStore,
        conversations: PostgresTranscripts,
        cache: RedisStateCache,
    ) -> None:
        self._said = said
        self._records = records
        self._consents = consents
        self._conversations = conversations
        self._cache = cache

    async def of_turn(self, scope: Scope, turn: UUID, session: UUID) -> TurnMemories:
        """What a turn of the caller's was remembered by."""
        state = await self._said.state(scope, turn)
        if state is None:
            allowed = await self._consents.allows(scope, session)
            return TurnMemories(ExtractionStatus.WAITING if allowed else ExtractionStatus.OFF)
        origin, error = state
        if error is not None:
            return TurnMemories(ExtractionStatus.FAILED)
        if origin == Origin.PERSON:
            return TurnMemories(ExtractionStatus.LEFT_OUT)
        return TurnMemories(ExtractionStatus.READ, await self._said.records_of_turn(scope, turn))

    async def take_back(self, scope: Scope, turn: UUID) -> int:
        """Forgets what a turn alone told; how many records. What they replaced holds again, and
        the turn is not read again."""
        records = await self._said.records_of_turn(scope, turn)
        alone = [record.id for record in records if record.sources == (turn,)]
        because = ChangeReason(Actor.PERSON, "taken back")
        forgotten = await self._records.forget(scope, alone, because)
        await self._said.leave_out(scope, turn)
        await self._said.drop_episodes(scope, turn)
        return forgotten

    async def delete_session(self, scope: Scope, session: UUID, *, derived: bool) -> int:
        """Removes a conversation; with what was derived from it alone, if that is asked for."""
        if derived:
            await self._conversations.drop_digests(scope, session)
            because = ChangeReason(Actor.PERSON, "the conversation was deleted")
            await self._records.forget_session(scope, session, because)
        turns = await self._conversations.delete_session(scope, session)
        # What is left in a cache that is down expires by itself, and opens for nobody.
        with contextlib.suppress(OptionalServiceDown):
            await self._cache.drop(scope, session)
        return turns

    async def consent(self, scope: Scope, session: UUID | None = None) -> bool:
        """Whether memory is on for the caller."""
        return await self._consents.allows(scope, session)

    async def switch(self, scope: Scope, subject: ConsentSubject, *, on: bool) -> None:
        """Turns memory on or off for the tenant or the user. What is known stays until deleted."""
        await self._consents.allow(scope, subject, on)

    async def failures(self, tenant: UUID, count: int) -> tuple[ExtractionFailure, ...]:
        """Turns that could not be read and wait for a replay."""
        return await self._records.failures(tenant, count)

    async def replay(self, tenant: UUID, count: int) -> int:
        """Puts turns that could not be read back in line; how many."""
        failures = await self._records.failures(tenant, count)
        return await self._said.queue(tenant, [failure.turn for failure in failures])

    async def extract_again(self, tenant: UUID) -> int:
        """Puts every turn that only a twin has read in line for the model; how many."""
        queued = 0
        after: UUID | None = None
        while turns := await self._said.read_by_fallback(tenant, after, _PAGE):
            queued += await self._said.queue(tenant, turns)
            after = turns[-1]
        return queued
