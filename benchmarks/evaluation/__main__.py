"""`python -m benchmarks.evaluation [--people p1 …] [--held-out] [--recency W] [--gate | --pin |
--again]`.

Runs the judge's calibration, the scenarios, recall on the Korean memory set, and the library sets
in SAEGIM_BENCH_DATA. Stores the run and writes the report. The gate measures only what is pinned.
"""

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import page, results as bench_results
from benchmarks.evaluation import calibration, gate, library, memory
from benchmarks.evaluation.calibration import calibrate, samples
from benchmarks.evaluation.memory import Asking, Bench, Found
from benchmarks.evaluation.people import PEOPLE
from benchmarks.library.sets import folder
from benchmarks.memory.bench_stack import bench_stack
from saegim import __version__
from saegim.cli.evaluation.run import stage_of
from saegim.evaluation.play import StageClock, play, scenario_figures
from saegim.evaluation.report import figure_in, write
from saegim.evaluation.results import Figure, ResultTable, Run, ScenarioResult, load, save
from saegim.evaluation.retrieval import ALL, figure
from saegim.evaluation.scenario import shipped
from saegim.llm.steps import Steps
from saegim.memory.recall.scoring import RecordWeights

ROOT = Path(__file__).parents[2]
RUNS = ROOT / "benchmarks" / "results" / "evaluations"
PINS = ROOT / "benchmarks" / "results" / "pinned.json"
START = datetime(2024, 1, 5, 9, tzinfo=UTC)
GIVEN, WITHIN = "given", "recall@1000tokens"
PINNED = ("recall@10", "ndcg@10", "recall@1000tokens", "freshness", "abstention_auroc", GIVEN)


async def measure(asking: Asking, root: Path | None) -> Run:
    """Measures everything once. `root` is the folder of the library sets, if it exists."""
    clock = StageClock(START)
    async with bench_stack(clock) as home:
        stage = stage_of(home.services, home.key, clock)
        rulings = await calibrate(Steps(home.services.llm.models), samples())
        played = [await play(stage, scenario) for scenario in shipped()]
        print(f"scenarios: {sum(each.passed for each in played)} of {len(played)}", flush=True)
        found = [await memory.measure(Bench(home.services, clock, home.key), asking)]
        configuration = _configuration(home.services.llm.embedder.name, asking)
    if root is not None:
        found.append(await library.measure(root))
    return Run(
        kind="offline",
        at=datetime.now(UTC),
        version=__version__,
        commit=_commit(),
        configuration=configuration,
        figures=calibration.figures(rulings) | _scenario_figures(played) | _figures(found),
        played=tuple(played),
        tables=tuple(each for one in found for each in one.tables),
        comparisons=tuple(each for one in found for each in one.comparisons),
        failed=tuple(each for one in found for each in one.failed),
        notes=() if root else ("SAEGIM_BENCH_DATA is not set: no library sets",),
    )


def _scenario_figures(played: Sequence[ScenarioResult]) -> dict[str, Figure]:
    asked = [each for one in played for each in one.asked]
    alone = [each.alone.overall_score for each in asked if each.alone]
    together = [each.with_recall.overall_score for each in asked if each.with_recall]
    return {
        **scenario_figures(played),
        "scenarios.overall.working_memory": figure(alone),
        "scenarios.overall.with_recall": figure(together),
    }


def _figures(found: Sequence[Found]) -> dict[str, Figure]:
    """Returns the figures of the gate and of the report's first table, over all classes."""
    return {
        f"{table.name}.{arm}.{name}": row[ALL][name]
        for one in found
        for table in one.tables
        for arm, row in table.rows.items()
        for name in PINNED
        if name in row[ALL]
    }


