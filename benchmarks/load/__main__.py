"""Runs the load test: to saturation, then once more as `saegim plan` foresees it.

API, worker, Postgres and Valkey are processes of their own; so are the model, which takes a set
time, and this one, which plays the people. All share the machine, so a rate counts by the processor
time of the first four alone.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx2

from benchmarks import results
from benchmarks.load import capacity, chart, history, model
from benchmarks.load.driving import Driver, Level, Spent, caught_up
from benchmarks.load.people import handbook, talkers
from benchmarks.page import everything, publish
from benchmarks.stack import LiveStack
from saegim.adapters.local.valkey import find_free_port
from saegim.bootstrap import build
from saegim.chat.room import Budgets
from saegim.client.client import SaegimClient
from saegim.usage.plan import FIGURES, GIGABYTE, Machines, Measured, Workload, plan

CEILING_MS = 100.0
MOST_ERROR = 0.2
MOST_BEHIND_SECONDS = 3.0
PICTURE = results.ROOT / "docs/images/history.svg"
SHIPPED = results.ROOT / "src/saegim/usage" / FIGURES
SESSIONS = b"select count(*) from saegim.session"
NO_LIMITS = "key requests 1000000/60, user requests 1000000/60, tenant requests 1000000/60"


@dataclass(frozen=True)
class Run:
    """How long each rate is kept, and how slow the model is."""

    seconds: int = 20
    chapters: int = 25
    people: int = 24
    model_seconds: float = 0.4
    rates: tuple[float, ...] = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)


async def load(run: Run, folder: Path) -> tuple[dict[str, float], Measured]:
    """The figures, and what a turn takes for the plan to reckon with."""
    port = find_free_port()
    settings = {"SAEGIM_METRICS_PORT": str(port), "SAEGIM_LIMITS": NO_LIMITS}
    with model.running(run.model_seconds) as url:
        async with (
            LiveStack.start(folder, url, 1, settings) as stack,
            httpx2.AsyncClient(base_url=stack.url, timeout=60) as http,
        ):
            key = await stack.new_tenant("load")
            driver = Driver(stack, http, key, f"http://127.0.0.1:{port}")
            await bring_in(stack, key, run.chapters)
            await driver.level(2.0, 10, talkers(10, seed=1))
            figures, take = await _levels(run, driver, stack)
            figures |= await _foreseen(run, driver, take)
            services = build(stack.settings())
            await services.open()
            admin = stack.postgres.url("saegim")
            figures |= await history.measure(services, admin, driver, key)
            await services.close()
    return figures, take


async def bring_in(stack: LiveStack, key: str, chapters: int) -> None:
    """A library, through the product's own ingest."""
    async with SaegimClient(stack.url, key, user="editor") as client:
        opened = await client.open_ingest()
        for name, content in handbook(chapters):
            await client.send_file(opened.ingest_id, name, content)
    await caught_up(stack, 900)


async def _levels(run: Run, driver: Driver, stack: LiveStack) -> tuple[dict[str, float], Measured]:
    """One rate after another until one cannot be kept; the best is the last with turns in time."""
    people = talkers(run.people, seed=2)
    before, levels = await driver.spent(), list[Level]()
    while len(levels) < len(run.rates):
        level = await driver.level(run.rates[len(levels)], run.seconds, people)
        levels.append(level)
        print(_told(level, run.model_seconds))
        if not _kept_up(level):
            break
    fine = [level for level in levels if _in_time(level, run.model_seconds)] or levels[:1]
    best = fine[-1]
    take = _taken(await driver.spent(), before, levels, await _redis_bytes(stack))
    p50, p95 = (best.own_ms(at, run.model_seconds) for at in (50, 95))
    figures = {
        "turns_per_s_per_core": best.turns_per_s / best.cores,
        "turns_per_s": best.turns_per_s,
        "own_ms.p50": p50,
        "own_ms.p95": p95,
        "cores": best.cores,
        "saturated.turns_per_s": levels[-1].turns_per_s,
        "saturated.own_ms.p95": levels[-1].own_ms(95, run.model_seconds),
        **{f"stage_ms.{name}": median(took) for name, took in best.stages.items()},
        "failed": float(sum(level.failed for level in fine)),
        "turns": float(sum(len(level.said) for level in levels)),
    }
    figures |= {f"core_ms.{part}": 1000 * took for part, took in take.core_seconds.items()}
    figures |= {f"tokens.{role}.input": use.input_tokens for role, use in take.roles.items()}
    figures |= {f"tokens.{role}.output": use.output_tokens for role, use in take.roles.items()}
    figures["postgres_bytes_per_turn"] = take.postgres_bytes_per_turn
    figures["redis_bytes_per_session"] = take.redis_bytes_per_session
    return figures, take


