"""Relays a running turn's text to its readers and renews its lease."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from uuid import UUID
from weakref import WeakValueDictionary

from saegim.chat.events import CitationEvent, Done, Event, News, Position, Restart, Token
from saegim.chat.types import Evidence, Reply
from saegim.conversations.repository import PostgresTurns
from saegim.conversations.state_cache import Chunk, RedisStreamBuffer
from saegim.conversations.stored_turns import Lease, LeaseTimes
from saegim.conversations.types import Turn
from saegim.domain.errors import OptionalServiceDown, StoreUnavailable, Unavailable
from saegim.domain.scope import Scope

# Pieces are gathered for this long before they go to the buffer: a write per token would be waste.
FLUSH_SECONDS = 0.05
NoteShown = Callable[[Turn, Lease], Awaitable[None]]


@dataclass(slots=True)
class Reader:
    """Someone who follows a turn: how far they are, and so what they get next."""

    position: Position
    chunks: int = 0
    heard: int = 0

    def hear(self, news: list[News]) -> list[Event]:
        """The news that this reader has not heard yet."""
        fresh, self.heard = news[self.heard :], len(news)
        return [replace(one, position=self.position) for one in fresh]

    def take(self, chunk: Chunk) -> list[Event]:
        """The events that a piece from the buffer means for this reader."""
        self.chunks += 1
        if chunk.attempt < self.position.attempt:
            return []
        events = self._enter(chunk.attempt)
        return events + self._advance(chunk.text[max(0, self.position.offset - chunk.offset) :])

    def catch_up(self, attempt: int, text: str) -> list[Event]:
        """What is new in the whole text of an attempt."""
        seen_more = self.position.offset > len(text)
        events = self._enter(attempt, anew=seen_more)
        return events + self._advance(text[self.position.offset :])

    def _enter(self, attempt: int, anew: bool = False) -> list[Event]:
        known = self.position
        if known.attempt == attempt and not anew:
            return []
        self.position = Position(attempt, 0)
        return [Restart(self.position)] if known.offset else []

    def _advance(self, piece: str) -> list[Event]:
        if not piece:
            return []
        self.position = Position(self.position.attempt, self.position.offset + len(piece))
        return [Token(piece, self.position)]


@dataclass(slots=True)
class TurnStream:
    """The text of one attempt while it grows in this process."""

    turn: Turn
    lease: Lease
    text: str = ""
    reply: Reply | None = None
    closed: bool = False
    news: list[News] = field(default_factory=list[News])
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def attempt(self) -> int:
        return self.lease.attempt

    async def write(self, text: str) -> None:
        """Shows more of the text."""
        async with self._changed:
            self.text += text
            self._changed.notify_all()

    async def tell(self, news: News) -> None:
        """Lets readers know of something besides the text."""
        async with self._changed:
            self.news.append(news)
            self._changed.notify_all()

    async def cite(self, evidence: Evidence) -> None:
        """Tells what a marker that was just shown points at."""
        await self.tell(CitationEvent(evidence))

    async def finish(self, reply: Reply) -> None:
        async with self._changed:
            self.reply = reply
            self._changed.notify_all()

    async def close(self) -> None:
        async with self._changed:
            self.closed = True
            self._changed.notify_all()

    async def follow(self, reader: Reader) -> AsyncIterator[Event]:
        """What is new to the reader, until the turn ends here: with Done, or to go on elsewhere."""
        while True:
            for event in reader.catch_up(self.attempt, self.text) + reader.hear(self.news):
                yield event
            if self.reply is not None:
                yield Done(self.reply, reader.position)
                return
            if self.closed:
                return
            async with self._changed:
                seen, heard = reader.position.offset, reader.heard
                await self._changed.wait_for(
                    lambda seen=seen, heard=heard: (
                        len(self.text) > seen or len(self.news) > heard or self.reply or self.closed
                    )
                )


class Relay:
    """The channels of the turns that run in this process."""

    def __init__(self, buffer: RedisStreamBuffer, note_shown: NoteShown) -> None:
        """`note_shown` records that text was shown which the buffer did not take."""
        self._buffer = buffer
        self._note_shown = note_shown
        self._channels: dict[tuple[UUID, UUID], TurnStream] = {}

    def find(self, tenant: UUID, turn: UUID) -> TurnStream | None:
        return self._channels.get((tenant, turn))

    def announce(self, turn: Turn, lease: Lease) -> TurnStream:
        """A channel that readers find from now on."""
        channel = TurnStream(turn, lease)
        self._channels[turn.scope.tenant, turn.id] = channel
        return channel

    def withdraw(self, channel: TurnStream) -> None:
        """Readers find the channel no more; one of a later attempt stays."""
        key = (channel.turn.scope.tenant, channel.turn.id)
        if self._channels.get(key) is channel:
            del self._channels[key]

    @contextlib.asynccontextmanager
    async def carrying(self, channel: TurnStream) -> AsyncGenerator[None]:
        """Copies the channel's text to the buffer; when the turn ends here, the channel does."""
        flusher = asyncio.create_task(self._flush(channel))
        try:
            yield
        finally:
            self.withdraw(channel)
            await channel.close()
            flusher.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await flusher

    async def shown(self, turn: Turn) -> str:
        """The text that readers may have seen of the turn's last attempt. Raises Degraded."""
        chunks = await self._buffer.read(turn.scope, turn.id, 0)
        last = max((chunk.attempt for chunk in chunks), default=0)
        return "".join(chunk.text for chunk in chunks if chunk.attempt == last)

    async def _flush(self, channel: TurnStream) -> None:
        sent = 0
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            piece = channel.text[sent:]
            if not piece:
                continue
            chunk = Chunk(channel.attempt, sent, piece)
            try:
                await self._buffer.append(channel.turn.scope, channel.turn.id, chunk)
            except OptionalServiceDown:
                # Readers elsewhere get the rest from the record once the turn is settled. Should
                # this process die before, whoever takes over must know that text was shown.
                with contextlib.suppress(Unavailable):
                    await self._note_shown(channel.turn, channel.lease)
                return
            sent += len(piece)


