"""Measure retrieval quality: `python -m benchmarks.library.retrieval [--sets NAME …]`.

Each set is imported by the library's job and searched through its service, on real stores. The
ranking was tuned on the dev halves of the sets of `CHOSEN_ON`; `NAME.held_out` figures are of the
other halves. Cross-language figures go to embedder.json. The exit code is 1 if the fusion is
significantly worse than its better retriever. `--questions` and `--passages` make
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
from benchmarks.library.sets import (
    CROSS_LANGUAGE_SETS,
    FOLDS,
    NAMES,
    Question,
    RetrievalSet,
    folder,
    load,
    small,
)
from benchmarks.page import publish
from saegim.library.ranking import DEFAULT_WEIGHTS, RankingWeights
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.text.ranking_metrics import (
    Difference,
    all_gold,
    ndcg,
    paired_bootstrap,
    recall,
    reciprocal_rank,
)

COUNT = 10
FIRST = 5
GRID = [
    RankingWeights(dense, focus, feedback)
    for dense, focus, feedback in product((0.1, 0.25, 0.4), (0.25, 0.75), (0.25, 1.0))
]
EMBEDDER = BundledEmbedder().name
# Minimum figures with the bundled embedder and default weights.
GOALS = {
    "korquad.held_out.ndcg10": 0.950,
    "autorag_ko.held_out.ndcg10": 0.940,
    "ko_strategyqa_facts.held_out.ndcg10": 0.855,
    "twowiki.held_out.ndcg10": 0.739,
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
    searched = {one.id: await engine.search(one.text) for one in found.questions}
    held_out = [one for one in found.held_out if one.id in searched]
    answers = {arm: [one[arm] for one in searched.values()] for arm in Arm}
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
    if held_out:
        figures |= _held_out(name, held_out, searched)
    return Report(name, figures, gap)


def _held_out(
    name: str, questions: Sequence[Question], searched: Mapping[str, Mapping[Arm, list[str]]]
) -> dict[str, float]:
    """Returns the figures of the half that nothing was tuned on, with 95 % intervals."""
    gains = {arm: _gains(questions, [searched[one.id][arm] for one in questions]) for arm in Arm}
    better = max(Arm.LEXICAL, Arm.DENSE, key=lambda arm: fmean(gains[arm]))
    whole = paired_bootstrap(gains[Arm.FUSED], [0.0] * len(questions))
    gap = paired_bootstrap(gains[Arm.FUSED], gains[better])
    answered = [_answers(searched[one.id][Arm.FUSED], one.gold) for one in questions]
    return {
        f"{name}.held_out.questions": float(len(questions)),
        f"{name}.held_out.ndcg10": whole.mean,
        f"{name}.held_out.ndcg10.low": whole.low,
        f"{name}.held_out.ndcg10.high": whole.high,
        f"{name}.held_out.lexical.ndcg10": fmean(gains[Arm.LEXICAL]),
        f"{name}.held_out.dense.ndcg10": fmean(gains[Arm.DENSE]),
        f"{name}.held_out.over_better_arm": gap.mean,
        f"{name}.held_out.over_better_arm.low": gap.low,
        f"{name}.held_out.over_better_arm.high": gap.high,
        f"{name}.held_out.r5": fmean(answered),
    }


def _answers(ranked: Sequence[str], gold: frozenset[str]) -> float:
    """Returns 1 if a document that answers is among the first five."""
    return float(not gold.isdisjoint(ranked[:FIRST]))


def cross_language(figures: Mapping[str, float]) -> dict[str, float]:
    """Returns the figures of embedder.json: the share of held-out questions that are answered."""
    found = {
        name.removeprefix("cross_"): figures[f"{name}.held_out.r5"]
        for name in CROSS_LANGUAGE_SETS
        if f"{name}.held_out.r5" in figures
    }
    if len(found) < len(CROSS_LANGUAGE_SETS):
        return {}
    by_direction = {f"cross_language.{name}.r5": value for name, value in found.items()}
    return {"cross_language.r5": fmean(found.values()), **by_direction}


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
            configuration = {"embedder": EMBEDDER, "weights": str(DEFAULT_WEIGHTS)}
            print(results.merge("retrieval", figures, {**configuration, "sets": asked.sets}))
            if across := cross_language(results.known("retrieval")):
                print(results.merge("embedder", across, {"cross_language": configuration}))
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
    # Sets over the same documents follow each other: these are then imported once.
    across = {documents: name for name, documents in CROSS_LANGUAGE_SETS.items()}
    every = [each for name in NAMES for each in (name, across.get(name)) if each is not None]
    parser.add_argument("--sets", nargs="+", choices=every, default=every)
    parser.add_argument("--questions", type=int, help="questions per set; writes nothing")
    parser.add_argument("--passages", type=int, help="passages per set; writes nothing")
    parser.add_argument("--folds", action="store_true", help="tune in five folds, in memory")
    parser.add_argument("--dry", action="store_true", help="print, write nothing")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
