"""One chaos run: a stack under load, faults by the seed, and the checks afterwards."""

import asyncio
import contextlib
import sys
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.chaos.breaking import USUAL_WORD_SECONDS, Breaker, Ground
from benchmarks.chaos.faults import Fault, FaultKind, Pace, faults
from benchmarks.chaos.ground import Disk, Network, may_break_ground
from benchmarks.chaos.load import (
    ANSWER,
    FORM,
    ONCE,
    USUAL_THINK,
    Library,
    Load,
    Person,
    come_in,
    count_notes,
    find,
    searches,
    until,
)
from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from benchmarks.durable import Verdict, judge
from benchmarks.stack import ALONE, LiveStack, Places, usual
from saegim.client.client import SaegimClient
from saegim.client.errors import ClientError

TENANTS = 4
LONGEST_RECOVERY = 120.0
LIMITS = usual("requests_at_once_per_user", "turns_at_once_per_user")
SMALL_WAL = {"max_wal_size": "96MB", "min_wal_size": "32MB", "shared_buffers": "64MB"}
# Shorter than the minutes that failed jobs wait in production.
HASTEN = b"""
update saegim.procrastinate_jobs set scheduled_at = now()
where status = 'todo' and scheduled_at > now() and attempts > 0
"""


@dataclass(frozen=True, slots=True)
class Run:
    """Duration, number of clients, and seed."""

    seconds: float = 1_200.0
    people: int = 8
    seed: int = 20_261_115
    documents: int = 30
    kinds: tuple[FaultKind, ...] = tuple(FaultKind)
    most_faults: int | None = None
    pace: Pace = field(default_factory=Pace)
    wait_for_jobs: bool = True
    """Whether the jobs of a first answer are waited for after each fault, or at the end alone."""
    probe_seconds: float = 5.0
    """How long each of the questions after a fault may take."""
    come_in_seconds: float = 120.0
    """How long the first documents may take."""
    think: tuple[float, float] = USUAL_THINK
    """Shortest and longest pause of a client."""
    least_acts: int = 0
    """How often each client acts at least, also after the last fault."""
    workers: int = 2
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    """Additional settings of all processes."""


@dataclass
class Recovery:
    """Times after a fault until the model answers turns, and until their jobs are done."""

    serves: list[float] = field(default_factory=list[float])
    caught_up: list[float] = field(default_factory=list[float])
    never: int = 0


@dataclass
class Outcome:
    """The results of a run."""

    verdict: Verdict
    recoveries: Mapping[FaultKind, Recovery]
    left_out: list[str]
    faults: int
    turns: int
    notes: int
    notes_missing: int
    notes_doubled: int
    cross_tenant_reads: int
    documents: int
    documents_missing: int
    documents_doubled: int
    searches: int
    searches_changed: int
    seconds: float

    @property
    def figures(self) -> dict[str, float]:
        """Returns flat figures."""
        seen = self.verdict
        doubled = seen.doubled + seen.episodes_doubled + self.notes_doubled
        counted = {
            "faults": self.faults,
            "turns": self.turns,
            "lost_turns": seen.lost,
            "duplicate_records": doubled + self.documents_doubled,
            "cross_tenant_reads": self.cross_tenant_reads,
            "changed_messages": seen.changed,
            "out_of_order": seen.out_of_order,
            "unsettled_turns": seen.unsettled,
            "untraced_turns": seen.untraced,
            "episodes_missing": seen.episodes_missing,
            "notes": self.notes,
            "notes_missing": self.notes_missing,
            "documents": self.documents,
            "documents_missing": self.documents_missing,
            "searches": self.searches,
            "searches_changed": self.searches_changed,
            "unrecovered": sum(each.never for each in self.recoveries.values()),
            **{f"state.{state}": count for state, count in seen.states.items()},
            "seconds": round(self.seconds, 1),
        }
        for kind, each in self.recoveries.items():
            if each.serves:
                counted[f"serves_after.{kind}"] = round(median(each.serves), 2)
                counted[f"serves_after_at_most.{kind}"] = round(max(each.serves), 2)
        return {name: float(value) for name, value in counted.items()}

    @property
    def clean(self) -> bool:
        nothing = (
            "lost_turns duplicate_records cross_tenant_reads changed_messages out_of_order "
            "unsettled_turns untraced_turns episodes_missing notes_missing documents_missing "
            "searches_changed unrecovered"
        )
        return not any(self.figures[name] for name in nothing.split())


