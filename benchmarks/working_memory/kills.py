"""Kill the worker during summaries, and compare with an undisturbed session."""

import asyncio
import os
import random
import subprocess
import sys
from dataclasses import dataclass
from uuid import UUID

from benchmarks.planted_conversations import planted
from benchmarks.working_memory.bench_stack import BenchStack, Stores, bench_stack
from benchmarks.working_memory.summary_worker import THINKING_SECONDS, summarise
from saegim.conversations.types import SummaryRule, WorkingState

# A fold is due at six turns and leaves at least one: after so many more there is one to kill.
TURNS_BETWEEN = 5


@dataclass(frozen=True)
class Killed:
    """Results of a session whose summaries were killed."""

    kills: int
    folds: int
    equal: bool


async def verify(at: Stores, kills: int, seed: int = 20_261_115) -> Killed:
    """Alternates turns and kills, lets summarising finish, and compares the state."""
    chance = random.Random(seed)
    said = [message for message, _ in planted((kills + 2) * TURNS_BETWEEN + 6, "ko", seed).turns]
    async with bench_stack(at, lambda _: "네, 알겠습니다.", summarise) as disturbed:
        session = await _talk(disturbed, said[:6])
        rest = said[6:]
        for number in range(kills):
            batch = rest[number * TURNS_BETWEEN : (number + 1) * TURNS_BETWEEN]
            await _talk(disturbed, batch)
            await _kill_inside_fold(at, chance.uniform(0, 1.6 * THINKING_SECONDS))
        await _talk(disturbed, rest[kills * TURNS_BETWEEN :])
        await _fold_all(at, disturbed, session)
        state = await _state(disturbed, session)
    async with bench_stack(at, lambda _: "네, 알겠습니다.", summarise) as peaceful:
        session = await _talk(peaceful, said)
        await peaceful.services.conversations.summaries.summarise(
            peaceful.caller.scope.tenant, session
        )
        expected = await _state(peaceful, session)
    return Killed(kills, state.summary_version, _content(state) == _content(expected))


async def _talk(at: BenchStack, messages: list[str]) -> UUID:
    session = UUID(int=0)
    for message in messages:
        session = (await at.say(message, "s")).session
    return session


async def _state(at: BenchStack, session: UUID) -> WorkingState:
    return (await at.services.chat.preview.show(at.caller.scope, session)).state


def _content(state: WorkingState) -> tuple[object, ...]:
    """Returns a state without its times."""
    turns = [(turn.number, turn.message, turn.reply) for turn in state.recent]
    versions = state.completed_turns, state.summary_version, state.summarised_through
    return (*versions, state.summary, state.entities, turns)


def _start(at: Stores) -> subprocess.Popen[str]:
    environment = {f"SAEGIM_{name.upper()}": value for name, value in at.secrets().items()}
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.working_memory.summary_worker"],
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        text=True,
    )


async def _kill_inside_fold(at: Stores, after: float) -> None:
    """Sends SIGKILL so many seconds after the summarizer was called."""
    worker = _start(at)
    assert worker.stdout is not None
    try:
        line = await asyncio.wait_for(asyncio.to_thread(worker.stdout.readline), 300)
        assert line == "folding\n", line
        await asyncio.sleep(after)
    finally:
        worker.kill()
        worker.wait()
        worker.stdout.close()


async def _fold_all(at: Stores, disturbed: BenchStack, session: UUID) -> None:
    worker = _start(at)
    try:
        for _ in range(3_000):
            state = await _state(disturbed, session)
            if state.completed_turns - state.summarised_through < SummaryRule().turns:
                return
            await asyncio.sleep(0.1)
        raise AssertionError("folding does not end")
    finally:
        worker.kill()
        worker.wait()
        if worker.stdout is not None:
            worker.stdout.close()
