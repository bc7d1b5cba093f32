"""The chat service: stores messages, runs turns, streams replies, recovers abandoned turns."""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from uuid import UUID

from saegim.chat.events import Done, Event, Position
from saegim.chat.relay import LeaseTimes, Reader, Relay, TurnSignals, TurnStream
from saegim.chat.runner import TurnRunner, jobs_after
from saegim.chat.types import (
    LONGEST_INSTRUCTIONS_TOKENS,
    LONGEST_MESSAGE_TOKENS,
    ChatRequest,
    Reply,
    reply_of,
)
from saegim.conversations.branches import BranchPoint, PointKind
from saegim.conversations.repository import PostgresTurns
from saegim.conversations.service import Settlement
from saegim.conversations.state_cache import RedisStreamBuffer, RedisWaitingCalls
from saegim.conversations.types import (
    RECENT_TURNS,
    Attachment,
    ChannelMessage,
    ClientTools,
    Entity,
    HistoryEntry,
    Lease,
    NewTurn,
    OpenTurn,
    Outcome,
    Turn,
    TurnInputs,
    TurnState,
)
from saegim.domain.errors import (
    Conflict,
    Invalid,
    NotYetAnswered,
    OptionalServiceDown,
    RequestRefused,
    SaegimError,
    TooLarge,
    Unavailable,
)
from saegim.domain.ids import Clock, new_id
from saegim.domain.policy import Permission, allows, require
from saegim.domain.scope import Caller, Locale, Scope
from saegim.library.service import Library
from saegim.llm.ports import ChosenModel, ModelRole
from saegim.quotas.service import RateLimiter
from saegim.telemetry import spans
from saegim.text import tokens
from saegim.text.analysis import language, normalise
from saegim.text.masking_pool import INLINE_CHARACTERS, MaskWorkers
from saegim.text.tokens import cut_at_space
from saegim.usage.trace import AnswerUse, TurnTrace

LONGEST_MESSAGE = 300
LONGEST_SENDER = 50


def bounded_messages(messages: Sequence[ChannelMessage]) -> tuple[ChannelMessage, ...]:
    """Put each message on one line and cut it loosely: masking may shorten it further."""
    return tuple(ChannelMessage(_line(each.name), _line(each.text)) for each in messages)


def masked_messages(
    messages: Sequence[ChannelMessage], masked: Mapping[str, str]
) -> tuple[ChannelMessage, ...]:
    """Replace the texts by the masked ones, each cut to its limit."""
    return tuple(
        ChannelMessage(masked[each.name][:LONGEST_SENDER], masked[each.text][:LONGEST_MESSAGE])
        for each in messages
    )


def _line(text: str) -> str:
    return " ".join(normalise(cut_at_space(text, 2 * LONGEST_MESSAGE)).split())


LONGEST_ENTRY = 32_000
LONGEST_HISTORY = 100_000
MOST_REFS = 20
LONGEST_REF = 500
MOST_DOCUMENTS = 50
MOST_RESULTS = 32
LONGEST_RESULT = 3_000
LONGEST_TOOLS = 40_000


async def prepare(
    request: ChatRequest,
    times: LeaseTimes,
    lease: Lease,
    identifier: UUID,
    now: datetime,
    *,
    masking: MaskWorkers,
) -> NewTurn:
    """Return the turn to store. Raises Invalid and TooLarge."""
    request = await bound(request)
    texts = _texts_of(request)
    message, *rest = await masking.mask(texts)
    masked = dict(zip(texts, (each.text for each in (message, *rest)), strict=True))
    history = request.history
    return NewTurn(
        id=identifier,
        message=message.text,
        inputs=TurnInputs(
            instructions=masked[request.instructions],
            channel_messages=masked_messages(request.channel_messages, masked),
            history=history and tuple(_masked(entry, masked) for entry in history),
            selected_doc_ids=request.selected_doc_ids,
            masked=tuple(message.kinds),
            controls=request.controls,
            draft=request.draft,
            sampling=request.sampling,
            client_tools=_masked_rounds(request.client_tools, masked),
        ),
        session=request.session,
        idempotency_key=request.idempotency_key,
        lease=lease,
        times=times,
        now=now,
        temporary=request.temporary or request.draft,
        point=request.point,
    )


async def bound(request: ChatRequest) -> ChatRequest:
    """Run `bounded`, in a thread if the texts are long."""
    if len(request.message) + len(request.instructions) <= INLINE_CHARACTERS:
        return bounded(request)
    return await asyncio.to_thread(bounded, request)