class Chaos:
    def __init__(self, run: Run, stack: LiveStack, breaker: Breaker, ground: Ground) -> None:
        self._run = run
        self._stack = stack
        self._breaker = breaker
        self._ground = ground
        self._recoveries: dict[FaultKind, Recovery] = defaultdict(Recovery)
        self._broken = 0

    async def go(self) -> Outcome:
        """Prepares, injects faults, waits until everything is settled, and counts."""
        began = time.monotonic()
        keys = [await self._stack.new_tenant(f"tenant {n}") for n in range(TENANTS + 2)]
        people = [
            # The same user names in different tenants must not mix.
            Person(f"user-{n // TENANTS}", keys[n % TENANTS], mark=f"표지{n:03d}끝")
            for n in range(self._run.people)
        ]
        # A member of a tenant with other active users.
        self._breaker.flooding_key = keys[0]
        library, probe = Library(keys[TENANTS]), keys[TENANTS + 1]
        texts = documents(self._run.documents)
        await come_in(self._stack, keys[0], texts, self._run.come_in_seconds)
        await self._stack.settle(60)
        queries = [name for name, _ in texts]
        before = [found async for found in searches(self._stack, keys[0], queries)]
        load = Load(self._stack, people, library, self._run.think, self._run.least_acts)
        loading = asyncio.create_task(load.run(self._run.seed))
        await self._break(probe, loading)
        load.end()
        await loading
        await self._settle()
        after = [found async for found in searches(self._stack, keys[0], queries)]
        changed = [(was, now) for was, now in zip(before, after, strict=True) if was != now]
        for was, now in changed[:1]:
            tell(f"a search found {was}\nand finds {now}")
        notes = [await count_notes(self._stack, person) for person in people]
        missing, doubled = await self._look_at(library)
        return Outcome(
            verdict=await judge(self._stack, people),
            recoveries=self._recoveries,
            left_out=[kind for kind in self._run.kinds if kind not in self._ground.kinds()],
            faults=self._broken,
            turns=sum(len(person.turns) for person in people),
            notes=sum(len(person.noted) for person in people),
            notes_missing=sum(missing for missing, _ in notes),
            notes_doubled=sum(twice for _, twice in notes),
            cross_tenant_reads=sum(person.foreign for person in people),
            documents=len(library.sent),
            documents_missing=missing,
            documents_doubled=doubled,
            searches=len(before),
            searches_changed=len(changed),
            seconds=time.monotonic() - began,
        )

    async def _break(self, probe: str, loading: asyncio.Task[None]) -> None:
        end = time.monotonic() + self._run.seconds
        kinds = [kind for kind in self._run.kinds if kind in self._ground.kinds()]
        for fault in faults(self._run.seed, kinds, self._run.pace):
            if time.monotonic() >= end or self._broken == self._run.most_faults:
                return
            await self._breaker.do(fault)
            self._broken += 1
            await self._recover(fault, probe)
            if loading.done():
                loading.result()  # raises its exception
            await asyncio.sleep(fault.rest)

    async def _recover(self, fault: Fault, probe: str) -> None:
        """Asks until the model answers, and waits until the jobs of that turn are done."""
        recovery, began = self._recoveries[fault.kind], time.monotonic()
        session = f"probe-{self._broken}"
        try:
            async with asyncio.timeout(LONGEST_RECOVERY):
                found = await self._answered(probe, session)
                served = time.monotonic() - began
                if self._run.wait_for_jobs:
                    await until(lambda: self._indexed(found))
        except TimeoutError:
            recovery.never += 1
            tell(f"{self._broken:4} {fault.kind}: NOT RECOVERED after {LONGEST_RECOVERY} s")
            return
        recovery.serves.append(served)
        recovery.caught_up.append(time.monotonic() - began)
        tell(
            f"{self._broken:4} {fault.kind} for {fault.seconds} s: serves {served:.2f} s after it, "
            f"caught up {recovery.caught_up[-1]:.2f} s after it"
        )

    async def _answered(self, probe: str, session: str) -> str:
        async with SaegimClient(
            self._stack.url,
            probe,
            user="probe",
            session=session,
            timeout=self._run.probe_seconds,
            retry=ONCE,
        ) as client:
            while True:
                with contextlib.suppress(ClientError):
                    reply = await client.chat("살아 있어?")
                    if reply.state == "done" and not reply.degraded and ANSWER in reply.answer:
                        return str(reply.session_id)
                await asyncio.sleep(0.1)

    async def _indexed(self, session: str) -> bool:
        return bool(await self._stack.episodes(session))

    async def _settle(self) -> None:
        tell("nothing breaks any more: waiting until nothing moves")
        for _ in range(36):
            await asyncio.to_thread(self._stack.change, HASTEN)
            if await self._stack.settle(5):
                return

    async def _look_at(self, library: Library) -> tuple[int, int]:
        """Counts documents that no search finds, and those found twice."""
        missing = doubled = 0
        async with SaegimClient(self._stack.url, library.key, user="librarian") as client:
            for word in library.sent:
                found = await find(client, word)
                named = {one.passage_id for one in found if word in one.text}
                documents = {one.document.document_id for one in found if word in one.text}
                missing += not named
                doubled += max(0, len(documents) - 1)
        return missing, doubled


