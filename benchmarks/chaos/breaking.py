"""Inject faults into a running stack, and repair it."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks import clients
from benchmarks.chaos.faults import FULL_DISKS, PARTITIONS, Fault, FaultKind
from benchmarks.chaos.ground import Disk, Network, Store
from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from benchmarks.stack import UNSETTLED, LiveStack

USUAL_WORD_SECONDS = 0.05
SLOW_WORD_SECONDS = 3.0
# The API is killed in the middle of an answer, which begins within this many looks.
ANSWERING_LOOKS = 1_000
FLOOD = 200
FLOOD_STATUSES = {"200", "429", "503"}


@dataclass(frozen=True, slots=True)
class Ground:
    """Network and disks to break besides processes; None if the machine does not allow it."""

    network: Network | None = None
    postgres_disk: Disk | None = None
    index_disk: Disk | None = None

    def kinds(self) -> list[FaultKind]:
        """Returns the faults that are possible here."""
        impossible = set[FaultKind]()
        if self.network is None:
            impossible.update(PARTITIONS)
        if self.postgres_disk is None or self.index_disk is None:
            impossible.update(FULL_DISKS)
        return [kind for kind in FaultKind if kind not in impossible]


def family(pid: int) -> list[int]:
    """Returns a process and all its descendants, oldest first."""
    children: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # ended in the meantime
            after_name = status.read_text().rpartition(")")[2].split()
            children.setdefault(int(after_name[1]), []).append(int(status.parent.name))
    found = [pid]
    for each in found:
        found.extend(children.get(each, ()))
    return found


class Breaker:
    """Injects one fault at a time."""

    def __init__(self, stack: LiveStack, provider: BrokenProvider, ground: Ground) -> None:
        self._stack = stack
        self._provider = provider
        self._ground = ground
        self.flooding_key = ""
        """Whose member floods the API."""

    async def do(self, fault: Fault) -> None:
        """Injects a fault, waits for its duration, and repairs it. A killed process is restarted
        at once, as a supervisor would."""
        action, _, part = fault.kind.partition("-")
        ways: Mapping[str, Callable[[str, float], Awaitable[None]]] = {
            "kill": self._kill,
            "stop": self._stop,
            "full": self._fill,
            "provider": self._disturb,
            "partition": self._cut,
            "flood": self._flood,
        }
        await ways[action](part, fault.seconds)

    async def _kill(self, part: str, seconds: float) -> None:  # noqa: ARG002 - it takes no time
        if part == "api":
            for _ in range(ANSWERING_LOOKS):
                if await asyncio.to_thread(self._stack.count, UNSETTLED):
                    break
                await asyncio.sleep(0.01)
        await self._stack.kill(part)

    async def _stop(self, part: str, seconds: float) -> None:
        stopped = family(self._pid(part))
        for pid in stopped:
            _signal(pid, signal.SIGSTOP)
        await asyncio.sleep(seconds)
        for pid in reversed(stopped):
            _signal(pid, signal.SIGCONT)

    async def _fill(self, part: str, seconds: float) -> None:
        disk = self._ground.index_disk
        if part == "disk-postgres":
            disk = self._ground.postgres_disk
        assert disk is not None, "the kind is only chosen where there is one"
        await asyncio.to_thread(disk.fill)
        await asyncio.sleep(seconds)
        disk.empty()
        if not self._stack.postgres.running:
            # Postgres stops if it cannot write what recovery needs.
            await asyncio.to_thread(self._stack.restart_postgres)

    async def _disturb(self, how: str, seconds: float) -> None:
        before = self._provider.mode
        self._provider.mode = {
            "slow": ProviderMode.SLOW,
            "failing": ProviderMode.HTTP_500,
            "hanging": ProviderMode.HANG,
            "cut": ProviderMode.BROKEN_STREAM,
        }[how]
        self._provider.word_seconds = SLOW_WORD_SECONDS
        await asyncio.sleep(seconds)
        self._provider.mode = before
        self._provider.word_seconds = USUAL_WORD_SECONDS

    async def _cut(self, part: str, seconds: float) -> None:
        store: Store = "postgres" if part == "postgres" else "valkey"
        assert self._ground.network is not None, "the kind is only chosen where there is one"
        self._ground.network.cut(store)
        await asyncio.sleep(seconds)
        self._ground.network.mend(store)

    async def _flood(self, part: str, seconds: float) -> None:  # noqa: ARG002 - only the API
        """Sends bursts of a member's requests. Raises AssertionError for an unexpected refusal."""
        flood = await clients.start(
            "flood", self._stack.url, self.flooding_key, seconds=seconds, parallel=FLOOD, pause=1
        )
        sent = await clients.told(flood)
        assert sent["statuses"].keys() <= FLOOD_STATUSES, sent
        assert not sent["without_retry_after"], sent

    def _pid(self, part: str) -> int:
        match part:
            case "postgres":
                return self._stack.postgres.pid
            case "valkey":
                return self._stack.valkey.pid
            case "worker":
                return self._stack.processes[self._stack.next_worker()].pid
            case _:
                return self._stack.processes["api"].pid


def _signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # a backend of Postgres ends with its client
        os.kill(pid, number)
