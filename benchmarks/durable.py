"""Kill processes at random while clients chat, and count what was lost.

Clients talk to a real API with real workers and stores. Worker, API, Valkey and Postgres are killed
with SIGKILL at times that the seed decides, counted in acknowledged turns. At the end every
acknowledged turn must exist once, in order, answered or failed, with one episode. `make
verify-crash-recovery` runs it at full size; a test runs a small one.
"""

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

from benchmarks import results
from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from benchmarks.stack import LiveStack
from saegim.client.client import SaegimClient
from saegim.client.errors import ClientError
from saegim.client.types import ChatReply
from saegim.localservers.postgres import LocalPostgres

SETTLED = {"done", "incomplete", "failed"}


@dataclass(frozen=True)
class Run:
    """Size of a run."""

    turns: int = 500
    clients: int = 20
    worker_kills: int = 50
    api_kills: int = 10
    valkey_kills: int = 5
    postgres_kills: int = 5
    seed: int = 20_261_115

    def schedule(self) -> list[tuple[int, str]]:
        """Maps numbers of acknowledged turns to the process that is killed then."""
        chance = random.Random(self.seed)
        victims = (
            ["worker"] * self.worker_kills
            + ["api"] * self.api_kills
            + ["valkey"] * self.valkey_kills
            + ["postgres"] * self.postgres_kills
        )
        last = max(1, int(self.turns * 0.95))
        return sorted((chance.randint(1, last), victim) for victim in victims)


@dataclass
class Talk:
    """One client's conversation: its messages and acknowledged turns."""

    user: str
    key: str
    said: list[str] = field(default_factory=list[str])
    turns: list[str] = field(default_factory=list[str])
    session: str = ""


@dataclass
class Verdict:
    """Results of the acknowledged turns."""

    lost: int = 0
    doubled: int = 0
    out_of_order: int = 0
    changed: int = 0
    unsettled: int = 0
    episodes_missing: int = 0
    episodes_doubled: int = 0
    untraced: int = 0
    """Settled turns whose trace does not say how they ended."""
    states: Counter[str] = field(default_factory=Counter[str])

    @property
    def clean(self) -> bool:
        return not any(value for name, value in vars(self).items() if name != "states")


class Durable:
    def __init__(self, run: Run, stack: LiveStack) -> None:
        self._run = run
        self._stack = stack
        self._acknowledged = 0
        self._more = asyncio.Condition()
        self._left = iter(range(run.turns))

    async def beat(self) -> tuple[list[Talk], int]:
        """Chats and kills until every turn is acknowledged."""
        tenants = [await self._stack.new_tenant(f"tenant {n}") for n in range(4)]
        # The same user names in different tenants must not mix.
        talks = [
            Talk(f"user-{n // len(tenants)}", tenants[n % len(tenants)])
            for n in range(self._run.clients)
        ]
        killing = asyncio.create_task(self._kill())
        await asyncio.gather(*[self._talk(talk, number) for number, talk in enumerate(talks)])
        return talks, await killing

    async def _talk(self, talk: Talk, number: int) -> None:
        chance = random.Random(self._run.seed * 1_000 + number)
        async with SaegimClient(
            self._stack.url, talk.key, user=talk.user, session="s", timeout=10.0
        ) as client:
            for turn in self._left:
                message = f"{talk.user}의 {turn}번째 이야기: 값은 {chance.randint(0, 10**6)}"
                reply = await say(client, message, f"{number}-{turn}")
                talk.said.append(message)
                talk.turns.append(str(reply.turn_id))
                talk.session = str(reply.session_id)
                async with self._more:
                    self._acknowledged += 1
                    self._more.notify_all()

    async def _kill(self) -> int:
        killed = 0
        for after, victim in self._run.schedule():
            async with self._more:
                await self._more.wait_for(lambda after=after: self._acknowledged >= after)
            await self._stack.kill(victim)
            killed += 1
            _tell(f"{self._acknowledged:4} acknowledged, {killed:3} killed, the last: {victim}")
        return killed

    async def judge(self, talks: list[Talk]) -> Verdict:
        """Waits until all turns are settled, then checks every conversation."""
        await self._stack.settle(120)
        _tell("nothing moves any more: looking at every conversation")
        return await judge(self._stack, talks)


