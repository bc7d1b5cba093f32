"""Holding the right to work on a turn: renewed while it runs, noticed when it is lost."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from saegim.conversations.repository import PostgresTurns
from saegim.conversations.stored_turns import Lease, LeaseTimes
from saegim.conversations.turn import Turn
from saegim.domain.errors import StoreUnavailable


@dataclass(frozen=True, slots=True)
class Signals:
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


def signals() -> Signals:
    return Signals(asyncio.Event(), asyncio.Event())


class LeaseKeeper:
    def __init__(self, store: PostgresTurns, times: LeaseTimes) -> None:
        self._store = store
        self._times = times

    @contextlib.asynccontextmanager
    async def holding(self, turn: Turn, lease: Lease, told: Signals) -> AsyncGenerator[None]:
        """Renews the lease until the block ends."""
        keeper = asyncio.create_task(self._renew(turn, lease, told))
        try:
            yield
        finally:
            keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeper

    async def _renew(self, turn: Turn, lease: Lease, told: Signals) -> None:
        while True:
            await asyncio.sleep(self._times.renew_seconds)
            try:
                cancel = await self._store.renew(turn, lease, self._times.lasts_seconds)
            except StoreUnavailable:
                continue
            if cancel is None:
                told.lost.set()
                return
            if cancel:
                told.cancel.set()
