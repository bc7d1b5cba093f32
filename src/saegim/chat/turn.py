"""One turn, from a stored message to a recorded answer."""

import asyncio
import contextlib
import time
from dataclasses import dataclass, replace

from saegim.access.ports import AccessStore
from saegim.chat.answer import answer
from saegim.chat.assemble import Context, assemble
from saegim.chat.history import thread_of
from saegim.chat.lease import LeaseKeeper, Signals
from saegim.chat.ports import TurnStore
from saegim.chat.relay import Channel, Relay
from saegim.chat.reply import reply_of
from saegim.chat.room import Budgets
from saegim.chat.types import TURN_SECONDS, Lease, OpenTurn, Outcome, Reply
from saegim.domain.errors import StoreUnavailable
from saegim.domain.jobs import Job, JobKind
from saegim.domain.turn import Turn, TurnState
from saegim.memory.writing import extract_job
from saegim.steps.run import Steps
from saegim.steps.types import StepEnd, TextDelta
from saegim.usage.calls import Fault
from saegim.usage.trace import MemoryUse, TurnTrace
from saegim.working_memory.service import WorkingMemory
from saegim.working_memory.types import Mark, WorkingState

# A store that is down when an answer is finished is asked again for this long.
RECORD_SECONDS = 20.0
RECORD_PAUSE_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class TurnParts:
    """What a turn is made with."""

    store: TurnStore
    access: AccessStore
    working_memory: WorkingMemory
    steps: Steps
    relay: Relay
    leases: LeaseKeeper
    budgets: Budgets


class TurnRunner:
    def __init__(self, parts: TurnParts) -> None:
        self._parts = parts

    async def run(
        self, opened: OpenTurn, lease: Lease, channel: Channel, told: Signals
    ) -> Reply | None:
        """Answers a leased turn and records it; None if the lease was lost on the way."""
        turn = opened.turn
        trace = TurnTrace(
            attempt=lease.attempt,
            masked=opened.inputs.masked,
            rejected_doc_ids=opened.inputs.selected_doc_ids,
        )
        async with (
            self._parts.leases.holding(turn, lease, told),
            self._parts.relay.carrying(channel),
        ):
            with trace.span("open"):
                state = await self._open(opened, trace)
            with trace.span("assemble"):
                context = await self._assemble(opened, state, trace)
            with trace.span("answer"):
                outcome = await self._answer(context, channel, told, trace)
            if outcome is None:
                return None
            reply = await self._record(opened, lease, state, outcome, trace)
            if reply is not None:
                await channel.finish(reply)
            return reply

    async def _open(self, opened: OpenTurn, trace: TurnTrace) -> WorkingState:
        turn = opened.turn
        found = await self._parts.working_memory.open(
            turn.scope, turn.session, opened.mark, trace.note_degraded
        )
        state = found.state
        trace.working_memory = MemoryUse(
            found.source, state.recorded, state.folds, state.folded_through
        )
        return state

    async def _assemble(self, opened: OpenTurn, state: WorkingState, trace: TurnTrace) -> Context:
        turn = opened.turn
        assistant = await self._parts.access.assistant(turn.scope.tenant, turn.assistant)
        thread = thread_of(state, turn, opened.inputs.history)
        context = assemble(assistant, thread, turn.message, self._parts.budgets)
        trace.blocks.extend(context.blocks)
        trace.context = context.use
        return context

    async def _answer(
        self, context: Context, channel: Channel, told: Signals, trace: TurnTrace
    ) -> Outcome | None:
        """Streams the answer until it ends or is stopped; None if the lease is lost."""
        deadline = time.monotonic() + TURN_SECONDS
        writing = asyncio.create_task(self._write(context, channel, deadline))
        stopping = asyncio.create_task(told.any())
        try:
            await asyncio.wait({writing, stopping}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            if not writing.done():
                writing.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await writing
        if not writing.cancelled():
            end = writing.result()
            trace.calls.append(end.call)
            if end.call.fault not in (None, Fault.NOT_CONFIGURED):
                trace.note_degraded("model")
            if end.complete:
                return Outcome(TurnState.DONE, channel.text)
            return Outcome(TurnState.INCOMPLETE, channel.text, "model_interrupted")
        return None if told.lost.is_set() else stopped(channel.text)

    async def _write(self, context: Context, channel: Channel, deadline: float) -> StepEnd:
        async with contextlib.aclosing(answer(self._parts.steps, context, deadline)) as pieces:
            async for piece in pieces:
                if isinstance(piece, TextDelta):
                    await channel.write(piece.text)
                else:
                    return piece
        raise AssertionError("a step's stream ends with its StepEnd")

    async def _record(
        self,
        opened: OpenTurn,
        lease: Lease,
        state: WorkingState,
        outcome: Outcome,
        trace: TurnTrace,
    ) -> Reply | None:
        turn = replace(opened.turn, state=outcome.state, reply=outcome.reply, error=outcome.error)
        with trace.span("record"):
            mark = await self._settle(opened.turn, lease, outcome, trace)
        if mark is None:
            return None
        if outcome.state is not TurnState.FAILED:
            await self._parts.working_memory.keep(
                turn.scope, turn.session, state, turn.exchange(), mark, trace.note_degraded
            )
        return reply_of(turn, trace.degraded)

    async def _settle(
        self, turn: Turn, lease: Lease, outcome: Outcome, trace: TurnTrace
    ) -> Mark | None:
        jobs = [] if outcome.state is TurnState.FAILED else jobs_after(turn)
        give_up = time.monotonic() + RECORD_SECONDS
        while True:
            try:
                traced = replace(outcome, trace=trace.as_json())
                return await self._parts.store.settle(turn, lease, traced, jobs)
            except StoreUnavailable:
                if time.monotonic() > give_up:
                    raise
                await asyncio.sleep(RECORD_PAUSE_SECONDS)


def jobs_after(turn: Turn) -> list[Job]:
    """What a recorded turn sets off. Each job asks for consent when it runs: it may be withdrawn
    until then."""
    kind, tenant = JobKind.INDEX_EPISODE, turn.scope.tenant
    index = Job(kind, tenant, turn.id, lock=f"{kind}:{tenant}:{turn.session}")
    return [index, extract_job(turn)]


def stopped(shown: str) -> Outcome:
    """A cancelled turn keeps what was shown."""
    if shown:
        return Outcome(TurnState.INCOMPLETE, shown, "cancelled")
    return Outcome(TurnState.FAILED, None, "cancelled")
