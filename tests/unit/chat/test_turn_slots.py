"""Concurrent turns of one user."""

import asyncio
from uuid import UUID, uuid4

from saegim.chat.relay import TurnSignals, TurnSlots
from saegim.domain.scope import Scope

ALICE = Scope(UUID(int=1), uuid4(), uuid4())
BORA = Scope(UUID(int=1), uuid4(), uuid4())


class Turns:
    """Turns that run until they are let go."""

    def __init__(self, slots: TurnSlots) -> None:
        self._slots = slots
        self.running: list[str] = []
        self.let_go = asyncio.Event()

    def start(self, name: str, scope: Scope, told: TurnSignals | None = None) -> asyncio.Task[None]:
        return asyncio.create_task(self._turn(name, scope, told or TurnSignals()))

    async def _turn(self, name: str, scope: Scope, told: TurnSignals) -> None:
        async with self._slots.holding(scope, told):
            self.running.append(name)
            await self.let_go.wait()

    async def settled(self) -> list[str]:
        for _ in range(10):
            await asyncio.sleep(0)
        return sorted(self.running)


async def test_turns_of_a_user_beyond_the_bound_wait_and_others_do_not() -> None:
    turns = Turns(TurnSlots(2))
    tasks = [turns.start(f"a{n}", ALICE) for n in range(4)]
    tasks.append(turns.start("b0", BORA))
    assert await turns.settled() == ["a0", "a1", "b0"]
    turns.let_go.set()
    await asyncio.gather(*tasks)
    assert await turns.settled() == ["a0", "a1", "a2", "a3", "b0"]


async def test_a_waiting_turn_that_is_cancelled_goes_on_without_a_slot() -> None:
    turns, told = Turns(TurnSlots(1)), TurnSignals()
    tasks = [turns.start("first", ALICE), turns.start("second", ALICE, told)]
    assert await turns.settled() == ["first"]
    told.cancel.set()
    assert await turns.settled() == ["first", "second"]
    # Its end gives no slot away that it never had.
    tasks.append(turns.start("third", ALICE))
    assert await turns.settled() == ["first", "second"]
    turns.let_go.set()
    await asyncio.gather(*tasks)


async def test_a_turn_whose_task_ends_while_it_waits_leaves_the_queue() -> None:
    turns = Turns(TurnSlots(1))
    first, second = turns.start("first", ALICE), turns.start("second", ALICE)
    third = turns.start("third", ALICE)
    await turns.settled()
    second.cancel()
    turns.let_go.set()
    await asyncio.gather(first, second, third, return_exceptions=True)
    assert await turns.settled() == ["first", "third"]
