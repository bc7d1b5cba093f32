"""Ranks the candidates of both retrievers.

Three signals over the best thirty candidates: the fused scores of the retrievers; how much of the
question is in one sentence (focus); and how many words a passage shares with the first hits
(feedback).
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
    MATCHING,
    RANK_CONSTANT,
    best_first,
    reciprocal_rank,
    weighted,
)
from saegim.text.stemming import MARK, english, korean

# Candidates per retriever before fusion.
PER_ARM = 50
# Fused candidates whose text is scored; lower ones rarely reach the first ten.
READ = 30
FEEDBACK_PASSAGES = 3
FEEDBACK_WORDS = 20
# A hit this many points below the first has a weight of 1/e.
_DECAY = 10.0
# A word with this many occurrences in a hit has half of its full weight.
_OFTEN = 1.5
_SHORTEST_WORD = 3

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_WORD = re.compile(r"[가-힣]+|[^\W가-힣]+")


@dataclass(frozen=True, slots=True)
class PassageCandidate:
    """A passage with the score of each retriever that found it."""

    passage: UUID
    lexical: float | None
    dense: float | None


@dataclass(frozen=True, slots=True)
class RankedPassage(PassageCandidate):
    score: float


Fusion = Literal["scores", "ranks"]


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """The weight of each signal; a tenant may have its own, tuned on its questions."""

    dense: float = 0.55
    """The share of the dense score against the lexical one, 0 … 1."""
    focus: float = 0.5
    """Points for the whole question in one sentence, as a share of the best lexical score."""
    feedback: float = 1.0
    """Points for a word shared with the first hits, per unit of its rarity."""
    fusion: Fusion = "scores"
    """Whether retrievers are fused by weighted scores or by reciprocal rank (k = 60)."""
    stale: float = 0.0
    """What a stale document loses, as a share of the best score, 0 … 1."""


DEFAULT_WEIGHTS = RankingWeights()


@dataclass(frozen=True, slots=True)
class _PassageWords:
    """A passage prepared for comparison: sentences with words between spaces, and stems."""

    sentences: Sequence[str]
    stems: Mapping[str, int]


def rank(
    question: str,
    candidates: Sequence[PassageCandidate],
    texts: Mapping[UUID, str],
    weights: RankingWeights = DEFAULT_WEIGHTS,
) -> list[RankedPassage]:
    """Return the candidates, best first; `texts` are the passages with their headings.

    A candidate without text keeps the score of the retrievers.
    """
    scores = _fused(candidates, weights)
    terms = query_terms(question)
    passages = {item: _read(texts[item]) for item in list(scores)[:READ] if item in texts}
    lexical_share = 1 - weights.dense
    if weights.focus:
        best = max((each.lexical for each in candidates if each.lexical is not None), default=0.0)
        _add(scores, _focus(terms, passages), lexical_share * weights.focus * best)
    if weights.feedback:
        first = [item for item in best_first(scores) if item in passages][:FEEDBACK_PASSAGES]
        hits = {item: scores[item] for item in first}
        term_trust = _feedback_terms(hits, passages, frozenset(terms))
        _add(scores, _feedback(term_trust, passages), lexical_share * weights.feedback)
    ranked = [
        RankedPassage(each.passage, each.lexical, each.dense, scores.get(each.passage, 0.0))
        for each in _by_id(candidates)
    ]
    return sorted(ranked, key=lambda each: -each.score)


def first(
    candidates: Sequence[PassageCandidate], weights: RankingWeights, count: int
) -> list[UUID]:
    """Return the candidates that contain the best `count`: text only adds to a score, so no
    candidate without text overtakes them."""
    return list(_fused(candidates, weights))[: max(READ, count)]


def _fused(candidates: Sequence[PassageCandidate], weights: RankingWeights) -> dict[UUID, float]:
    """Return the fused scores of the retrievers, best first."""
    candidates = _by_id(candidates)
    lexical = {each.passage: each.lexical for each in candidates if each.lexical is not None}
    dense = {each.passage: each.dense for each in candidates if each.dense is not None}
    if weights.fusion == "ranks":
        # In points: first in both retrievers is worth `MATCHING`.
        rankings = [list(best_first(lexical)), list(best_first(dense))]
        scores = reciprocal_rank(rankings, [1 - weights.dense, weights.dense])
        return {item: MATCHING * (RANK_CONSTANT + 1) * score for item, score in scores.items()}
    # If the lexical retriever was not full, a passage it left out has none of the words.
    left_out = 0.0 if len(lexical) < PER_ARM else None
    scores = weighted(lexical, dense, weights.dense, left_out)
    return dict(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))


def _by_id(candidates: Sequence[PassageCandidate]) -> list[PassageCandidate]:
    """Sort by id, so that ties do not depend on the order of the retrievers."""
    return sorted(candidates, key=lambda each: each.passage)


def _add(scores: dict[UUID, float], points: Mapping[UUID, float], worth: float) -> None:
    for item, value in points.items():
        scores[item] += worth * value


# Cached: several queries of a turn, and many turns, find the same passages.
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
    """Return the share of the question in each passage's best sentence, weighted by rarity."""
    needles = list(dict.fromkeys(map(_needle, terms)))
    matches = {
        item: [[needle for needle in needles if needle in part] for part in passage.sentences]
        for item, passage in passages.items()
    }
    holders = Counter(
        chain.from_iterable(set(chain.from_iterable(all_)) for all_ in matches.values())
    )
    rarity = {needle: term_rarity(holders[needle], len(passages)) for needle in needles}
    total = sum(rarity.values())
    if not total:
        return {}
    return {
        item: max((sum(map(rarity.__getitem__, part)) for part in parts), default=0.0) / total
        for item, parts in matches.items()
    }