@dataclass(frozen=True, slots=True)
class TurnSignals:
    """What a running turn is told from outside."""

    cancel: asyncio.Event
    lost: asyncio.Event

    async def any(self) -> None:
        """Returns when either is set."""
        waits = [asyncio.create_task(event.wait()) for event in (self.cancel, self.lost)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()


def signals() -> TurnSignals:
    return TurnSignals(asyncio.Event(), asyncio.Event())


class LeaseKeeper:
    def __init__(self, store: PostgresTurns, times: LeaseTimes) -> None:
        self._store = store
        self._times = times

    @contextlib.asynccontextmanager
    async def holding(self, turn: Turn, lease: Lease, stop: TurnSignals) -> AsyncGenerator[None]:
        """Renews the lease until the block ends."""
        keeper = asyncio.create_task(self._renew(turn, lease, stop))
        try:
            yield
        finally:
            keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeper

    async def _renew(self, turn: Turn, lease: Lease, stop: TurnSignals) -> None:
        while True:
            await asyncio.sleep(self._times.renew_seconds)
            try:
                cancel = await self._store.renew(turn, lease, self._times.lasts_seconds)
            except StoreUnavailable:
                continue
            if cancel is None:
                stop.lost.set()
                return
            if cancel:
                stop.cancel.set()


class TurnSlots:
    """Lets so many turns of one user run at once in this process; the rest wait in order, so that
    one user's turns never take the processor from those of everybody else."""

    def __init__(self, per_user: int) -> None:
        self._per_user = per_user
        self._users: WeakValueDictionary[tuple[UUID, UUID], asyncio.Semaphore] = (
            WeakValueDictionary()
        )

    @asynccontextmanager
    async def holding(self, scope: Scope, stop: TurnSignals) -> AsyncGenerator[None]:
        """Waits for a slot. A turn that is cancelled or lost goes on to its end without one."""
        new = asyncio.Semaphore(self._per_user)
        slots = self._users.setdefault((scope.tenant, scope.user), new)
        acquired = await _acquire(slots, stop)
        try:
            yield
        finally:
            if acquired:
                slots.release()


async def _acquire(slots: asyncio.Semaphore, stop: TurnSignals) -> bool:
    """Whether a slot was taken before the turn had to stop."""
    if not slots.locked():
        return await slots.acquire()
    acquiring = asyncio.create_task(slots.acquire())
    stopping = asyncio.create_task(stop.any())
    try:
        await asyncio.wait({acquiring, stopping}, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        if acquiring.done():
            slots.release()
        raise
    finally:
        stopping.cancel()
        acquiring.cancel()
    return acquiring.done()