def documents(count: int) -> list[tuple[str, str]]:
    """Returns names and texts; each has unique words among common ones."""
    return [
        (
            f"절차{number:03d}",
            f"# 절차{number:03d}\n\n점검 항목 {number % 7}번과 부품 {number % 5}호를 확인합니다. "
            + f"절차{number:03d}에서는 압력 {number * 13} 단위를 기록합니다. " * (1 + number % 4),
        )
        for number in range(count)
    ]


def tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


@contextlib.asynccontextmanager
async def broken_ground(
    folder: Path,
) -> AsyncGenerator[tuple[Ground, Places, BrokenProvider]]:
    """Creates network and disks if possible, and the model provider."""
    with contextlib.ExitStack() as made:
        ground, places, host = Ground(), ALONE, "127.0.0.1"
        if may_break_ground():
            network = made.enter_context(Network.made())
            ground = Ground(
                network,
                made.enter_context(Disk.mounted(folder / "postgres", 700)),
                made.enter_context(Disk.mounted(folder / "data" / "index", 200)),
            )
            places, host = _places(network), network.ours
        async with BrokenProvider(
            ProviderMode.SLOW, ANSWER, word_seconds=USUAL_WORD_SECONDS, host=host
        ) as provider:
            provider.structured = FORM
            yield ground, places, provider


def _places(network: Network) -> Places:
    return Places(
        api=network.api,
        api_inside=network.inside,
        postgres=network.store("postgres"),
        valkey=network.store("valkey"),
        net=network.net,
        postgres_settings=SMALL_WAL,
    )


async def verify(run: Run, keep_logs: Path | None = None) -> Outcome:
    """Runs once in its own folder."""
    with TemporaryDirectory(prefix="saegim-chaos-") as name:
        folder = Path(name)
        async with (
            broken_ground(folder) as (ground, places, provider),
            LiveStack.start(
                folder,
                model_url=provider.base_url,
                workers=run.workers,
                settings={**LIMITS, **run.settings},
                places=places,
            ) as stack,
        ):
            breaker = Breaker(stack, provider, ground)
            try:
                return await Chaos(run, stack, breaker, ground).go()
            finally:
                if keep_logs is not None:
                    _keep(folder, keep_logs)


def _keep(folder: Path, place: Path) -> None:
    place.mkdir(parents=True, exist_ok=True)
    for log in folder.glob("*.log"):
        (place / log.name).write_bytes(log.read_bytes())
