"""Send messages at a fixed rate, and measure response times and cost."""

import asyncio
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import quantiles
from typing import Any

import httpx2
import psycopg
import redis
from prometheus_client.parser import text_string_to_metric_families

from benchmarks.load.people import Talker
from benchmarks.processes import cpu_seconds
from benchmarks.stack import LiveStack
from saegim.usage.plan import PARTS, RoleUse, TurnCost

# Tables that keep their rows, unlike those of jobs.
RELATIONS = b"""
select sum(pg_total_relation_size(c.oid))::bigint from pg_class c
where c.relnamespace = 'saegim'::regnamespace and c.relkind in ('r', 'm')
    and c.relname not like 'procrastinate%'
"""
SESSIONS = b"select count(*) from saegim.session"
# Jobs that are due now, not later ones such as the next clean-up.
UNDER_WAY = b"""
select count(*) from saegim.procrastinate_jobs
where status = 'doing' or (status = 'todo' and (scheduled_at is null or scheduled_at <= now()))
"""
ROLES = ("lite", "assessor", "extractor", "summarizer")
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Said:
    """One turn as its caller saw it."""

    seconds: float
    turn: str
    calls: int = 0

    def own_ms(self, model_seconds: float) -> float:
        """Returns milliseconds without the configured model time."""
        return (self.seconds - self.calls * model_seconds) * 1000


@dataclass
class Level:
    """Results of one rate."""

    rate: float
    seconds: float
    said: list[Said] = field(default_factory=list[Said])
    failed: int = 0
    behind: float = 0.0
    """Seconds after the last message until all were answered."""
    took: Mapping[str, float] = field(default_factory=dict[str, float])
    """Seconds of processor time by part, jobs included."""
    stages: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    """Milliseconds of each stage of each turn, without its model calls."""

    def note(self, trace: dict[str, Any]) -> None:
        """Adds the time of each stage without models."""
        thought: dict[str, float] = {}
        for call in trace["calls"]:
            thought[call["step"]] = thought.get(call["step"], 0.0) + call["seconds"] * 1000
        for span in trace["spans"]:
            own = span["took_ms"] - thought.get(span["name"], 0.0)
            self.stages.setdefault(span["name"], []).append(own)
        models = sum(call["seconds"] for call in trace["calls"]) * 1000
        self.stages.setdefault("models", []).append(models)

    @property
    def turns_per_s(self) -> float:
        return len(self.said) / self.seconds

    @property
    def cores(self) -> float:
        return sum(self.took.values()) / self.seconds

    def own_ms(self, percent: int, model_seconds: float) -> float:
        own = sorted(each.own_ms(model_seconds) for each in self.said)
        return quantiles(own, n=100, method="inclusive")[percent - 1]


async def caught_up(stack: LiveStack, seconds: float) -> None:
    """Waits until workers have done all due jobs."""
    end = time.monotonic() + seconds
    while await asyncio.to_thread(stack.count, UNDER_WAY):
        if time.monotonic() > end:
            raise TimeoutError("workers do not catch up")
        await asyncio.sleep(0.25)


