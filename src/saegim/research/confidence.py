"""How sure the first passages make us, by arithmetic: coverage, nearness, how they stand out."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from saegim.library.types import FoundPassage
from saegim.text.analysis import index_terms, query_terms

READ = 10
FIRST = 3


@dataclass(frozen=True, slots=True)
class Features:
    """What confidence is made of; `margin` in points, the others from 0 to 1."""

    coverage: float
    nearness: float
    margin: float


@dataclass(frozen=True, slots=True)
class Scale:
    """A logistic scale; fitted on questions with and without an answer (docs/concepts/turn.md)."""

    coverage: float
    nearness: float
    margin: float
    offset: float

    def confidence(self, features: Features) -> float:
        x = (
            self.coverage * features.coverage
            + self.nearness * features.nearness
            + self.margin * math.log1p(max(0.0, features.margin))
            + self.offset
        )
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, x))))


# The offset lies half way between counting both kinds of question alike and as they come: to keep
# back an answer that is there costs more than to show passages that do not answer.
SURE = 0.5
SCALE = Scale(coverage=1.8, nearness=3.9, margin=1.2, offset=-5.2)


def features(message: str, ranked: Sequence[FoundPassage]) -> Features:
    """How much of the message the best passage holds, by rarity among the passages read."""
    if not ranked:
        return Features(0.0, 0.0, 0.0)
    read = ranked[:READ]
    term_sets = [_terms_of(f"{' '.join(one.path)} {one.passage.text}") for one in read]
    holders = Counter(term for terms in term_sets for term in terms)
    weight = {term: _rarity(holders[term], len(read)) for term in query_terms(message)}
    whole = sum(weight.values()) or 1.0
    covered = [sum(w for term, w in weight.items() if term in terms) / whole for terms in term_sets]
    return Features(
        coverage=max(covered[:FIRST]),
        nearness=max((one.signals.dense or 0.0) for one in read[:FIRST]),
        margin=read[0].signals.score - read[-1].signals.score,
    )


# The message alone and in its thread find many of the same passages, and so do many turns.
@lru_cache(maxsize=500)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(index_terms(text))


def hides(message: str, together: Sequence[FoundPassage], alone: Sequence[FoundPassage]) -> bool:
    """Whether a thread about something else hides what the message by itself finds."""
    return _sure(message, alone) and not _sure(message, together)


def _sure(message: str, ranked: Sequence[FoundPassage]) -> bool:
    return SCALE.confidence(features(message, ranked)) >= SURE


def _rarity(count: int, of: int) -> float:
    return math.log1p((of - count + 0.5) / (count + 0.5))
