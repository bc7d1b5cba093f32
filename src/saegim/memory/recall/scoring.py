"""Rank records and episodes by their scores for a question."""

from dataclasses import dataclass, fields, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from saegim.llm.ports import SimilarityScale
from saegim.memory.recall.types import (
    EpisodeScores,
    Numbers,
    RecallQuestion,
    RecallSignals,
    RecordScores,
    Seconds,
)
from saegim.memory.types import TurnFeature

Values = NDArray[np.float64]

# Records --------------------------------------------------------------------------------

DECAY_PER_DAY = 0.002
IN_TIME = 0.2
DAY = 86_400.0
# Lower bound of the best similarity, so that the best of poor matches is no full match.
_LEAST_BEST = 0.2
# The time span of a question is a filter if a record within it is at least this similar.
_SIMILAR = 0.5


@dataclass(frozen=True, slots=True)
class RecordWeights:
    """Weights of the signals, decay of recency, and factors for records with a matching digest and
    for unsure ones."""

    similarity: float = 0.7
    recency: float = 0.2
    importance: float = 0.1
    decay_per_day: float = 0.002
    in_digest: float = 0.5
    unsure: float = 0.5


@dataclass(frozen=True, slots=True)
class RowScores:
    """Scores of all rows of a table; each signal from 0 to 1. `cosine` is that of the nearest
    vector of a row."""

    score: Values
    lexical: Values
    dense: Values
    recency: Values
    importance: Values
    speaker: Values
    time: Values
    out_of_time: NDArray[np.bool_]
    cosine: NDArray[np.float32]

    def best(self, count: int) -> list[int]:
        """Return the rows with the highest scores, without those out of time."""
        return self._first(count, np.flatnonzero(~self.out_of_time))

    def best_out_of_time(self, count: int) -> list[int]:
        """Return the best rows outside the time span of the question."""
        return self._first(count, np.flatnonzero(self.out_of_time))

    def _first(self, count: int, rows: Numbers) -> list[int]:
        if 0 < count < len(rows):
            cut = len(rows) - count
            edge = np.partition(self.score[rows], cut)[cut]
            rows = rows[self.score[rows] >= edge]
        order = rows[np.argsort(-self.score[rows], kind="stable")][:count]
        return [int(row) for row in order]

    def signals(self, row: int, scale: SimilarityScale) -> RecallSignals:
        names = (each.name for each in fields(RecallSignals) if each.name != "similarity")
        signals = RecallSignals(**{name: float(getattr(self, name)[row]) for name in names})
        cosine = float(self.cosine[row])
        return replace(signals, similarity=scale.similarity(cosine)) if cosine else signals


def rank_records(
    scores: RecordScores,
    question: RecallQuestion,
    now: datetime,
    weights: RecordWeights = RecordWeights(),  # noqa: B008 - frozen
) -> RowScores:
    """Score by `0.7·similarity + 0.2·exp(-0.002·age) + 0.1·importance`, plus the time span.

    Similarity is relative to the best match: a record less than 5/7 as similar is never ranked
    above it for being newer.
    """
    lexical = np.clip(scores.lexical / (scores.most or 1.0), 0.0, 1.0).astype(np.float64)
    dense = _above_mean(scores.dense)
    combined = (lexical + dense) / 2
    similarity = combined / max(float(combined.max(initial=0.0)), _LEAST_BEST)
    age = np.maximum(now.timestamp() - scores.said, 0.0) / DAY
    recency = np.exp(-weights.decay_per_day * age)
    importance = np.clip(scores.importance, 0.0, 1.0).astype(np.float64)
    time = np.maximum(_in_time(scores.said, question), _in_time(scores.holds, question))
    within = float(similarity[time > 0].max(initial=0.0))
    return RowScores(
        score=weights.similarity * similarity
        + weights.recency * recency
        + weights.importance * importance
        + IN_TIME * time,
        lexical=lexical,
        dense=dense,
        recency=recency,
        importance=importance,
        speaker=np.zeros(len(lexical)),
        time=time,
        out_of_time=(time == 0) & (within >= _SIMILAR),
        cosine=scores.dense,
    )


def _above_mean(dense: NDArray[np.float32]) -> Values:
    """Scale from the mean to 1: the similarity of unrelated texts depends on the embedder."""
    mean = float(dense.mean()) if len(dense) else 0.0
    return np.clip((dense - mean) / max(1.0 - mean, 1e-6), 0.0, 1.0).astype(np.float64)


