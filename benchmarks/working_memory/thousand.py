"""Measure a session of a thousand turns: tokens of each, cost of opening, bytes in Redis."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from benchmarks.doubles.models import RecordedRequest
from benchmarks.doubles.patience import PATIENT_WORKER
from benchmarks.idle import working
from benchmarks.planted_conversations import planted
from benchmarks.working_memory.bench_stack import BenchStack, Stores, bench_stack
from saegim.chat.context.assembly import Budgets, Thread, assemble
from saegim.conversations.state_cache import Keys, RedisStateCache
from saegim.conversations.summary.repository import PostgresSummaries
from saegim.conversations.summary.summariser import next_batch
from saegim.conversations.types import WorkingState

OPENINGS = 400
# Maximum ratio of opening an old and a new session.
MOST_DEARER = 1.2
COPIES = 2_000
MARKS = (10, 100, 1_000)
# About 300 tokens per turn.
FILLER = """
이번 달 사용량을 서비스별로 나누어 보면 컴퓨팅과 저장소가 대부분을 차지하고, 나머지는 네트워크
전송과 관리형 데이터베이스가 나누어 가집니다. 먼저 사용하지 않는 볼륨과 오래된 스냅숏을 정리하고,
그다음에 약정 할인을 검토하는 순서를 권합니다. 개발 환경은 근무 시간에만 켜 두는 일정만으로도
효과가 큽니다. 알림을 걸어 두면 갑작스러운 증가를 그날 안에 알 수 있습니다. 자세한 표가
필요하시면 말씀해 주세요.
"""


@dataclass(frozen=True)
class Sizes:
    """Tokens of one turn's context by block."""

    turn: int
    blocks: dict[str, int]

    @property
    def memory(self) -> int:
        return sum(self.blocks[name] for name in ("summary", "entities", "recent"))


@dataclass(frozen=True)
class Thousand:
    sizes: list[Sizes]
    figures: dict[str, float]
    within: bool
    cheap: bool


async def measure(
    at: Stores, turns: int = 1_000, openings: int = OPENINGS, copies: int = COPIES
) -> Thousand:
    """Talks for so long with a worker at work, and measures what it came to."""
    async with bench_stack(at, _answer) as talking:
        async with working(talking.services, PATIENT_WORKER):
            sizes = [
                await _say(talking, "long", message, summarised=True) for message in _said(turns)
            ]
        unsummarised = [await _say(talking, "short", message) for message in _said(MARKS[0])]
        sessions = {name: await _folded(talking, name) for name in ("short", "long")}
        figures = _sizes(sizes) | await _openings(talking, sessions, openings)
        figures |= await _bytes(talking, sessions["long"], copies)
    budgets = Budgets()
    within = all(
        each.memory <= budgets.memory
        and each.blocks["summary"] <= budgets.summary
        and each.blocks["entities"] <= budgets.entities
        for each in (*sizes, *unsummarised)
    )
    cheap = all(figures[f"open.{way}.ratio"] <= MOST_DEARER for way in ("cached", "rebuilt"))
    return Thousand(sizes, figures, within, cheap)


def _said(turns: int) -> list[str]:
    return [
        f"{message} 그리고 비용을 더 줄일 방법도 알려줘."
        for message, _ in planted(turns, "ko").turns
    ]


def _answer(_: RecordedRequest) -> str:
    return f"{' '.join(FILLER.split())} 말씀하신 내용은 다음 보고서에 반영하겠습니다."


async def _say(at: BenchStack, session: str, message: str, *, summarised: bool = False) -> Sizes:
    """Returns the sizes of a turn. With `summarised`, waits for the summary that is then due, so
    that the next turn does not depend on the worker's pace."""
    reply = await at.say(message, session)
    if summarised:
        await _summarised(at, reply.session)
    trace = await at.services.conversations.turns.trace(at.caller.scope, reply.turn)
    blocks = {block["name"]: int(block["tokens"]) for block in trace["blocks"]}
    turn = await at.services.conversations.turns.find(at.caller.scope, reply.turn)
    return Sizes(turn.number, blocks)


async def _summarised(at: BenchStack, session: UUID) -> None:
    job, tenant = at.services.conversations.summaries, at.caller.scope.tenant
    async with asyncio.timeout(300):
        while True:
            backlog = await job.store.backlog(tenant, session, job.rule.turns)
            if backlog is None or not next_batch(backlog.turns, job.rule):
                return
            await asyncio.sleep(0.01)


