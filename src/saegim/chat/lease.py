"""Who works on a turn: leases, and slots for the turns of one user."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID
from weakref import WeakValueDictionary

from saegim.conversations.repository import PostgresTurns
from saegim.conversations.stored_turns import Lease, LeaseTimes
from saegim.conversations.types import Turn
from saegim.domain.errors import StoreUnavailable
from saegim.domain.scope import Scope


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
