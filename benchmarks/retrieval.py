"""How well the library finds: `python -m benchmarks.retrieval [--sets NAME …] [--folds] [--dry]`.

Every set goes through splitting, terms, embedding and ranking as the library does it. Besides the
figures of both arms and of their fusion, it says whether the fusion is worse than its better arm by
more than chance. `--folds` also tunes the weights, each fifth of the questions by the other four.
"""

import argparse
import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean

from benchmarks import results
from benchmarks.retrieval_engine import Arm, Engine, MemoryEngine
from benchmarks.retrieval_sets import FOLDS, NAMES, Question, RetrievalSet, folder, load
from benchmarks.retrieval_table import publish, table
from saegim.library.rank import DEFAULT_WEIGHTS, Weights
from saegim.search.metrics import (
    Difference,
    all_gold,
    ndcg,
    paired_bootstrap,
    recall,
    reciprocal_rank,
)

COUNT = 10
GRID = [
    Weights(dense, focus, feedback)
    for dense, focus, feedback in product((0.1, 0.25, 0.4), (0.25, 0.75), (0.25, 1.0))
]


@dataclass(frozen=True, slots=True)
class Report:
    """What one set measured."""

    name: str
    figures: Mapping[str, float]
    against_better_arm: Difference


async def measure(found: RetrievalSet, engine: Engine, folds: bool) -> Report:
    """A set's figures, by name."""
    await engine.load(found.documents)
    answers = {
        arm: [await engine.search(one.text, arm, DEFAULT_WEIGHTS) for one in found.questions]
        for arm in Arm
    }
    gains = {arm: _gains(found.questions, ranked) for arm, ranked in answers.items()}
    fused = list(zip(answers[Arm.FUSED], found.questions, strict=True))
    name = found.name
    figures = {
        f"{name}.ndcg10": fmean(gains[Arm.FUSED]),
        f"{name}.lexical.ndcg10": fmean(gains[Arm.LEXICAL]),
        f"{name}.dense.ndcg10": fmean(gains[Arm.DENSE]),
        f"{name}.recall10": fmean(recall(ranked, one.gold, COUNT) for ranked, one in fused),
        f"{name}.mrr": fmean(reciprocal_rank(ranked, one.gold) for ranked, one in fused),
        f"{name}.all_gold10": fmean(all_gold(ranked, one.gold, COUNT) for ranked, one in fused),
    }
    if folds:
        figures[f"{name}.tuned.ndcg10"] = await _tuned(found.questions, engine)
    better = max(Arm.LEXICAL, Arm.DENSE, key=lambda arm: fmean(gains[arm]))
    difference = paired_bootstrap(gains[Arm.FUSED], gains[better])
    return Report(name, figures, difference)


def _gains(questions: Sequence[Question], answers: Sequence[Sequence[str]]) -> list[float]:
    return [ndcg(ranked, one.gold, COUNT) for ranked, one in zip(answers, questions, strict=True)]


async def _tuned(questions: Sequence[Question], engine: Engine) -> float:
    """Each fold ranked with the weights that were best on the others."""
    gains: list[list[float]] = []
    for weights in GRID:
        answers = [await engine.search(one.text, Arm.FUSED, weights) for one in questions]
        gains.append(_gains(questions, answers))
    left_out: list[float] = []
    for fold in range(FOLDS):
        inside = [at for at, one in enumerate(questions) if one.fold == fold]
        outside = [at for at, one in enumerate(questions) if one.fold != fold]
        best = max(gains, key=lambda scores: fmean(scores[at] for at in outside))
        left_out.extend(best[at] for at in inside)
    return fmean(left_out)


async def main() -> int:
    asked = _arguments()
    root = folder()
    if root is None:
        print("SAEGIM_BENCH_DATA names no folder with the sets; see docs/benchmarks.md")
        return 1
    engine = MemoryEngine()
    reports: list[Report] = []
    try:
        for name in asked.sets:
            report = await measure(load(root, name), engine, asked.folds)
            reports.append(report)
            _print(report)
    finally:
        await engine.close()
    if not asked.dry:
        figures = {key: value for report in reports for key, value in report.figures.items()}
        results.write("retrieval", figures, {"engine": type(engine).__name__, "sets": asked.sets})
        publish(table(figures))
    return int(any(report.against_better_arm.is_worse for report in reports))


def _print(report: Report) -> None:
    for name, value in report.figures.items():
        print(f"{name:40} {value:.4f}")
    gap = report.against_better_arm
    print(
        f"{report.name}: against its better arm {gap.mean:+.4f} [{gap.low:+.4f}, {gap.high:+.4f}]"
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", choices=NAMES, default=list(NAMES))
    parser.add_argument("--folds", action="store_true", help="also tune the weights in five folds")
    parser.add_argument("--dry", action="store_true", help="print, write nothing")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
