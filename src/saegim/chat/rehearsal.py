"""Answers that nobody asked for: of evaluations."""

from dataclasses import dataclass

from saegim.auth.repository import PostgresAccess
from saegim.chat.context.assembly import Thread
from saegim.chat.relay import TurnStream
from saegim.chat.tracing import outcome_label
from saegim.chat.turn import TurnContext, TurnPipeline
from saegim.chat.types import configured
from saegim.conversations.types import (
    Controls,
    Lease,
    OpenTurn,
    Turn,
    TurnInputs,
    TurnState,
    WorkingState,
)
from saegim.domain.ids import Clock, new_id
from saegim.domain.scope import Caller
from saegim.library.rows import Vocabularies
from saegim.quotas.service import RateLimiter
from saegim.usage.trace import TurnTrace


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """An answer that nobody asked for; `document_ids` are the outside ids of used documents."""

    answer: str
    outcome: str
    document_ids: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Rehearsals:
    access: PostgresAccess
    vocabularies: Vocabularies
    pipeline: TurnPipeline
    spending: RateLimiter
    clock: Clock

    async def rehearse(self, caller: Caller, message: str) -> Rehearsal:
        """Answer the first message of a conversation without storing it and without memory.

        Raises LimitReached, and NotFound if the assistant is gone.
        """
        now, lease = self.clock.now(), Lease(caller.scope.user, 1)
        identifier = new_id(now)
        turn = Turn(
            id=identifier,
            scope=caller.scope,
            session=identifier,
            assistant=caller.assistant,
            number=1,
            state=TurnState.RECEIVED,
            message=message,
            reply=None,
            attempt=1,
            created_at=now,
        )
        inputs = TurnInputs(
            groups=tuple(sorted(caller.groups)),
            locale=caller.locale,
            time_zone=caller.time_zone,
            controls=Controls(memory=False, pinned=False),
        )
        state = WorkingState(0)
        opened = OpenTurn(turn, inputs, state.version, lease)
        trace, stream = TurnTrace(attempt=1), TurnStream(turn, lease)
        tenant = caller.scope.tenant
        assistant = await self.access.assistant(tenant, caller.assistant)
        context = TurnContext(
            opened,
            opened.caller,
            assistant,
            configured(assistant.config, trace.note_degraded),
            state,
            Thread(),
            await self.vocabularies.of(tenant),
            is_rehearsal=True,
        )
        await self.spending.reserve(caller, identifier)
        try:
            answered = await self.pipeline.think(context, stream, trace)
        finally:
            await self.spending.settle(caller.scope, identifier, trace.calls)
        return Rehearsal(
            stream.text, outcome_label(answered.outcome, trace), tuple(trace.ref_doc_ids)
        )
