"""Fit the weights of an episode's signals to questions with known answers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from saegim.memory.recall.scoring import SIGNALS, EpisodeWeights

POOL = 150
STEPS = 200
RATE = 0.05
SHRINKAGE = 1e-3


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question: the signals of every turn, and which turns answer it."""

    kind: str
    signals: NDArray[np.float64]
    gold: NDArray[np.bool_]
    source: str = "locomo"


def fit(lessons: Sequence[Lesson], near: EpisodeWeights | None = None) -> EpisodeWeights:
    """Returns the weights under which correct turns are most likely, with every set weighted
    equally, and every class of a set.

    A softmax over the candidate turns, with a penalty on the distance from `near`, or from 0.
    """
    first = EpisodeWeights().vector()
    # Skip questions whose turns were not stored.
    lessons = [lesson for lesson in lessons if lesson.gold.any()]
    share = _shares(lessons)
    pools = [_pool(lesson, first) for lesson in lessons]
    widest = max(len(gold) for _, gold in pools)
    signals = np.zeros((len(pools), widest, len(SIGNALS)))
    gold = np.zeros((len(pools), widest))
    outside = np.full((len(pools), widest), -np.inf)
    for row, (values, right) in enumerate(pools):
        signals[row, : len(right)] = values
        gold[row, : len(right)] = right / right.sum()
        outside[row, : len(right)] = 0.0
    rows, columns = signals.reshape(-1, len(SIGNALS)), share[:, None]
    centre = np.zeros(len(SIGNALS)) if near is None else near.vector()
    weights = centre.copy()
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        score = signals @ weights + outside
        likely = np.exp(score - score.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        wrong = (columns * (likely - gold)).reshape(-1)
        slope = wrong @ rows + SHRINKAGE * (weights - centre)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return EpisodeWeights(*(float(value) for value in weights))


def _shares(lessons: Sequence[Lesson]) -> NDArray[np.float64]:
    sizes = Counter((lesson.source, lesson.kind) for lesson in lessons)
    classes = Counter(source for source, _ in sizes)
    return np.array(
        [
            1 / (len(classes) * classes[each.source] * sizes[each.source, each.kind])
            for each in lessons
        ]
    )


def _pool(
    lesson: Lesson, weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    best = np.argsort(-(lesson.signals @ weights))[:POOL]
    rows = np.union1d(best, np.flatnonzero(lesson.gold))
    return lesson.signals[rows], lesson.gold[rows].astype(np.float64)
