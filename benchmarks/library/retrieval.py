"""Measure retrieval quality: `python -m benchmarks.library.retrieval [--sets NAME …]`.

Each set is imported by the library's job and searched through its service, on real stores. The
ranking was tuned on the sets of `CHOSEN_ON`; those of `HELD_OUT` are held out. The exit code is 1
if the fusion is significantly worse than its better retriever. `--questions` and `--passages` make
it small; `--folds` shows, in memory, weights tuned on four fifths of the questions on the fifth.
"""

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean

from benchmarks import results
from benchmarks.library import table
from benchmarks.library.bench_stack import bench_stack, stores
from benchmarks.library.engine import Arm, Engine, ServiceEngine
from benchmarks.library.in_memory import MemoryEngine
from benchmarks.library.sets import FOLDS, NAMES, Question, RetrievalSet, folder, load, small
from benchmarks.page import publish
from saegim.library.ranking import DEFAULT_WEIGHTS, RankingWeights
from saegim.text.ranking_metrics import (
    Difference,
    all_gold,
    ndcg,
    paired_bootstrap,
    recall,
    reciprocal_rank,
)

COUNT = 10
GRID = [
    RankingWeights(dense, focus, feedback)
    for dense, focus, feedback in product((0.1, 0.25, 0.4), (0.25, 0.75), (0.25, 1.0))
]
# Minimum figures with the bundled embedder and default weights.
GOALS = {
    "korquad.ndcg10": 0.950,
    "autorag_ko.ndcg10": 0.940,
    "ko_strategyqa_facts.ndcg10": 0.785,
}


@dataclass(frozen=True, slots=True)
class Report:
    """Measurements of one set."""

    name: str
    figures: Mapping[str, float]
    against_better_arm: Difference


async def measure(found: RetrievalSet, engine: Engine) -> Report:
    """Returns a set's figures by name."""
    await engine.load(found.documents)
    searched = [await engine.search(one.text) for one in found.questions]
    answers = {arm: [one[arm] for one in searched] for arm in Arm}
    gains = {arm: _gains(found.questions, ranked) for arm, ranked in answers.items()}
    fused = list(zip(answers[Arm.FUSED], found.questions, strict=True))
    better = max(Arm.LEXICAL, Arm.DENSE, key=lambda arm: fmean(gains[arm]))
    gap = paired_bootstrap(gains[Arm.FUSED], gains[better])
    name = found.name
    figures = {
        f"{name}.ndcg10": fmean(gains[Arm.FUSED]),
        f"{name}.lexical.ndcg10": fmean(gains[Arm.LEXICAL]),
        f"{name}.dense.ndcg10": fmean(gains[Arm.DENSE]),
        f"{name}.recall10": fmean(recall(ranked, one.gold, COUNT) for ranked, one in fused),
        f"{name}.mrr": fmean(reciprocal_rank(ranked, one.gold) for ranked, one in fused),
        f"{name}.all_gold10": fmean(all_gold(ranked, one.gold, COUNT) for ranked, one in fused),
        f"{name}.over_better_arm": gap.mean,
        f"{name}.over_better_arm.low": gap.low,
        f"{name}.over_better_arm.high": gap.high,
    }
    return Report(name, figures, gap)


def _gains(questions: Sequence[Question], answers: Sequence[Sequence[str]]) -> list[float]:
    return [ndcg(ranked, one.gold, COUNT) for ranked, one in zip(answers, questions, strict=True)]


async def tuned(found: RetrievalSet, engine: MemoryEngine) -> float:
    """Ranks each fold with the weights that were best on the others."""
    await engine.load(found.documents)
    gains: list[list[float]] = []
    for weights in GRID:
        engine.weights = weights
        answers = [(await engine.search(one.text))[Arm.FUSED] for one in found.questions]
        gains.append(_gains(found.questions, answers))
    left_out: list[float] = []
    for fold in range(FOLDS):
        inside = [at for at, one in enumerate(found.questions) if one.fold == fold]
        outside = [at for at, one in enumerate(found.questions) if one.fold != fold]
        best = max(gains, key=lambda scores: fmean(scores[at] for at in outside))
        left_out.extend(best[at] for at in inside)
    return fmean(left_out)


async def through_the_service(chosen: Sequence[RetrievalSet]) -> list[Report]:
    """Measures every set in its own tenant."""
    reports: list[Report] = []
    async with stores(durable=False) as at, bench_stack(at) as home:
        engine = ServiceEngine(at, home.services)
        for one in chosen:
            reports.append(await measure(one, engine))
            _print(reports[-1])
    return reports


async def in_folds(chosen: Sequence[RetrievalSet]) -> None:
    engine = MemoryEngine()
    try:
        for one in chosen:
            print(f"{one.name + '.tuned.ndcg10':44} {await tuned(one, engine):.4f}", flush=True)
    finally:
        await engine.close()


def main() -> int:
    asked = _arguments()
    root = folder()
    if root is None:
        print("SAEGIM_BENCH_DATA is not a folder with the data sets: docs/reference/benchmarks.md")
        return 1
    chosen = _chosen(root, asked)
    if asked.folds:
        asyncio.run(in_folds(chosen))
        return 0
    reports = asyncio.run(through_the_service(chosen))
    figures = {key: value for report in reports for key, value in report.figures.items()}
    broken = [
        f"{one.name} below its better retriever"
        for one in reports
        if one.against_better_arm.is_worse
    ]
    if asked.questions is None and asked.passages is None:
        broken += [
            f"{name} {figures[name]:.3f} < {goal}"
            for name, goal in GOALS.items()
            if name in figures and figures[name] < goal
        ]
        if not asked.dry:
            configuration = {"embedder": "use-multilingual-3/512", "weights": str(DEFAULT_WEIGHTS)}
            print(results.merge("retrieval", figures, {**configuration, "sets": asked.sets}))
            publish("retrieval", table.retrieval(results.known("retrieval")))
    for promise in broken:
        print(f"failed: {promise}", file=sys.stderr)
    return int(bool(broken))


def _chosen(root: Path, asked: argparse.Namespace) -> list[RetrievalSet]:
    return [small(load(root, name), asked.questions, asked.passages) for name in asked.sets]


def _print(report: Report) -> None:
    for name, value in report.figures.items():
        print(f"{name:44} {value:+.4f}" if "over" in name else f"{name:44} {value:.4f}", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", choices=NAMES, default=list(NAMES))
    parser.add_argument("--questions", type=int, help="questions per set; writes nothing")
    parser.add_argument("--passages", type=int, help="passages per set; writes nothing")
    parser.add_argument("--folds", action="store_true", help="tune in five folds, in memory")
    parser.add_argument("--dry", action="store_true", help="print, write nothing")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
