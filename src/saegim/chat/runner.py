"""Runs one turn: from a stored message to a recorded answer."""

import asyncio
import contextlib
import time
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace

from saegim.assistants.repository import PostgresAssistants
from saegim.auth.credential_repository import PostgresMembers
from saegim.auth.repository import PostgresAccess
from saegim.chat.context.thread import thread_of
from saegim.chat.relay import LeaseKeeper, Relay, TurnSignals, TurnSlots, TurnStream
from saegim.chat.stages import TurnContext
from saegim.chat.tracing import outcome_label
from saegim.chat.turn import TurnPipeline
from saegim.chat.types import Reply, configured, reply_of
from saegim.conversations.search import index_turns_job
from saegim.conversations.service import Settlement, WorkingMemory
from saegim.conversations.stored_turns import Lease, OpenTurn, Outcome
from saegim.conversations.titles import title_job
from saegim.conversations.types import SessionVersion, Turn, TurnState
from saegim.domain.errors import StoreUnavailable
from saegim.domain.scope import Caller
from saegim.domain.tenancy import Assistant
from saegim.jobs.types import Job
from saegim.library.rows import Vocabularies
from saegim.memory.jobs import extract_job, index_job
from saegim.quotas.service import RateLimiter
from saegim.text.tokens import delimited
from saegim.usage.metrics import Metrics
from saegim.usage.trace import MemoryUse, TurnTrace, interaction

# How long recording an answer is retried while the store is down.
RECORD_SECONDS = 20.0
RECORD_PAUSE_SECONDS = 0.25
CLIENT_ASKS = (
    "The application that sent the message asks for what stands between the tags, for this turn "
    "only. Follow it where it contradicts nothing above and none of the rules below."
)