def _configuration(embedder: str, asking: Asking) -> dict[str, Any]:
    return {
        "models": "none: every step by its twin",
        "embedder": embedder,
        "people": list(asking.people),
        "halves": ["dev", "held_out"] if asking.held_out else ["dev"],
        "record weights": asdict(asking.weights or RecordWeights()),
        "seed": 0,
        "intervals": "95 %, bootstrap over questions",
    }


def _commit() -> str:
    command = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def _gate(run: Run) -> int:
    if not PINS.exists():
        print("no pinned figures: run with --pin first")
        return 1
    fallen = gate.fallen(run.figures, gate.read(PINS))
    for each in fallen:
        now = "is not measured any more" if each.value is None else f"is {each.value:.4f}"
        print(f"{each.name} {now}, pinned at {each.pin.value:.4f} ± {each.pin.noise:.4f}")
    print("all pinned figures hold" if not fallen else f"{len(fallen)} figures dropped")
    return int(bool(fallen))


def leaning(recency: float | None) -> RecordWeights | None:
    """Returns weights with another share for recency; the others keep their proportion."""
    if recency is None:
        return None
    usual = RecordWeights()
    rest = (1 - recency) / (usual.similarity + usual.importance)
    return RecordWeights(usual.similarity * rest, recency, usual.importance * rest)


def main() -> int:
    asked = _arguments()
    asking = Asking(asked.people, asked.held_out, leaning(asked.recency), not asked.gate)
    if asked.gate:
        return _gate(asyncio.run(measure(asking, None)))
    if not asked.again:
        _keep(asyncio.run(measure(asking, folder())), asked.pin)
    print(_reported(load(RUNS), asked.out))
    return 0


def _keep(run: Run, pin: bool) -> None:
    save(run, RUNS)
    if pin:
        gate.write(PINS, gate.pinned(_watched(run)))
    bench_results.write("evaluation", _flat(run), run.configuration)


def _reported(runs: Sequence[Run], out: Path) -> Path:
    """Writes the report of the newest run, and its section of the page of figures."""
    for table in runs[-1].tables:
        if table.name == memory.HELD_OUT:
            page.publish("evaluation", _by_class(table))
    return write(runs, out)


def _by_class(table: ResultTable) -> str:
    def row(name: str, kind: str, measures: Mapping[str, str], usual: str) -> list[str]:
        return [
            name,
            *(figure_in(table, arm, kind, measures.get(arm, usual)) for arm in table.rows),
        ]

    rows = [
        row(kind, kind, {memory.RECALL: GIVEN}, WITHIN)
        for kind in dict.fromkeys(
            kind for arm in table.rows.values() for kind, found in arm.items() if WITHIN in found
        )
    ]
    rows += [row(name, ALL, {}, name) for name in ("recall@10", "ndcg@10", "abstention_auroc")]
    return page.table(["class", *table.rows], rows, "<" + ">" * len(table.rows))


def _watched(run: Run) -> dict[str, Figure]:
    """Measures the product unchanged, on the `dev` half of the questions."""
    kept = ("judge.", "scenarios.", "korean_memory.")
    return {name: each for name, each in run.figures.items() if name.startswith(kept)}


def _flat(run: Run) -> dict[str, float]:
    """Returns every figure, and every difference with its interval."""
    flat = {name: each.value for name, each in run.figures.items()}
    for each in run.comparisons:
        name = f"{each.table}.{each.one} against {each.other}.{each.measure}"
        flat |= {name: each.mean, f"{name}.low": each.low, f"{name}.high": each.high}
    return {name: round(value, 4) for name, value in flat.items()}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", nargs="+", choices=PEOPLE, default=list(PEOPLE))
    parser.add_argument("--held-out", action="store_true", help="use the held-out half too")
    parser.add_argument("--recency", type=float, help="try another weight of recency")
    parser.add_argument("--again", action="store_true", help="write the report of the last run")
    parser.add_argument("--gate", action="store_true", help="compare with the pinned figures")
    parser.add_argument("--pin", action="store_true", help="pin the measured figures")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "evaluation")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
