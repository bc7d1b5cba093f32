"""Run the load test until saturation, then check the plan of `saegim plan`.

API, worker, Postgres and Valkey run with default settings in their own processes; so do the model,
which takes a fixed time, and this process, which plays the clients. All share the machine, so the
cost of a turn is the processor time of the first four, over all sustained rates: with short
answers, and with long ones. The plan is checked with answers of a length between them.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx2

from benchmarks import results
from benchmarks.load import capacity, chart, history, model
from benchmarks.load.driving import Driver, Level, caught_up
from benchmarks.load.people import Talker, handbook, talkers
from benchmarks.page import everything, publish
from benchmarks.stack import LiveStack, hosted, usual
from saegim.app.container import build
from saegim.chat.context.assembly import Budgets
from saegim.client.client import SaegimClient
from saegim.localservers.valkey import find_free_port
from saegim.usage.plan import FIGURES, GIGABYTE, Machines, TurnCost, TurnCosts, Workload, plan

CEILING_MS = 100.0
MOST_ERROR = 0.2
AT_ONCE = 50
MOST_BEHIND_SECONDS = 3.0
OF_COST = {
    "answer_tokens",
    "turns_per_s_per_core",
    "kept.turns_per_s",
    "turns",
    "failed",
    "own_ms.p50",
    "own_ms.p95",
    "postgres_bytes_per_turn",
    "redis_bytes_per_session",
}
# In sequence; recall and research are parts of gather.
STAGES = ("open", "route", "gather", "assemble", "answer")
PICTURE = results.ROOT / "docs/images/history.svg"
SHIPPED = results.ROOT / "src/saegim/usage" / FIGURES
MIDDLE = (model.SHORT + model.LONG) // 2


@dataclass(frozen=True)
class Run:
    """Duration of each rate, minimum number of turns, and time of a model call."""

    seconds: int = 20
    turns: int = 100
    chapters: int = 25
    people: int = 24
    model_seconds: float = 0.4
    rates: tuple[float, ...] = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)


async def load(run: Run, folder: Path) -> tuple[dict[str, float], TurnCosts]:
    """Returns the figures, and the costs of a turn for the plan."""
    port = find_free_port()
    settings = {"SAEGIM_METRICS_PORT": str(port), **usual(), **hosted()}
    with model.running(run.model_seconds) as url:
        async with (
            LiveStack.start(folder, url, 1, settings) as stack,
            httpx2.AsyncClient(base_url=stack.url, timeout=60) as http,
        ):
            key = await stack.new_tenant("load")
            driver = Driver(stack, http, key, f"http://127.0.0.1:{port}")
            await bring_in(stack, key, run.chapters)
            await driver.level(2.0, 10, talkers(10, seed=1))
            length = await model.set_length(http, url, model.SHORT)
            figures, short = await _levels(run, driver, talkers(run.people, seed=2), length)
            length = await model.set_length(http, url, model.LONG)
            of_long, long = await _levels(run, driver, talkers(run.people, seed=5), length)
            figures |= {f"long.{name}": of_long[name] for name in of_long if _of_cost(name)}
            costs = TurnCosts(short, long)
            length = await model.set_length(http, url, MIDDLE)
            figures |= await _foreseen(run, driver, costs, length)
            await model.set_length(http, url, model.SHORT)
            figures |= await driver.at_once(talkers(AT_ONCE, seed=4), run.model_seconds)
            services = build(stack.settings())
            await services.open()
            admin = stack.postgres.url("saegim")
            figures |= await history.measure(services, admin, driver, key)
            await services.close()
            await caught_up(stack, 120)
            figures["jobs.failed"] = (await driver.spent()).failed_jobs
    return figures, costs


async def bring_in(stack: LiveStack, key: str, chapters: int) -> None:
    """Imports a library through the product."""
    async with SaegimClient(stack.url, key, user="editor") as client:
        opened = await client.open_ingest()
        for name, content in handbook(chapters):
            await client.send_file(opened.ingest_id, name, content)
    await caught_up(stack, 900)


async def _levels(
    run: Run, driver: Driver, people: Sequence[Talker], answer_tokens: int
) -> tuple[dict[str, float], TurnCost]:
    """Increases the rate until it cannot be sustained. The cost of a turn is of the rates
    before."""
    before, levels = await driver.spent(), list[Level]()
    now = before
    for rate in run.rates:
        level = await driver.level(rate, max(run.seconds, run.turns / rate), people)
        print(_told(level, run.model_seconds))
        levels.append(level)
        if len(levels) == 1 or _kept_up(level):
            now = await driver.spent()
        if not _kept_up(level):
            break
    kept = [level for level in levels if _kept_up(level)] or levels[:1]
    took = {part: sum(level.took[part] for level in kept) for part in kept[0].took}
    cost = now.per_turn(before, took, answer_tokens)
    return _figures(run, levels, kept, cost), cost


def _figures(
    run: Run, levels: Sequence[Level], kept: Sequence[Level], take: TurnCost
) -> dict[str, float]:
    in_time = [level.turns_per_s for level in kept if _in_time(level, run.model_seconds)]
    figures = {
        "answer_tokens": take.answer_tokens,
        "turns_per_s_per_core": 1 / sum(take.core_seconds.values()),
        "in_time.turns_per_s": max(in_time, default=0.0),
        "kept.turns_per_s": kept[-1].turns_per_s,
        "turns": float(sum(len(level.said) for level in kept)),
        "failed": float(sum(level.failed for level in kept)),
    }
    for level in levels:
        for percent in (50, 95):
            own = level.own_ms(percent, run.model_seconds)
            figures[f"own_ms.p{percent}.{level.rate:g}_per_s"] = own
            if level.rate == 1.0:
                figures[f"own_ms.p{percent}"] = own
    figures |= _stages(levels[0], run.model_seconds)
    figures |= {f"core_ms.{part}": 1000 * took for part, took in take.core_seconds.items()}
    figures |= {f"tokens.{role}.input": use.input_tokens for role, use in take.roles.items()}
    figures |= {f"tokens.{role}.output": use.output_tokens for role, use in take.roles.items()}
    figures["postgres_bytes_per_turn"] = take.postgres_bytes_per_turn
    figures["redis_bytes_per_session"] = take.redis_bytes_per_session
    return figures


def _of_cost(name: str) -> bool:
    """Whether a figure is published of long answers, too."""
    return name in OF_COST or name.startswith(("core_ms.", "tokens."))


def _stages(level: Level, model_seconds: float) -> dict[str, float]:
    """Returns the time of each stage at the lowest rate; `outside` is the rest."""
    stages = {f"stage_ms.{name}": median(took) for name, took in level.stages.items()}
    within = sum(stages.get(f"stage_ms.{name}", 0.0) for name in STAGES)
    return stages | {"stage_ms.outside": level.own_ms(50, model_seconds) - within}


def _kept_up(level: Level) -> bool:
    """Whether all messages were answered, the last ones soon after they were sent."""
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


async def _foreseen(
    run: Run, driver: Driver, costs: TurnCosts, answer_tokens: int
) -> dict[str, float]:
    """Runs other clients at another rate, with other answers; returns the error of the plan."""
    rate, seconds = 1.5, 3 * run.seconds
    before = await driver.spent()
    level = await driver.level(rate, seconds, talkers(run.people // 2, seed=3))
    now = await driver.spent()
    turns = now.turns - before.turns
    per_day = 86_400 / seconds
    workload = Workload(round(turns * per_day), 1, 1.0, 0.0, answer_tokens)
    foreseen = plan(workload, costs, {}, Machines(busy=1.0))
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
    print(f"planned at {rate}/s: {seen}")
    return {f"plan.error.{name}": error for name, error in errors.items()} | {
        "plan.error": max(errors.values())
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=Run.seconds)
    parser.add_argument("--turns", type=int, default=Run.turns)
    parser.add_argument("--rates", type=float, nargs="+", default=Run.rates)
    parser.add_argument("--dry", action="store_true", help="write no result file")
    given = parser.parse_args()
    run = Run(seconds=given.seconds, turns=given.turns, rates=tuple(given.rates))
    with TemporaryDirectory(prefix="saegim-load-") as folder:
        figures, costs = asyncio.run(load(run, Path(folder)))
    for name, value in figures.items():
        print(f"{name:28} {value:g}")
    shipped = json.dumps(asdict(costs), indent=2)
    if given.dry:
        print(shipped)
    else:
        print(results.write("load", figures, vars(run)))
        SHIPPED.write_text(f"{shipped}\n", "utf-8")
        budget = Budgets().total
        PICTURE.write_text(chart.draw(figures, history.TURNS, budget), "utf-8")
        publish("load", everything(figures))
        capacity.write(costs)
    wrong = beyond(figures)
    for reason in wrong:
        print(reason, file=sys.stderr)
    return 1 if wrong else 0


def beyond(figures: Mapping[str, float]) -> list[str]:
    """Returns why a run counts as failed."""
    reasons = {
        f"no rate has turns below {CEILING_MS:g} ms at p95": not figures["in_time.turns_per_s"],
        f"the plan is off by {figures['plan.error']:.0%}": figures["plan.error"] > MOST_ERROR,
        f"{figures['jobs.failed']:g} runs of jobs failed": bool(figures["jobs.failed"]),
    }
    return [reason for reason, holds in reasons.items() if holds]


if __name__ == "__main__":
    sys.exit(main())