@dataclass(frozen=True, kw_only=True, eq=False)
class TurnRunner:
    settlement: Settlement
    access: PostgresAccess
    members: PostgresMembers
    drafts: PostgresAssistants
    working_memory: WorkingMemory
    pipeline: TurnPipeline
    vocabularies: Vocabularies
    relay: Relay
    leases: LeaseKeeper
    slots: TurnSlots
    spending: RateLimiter
    observer: Metrics

    async def run(
        self, opened: OpenTurn, lease: Lease, channel: TurnStream, stop_signals: TurnSignals
    ) -> Reply | None:
        """Answer a leased turn and record it; None if the lease was lost."""
        trace = TurnTrace(attempt=lease.attempt, masked=opened.inputs.masked)
        async with (
            self.leases.holding(opened.turn, lease, stop_signals),
            self.relay.carrying(channel),
            self._slot(opened.turn, lease, stop_signals),
        ):
            with trace.span("open"):
                opening = await self._open(opened, trace)
            try:
                outcome = await _run_until_cancelled(
                    self.pipeline.think(opening, channel, trace), stop_signals, channel
                )
            finally:
                await self.spending.settle(opened.turn.scope, opened.turn.id, trace.calls)
            if outcome is None:
                return None
            reply = await self._record(opening, lease, outcome, trace)
            if reply is not None:
                await channel.finish(reply)
            return reply

    def _slot(
        self, turn: Turn, lease: Lease, stop_signals: TurnSignals
    ) -> AbstractAsyncContextManager[None]:
        # A turn that was taken over does not wait: its job already occupies a worker.
        if lease.attempt > 1:
            return contextlib.nullcontext()
        return self.slots.holding(turn.scope, stop_signals)

    async def _open(self, opened: OpenTurn, trace: TurnTrace) -> TurnContext:
        turn, inputs = opened.turn, opened.inputs
        (state, source), (assistant, caller), vocabulary, name = await asyncio.gather(
            self.working_memory.open(turn.scope, turn.session, opened.mark, trace.note_degraded),
            self._assistant(opened),
            self.vocabularies.of(turn.scope.tenant),
            self.members.account_name(turn.scope.tenant, turn.scope.user),
        )
        trace.working_memory = MemoryUse(
            source, state.completed_turns, state.summary_version, state.summarised_through
        )
        thread = thread_of(state, turn, inputs, self.pipeline.stages.budgets.turns)
        config = configured(assistant.config, trace.note_degraded)
        assistant = with_instructions(assistant, inputs.instructions)
        return TurnContext(
            opened, caller, assistant, config, state, thread, vocabulary, user_name=name
        )

    async def _assistant(self, opened: OpenTurn) -> tuple[Assistant, Caller]:
        """Return the assistant, or its draft if the turn is for it, and who asks."""
        tenant, identifier = opened.turn.scope.tenant, opened.turn.assistant
        assistant, caller = await self.access.assistant(tenant, identifier), opened.caller
        draft = await self.drafts.draft(tenant, identifier) if opened.inputs.draft else None
        if draft is None:
            return assistant, caller
        drafted = Assistant(identifier, tenant, **draft.fields())
        return drafted, replace(caller, collections=frozenset(draft.collections))

    async def _record(
        self, opening: TurnContext, lease: Lease, outcome: Outcome, trace: TurnTrace
    ) -> Reply | None:
        turn = replace(
            opening.turn,
            state=outcome.state,
            reply=outcome.reply,
            error=outcome.error,
            doc_ids=tuple(trace.ref_doc_ids),
            by_rule=outcome.by_rule,
        )
        with trace.span("record"):
            mark = await self._settle(opening.turn, lease, outcome, trace)
        if mark is None:
            return None
        self.observer.turn(interaction(trace, outcome_label(outcome, trace)), trace)
        if outcome.state is not TurnState.FAILED:
            await self.working_memory.keep(
                turn.scope, turn.session, opening.state, turn.exchange(), mark, trace.note_degraded
            )
        return reply_of(turn, trace.as_json(), trace.excerpts)

    async def _settle(
        self, turn: Turn, lease: Lease, outcome: Outcome, trace: TurnTrace
    ) -> SessionVersion | None:
        jobs = [] if outcome.state is TurnState.FAILED else jobs_after(turn)
        give_up_at = time.monotonic() + RECORD_SECONDS
        while True:
            try:
                traced = replace(
                    outcome,
                    trace=trace.as_json(),
                    doc_ids=tuple(trace.ref_doc_ids),
                    interaction=interaction(trace, outcome_label(outcome, trace)),
                )
                return await self.settlement.settle(turn, lease, traced, jobs)
            except StoreUnavailable:
                if time.monotonic() > give_up_at:
                    raise
                await asyncio.sleep(RECORD_PAUSE_SECONDS)


async def _run_until_cancelled(
    thinking: Coroutine[None, None, Outcome], stop_signals: TurnSignals, channel: TurnStream
) -> Outcome | None:
    """Return the outcome of a turn; None if the lease is lost."""
    work = asyncio.create_task(thinking)
    stopping = asyncio.create_task(stop_signals.any())
    try:
        await asyncio.wait({work, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
        if not work.done():
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await work
    if not work.cancelled():
        return work.result()
    if stop_signals.lost.is_set():
        return None
    if channel.text:
        return Outcome(TurnState.INCOMPLETE, channel.text, "cancelled")
    return Outcome(TurnState.FAILED, None, "cancelled")


def with_instructions(assistant: Assistant, instructions: str) -> Assistant:
    """Append the client's instructions to the assistant's policy, marked as the client's."""
    if not instructions:
        return assistant
    instruction_block = f"{CLIENT_ASKS}\n{delimited('client_instructions', instructions)}"
    return replace(assistant, policy=f"{assistant.policy}\n\n{instruction_block}".strip())


def jobs_after(turn: Turn) -> list[Job]:
    """Return the jobs after a recorded turn. Each checks the user's consent when it runs."""
    tenant, user = turn.scope.tenant, turn.scope.user
    jobs = [
        index_job(tenant, turn.session, turn.id),
        extract_job(tenant, user, turn.id),
        index_turns_job(tenant, turn.session),
    ]
    return [*jobs, title_job(tenant, turn.session)] if turn.number == 1 else jobs
