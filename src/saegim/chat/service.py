"""The chat service: receive a message, run its turn, let readers follow, look after the rest."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from saegim.chat import nearby
from saegim.chat.events import Done, Event, Position
from saegim.chat.lease import LeaseTimes, Signals, signals
from saegim.chat.ports import NewTurn, Spending, StreamBuffer, TurnStore
from saegim.chat.relay import Channel, Reader, Relay
from saegim.chat.reply import reply_of
from saegim.chat.turn import TurnRunner, jobs_after
from saegim.chat.types import (
    LONGEST_INSTRUCTIONS_TOKENS,
    LONGEST_MESSAGE_TOKENS,
    ChatRequest,
    HistoryEntry,
    Lease,
    OpenTurn,
    Outcome,
    Reply,
    TurnInputs,
)
from saegim.domain.clock import Clock
from saegim.domain.errors import Conflict, Degraded, Invalid, SaegimError, TooLarge, Unavailable
from saegim.domain.ids import new_id
from saegim.domain.scope import Caller, Locale, Scope
from saegim.domain.turn import Turn, TurnState
from saegim.search import tokens
from saegim.search.analyse import language, normalise
from saegim.search.mask import mask
from saegim.usage import spans
from saegim.working_memory.types import Entity

log = logging.getLogger(__name__)

MOST_ATTEMPTS = 3
GO_ON: dict[Locale, str] = {
    "ko": "끊긴 곳부터 이어서 답해 주세요.",
    "en": "Please go on from where your answer broke off.",
}
POLL_SECONDS = 0.15


@dataclass(frozen=True, slots=True)
class ChatParts:
    """What the service is made with."""

    store: TurnStore
    buffer: StreamBuffer
    relay: Relay
    runner: TurnRunner
    spending: Spending
    times: LeaseTimes
    clock: Clock
    process: UUID


@dataclass(frozen=True, slots=True)
class Running:
    """A turn at work in this process."""

    task: asyncio.Task[Reply | None]
    opened: OpenTurn
    lease: Lease
    told: Signals


class Chat:
    def __init__(self, parts: ChatParts) -> None:
        self._parts = parts
        self._running: dict[tuple[UUID, UUID], Running] = {}

    async def receive(self, caller: Caller, request: ChatRequest) -> OpenTurn:
        """Masks and stores a message, and starts its turn unless it runs or is over already."""
        now = self._parts.clock.now()
        new = prepare(request, self._parts.times, Lease(self._parts.process, 1), new_id(now), now)
        asker = replace(
            new.inputs,
            groups=tuple(sorted(caller.groups)),
            locale=caller.locale,
            time_zone=caller.time_zone,
        )
        new = replace(new, inputs=asker)
        await self._parts.spending.reserve(caller, new.id)
        opened = await self._parts.store.receive(caller, new)
        if opened.turn.id != new.id:
            # The same message again: nothing is to be used twice.
            await self._parts.spending.settle(caller.scope, new.id, ())
        elif request.nearby and not request.keep_nearby:
            # Only here and now: what is stored has none of it.
            heard = replace(opened.inputs, nearby=nearby.masked(request.nearby))
            opened = replace(opened, inputs=heard)
        if opened.lease is not None:
            self._start(opened, opened.lease)
        return opened

    async def again(self, caller: Caller, turn: UUID, chosen: Sequence[str]) -> OpenTurn:
        """Answers a turn's message anew, from chosen documents if any are; the first stays."""
        first = await self._settled(caller.scope, turn)
        return await self.receive(
            caller,
            ChatRequest(
                message=first.message,
                session=str(first.session),
                selected_doc_ids=tuple(chosen),
                instead_of=first.number,
            ),
        )

    async def resume(self, caller: Caller, turn: UUID) -> OpenTurn:
        """Goes on where the answer of an incomplete turn broke off."""
        first = await self._settled(caller.scope, turn)
        if first.state is not TurnState.INCOMPLETE:
            raise Conflict("only an incomplete turn can be continued")
        message = GO_ON[language(first.message)]
        return await self.receive(caller, ChatRequest(message, session=str(first.session)))

    async def _settled(self, scope: Scope, turn: UUID) -> Turn:
        found = await self._parts.store.find(scope, turn)
        if not found.state.settled:
            raise Conflict("the turn is still being answered")
        return found

    async def follow(self, scope: Scope, turn: UUID, position: Position) -> AsyncIterator[Event]:
        """A turn's events from `position` on, wherever it runs, until it is settled."""
        reader = Reader(position)
        while True:
            channel = self._parts.relay.find(scope.tenant, turn)
            if channel is not None and channel.turn.scope == scope:
                async for event in channel.follow(reader):
                    yield event
                    if isinstance(event, Done):
                        return
            stored = await self._parts.store.find(scope, turn)
            if stored.state.settled:
                for event in reader.catch_up(stored.attempt, stored.reply or ""):
                    yield event
                yield Done(await self._reply(stored), reader.position)
                return
            for event in await self._buffered(scope, turn, reader):
                yield event
            await asyncio.sleep(POLL_SECONDS)

    async def reply(self, scope: Scope, turn: UUID) -> Reply:
        """The settled turn's reply, waited for."""
        async for event in self.follow(scope, turn, Position()):
            if isinstance(event, Done):
                return event.reply
        raise AssertionError("following ends with Done")

    async def cancel(self, scope: Scope, turn: UUID) -> Turn:
        """Stops a turn, wherever it runs; what was shown is kept."""
        await self._parts.store.ask_cancel(scope, turn)
        running = self._running.get((scope.tenant, turn))
        if running is not None and running.opened.turn.scope == scope:
            running.told.cancel.set()
            await asyncio.wait([running.task])
        return await self._parts.store.find(scope, turn)

    async def watch(self, tenant: UUID, turn: UUID) -> None:
        """The job behind every turn: takes over one that nobody works on any more."""
        now = self._parts.clock.now()
        lease = Lease(self._parts.process, 0)
        opened = await self._parts.store.take(tenant, turn, lease, self._parts.times.until(now))
        if opened is None:
            await self._parts.store.watch_again(tenant, turn, self._watch_at())
            return
        assert opened.lease is not None, "a taken turn is leased"
        outcome = await self._given_up(opened)
        if outcome is None:
            await self._start(opened, opened.lease).task
        else:
            jobs = [] if outcome.state is TurnState.FAILED else jobs_after(opened.turn)
            await self._parts.store.settle(opened.turn, opened.lease, outcome, jobs)
        # This job was the turn's only watch: if the turn broke again, another must look after it.
        await self._parts.store.watch_again(tenant, turn, self._watch_at())

    async def close(self, grace_seconds: float = 5.0) -> None:
        """Hands silent turns to the workers, lets speaking ones finish, and stops the rest."""
        speaking: list[Running] = []
        for running in list(self._running.values()):
            channel = self._parts.relay.find(
                running.opened.turn.scope.tenant, running.opened.turn.id
            )
            if channel is not None and channel.text:
                speaking.append(running)
            else:
                running.task.cancel()
                with contextlib.suppress(Unavailable):
                    await self._parts.store.hand_back(running.opened.turn, running.lease)
        if speaking:
            tasks = [running.task for running in speaking]
            await asyncio.wait(tasks, timeout=grace_seconds)
            for running in speaking:
                running.told.cancel.set()
            await asyncio.wait(tasks, timeout=grace_seconds)

    def _watch_at(self) -> datetime:
        return self._parts.times.watch_at(self._parts.clock.now())

    def _start(self, opened: OpenTurn, lease: Lease) -> Running:
        told = signals()
        channel = self._parts.relay.announce(opened.turn, lease.attempt)
        task = asyncio.create_task(self._run(opened, lease, channel, told))
        running = Running(task, opened, lease, told)
        self._running[opened.turn.scope.tenant, opened.turn.id] = running
        task.add_done_callback(lambda _: self._gone(opened.turn))
        return running

    def _gone(self, turn: Turn) -> None:
        self._running.pop((turn.scope.tenant, turn.id), None)
        self._parts.relay.withdraw(turn)

    async def _run(
        self, opened: OpenTurn, lease: Lease, channel: Channel, told: Signals
    ) -> Reply | None:
        """The edge of a turn: what goes wrong in it is logged without its content."""
        turn = opened.turn
        try:
            with _traced(turn, lease):
                return await self._parts.runner.run(opened, lease, channel, told)
        except SaegimError as error:
            # The lease runs out and the watching job takes the turn over.
            log.warning("turn %s stopped: %s", turn.id, error.code)
        except Exception:
            log.exception("turn %s broke", turn.id)
            await self._fail(turn, lease)
        return None

    async def _fail(self, turn: Turn, lease: Lease) -> None:
        with contextlib.suppress(Unavailable):
            outcome = Outcome(TurnState.FAILED, None, SaegimError.code)
            await self._parts.store.settle(turn, lease, outcome, [])

    async def _given_up(self, opened: OpenTurn) -> Outcome | None:
        """How an abandoned turn ends; None if it is answered again from the start."""
        try:
            shown = await self._parts.relay.shown(opened.turn)
        except Degraded:
            shown = ""
        if shown:
            return Outcome(TurnState.INCOMPLETE, shown, "interrupted")
        if opened.lease is not None and opened.lease.attempt > MOST_ATTEMPTS:
            return Outcome(TurnState.FAILED, None, "attempts_exhausted")
        return None

    async def _reply(self, turn: Turn) -> Reply:
        return reply_of(turn, await self._parts.store.trace(turn.scope, turn.id))

    async def _buffered(self, scope: Scope, turn: UUID, reader: Reader) -> list[Event]:
        try:
            chunks = await self._parts.buffer.read(scope, turn, reader.chunks)
        except Degraded:
            return []
        return [event for chunk in chunks for event in reader.take(chunk)]


