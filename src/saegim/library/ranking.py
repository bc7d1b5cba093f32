"""Candidates of both arms to one ranking, with what their text adds to the arms' scores.

Three signals, all arithmetic over the best thirty candidates: the fused arms; how much of the
question stands together in one sentence; and which words of the first hits the others share, so
that a passage is also found by what the question leads to.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from statistics import fmean
from typing import Literal
from uuid import UUID

from saegim.text.analysis import fold, query_terms
from saegim.text.rank_fusion import (
    NEAREST,
    RANK_CONSTANT,
    best_first,
    reciprocal_rank,
    weighted,
)
from saegim.text.stemming import MARK, english, korean

# What each arm brings before the two are fused.
PER_ARM = 50
# How many of the fused candidates are read; what stands lower rarely climbs to the first ten.
READ = 30
FEEDBACK_PASSAGES = 3
FEEDBACK_WORDS = 20
# How many points below the first a hit's words count for a third.
_DECAY = 10.0
# How often a word has to stand in a hit to count for half.
_OFTEN = 1.5
_SHORTEST_WORD = 3

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_WORD = re.compile(r"[가-힣]+|[^\W가-힣]+")


@dataclass(frozen=True, slots=True)
class PassageCandidate:
    """A passage that an arm found, with each arm's score of it, if it has one."""

    passage: UUID
    lexical: float | None
    dense: float | None


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A candidate and the score that decides its place."""

    passage: UUID
    lexical: float | None
    dense: float | None
    score: float


Fusion = Literal["scores", "ranks"]


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """What each signal is worth; a corpus may have its own, tuned on its questions."""

    dense: float = 0.25
    """The share of similarity against words, 0 … 1."""
    focus: float = 0.5
    """A question that stands whole in one sentence, as a share of the best lexical score."""
    feedback: float = 0.5
    """A word that the first hits share, in points of its rarity among the candidates."""
    fusion: Fusion = "scores"
    """Whether retrievers are fused by weighted scores or by reciprocal rank (k = 60)."""


DEFAULT_WEIGHTS = RankingWeights()


@dataclass(frozen=True, slots=True)
class _PassageWords:
    """A passage as it is compared: its sentences, each word between spaces, and its stems."""

    sentences: Sequence[str]
    stems: Mapping[str, int]


def rank(
    question: str,
    candidates: Sequence[PassageCandidate],
    texts: Mapping[UUID, str],
    weights: RankingWeights = DEFAULT_WEIGHTS,
) -> list[RankedPassage]:
    """The candidates, best first; `texts` are the passages under their headings.

    What has no text keeps the score of its arms.
    """
    scores = _by_arms(candidates, weights)
    terms = query_terms(question)
    passages = {item: _read(texts[item]) for item in list(scores)[:READ] if item in texts}
    words = 1 - weights.dense
    if weights.focus:
        best = max((one.lexical for one in candidates if one.lexical is not None), default=0.0)
        _add(scores, _focus(terms, passages), words * weights.focus * best)
    if weights.feedback:
        first = [item for item in best_first(scores) if item in passages][:FEEDBACK_PASSAGES]
        term_trust = _feedback_terms(
            {item: scores[item] for item in first}, passages, frozenset(terms)
        )
        _add(scores, _feedback(term_trust, passages), words * weights.feedback)
    ranked = [
        RankedPassage(one.passage, one.lexical, one.dense, scores.get(one.passage, 0.0))
        for one in _in_order(candidates)
    ]
    return sorted(ranked, key=lambda one: -one.score)


def first(
    candidates: Sequence[PassageCandidate], weights: RankingWeights, count: int
) -> list[UUID]:
    """Those among which the best `count` are: text adds to a score and never takes from it, so
    that nothing that is not read passes what is."""
    return list(_by_arms(candidates, weights))[: max(READ, count)]


def _by_arms(candidates: Sequence[PassageCandidate], weights: RankingWeights) -> dict[UUID, float]:
    """The score of the arms alone, best first."""
    candidates = _in_order(candidates)
    lexical = {one.passage: one.lexical for one in candidates if one.lexical is not None}
    dense = {one.passage: one.dense for one in candidates if one.dense is not None}
    if weights.fusion == "ranks":
        return _by_rank(lexical, dense, weights.dense)
    # Words that found less than they were asked for left out only what holds none of them.
    left_out = 0.0 if len(lexical) < PER_ARM else None
    return weighted(lexical, dense, weights.dense, left_out)


def _by_rank(
    lexical: Mapping[UUID, float], dense: Mapping[UUID, float], dense_share: float
) -> dict[UUID, float]:
    """Fuse by reciprocal rank, in points: first in both retrievers is worth `NEAREST`."""
    rankings = [list(best_first(lexical)), list(best_first(dense))]
    scores = reciprocal_rank(rankings, [1 - dense_share, dense_share])
    return {item: NEAREST * (RANK_CONSTANT + 1) * score for item, score in scores.items()}


def _in_order(candidates: Sequence[PassageCandidate]) -> list[PassageCandidate]:
    """Equal scores stay in the order of their ids, whatever order the arms answered in."""
    return sorted(candidates, key=lambda one: one.passage)


def _add(scores: dict[UUID, float], points: Mapping[UUID, float], worth: float) -> None:
    for item, value in points.items():
        scores[item] += worth * value


# Several queries of a turn, and many turns, find the same passages.
@lru_cache(maxsize=2_000)
def _read(text: str) -> _PassageWords:
    sentences = [_WORD.findall(part) for part in _SENTENCE.split(fold(text))]
    return _PassageWords(
        [f" {' '.join(words)} " for words in sentences],
        Counter(map(_stem, chain.from_iterable(sentences))),
    )


def _stem(word: str) -> str:
    return english(word) if word[0] < "가" or len(word) == 1 else korean(word).term


def _focus(terms: Iterable[str], passages: Mapping[UUID, _PassageWords]) -> dict[UUID, float]:
    """How much of the question the best sentence of each passage holds, 0 … 1, by rarity."""
    needles = list(dict.fromkeys(map(_needle, terms)))
    matches = {
        item: [[needle for needle in needles if needle in part] for part in passage.sentences]
        for item, passage in passages.items()
    }
    holders = Counter(
        chain.from_iterable(set(chain.from_iterable(all_)) for all_ in matches.values())
    )
    rarity = {needle: _rarity(holders[needle], len(passages)) for needle in needles}
    whole = sum(rarity.values())
    if not whole:
        return {}
    return {
        item: max((sum(map(rarity.__getitem__, part)) for part in parts), default=0.0) / whole
        for item, parts in matches.items()
    }


def _feedback_terms(
    hits: Mapping[UUID, float], passages: Mapping[UUID, _PassageWords], asked: frozenset[str]
) -> dict[str, float]:
    """How much each word that was not asked for says about the first hits, by score and count."""
    best = max(hits.values(), default=0.0)
    term_trust: dict[str, float] = {}
    for item, score in hits.items():
        trust = math.exp((score - best) / _DECAY)
        for word, often in passages[item].stems.items():
            if len(word) >= _SHORTEST_WORD and word not in asked:
                term_trust[word] = term_trust.get(word, 0.0) + trust * often / (often + _OFTEN)
    return term_trust


def _feedback(
    term_trust: Mapping[str, float], passages: Mapping[UUID, _PassageWords]
) -> dict[UUID, float]:
    """The rarity of the words that tell the first hits apart, summed for whatever has them."""
    if not term_trust:
        return {}
    holders = Counter(word for one in passages.values() for word in one.stems if word in term_trust)
    rarity = {word: _rarity(holders[word], len(passages)) for word in term_trust}
    worth = {word: much * rarity[word] for word, much in term_trust.items()}
    chosen = sorted(worth, key=lambda word: (-worth[word], word))[:FEEDBACK_WORDS]
    points = {word: worth[word] / worth[chosen[0]] * rarity[word] for word in chosen}
    usual = fmean(len(one.stems) for one in passages.values())
    # A long passage has any word more easily.
    return {
        item: sum(points[word] for word in chosen if word in one.stems)
        * (2 / (1 + len(one.stems) / usual))
        for item, one in passages.items()
    }


def _needle(term: str) -> str:
    """What to look for in a sentence: a number whole, a Latin word from its start, else anywhere.

    Looking for strings is many times faster than analysing each passage for each question.
    """
    if term[0] == MARK:
        return term[1:]
    if term[0].isdecimal():
        return f" {term} "
    return f" {term}" if term.isascii() else term


def _rarity(count: int, of: int) -> float:
    return math.log1p((of - count + 0.5) / (count + 0.5))
