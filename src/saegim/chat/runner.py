"""Runs one turn: from a stored message to a recorded answer."""

import asyncio
import contextlib
import time
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace

from saegim.assistants.repository import PostgresAssistants
from saegim.auth.repository import PostgresAccess
from saegim.chat.context.assembly import thread_of
from saegim.chat.relay import LeaseKeeper, Relay, TurnSignals, TurnSlots, TurnStream
from saegim.chat.tracing import outcome_label
from saegim.chat.turn import NOT_CHANGED, TurnAnswer, TurnContext, TurnPipeline
from saegim.chat.types import Reply, configured, reply_of
from saegim.conversations.service import Settlement, WorkingMemory
from saegim.conversations.state_cache import RedisWaitingCalls
from saegim.conversations.types import (
    ROOMY_RULE,
    Lease,
    OpenTurn,
    Outcome,
    SessionVersion,
    Turn,
    TurnState,
)
from saegim.domain.errors import ModelUnavailable, OptionalServiceDown, StoreUnavailable
from saegim.domain.scope import Caller
from saegim.domain.tenancy import Assistant
from saegim.jobs.types import Job, JobKind
from saegim.library.rows import Vocabularies
from saegim.locales import translate
from saegim.memory.consents import PostgresConsents
from saegim.memory.jobs import extract_job, index_job
from saegim.memory.turn_changes import TurnChange, TurnChanges
from saegim.quotas.service import RateLimiter
from saegim.text.analysis import language
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
    waiting: RedisWaitingCalls
    changes: TurnChanges
    consents: PostgresConsents
    access: PostgresAccess
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
                answered = await _run_until_cancelled(
                    self.pipeline.think(opening, channel, trace), stop_signals, channel, trace
                )
            finally:
                await self.spending.settle(opened.turn.scope, opened.turn.id, trace.calls)
            if answered is None:
                return None
            if answered.for_client:
                return await self._wait(opened.turn, lease, answered, (channel, trace))
            reply = await self._record(opening, lease, answered, trace)
            if reply is not None:
                await channel.finish(reply)
            return reply

    async def _wait(
        self,
        turn: Turn,
        lease: Lease,
        answered: TurnAnswer,
        running: tuple[TurnStream, TurnTrace],
    ) -> Reply | None:
        """Store nothing of a turn but what it has done, until its client has run its tools."""
        for call in answered.for_client:
            with contextlib.suppress(OptionalServiceDown):
                await self.waiting.save(turn.scope, turn.message, call.id, answered.waiting)
        if not await self.settlement.withdraw(turn, lease):
            return None
        text = answered.outcome.reply or ""
        done = replace(turn, state=TurnState.DONE, reply=text)
        channel, trace = running
        reply = replace(reply_of(done, {}), calls=answered.for_client, usage=trace.as_json())
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
        (state, source), (assistant, caller), vocabulary, name, learns = await asyncio.gather(
            self.working_memory.open(turn.scope, turn.session, opened.mark, trace.note_degraded),
            self._assistant(opened),
            self.vocabularies.of(turn.scope.tenant),
            self.access.account_name(turn.scope.tenant, turn.scope.user),
            self._learns(opened),
        )
        trace.working_memory = MemoryUse(
            source, state.completed_turns, state.summary_version, state.summarised_through
        )
        thread = thread_of(state, turn, inputs, self.pipeline.budgets.turns)
        config = configured(assistant.config, trace.note_degraded)
        assistant = with_instructions(assistant, inputs.instructions)
        return TurnContext(
            opened,
            caller,
            assistant,
            config,
            state,
            thread,
            vocabulary,
            user_name=name,
            learns=learns,
        )

    async def _learns(self, opened: OpenTurn) -> bool:
        """Return whether the turn may change what is remembered."""
        inputs = opened.inputs
        if inputs.draft or not (inputs.controls.memory and inputs.may_remember):
            return False
        return await self.consents.allows(opened.turn.scope, opened.turn.session)

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
        self, opening: TurnContext, lease: Lease, answered: TurnAnswer, trace: TurnTrace
    ) -> Reply | None:
        outcome = answered.outcome
        turn = replace(
            opening.turn,
            state=outcome.state,
            reply=outcome.reply,
            error=outcome.error,
            doc_ids=tuple(trace.ref_doc_ids),
            by_rule=outcome.by_rule,
            effects=tuple(trace.effects),
        )
        with trace.span("record"):
            mark = await self._settle(opening, lease, answered, trace)
        if mark is None:
            return None
        self.observer.turn(interaction(trace, outcome_label(outcome, trace)), trace)
        if outcome.state is not TurnState.FAILED:
            await self.working_memory.keep(
                turn.scope, turn.session, opening.state, turn.exchange(), mark, trace.note_degraded
            )
        return reply_of(turn, trace.as_json(), trace.excerpts, answered.effects)

    async def _settle(
        self, opening: TurnContext, lease: Lease, answered: TurnAnswer, trace: TurnTrace
    ) -> SessionVersion | None:
        turn, outcome = opening.turn, answered.outcome
        jobs = [] if outcome.state is TurnState.FAILED else jobs_after(turn)
        changes = await self._changes(turn, answered)
        apply = self.changes.applying(turn, changes) if changes else None
        summaries = ROOMY_RULE if opening.config.context == "roomy" else None
        give_up_at = time.monotonic() + RECORD_SECONDS
        while True:
            try:
                traced = replace(
                    outcome,
                    trace=trace.as_json(),
                    doc_ids=tuple(trace.ref_doc_ids),
                    interaction=interaction(trace, outcome_label(outcome, trace)),
                    refs=answered.refs if opening.opened.inputs.history is None else {},
                    effects=tuple(trace.effects),
                )
                mark = await self.settlement.settle(turn, lease, traced, jobs, apply, summaries)
            except StoreUnavailable:
                if time.monotonic() > give_up_at:
                    raise
                await asyncio.sleep(RECORD_PAUSE_SECONDS)
            except ModelUnavailable:
                # The tenant has switched to another embedder since the tools ran.
                if apply is None or time.monotonic() > give_up_at:
                    raise
                await apply.embed_again()
            else:
                if apply is not None and mark is not None:
                    await apply.settled()
                return mark

    async def _changes(self, turn: Turn, answered: TurnAnswer) -> list[TurnChange]:
        """Return what the turn changes; a variant takes back what the one before it did."""
        if answered.outcome.state is not TurnState.DONE:
            return []
        before = turn.variant_of and await self.changes.of_variant(turn)
        return [*([before] if before else []), *answered.changes]


async def _run_until_cancelled(
    thinking: Coroutine[None, None, TurnAnswer],
    stop_signals: TurnSignals,
    channel: TurnStream,
    trace: TurnTrace,
) -> TurnAnswer | None:
    """Return how a turn ends; None if the lease is lost."""
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
    if not channel.text:
        return TurnAnswer(Outcome(TurnState.FAILED, None, "cancelled"))
    if trace.prepared:
        note = translate(NOT_CHANGED, language(channel.turn.message))
        await channel.write(f"\n\n{note}")
    return TurnAnswer(Outcome(TurnState.INCOMPLETE, channel.text, "cancelled"))


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
        Job(JobKind.INDEX_TURNS, tenant, turn.session),
    ]
    if turn.number == 1:
        jobs.append(Job(JobKind.TITLE_SESSION, tenant, turn.session))
    return jobs