def _traced(turn: Turn, lease: Lease) -> AbstractContextManager[object]:
    """A turn in its trace, by the conventions for generative AI."""
    about = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.id": str(turn.assistant),
        "gen_ai.conversation.id": str(turn.session),
        "saegim.tenant": str(turn.scope.tenant),
        "saegim.attempt": lease.attempt,
    }
    return spans.span("invoke_agent", about, spans.within(turn.id))


def prepare(
    request: ChatRequest, times: LeaseTimes, lease: Lease, identifier: UUID, now: datetime
) -> NewTurn:
    """A message made ready for its first write: normalised, masked, within bounds."""
    message = normalise(request.message).strip()
    if not message:
        raise Invalid("the message is empty")
    if tokens.count(message) > LONGEST_MESSAGE_TOKENS:
        raise TooLarge(f"a message may have {LONGEST_MESSAGE_TOKENS} tokens")
    instructions = normalise(request.instructions).strip()
    if tokens.count(instructions) > LONGEST_INSTRUCTIONS_TOKENS:
        raise TooLarge(f"instructions may have {LONGEST_INSTRUCTIONS_TOKENS} tokens")
    masked = mask(message)
    history = request.history
    return NewTurn(
        id=identifier,
        message=masked.text,
        inputs=TurnInputs(
            history=None if history is None else tuple(_masked(entry) for entry in history),
            selected_doc_ids=request.selected_doc_ids,
            masked=tuple(masked.kinds),
            instead_of=request.instead_of,
            instructions=mask(instructions).text,
            controls=request.controls,
            nearby=nearby.masked(request.nearby) if request.keep_nearby else (),
        ),
        session=request.session,
        idempotency_key=request.idempotency_key,
        lease=lease,
        lease_until=times.until(now),
        watch_at=times.watch_at(now),
        now=now,
        temporary=request.temporary,
    )


def _masked(entry: HistoryEntry) -> HistoryEntry:
    return HistoryEntry(
        mask(normalise(entry.message)).text,
        mask(normalise(entry.summary)).text,
        entry.refs,
        entry.doc_ids,
        tuple(
            Entity(mask(each.key).text, mask(each.value).text, each.turn) for each in entry.entities
        ),
    )
