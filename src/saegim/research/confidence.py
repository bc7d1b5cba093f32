"""Confidence in search results, from term coverage, similarity and score margin."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from saegim.library.ranking import term_rarity
from saegim.library.types import FoundPassage
from saegim.text.analysis import index_terms, query_terms

READ = 10
FIRST = 3


@dataclass(frozen=True, slots=True)
class Features:
    """Features of a result list: coverage from 0 to 1, similarity from 0 (unrelated) to 1
    (matching), margin in points of score."""

    coverage: float
    nearness: float
    margin: float


@dataclass(frozen=True, slots=True)
class Scale:
    """Logistic model, fitted on questions with and without an answer (docs/concepts/turn.md)."""

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


# Between the fit on the dev half of MTRAG-UN and that on dev questions of the other sets, asked
# with and without their answers in libraries of 15 to 400 passages. The offset favours answering:
# a withheld answer costs more than passages that do not answer.
SURE = 0.5
SCALE = Scale(coverage=3.0, nearness=5.0, margin=1.5, offset=-9.0)


def features(message: str, ranked: Sequence[FoundPassage]) -> Features:
    """Return the features of the first passages; terms are weighted by rarity among them."""
    if not ranked:
        return Features(0.0, 0.0, 0.0)
    read = ranked[:READ]
    term_sets = [_terms_of(f"{' '.join(each.path)} {each.passage.text}") for each in read]
    holders = Counter(term for terms in term_sets for term in terms)
    weight = {term: term_rarity(holders[term], len(read)) for term in query_terms(message)}
    total = sum(weight.values()) or 1.0
    covered = [sum(w for term, w in weight.items() if term in terms) / total for terms in term_sets]
    return Features(
        coverage=max(covered[:FIRST]),
        nearness=max((each.signals.dense or 0.0) for each in read[:FIRST]),
        # A library of fewer passages has no tenth: an unrelated one would score about 0.
        margin=read[0].signals.score - (read[-1].signals.score if len(read) == READ else 0.0),
    )


# Searches of one turn, and of many turns, find the same passages.
@lru_cache(maxsize=500)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(index_terms(text))


def hides(message: str, together: Sequence[FoundPassage], alone: Sequence[FoundPassage]) -> bool:
    """Return whether the message alone finds an answer that it does not find in its thread."""
    return _sure(message, alone) and not _sure(message, together)


def _sure(message: str, ranked: Sequence[FoundPassage]) -> bool:
    return SCALE.confidence(features(message, ranked)) >= SURE