def _feedback_terms(
    hits: Mapping[UUID, float], passages: Mapping[UUID, _PassageWords], terms: frozenset[str]
) -> dict[str, float]:
    """Weigh the words of the first hits that are not in the question, by score and count."""
    best = max(hits.values(), default=0.0)
    term_trust: dict[str, float] = {}
    for item, score in hits.items():
        trust = math.exp((score - best) / _DECAY)
        for word, count in passages[item].stems.items():
            if len(word) >= _SHORTEST_WORD and word not in terms:
                term_trust[word] = term_trust.get(word, 0.0) + trust * count / (count + _OFTEN)
    return term_trust


def _feedback(
    term_trust: Mapping[str, float], passages: Mapping[UUID, _PassageWords]
) -> dict[UUID, float]:
    """Score each passage by the best feedback words it has, weighted by rarity."""
    if not term_trust:
        return {}
    holders = Counter(
        word for passage in passages.values() for word in passage.stems if word in term_trust
    )
    rarity = {word: term_rarity(holders[word], len(passages)) for word in term_trust}
    worth = {word: trust * rarity[word] for word, trust in term_trust.items()}
    best = sorted(worth, key=lambda word: (-worth[word], word))[:FEEDBACK_WORDS]
    points = {word: worth[word] / worth[best[0]] * rarity[word] for word in best}
    mean_length = fmean(len(passage.stems) for passage in passages.values())
    # Long passages are discounted: they contain any word more easily.
    return {
        item: sum(points[word] for word in best if word in passage.stems)
        * (2 / (1 + len(passage.stems) / mean_length))
        for item, passage in passages.items()
    }


def _needle(term: str) -> str:
    """Return the substring to find in a sentence: a whole number, a Latin prefix, else anything.

    Substring search is many times faster than analysing each passage for each question.
    """
    if term[0] == MARK:
        return term[1:]
    if term[0].isdecimal():
        return f" {term} "
    return f" {term}" if term.isascii() else term


def term_rarity(count: int, of: int) -> float:
    """Return the weight of a word that `count` of `of` passages have."""
    return math.log1p((of - count + 0.5) / (count + 0.5))