async def say(client: SaegimClient, message: str, key: str) -> ChatReply:
    """Sends a message with one idempotency key until it is acknowledged."""
    while True:
        try:
            return await client.chat(message, idempotency_key=key)
        except ClientError:
            await asyncio.sleep(0.2)


async def judge(
    stack: LiveStack, talks: Sequence[Talk], cell: LocalPostgres | None = None
) -> Verdict:
    """Checks every conversation of an idle stack, and the episodes in a cell's database."""
    verdict = Verdict()
    for talk in talks:
        if talk.session:
            episodes = Counter(await stack.episodes(talk.session, cell))
            await _judge(stack, talk, episodes, verdict)
    return verdict


async def _judge(stack: LiveStack, talk: Talk, episodes: Counter[int], verdict: Verdict) -> None:
    async with SaegimClient(stack.url, talk.key, user=talk.user) as client:
        stored = [turn async for turn in client.turns(UUID(talk.session))]
        traces = [await client.trace(turn.turn_id) for turn in stored if turn.state in SETTLED]
    verdict.untraced += sum(not trace.trace.get("answer", {}).get("outcome") for trace in traces)
    ids = [str(turn.turn_id) for turn in stored]
    messages = {str(turn.turn_id): turn.message for turn in stored}
    verdict.lost += len(set(talk.turns) - set(ids))
    verdict.doubled += len(ids) - len(set(talk.turns))
    verdict.out_of_order += [i for i in ids if i in set(talk.turns)] != talk.turns
    verdict.changed += sum(
        messages.get(turn) != said for turn, said in zip(talk.turns, talk.said, strict=True)
    )
    verdict.states.update(str(turn.state) for turn in stored)
    verdict.unsettled += sum(turn.state not in SETTLED for turn in stored)
    recorded = Counter(turn.number for turn in stored if turn.state in ("done", "incomplete"))
    verdict.episodes_missing += len(recorded.keys() - episodes.keys())
    verdict.episodes_doubled += sum(count - 1 for count in episodes.values())


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


async def verify(run: Run) -> tuple[Verdict, dict[str, float]]:
    """Runs once in its own folder and returns the verdict and the figures."""
    began = time.monotonic()
    with TemporaryDirectory(prefix="saegim-durable-") as folder:
        async with (
            BrokenProvider(
                ProviderMode.SLOW, "천천히 한 마디씩 답합니다.", word_seconds=0.05
            ) as model,
            LiveStack.start(Path(folder), model_url=model.base_url) as stack,
        ):
            durable = Durable(run, stack)
            talks, kills = await durable.beat()
            verdict = await durable.judge(talks)
    figures = {
        "turns": float(sum(len(talk.turns) for talk in talks)),
        "kills": float(kills),
        "lost_turns": float(verdict.lost),
        "doubled_turns": float(verdict.doubled),
        "out_of_order": float(verdict.out_of_order),
        "changed_messages": float(verdict.changed),
        "unsettled_turns": float(verdict.unsettled),
        "episodes_missing": float(verdict.episodes_missing),
        "episodes_doubled": float(verdict.episodes_doubled),
        **{f"state.{state}": float(count) for state, count in verdict.states.items()},
        "seconds": round(time.monotonic() - began, 1),
    }
    return verdict, figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in vars(Run()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=default)
    run = Run(**vars(parser.parse_args()))
    verdict, figures = asyncio.run(verify(run))
    for name, value in figures.items():
        print(f"{name:20} {value:g}")
    print(results.write("durable", figures, vars(run)))
    return 0 if verdict.clean else 1


if __name__ == "__main__":
    sys.exit(main())