def bounded(request: ChatRequest) -> ChatRequest:
    """Normalise the texts and check their bounds. Raises Invalid and TooLarge."""
    message = normalise(request.message).strip()
    if not message:
        raise Invalid("message must not be empty")
    if tokens.count(message) > LONGEST_MESSAGE_TOKENS:
        raise TooLarge(f"a message may have {LONGEST_MESSAGE_TOKENS} tokens")
    instructions = normalise(request.instructions).strip()
    if tokens.count(instructions) > LONGEST_INSTRUCTIONS_TOKENS:
        raise TooLarge(f"instructions may have {LONGEST_INSTRUCTIONS_TOKENS} tokens")
    history = None if request.history is None else _recent(request.history)
    return replace(
        request,
        message=message,
        instructions=instructions,
        history=history,
        channel_messages=bounded_messages(request.channel_messages),
        client_tools=_bounded_tools(request.client_tools),
    )


def _bounded_tools(tools: ClientTools) -> ClientTools:
    """Cut the results of tools. Raises TooLarge if the tools are too long."""
    size = sum(len(json.dumps(asdict(each), ensure_ascii=False)) for each in tools.offered)
    if size > LONGEST_TOOLS:
        raise TooLarge(f"the tools may have {LONGEST_TOOLS} characters")
    rounds = tuple(
        replace(each, text=cut_at_space(normalise(each.text), LONGEST_RESULT))
        for each in tools.rounds[-MOST_RESULTS:]
    )
    return replace(tools, rounds=rounds)


def _masked_rounds(tools: ClientTools, masked: Mapping[str, str]) -> ClientTools:
    rounds = tuple(replace(each, text=masked[each.text]) for each in tools.rounds)
    return replace(tools, rounds=rounds)


def _recent(history: Sequence[HistoryEntry]) -> tuple[HistoryEntry, ...]:
    """Cut each of the recent turns to its bound; drop the oldest if they are too long together."""
    entries: list[HistoryEntry] = []
    left = LONGEST_HISTORY
    for entry in reversed(history[-RECENT_TURNS:]):
        short = HistoryEntry(
            normalise(cut_at_space(entry.message, LONGEST_ENTRY)),
            normalise(cut_at_space(entry.summary, LONGEST_ENTRY)),
            tuple(ref[:LONGEST_REF] for ref in entry.refs[:MOST_REFS]),
            entry.doc_ids[:MOST_DOCUMENTS],
            entry.entities,
        )
        left -= sum(map(len, _texts(short)))
        if left < 0:
            break
        entries.append(short)
    return tuple(reversed(entries))


def _texts_of(request: ChatRequest) -> list[str]:
    """Return the texts to mask, the message first."""
    texts = [request.message, request.instructions]
    for message in request.channel_messages:
        texts += message.name, message.text
    for entry in request.history or ():
        texts += _texts(entry)
    return texts + [each.text for each in request.client_tools.rounds]


def _texts(entry: HistoryEntry) -> Iterator[str]:
    yield from (entry.message, entry.summary)
    for entity in entry.entities:
        yield from (entity.key, entity.value)


def _masked(entry: HistoryEntry, masked: Mapping[str, str]) -> HistoryEntry:
    return replace(
        entry,
        message=masked[entry.message],
        summary=masked[entry.summary],
        entities=tuple(
            Entity(masked[each.key], masked[each.value], each.turn) for each in entry.entities
        ),
    )


log = logging.getLogger(__name__)

MOST_ATTEMPTS = 3
GO_ON: dict[Locale, str] = {
    "ko": "끊긴 곳부터 이어서 답해 주세요.",
    "en": "Please go on from where your answer broke off.",
}
POLL_SECONDS = 0.15


@dataclass(frozen=True, slots=True)
class Variant:
    """Another version of a turn; None repeats its message or its attachments."""

    message: str | None = None
    selected_doc_ids: tuple[str, ...] = ()
    attached_doc_ids: tuple[str, ...] | None = None
    idempotency_key: str | None = None


@dataclass(frozen=True, slots=True)
class RunningTurn:
    task: asyncio.Task[Reply | None]
    opened: OpenTurn
    lease: Lease
    signals: TurnSignals