def _taken(now: Spent, before: Spent, levels: Sequence[Level], redis_bytes: float) -> Measured:
    took = {part: sum(level.took[part] for level in levels) for part in levels[0].took}
    return now.per_turn(before, took, redis_bytes)


def _kept_up(level: Level) -> bool:
    """Whether everybody was answered, and the last ones soon after they asked."""
    return not level.failed and level.behind < MOST_BEHIND_SECONDS


def _in_time(level: Level, model_seconds: float) -> bool:
    return _kept_up(level) and level.own_ms(95, model_seconds) < CEILING_MS


def _told(level: Level, model_seconds: float) -> str:
    parts = ", ".join(f"{part} {took:.1f} s" for part, took in level.took.items())
    p50, p95 = (level.own_ms(at, model_seconds) for at in (50, 95))
    return (
        f"{level.rate:g}/s: {level.turns_per_s:.2f} turns/s, own p50 {p50:.0f} p95 {p95:.0f} ms, "
        f"{level.cores:.2f} cores ({parts}), {level.failed} failed\n  "
        + ", ".join(f"{name} {median(took):.0f}" for name, took in level.stages.items())
    )


async def _redis_bytes(stack: LiveStack) -> float:
    services = build(stack.settings())
    await services.open()
    try:
        memory = await services.redis.run(lambda client: client.info("memory"))
    finally:
        await services.close()
    return float(memory["used_memory_dataset"]) / stack.count(SESSIONS)


async def _foreseen(run: Run, driver: Driver, take: Measured) -> dict[str, float]:
    """Other people at another rate, and how far the plan for them is off."""
    rate, seconds = 2.5, 3 * run.seconds
    before = await driver.spent()
    level = await driver.level(rate, seconds, talkers(run.people // 2, seed=3))
    now = await driver.spent()
    turns = now.turns - before.turns
    workload = Workload(round(turns * 86_400 / seconds), 1, peak=1.0, escalated=0.0)
    foreseen = plan(workload, take, {}, Machines(busy=1.0))
    per_day = 86_400 / seconds
    seen = {
        "cores": (sum(foreseen.cores.values()), level.cores),
        "storage": (
            foreseen.postgres_gb_per_year / 365,
            (now.postgres_bytes - before.postgres_bytes) * per_day / GIGABYTE,
        ),
    }
    for side in ("input_tokens", "output_tokens"):
        planned = sum(getattr(money.use_per_day, side) for money in foreseen.roles.values())
        used = sum(getattr(now.roles[r], side) - getattr(before.roles[r], side) for r in now.roles)
        seen[side] = (planned, used * per_day)
    errors = {name: abs(ours - real) / real for name, (ours, real) in seen.items()}
    print(f"foreseen at {rate}/s: {seen}")
    return {f"plan.error.{name}": error for name, error in errors.items()} | {
        "plan.error": max(errors.values())
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=Run.seconds)
    parser.add_argument("--dry", action="store_true", help="writes nothing")
    given = parser.parse_args()
    run = Run(seconds=given.seconds)
    with TemporaryDirectory(prefix="saegim-load-") as folder:
        figures, take = asyncio.run(load(run, Path(folder)))
    for name, value in figures.items():
        print(f"{name:28} {value:g}")
    if not given.dry:
        print(results.write("load", figures, vars(run)))
        SHIPPED.write_text(json.dumps(take.as_json(), indent=2) + "\n", "utf-8")
        budget = Budgets().total
        PICTURE.write_text(chart.draw(figures, history.TURNS, budget), "utf-8")
        publish("load", everything(figures))
        capacity.write(take)
    fine = figures["own_ms.p95"] < CEILING_MS and figures["plan.error"] <= MOST_ERROR
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