class Driver:
    """Clients of one stack."""

    def __init__(
        self, stack: LiveStack, http: httpx2.AsyncClient, key: str, worker_url: str
    ) -> None:
        self._worker_url = worker_url
        self._stack = stack
        self._http = http
        self._key = key

    def headers(self, name: str, session: str = "s") -> dict[str, str]:
        return {
            "Authorization": f"Bearer {self._key}",
            "Saegim-User": name,
            "Saegim-Session": session,
        }

    async def say(self, name: str, message: str, session: str = "s") -> Said:
        began = time.perf_counter()
        headers = self.headers(name, session)
        reply = await self._http.post("/v1/chat", json={"message": message}, headers=headers)
        reply.raise_for_status()
        return Said(time.perf_counter() - began, reply.json()["turn_id"])

    async def trace(self, name: str, turn: str) -> dict[str, Any]:
        found = await self._http.get(f"/v1/turns/{turn}/trace", headers=self.headers(name))
        return found.json()["trace"]

    async def level(self, rate: float, seconds: float, people: Sequence[Talker]) -> Level:
        """Sends messages at random times at a mean rate, without waiting for responses."""
        level, chance = Level(rate, seconds), random.Random(round(rate * 1000))
        free, waiting = list(people), set[asyncio.Task[None]]()
        heard: list[tuple[str, Said]] = []

        async def one(who: Talker) -> None:
            try:
                said = await self.say(who.name, who.next(), who.session)
            except httpx2.HTTPError:
                level.failed += 1
            else:
                heard.append((who.name, said))
            free.append(who)

        before = self.cpu()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if free:
                task = asyncio.create_task(one(free.pop(chance.randrange(len(free)))))
                waiting.add(task)
                task.add_done_callback(waiting.discard)
            else:
                level.failed += 1
            await asyncio.sleep(chance.expovariate(rate))
        await asyncio.gather(*waiting)
        level.behind = time.monotonic() - end
        # Summaries, extraction and indexing are part of the cost of a turn.
        await caught_up(self._stack, 600)
        after = self.cpu()
        level.took = {part: after[part] - before[part] for part in PARTS}
        for name, said in heard:
            trace = await self.trace(name, said.turn)
            asked = sum(call["source"] == "model" for call in trace["calls"])
            level.said.append(replace(said, calls=asked))
            level.note(trace)
        return level

    async def at_once(self, people: Sequence[Talker], model_seconds: float) -> dict[str, float]:
        """Lets all people send a message at the same moment, three times over."""
        own, failed = list[float](), 0
        for _ in range(ROUNDS):
            sent = (self.say(each.name, each.next(), each.session) for each in people)
            for each, said in zip(
                people, await asyncio.gather(*sent, return_exceptions=True), strict=True
            ):
                if isinstance(said, BaseException):
                    failed += 1
                    continue
                trace = await self.trace(each.name, said.turn)
                asked = sum(call["source"] == "model" for call in trace["calls"])
                own.append(replace(said, calls=asked).own_ms(model_seconds))
            await caught_up(self._stack, 120)
        cuts = quantiles(own, n=100, method="inclusive")
        return {
            "at_once.conversations": float(len(people)),
            "at_once.own_ms.p50": cuts[49],
            "at_once.own_ms.p95": cuts[94],
            "at_once.failed": float(failed),
        }

    def cpu(self) -> dict[str, float]:
        workers = [p.pid for name, p in self._stack.processes.items() if name.startswith("worker")]
        return {
            "api": cpu_seconds([self._stack.processes["api"].pid]),
            "worker": cpu_seconds(workers),
            "postgres": cpu_seconds([self._stack.postgres.pid]),
            "redis": cpu_seconds([self._stack.valkey.pid]),
        }

    async def spent(self) -> "Spent":
        """Returns what all turns so far have used."""
        pages = [
            (await self._http.get(f"{url}/metrics")).text
            for url in (self._stack.url, self._worker_url)
        ]
        samples = [
            sample
            for page in pages
            for family in text_string_to_metric_families(page)
            for sample in family.samples
        ]
        roles = {
            role: RoleUse(
                _sum(samples, "saegim_model_calls_total", role=role, source="model"),
                _sum(samples, "saegim_model_tokens_total", role=role, direction="input"),
                _sum(samples, "saegim_model_tokens_total", role=role, direction="output"),
            )
            for role in ROLES
        }
        with psycopg.connect(self._stack.postgres.url("saegim"), autocommit=True) as connection:
            # Counts live rows; the space of dead ones is reused.
            connection.execute("vacuum full")
            [size] = connection.execute(RELATIONS).fetchone() or (0,)
            [sessions] = connection.execute(SESSIONS).fetchone() or (0,)
        with redis.Redis.from_url(self._stack.valkey.url) as client:
            cached = client.info("memory")["used_memory_dataset"]
        return Spent(
            _sum(samples, "saegim_turns_total"),
            roles,
            float(size),
            float(cached),
            sessions,
            _sum(samples, "saegim_jobs_total", end="failed"),
        )


@dataclass(frozen=True, slots=True)
class Spent:
    """Counters at one point in time."""

    turns: float
    roles: Mapping[str, RoleUse]
    postgres_bytes: float
    redis_bytes: float
    sessions: int
    failed_jobs: float
    """Runs that failed, also those that were repeated."""

    def per_turn(
        self, earlier: "Spent", took: Mapping[str, float], answer_tokens: float
    ) -> TurnCost:
        """Returns the cost of a turn between two points in time."""
        turns = self.turns - earlier.turns
        return TurnCost(
            answer_tokens=answer_tokens,
            core_seconds={part: seconds / turns for part, seconds in took.items()},
            roles={
                role: RoleUse(
                    (use.calls - earlier.roles[role].calls) / turns,
                    (use.input_tokens - earlier.roles[role].input_tokens) / turns,
                    (use.output_tokens - earlier.roles[role].output_tokens) / turns,
                )
                for role, use in self.roles.items()
            },
            postgres_bytes_per_turn=(self.postgres_bytes - earlier.postgres_bytes) / turns,
            redis_bytes_per_session=(self.redis_bytes - earlier.redis_bytes)
            / (self.sessions - earlier.sessions),
        )


def _sum(samples: Sequence[Any], name: str, **labels: str) -> float:
    return sum(
        each.value
        for each in samples
        if each.name == name and labels.items() <= each.labels.items()
    )