def _in_time(said: Seconds, question: RecallQuestion) -> Values:
    within = np.zeros(len(said))
    for span in question.spans:
        within[(said >= span.first.timestamp()) & (said < span.past.timestamp())] = 1.0
    return within


def _soon_after(said: Seconds, question: RecallQuestion) -> Values:
    soon = np.zeros(len(said))
    for span in question.spans:
        past = span.past.timestamp()
        soon[(said >= past) & (said < past + _SOON)] = 1.0
    return soon


# Episodes -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EpisodeWeights:
    """Weights of the signals of a turn, fitted with the embedder `accurate` to the dev halves of
    LoCoMo, the copilot set and the Korean set, each with the same weight, near the weights before
    (`python -m benchmarks.memory.weights`).

    Words of the turn and of its message, relative to the best turn, and the rank of the message;
    words of its window and around it; meaning of the windows and of the turn alone, and what the
    turn has in common with all turns; speaker; session; form of the message, also if the question
    names a speaker; the score of a question before it; scores of the neighbouring turns; order;
    time, and the days after it. `own` and `before` are bounded by hand, where the fit gains little:
    in a short conversation the turn itself must win.
    """

    own: float = 0.2
    message: float = 0.33
    message_rank: float = 2.45
    window: float = 0.68
    around: float = 1.24
    dense: float = 0.4
    own_dense: float = 0.49
    common: float = -0.23
    speaker: float = 1.06
    session: float = 0.3
    asks: float = -0.32
    length: float = 0.22
    tells_when: float = 1.98
    tells_how_many: float = 1.14
    of_oneself: float = 0.17
    of_named: float = 0.66
    answers: float = 1.89
    before: float = 0.4
    after: float = -0.63
    recency: float = 0.29
    time: float = 3.18
    soon_after: float = 1.24

    def vector(self) -> Values:
        return np.array([getattr(self, name) for name in SIGNALS])


SIGNALS: tuple[str, ...] = tuple(EpisodeWeights.__dataclass_fields__)


def rank_episodes(
    scores: EpisodeScores, question: RecallQuestion, now: datetime, weights: EpisodeWeights
) -> RowScores:
    """Rank the turns of all conversations."""
    columns = episode_signals(scores, question)
    age = np.maximum(now.timestamp() - scores.said, 0.0) / DAY
    none = np.zeros(len(scores.said))
    return RowScores(
        score=columns @ weights.vector(),
        lexical=np.clip(scores.own / (scores.most or 1.0), 0.0, 1.0).astype(np.float64),
        dense=np.clip(scores.own_dense, 0.0, 1.0).astype(np.float64),
        recency=np.exp(-DECAY_PER_DAY * age),
        importance=none,
        speaker=columns[:, SIGNALS.index("speaker")],
        time=columns[:, SIGNALS.index("time")],
        out_of_time=none > 0,
        cosine=np.maximum(scores.dense, scores.own_dense),
    )


def episode_signals(scores: EpisodeScores, question: RecallQuestion) -> Values:
    """Return a row for each episode and a column for each of `SIGNALS`.

    A window ends with its turn, so the window around a turn is that of the next turn.
    """
    near = _SessionNeighbours.of(scores.session, scores.turn)
    most = scores.most or 1.0
    own, window = scores.own / most, scores.window / most
    dense = scores.dense.astype(np.float64)
    middle = window[near.next]
    asks = _marked(scores, TurnFeature.ASKS)
    follows = near.previous != near.here
    after_question = asks[near.previous] * follows
    of_oneself = _marked(scores, TurnFeature.OF_ONESELF)
    about = _standard(own) + _standard(middle) + _standard(dense[near.next])
    # Turns that are like most others are similar to every question.
    distinct = _standard(scores.own_dense - _COMMON * scores.common)
    columns = {
        "own": _of_best(scores.own),
        "message": _of_best(scores.message),
        "message_rank": _ranks(scores.message, scores.own_dense),
        "window": middle,
        "around": (window[near.back(2)] + middle + window[near.ahead(4)]) / 3,
        "dense": _standard(dense + dense[near.next] + dense[near.ahead(2)]),
        "own_dense": _standard(scores.own_dense),
        "common": _standard(scores.common),
        "speaker": np.isin(scores.speaker, list(scores.speakers)).astype(np.float64),
        "session": _standard(_of_session(near, about + distinct)),
        "asks": asks,
        "length": _standard(np.log1p(np.minimum(scores.length, _LONG))),
        "tells_when": _marked(scores, TurnFeature.TELLS_WHEN) * question.asks_when,
        "tells_how_many": _marked(scores, TurnFeature.TELLS_HOW_MANY) * question.asks_how_many,
        "of_oneself": of_oneself,
        "of_named": of_oneself * bool(scores.speakers),
        "answers": after_question * own[near.previous],
        "before": own[near.previous] * follows,
        "after": own[near.next] * (near.next != near.here),
        "recency": _newness(scores.said),
        "time": _in_time(scores.said, question),
        "soon_after": _soon_after(scores.said, question),
    }
    return np.stack([columns[name] for name in SIGNALS], axis=1).astype(np.float64)