async def _folded(at: BenchStack, name: str) -> UUID:
    """Waits until nothing is left to summarise; returns the session with its state."""
    reply = await at.say("지금까지 정리해줘", name)
    await at.services.conversations.summaries.summarise(at.caller.scope.tenant, reply.session)
    services, scope = at.services, at.caller.scope
    folds = PostgresSummaries(services.db.cells, services.encryption.keyring, services.clock)
    cache = RedisStateCache(services.db.redis, services.encryption.keyring)
    await cache.save(scope, reply.session, await folds.rebuild(scope, reply.session))
    return reply.session


def _sizes(sizes: list[Sizes]) -> dict[str, float]:
    figures: dict[str, float] = {}
    for mark in MARKS:
        at = next((each for each in sizes if each.turn == mark), None)
        if at is not None:
            figures |= {f"turn_{mark}.{name}": float(size) for name, size in at.blocks.items()}
            figures[f"turn_{mark}.memory"] = float(at.memory)
    settled = [each.memory for each in sizes if each.turn > 20]
    figures["memory.most"] = float(max(each.memory for each in sizes))
    figures["memory.mean"] = round(statistics.mean(settled), 1)
    half = len(settled) // 2
    first, last = statistics.mean(settled[:half]), statistics.mean(settled[half:])
    figures["memory.second_half_to_first"] = round(last / first, 3)
    return figures


async def _openings(at: BenchStack, sessions: dict[str, UUID], openings: int) -> dict[str, float]:
    """Medians of opening a young and an old session, by turns, so that both meet the same noise."""
    scope, services = at.caller.scope, at.services
    folds = PostgresSummaries(services.db.cells, services.encryption.keyring, services.clock)
    assistant = await services.auth.repository.assistant(scope.tenant, at.caller.assistant)

    async def cached(session: UUID) -> WorkingState:
        found = await services.conversations.turns.session(scope, session)
        state, source = await services.conversations.working_memory.open(
            scope, session, found.mark, _refuse
        )
        assert source == "cache", "it is at hand"
        return state

    async def rebuilt(session: UUID) -> WorkingState:
        return await folds.rebuild(scope, session)

    async def assembled(session: UUID) -> WorkingState:
        state = await cached(session)
        thread = Thread(state.summary, state.entities, state.recent)
        assemble(assistant, thread, "1월은?", Budgets())
        return state

    figures: dict[str, float] = {}
    for way, run in {"cached": cached, "rebuilt": rebuilt, "assembled": assembled}.items():
        medians = await _medians(run, sessions, openings)
        for name, seconds in medians.items():
            figures[f"open.{way}.{name}_ms"] = round(seconds * 1_000, 3)
        figures[f"open.{way}.ratio"] = round(medians["long"] / medians["short"], 3)
    return figures


async def _medians(
    run: Callable[[UUID], Awaitable[WorkingState]], sessions: dict[str, UUID], openings: int
) -> dict[str, float]:
    took: dict[str, list[float]] = {name: [] for name in sessions}
    for _ in range(openings):
        for name, session in sessions.items():
            began = time.perf_counter()
            await run(session)
            took[name].append(time.perf_counter() - began)
    return {name: statistics.median(seconds) for name, seconds in took.items()}


def _refuse(part: str) -> None:
    raise AssertionError(f"{part} does not answer")


async def _bytes(at: BenchStack, session: UUID, copies: int) -> dict[str, float]:
    """What a session takes in Redis: its three keys, and what so many copies add to the whole."""
    scope, redis = at.caller.scope, at.services.db.redis

    async def ask(*command: object) -> Any:
        async def run(client: Any) -> Any:
            return await client.execute_command(*command)

        return await redis.run(run)

    keys = Keys.of(scope.tenant, session).all()
    parts = [int(await ask("MEMORY", "USAGE", key, "SAMPLES", 0)) for key in keys]
    cache = RedisStateCache(redis, at.services.encryption.keyring)
    state = await cache.load(scope, session)
    assert state is not None
    before = (await ask("INFO", "memory"))["used_memory"]
    for _ in range(copies):
        await cache.save(scope, uuid4(), state)
    after = (await ask("INFO", "memory"))["used_memory"]
    each = (after - before) / copies
    return {
        "redis.short_bytes": float(parts[0]),
        "redis.memory_bytes": float(parts[1]),
        "redis.entities_bytes": float(parts[2]),
        "redis.session_bytes": round(each),
        "redis.ten_million_sessions_gib": round(each * 10_000_000 / 2**30, 1),
    }