@dataclass(kw_only=True, eq=False)
class Chat:
    store: PostgresTurns
    settlement: Settlement
    buffer: RedisStreamBuffer
    waiting: RedisWaitingCalls
    relay: Relay
    runner: TurnRunner
    spending: RateLimiter
    times: LeaseTimes
    clock: Clock
    process: UUID
    wait_seconds: float
    masking: MaskWorkers
    library: Library
    _running: dict[tuple[UUID, UUID], RunningTurn] = field(
        init=False, default_factory=dict[tuple[UUID, UUID], RunningTurn]
    )
    _closing: bool = field(init=False, default=False)

    async def receive(self, caller: Caller, request: ChatRequest) -> OpenTurn:
        """Store a message and start its turn, or return the turn of a repeated message.

        Raises PermissionDenied if the caller may not give instructions or use drafts, NotFound for
        an attachment that the caller may not read, and StillImporting.
        """
        if request.draft:
            require(caller, Permission.EDIT_ASSISTANTS)
        if request.instructions.strip():
            require(caller, Permission.INSTRUCT)
        now = self.clock.now()
        lease = Lease(self.process, 1)
        new = await prepare(request, self.times, lease, new_id(now), now, masking=self.masking)
        channel_messages = new.inputs.channel_messages
        inputs = replace(
            new.inputs,
            channel_messages=channel_messages if request.store_messages else (),
            groups=tuple(sorted(caller.groups)),
            locale=caller.locale,
            time_zone=caller.time_zone,
            attachments=await self._attachments(caller, request.attached_doc_ids),
            client_tools=await self._waiting(caller.scope, new),
            may_remember=allows(caller, Permission.OWN_DATA),
        )
        new = replace(new, inputs=inputs)
        known = await self.store.known(caller, new)
        if known is not None and known.turn.state is not TurnState.FAILED:
            # The first request was charged already, so a retry is never refused by a budget.
            return known
        opened = await self._within_budget(caller, new)
        if opened.turn.id == new.id and channel_messages:
            # Not stored unless requested, so this process is the only one that has them.
            inputs = replace(opened.inputs, channel_messages=channel_messages)
            opened = replace(opened, inputs=inputs)
        if opened.lease is not None:
            self._start(opened, opened.lease)
        return opened

    async def unsupported(self, caller: Caller, answers: ChosenModel | None) -> Set[str] | None:
        """Return the settings that the answering models do not take; None without a model.

        Raises StoreUnavailable.
        """
        steps = await self.runner.pipeline.steps.for_tenant(caller.scope.tenant, answers)
        return steps.unsupported((ModelRole.LITE, ModelRole.STRONG))

    async def _waiting(self, scope: Scope, new: NewTurn) -> ClientTools:
        """Add what the turn had done when it asked the client to run its tools."""
        tools = new.inputs.client_tools
        called = [each.answers.id for each in tools.results if each.answers is not None]
        if not called:
            return tools
        try:
            waiting = await self.waiting.load(scope, new.message, called[-1])
        except OptionalServiceDown:
            waiting = None
        return replace(tools, waiting=waiting or "")

    async def _attachments(self, caller: Caller, ids: Sequence[str]) -> tuple[Attachment, ...]:
        documents = [await self.library.attachable(caller, each) for each in dict.fromkeys(ids)]
        return tuple(Attachment(str(each.id), each.title or each.outside_id) for each in documents)

    async def _within_budget(self, caller: Caller, new: NewTurn) -> OpenTurn:
        """Reserve the budget and store the message; release the budget if storing fails."""
        spending, scope = self.spending, caller.scope
        await spending.reserve(caller, new.id)
        try:
            opened = await self.store.receive(caller, new)
        except BaseException:
            await spending.settle(scope, new.id, ())
            raise
        if opened.turn.id != new.id:
            if opened.lease is None:
                await spending.settle(scope, new.id, ())
            else:
                await spending.move(scope, new.id, opened.turn.id)
        return opened

    async def again(self, caller: Caller, turn: UUID, variant: Variant) -> OpenTurn:
        """Answer a turn's message again, or an edited one, as a variant of the turn.

        The turn and those after it go out of use. Raises Conflict while it is in progress.
        """
        first = await self._settled(caller.scope, turn)
        attached = variant.attached_doc_ids
        if attached is None:
            before = await self.store.inputs(caller.scope, turn)
            attached = tuple(each.document_id for each in before.attachments)
        if first.continues is not None and variant.message is not None:
            raise Invalid("a continuation has no message to edit")
        return await self.receive(
            caller,
            ChatRequest(
                message=first.message if variant.message is None else variant.message,
                session=str(first.session),
                idempotency_key=variant.idempotency_key,
                selected_doc_ids=variant.selected_doc_ids,
                attached_doc_ids=attached,
                point=BranchPoint(turn, PointKind.VARIANT),
            ),
        )

    async def resume(
        self, caller: Caller, turn: UUID, idempotency_key: str | None = None
    ) -> OpenTurn:
        """Continue the answer of an incomplete turn, the last one. Raises Conflict for others."""
        first = await self._settled(caller.scope, turn)
        if first.state is not TurnState.INCOMPLETE:
            raise Conflict("only an incomplete turn can be continued")
        return await self.receive(
            caller,
            ChatRequest(
                message=GO_ON[language(first.message)],
                session=str(first.session),
                idempotency_key=idempotency_key,
                point=BranchPoint(turn, PointKind.CONTINUATION),
            ),
        )

    async def _settled(self, scope: Scope, turn: UUID) -> Turn:
        stored = await self.store.find(scope, turn)
        if not stored.state.settled:
            raise Conflict("the turn is still in progress")
        return stored

    async def follow(self, scope: Scope, turn: UUID, position: Position) -> AsyncIterator[Event]:
        """Yield a turn's events from `position` until it ends, in whichever process it runs.

        Takes over a turn whose lease ran out, without waiting for a worker.
        """
        reader, margin = Reader(position), self.times.watch_margin_seconds
        take_over_at = time.monotonic() + margin
        while True:
            channel = self.relay.find(scope.tenant, turn)
            if channel is not None and channel.turn.scope == scope:
                async for event in channel.follow(reader):
                    yield event
                    if isinstance(event, Done):
                        return
            stored = await self.store.find(scope, turn)
            if stored.state.settled:
                for event in reader.catch_up(stored.attempt, stored.reply or ""):
                    yield event
                trace = await self.store.trace(stored.scope, stored.id)
                yield Done(reply_of(stored, trace), reader.position)
                return
            for event in await self._buffered(scope, turn, reader):
                yield event
            if time.monotonic() >= take_over_at and not self._closing:
                await self._take_over(scope.tenant, turn)
                take_over_at = time.monotonic() + margin
            await asyncio.sleep(min(POLL_SECONDS, margin))

    async def reply(self, scope: Scope, turn: UUID) -> Reply:
        """Wait for the turn's reply. Raises NotYetAnswered after `wait_seconds`."""
        try:
            async with asyncio.timeout(self.wait_seconds):
                async for event in self.follow(scope, turn, Position()):
                    if isinstance(event, Done):
                        return event.reply
        except TimeoutError:
            raise NotYetAnswered(turn) from None
        raise AssertionError("following ends with Done")

    async def cancel(self, scope: Scope, turn: UUID) -> Turn:
        """Stop a turn in whichever process it runs; the text shown so far is kept."""
        await self.store.ask_cancel(scope, turn)
        running = self._running.get((scope.tenant, turn))
        if running is not None and running.opened.turn.scope == scope:
            running.signals.cancel.set()
            await asyncio.wait([running.task])
        return await self.store.find(scope, turn)

    async def watch(self, tenant: UUID, turn: UUID) -> None:
        """The watchdog job of every turn: take over the turn if its lease ran out."""
        running = await self._take_over(tenant, turn)
        if running is not None:
            await running.task
        # If the turn broke again, it needs another watchdog.
        await self.store.watch_again(tenant, turn, self.times.watch_seconds)

    async def _take_over(self, tenant: UUID, turn: UUID) -> RunningTurn | None:
        """Restart or end an abandoned turn; None if it does not run here afterwards."""
        lease, seconds = Lease(self.process, 0), self.times.lasts_seconds
        opened = await self.store.take(tenant, turn, lease, seconds)
        if opened is None:
            return None
        assert opened.lease is not None, "a taken turn is leased"
        outcome = await self._final_outcome(opened)
        if outcome is None:
            return self._start(opened, opened.lease)
        await self._end(opened.turn, opened.lease, outcome)
        return None

    async def close(self, grace_seconds: float = 5.0) -> None:
        """Hand turns without text to the workers, let the others finish, and stop the rest.

        When it returns, no turn uses the stores.
        """
        self._closing = True
        with_text: list[RunningTurn] = []
        without_text: list[RunningTurn] = []
        for running in list(self._running.values()):
            channel = self.relay.find(running.opened.turn.scope.tenant, running.opened.turn.id)
            has_text = channel is not None and channel.text
            (with_text if has_text else without_text).append(running)
        for running in without_text:
            running.task.cancel()
        if without_text:
            await asyncio.wait([running.task for running in without_text], timeout=grace_seconds)
        for running in without_text:
            with contextlib.suppress(Unavailable):
                await self.store.hand_back(running.opened.turn, running.lease)
        if with_text:
            tasks = [running.task for running in with_text]
            await asyncio.wait(tasks, timeout=grace_seconds)
            for running in with_text:
                running.signals.cancel.set()
            await asyncio.wait(tasks, timeout=grace_seconds)

    def _start(self, opened: OpenTurn, lease: Lease) -> RunningTurn:
        stop_signals = TurnSignals()
        channel = self.relay.announce(opened.turn, lease)
        task = asyncio.create_task(self._run(opened, lease, channel, stop_signals))
        running = RunningTurn(task, opened, lease, stop_signals)
        self._running[opened.turn.scope.tenant, opened.turn.id] = running
        task.add_done_callback(lambda _: self._gone(running, channel))
        return running

    def _gone(self, running: RunningTurn, channel: TurnStream) -> None:
        """Remove a finished run; a later run of the same turn stays."""
        key = (running.opened.turn.scope.tenant, running.opened.turn.id)
        if self._running.get(key) is running:
            del self._running[key]
        self.relay.withdraw(channel)

    async def _run(
        self, opened: OpenTurn, lease: Lease, channel: TurnStream, stop_signals: TurnSignals
    ) -> Reply | None:
        """Run a turn; log its errors without its content."""
        turn = opened.turn
        try:
            with _traced(turn, lease):
                return await self.runner.run(opened, lease, channel, stop_signals)
        except RequestRefused as error:
            # A retry would be refused too: the session or the assistant was deleted.
            log.warning("turn %s failed: %s", turn.id, error.code)
            await self._fail(turn, lease, error.code)
        except SaegimError as error:
            # The lease runs out and the watchdog job takes the turn over.
            log.warning("turn %s stopped: %s", turn.id, error.code)
        except Exception:
            log.exception("turn %s broke", turn.id)
            await self._fail(turn, lease, SaegimError.code)
        return None

    async def _fail(self, turn: Turn, lease: Lease, error: str) -> None:
        with contextlib.suppress(Unavailable, RequestRefused):
            await self._end(turn, lease, Outcome(TurnState.FAILED, None, error))

    async def _end(self, turn: Turn, lease: Lease, outcome: Outcome) -> None:
        """Record the end of an unanswered turn and release its budget."""
        jobs = [] if outcome.state is TurnState.FAILED else jobs_after(turn)
        ending = outcome.error or outcome.state.value
        trace = TurnTrace(attempt=lease.attempt, answer=AnswerUse(ending, "none", (ending,)))
        outcome = replace(outcome, trace=trace.as_json())
        await self.settlement.settle(turn, lease, outcome, jobs)
        await self.spending.settle(turn.scope, turn.id, ())

    async def _final_outcome(self, opened: OpenTurn) -> Outcome | None:
        """Return how an abandoned turn ends; None if it is to be answered again."""
        try:
            shown = await self.relay.shown(opened.turn)
        except OptionalServiceDown:
            shown = ""
        if shown or opened.text_shown:
            return Outcome(TurnState.INCOMPLETE, shown, "interrupted")
        if opened.lease is not None and opened.lease.attempt > MOST_ATTEMPTS:
            return Outcome(TurnState.FAILED, None, "attempts_exhausted")
        return None

    async def _buffered(self, scope: Scope, turn: UUID, reader: Reader) -> list[Event]:
        try:
            chunks = await self.buffer.read(scope, turn, reader.chunks)
        except OptionalServiceDown:
            return []
        return [event for chunk in chunks for event in reader.take(chunk)]


def _traced(turn: Turn, lease: Lease) -> AbstractContextManager[object]:
    """Open the turn's span with the OpenTelemetry attributes for generative AI."""
    about = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.id": str(turn.assistant),
        "gen_ai.conversation.id": str(turn.session),
        "saegim.tenant": str(turn.scope.tenant),
        "saegim.attempt": lease.attempt,
    }
    return spans.span("invoke_agent", about, spans.within(turn.id))