@dataclass(frozen=True, slots=True)
class _SessionNeighbours:
    """Indices of the neighbours of each row in its session; the ends are their own neighbours."""

    here: Numbers
    next: Numbers
    previous: Numbers
    order: Numbers
    starts: Numbers

    @staticmethod
    def of(session: Numbers, turn: Numbers) -> "_SessionNeighbours":
        here = np.arange(len(session))
        order = np.lexsort((turn, session))
        same = session[order[1:]] == session[order[:-1]]
        following, previous = here.copy(), here.copy()
        following[order[:-1][same]] = order[1:][same]
        previous[order[1:][same]] = order[:-1][same]
        starts = np.flatnonzero(np.concatenate([[True], ~same])) if len(here) else here
        return _SessionNeighbours(here, following, previous, order, starts)

    def ahead(self, steps: int) -> Numbers:
        return _repeated(self.next, steps)

    def back(self, steps: int) -> Numbers:
        return _repeated(self.previous, steps)


def _repeated(step: Numbers, times: int) -> Numbers:
    at = step
    for _ in range(times - 1):
        at = step[at]
    return at


def _of_session(near: _SessionNeighbours, fit: Values) -> Values:
    """Return for each row the mean of the three best of its session."""
    if not len(fit):
        return fit
    sizes = np.diff(np.append(near.starts, len(fit)))
    number = np.repeat(np.arange(len(sizes)), sizes)
    best_first = np.lexsort((-fit[near.order], number))
    rank = np.arange(len(fit)) - np.repeat(near.starts, sizes)
    counted = np.where(rank < _SESSION_BEST, fit[near.order][best_first], 0.0)
    means = np.add.reduceat(counted, near.starts) / np.minimum(sizes, _SESSION_BEST)
    spread = np.empty(len(fit))
    spread[near.order] = np.repeat(means, sizes)
    return spread


_SESSION_BEST = 3
# Share of what a turn has in common with all turns that is taken from its similarity.
_COMMON = 0.8
_TIE = 1e-6
# Below this rank nothing is likely; a first rank counts 1/3.
_RANKED, _FIRST_RANK = 100, 3
# People tell of a day on that day or soon after.
_SOON = 3 * DAY
# Messages with more terms have no advantage: they are pasted texts as often as stories.
_LONG = 100


def _of_best(scores: NDArray[np.float32]) -> Values:
    """Scale so that the best is 1: a long question has words that no turn has."""
    return (scores / max(float(scores.max(initial=0.0)), 1e-9)).astype(np.float64)


def _ranks(words: NDArray[np.float32], similarity: NDArray[np.float32]) -> Values:
    """Return a value that falls with the rank by words, and among equals by similarity; 0 without
    a word."""
    order = words + _TIE * similarity.astype(np.float64)
    edge = np.partition(order, -_RANKED)[-_RANKED] if len(order) > _RANKED else -np.inf
    first = np.flatnonzero(order >= edge)
    better = len(first) - np.searchsorted(np.sort(order[first]), order[first], "right")
    ranks = np.zeros(len(order))
    ranks[first] = 1 / (_FIRST_RANK + better)
    return np.where(words > 0, ranks, 0.0)


def _newness(said: Seconds) -> Values:
    """Return the place of each row in time, from 0 for the oldest to 1 for the newest."""
    return np.searchsorted(np.sort(said), said) / max(len(said) - 1, 1)


def _marked(scores: EpisodeScores, mark: TurnFeature) -> Values:
    return ((scores.marks & int(mark)) > 0).astype(np.float64)


def _standard(values: NDArray[np.floating]) -> Values:
    """Return the standard scores of the values."""
    if not len(values):
        return values.astype(np.float64)
    width = float(values.std())
    centred = values - values.mean()
    return (centred / width if width > 0 else centred).astype(np.float64)
