"""A bound on the turns of one user that run at once."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID
from weakref import WeakValueDictionary

from saegim.chat.lease import Signals
from saegim.domain.scope import Scope


class TurnSlots:
    """Lets so many turns of one user run at once in this process; the rest wait in order, so that
    one user's turns never take the processor from those of everybody else."""

    def __init__(self, per_user: int) -> None:
        self._per_user = per_user
        self._users: WeakValueDictionary[tuple[UUID, UUID], asyncio.Semaphore] = (
            WeakValueDictionary()
        )

    @asynccontextmanager
    async def holding(self, scope: Scope, stop: Signals) -> AsyncGenerator[None]:
        """Waits for a slot. A turn that is cancelled or lost goes on to its end without one."""
        new = asyncio.Semaphore(self._per_user)
        slots = self._users.setdefault((scope.tenant, scope.user), new)
        acquired = await _acquire(slots, stop)
        try:
            yield
        finally:
            if acquired:
                slots.release()


async def _acquire(slots: asyncio.Semaphore, stop: Signals) -> bool:
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
