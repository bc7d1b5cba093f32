"""Relays a running turn's text to its readers and renews its lease."""

import asyncio
import contextlib
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Sequence,
)
from dataclasses import dataclass, field, replace
from uuid import UUID
from weakref import WeakValueDictionary

from saegim.chat.events import Done, Event, News, Position, Restart, Token
from saegim.chat.types import Reply
from saegim.conversations.repository import PostgresTurns
from saegim.conversations.state_cache import Chunk, RedisStreamBuffer
from saegim.conversations.types import Lease, LeaseTimes, Turn
from saegim.domain.errors import OptionalServiceDown, StoreUnavailable, Unavailable
from saegim.domain.scope import Scope

# Text is written to the buffer in batches of this interval instead of token by token.
FLUSH_SECONDS = 0.05
NoteShown = Callable[[Turn, Lease], Awaitable[None]]
PlacedNews = tuple[int, News]
"""News, and the length of the text when it happened."""


@dataclass(slots=True)
class Reader:
    """The progress of one client that follows a turn."""

    position: Position
    chunks: int = 0
    news_read: int = 0

    def take(self, chunk: Chunk) -> list[Event]:
        """Return the events of a chunk from the buffer."""
        self.chunks += 1
        if chunk.attempt < self.position.attempt:
            return []
        events = self._enter(chunk.attempt)
        return events + self._advance(chunk.text[max(0, self.position.offset - chunk.offset) :])

    def catch_up(self, attempt: int, text: str, news: Sequence[PlacedNews] = ()) -> list[Event]:
        """Return the events that bring the reader to the end of an attempt's text. News come where
        they happened in the text."""
        events = self._enter(attempt, restart=self.position.offset > len(text))
        for offset, event in news[self.news_read :]:
            events += self._advance(text[self.position.offset : offset])
            events.append(replace(event, position=self.position))
        self.news_read = max(self.news_read, len(news))
        return events + self._advance(text[self.position.offset :])

    def _enter(self, attempt: int, restart: bool = False) -> list[Event]:
        before = self.position
        if before.attempt == attempt and not restart:
            return []
        self.position = Position(attempt, 0)
        return [Restart(self.position)] if before.offset else []

    def _advance(self, piece: str) -> list[Event]:
        if not piece:
            return []
        self.position = Position(self.position.attempt, self.position.offset + len(piece))
        return [Token(piece, self.position)]


@dataclass(slots=True)
class TurnStream:
    """The growing text of one attempt in this process."""

    turn: Turn
    lease: Lease
    text: str = ""
    reply: Reply | None = None
    closed: bool = False
    news: list[PlacedNews] = field(default_factory=list[PlacedNews])
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def attempt(self) -> int:
        return self.lease.attempt

    async def write(self, text: str) -> None:
        async with self._changed:
            self.text += text
            self._changed.notify_all()

    async def tell(self, news: News) -> None:
        """Send readers an event besides the text."""
        async with self._changed:
            self.news.append((len(self.text), news))
            self._changed.notify_all()

    async def finish(self, reply: Reply) -> None:
        async with self._changed:
            self.reply = reply
            self._changed.notify_all()

    async def close(self) -> None:
        async with self._changed:
            self.closed = True
            self._changed.notify_all()

    async def follow(self, reader: Reader) -> AsyncIterator[Event]:
        """Yield new events until Done, or until the turn stops in this process."""
        while True:
            for event in reader.catch_up(self.attempt, self.text, self.news):
                yield event
            if self.reply is not None:
                yield Done(self.reply, reader.position)
                return
            if self.closed:
                return
            async with self._changed:
                offset, news_read = reader.position.offset, reader.news_read
                await self._changed.wait_for(
                    lambda offset=offset, news_read=news_read: (
                        len(self.text) > offset
                        or len(self.news) > news_read
                        or self.reply
                        or self.closed
                    )
                )


@contextlib.asynccontextmanager
async def _background(work: Coroutine[None, None, None]) -> AsyncGenerator[None]:
    """Run `work` as a task until the block ends."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


class Relay:
    """The streams of the turns that run in this process."""

    def __init__(self, buffer: RedisStreamBuffer, note_shown: NoteShown) -> None:
        """`note_shown` records that clients saw text that is not in the buffer."""
        self._buffer = buffer
        self._note_shown = note_shown
        self._channels: dict[tuple[UUID, UUID], TurnStream] = {}

    def find(self, tenant: UUID, turn: UUID) -> TurnStream | None:
        return self._channels.get((tenant, turn))

    def announce(self, turn: Turn, lease: Lease) -> TurnStream:
        """Create the stream of a turn and make it available to readers."""
        channel = TurnStream(turn, lease)
        self._channels[turn.scope.tenant, turn.id] = channel
        return channel

    def withdraw(self, channel: TurnStream) -> None:
        """Remove the stream; one of a later attempt stays."""
        key = (channel.turn.scope.tenant, channel.turn.id)
        if self._channels.get(key) is channel:
            del self._channels[key]

    @contextlib.asynccontextmanager
    async def carrying(self, channel: TurnStream) -> AsyncGenerator[None]:
        """Copy the stream's text to the buffer; close the stream at the end of the block."""
        async with _background(self._flush(channel)):
            try:
                yield
            finally:
                self.withdraw(channel)
                await channel.close()

    async def shown(self, turn: Turn) -> str:
        """Return the text that readers may have seen. Raises OptionalServiceDown."""
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
                # Other processes read the rest from the settled turn. If this process dies before,
                # the one that takes over must know that text was shown.
                with contextlib.suppress(Unavailable):
                    await self._note_shown(channel.turn, channel.lease)
                return
            sent += len(piece)


@dataclass(frozen=True, slots=True)
class TurnSignals:
    """Set from outside a running turn: the user cancelled it, or its lease was lost."""

    cancel: asyncio.Event = field(default_factory=asyncio.Event)
    lost: asyncio.Event = field(default_factory=asyncio.Event)

    async def any(self) -> None:
        """Wait until either is set."""
        waits = [asyncio.create_task(event.wait()) for event in (self.cancel, self.lost)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()


class LeaseKeeper:
    def __init__(self, store: PostgresTurns, times: LeaseTimes) -> None:
        self._store = store
        self._times = times

    def holding(
        self, turn: Turn, lease: Lease, stop: TurnSignals
    ) -> contextlib.AbstractAsyncContextManager[None]:
        """Renew the lease until the block ends."""
        return _background(self._renew(turn, lease, stop))

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
    """Limits the turns of one user that run at once in this process; the rest wait in order."""

    def __init__(self, per_user: int) -> None:
        self._per_user = per_user
        self._users = WeakValueDictionary[tuple[UUID, UUID], asyncio.Semaphore]()

    @contextlib.asynccontextmanager
    async def holding(self, scope: Scope, stop: TurnSignals) -> AsyncGenerator[None]:
        """Wait for a slot; a cancelled or lost turn continues to its end without one."""
        new = asyncio.Semaphore(self._per_user)
        slots = self._users.setdefault((scope.tenant, scope.user), new)
        acquired = await _acquire(slots, stop)
        try:
            yield
        finally:
            if acquired:
                slots.release()


async def _acquire(slots: asyncio.Semaphore, stop: TurnSignals) -> bool:
    """Return whether a slot was acquired before the turn had to stop."""
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
