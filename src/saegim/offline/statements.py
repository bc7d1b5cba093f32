"""Find what a person said: which of their sentences answer a question, or match a request."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from saegim.text.analysis import fold, index_terms, query_terms, word_keys

MOST = 3
# From these fits on a sentence is near a question about oneself, answers it, and answers one that
# may not be about oneself; others that fit nearly as well are shown beside it.
NEAR, ANSWERS, SURELY = 0.33, 0.9, 0.9
MEANT = 0.5
_AROUND, _AS_MUCH = 0.25, 0.04
_SHARE_WEIGHT = 0.3
# A word that more sentences have than this says nothing of what they are about.
_FEW = 3


@dataclass(frozen=True, slots=True)
class SaidSentence:
    """A sentence that the person said; `marker` cites it if it is in the context."""

    text: str
    at: datetime
    marker: str | None = None
    id: str | None = None


def answering(
    question: str, said: Iterable[SaidSentence], similar: Mapping[str, float], least: float
) -> list[SaidSentence]:
    """Return the sentences that answer a question about the person, the newest first.

    What was said later in words that the best one has is shown too: it may correct it.
    """
    every = distinct(said)
    found = _nearest(question, every, similar, least, _AROUND)
    if not found:
        return []
    later = [each for each in every if any(_may_correct(each, one, every) for one in found)]
    chosen = {each.text: each for each in (*later[:MOST], *found)}
    return sorted(chosen.values(), key=lambda each: each.at, reverse=True)[:MOST]


def may_be_corrected(known: SaidSentence, every: Sequence[SaidSentence]) -> bool:
    """Return whether something was said later in words that a sentence has."""
    return any(_may_correct(each, known, every) for each in every)


def _may_correct(later: SaidSentence, known: SaidSentence, every: Sequence[SaidSentence]) -> bool:
    """Return whether a sentence was said later and shares a word with another that few have."""
    if later.at <= known.at:
        return False
    shared = word_keys(later.text) & word_keys(known.text)
    return any(sum(key in word_keys(each.text) for each in every) <= _FEW for key in shared)


def meant(
    request: str, said: Iterable[SaidSentence], similar: Mapping[str, float]
) -> list[SaidSentence]:
    """Return the sentences that a request to forget means, the newest first.

    They share a word with it, or surely say the same.
    """
    terms = frozenset(query_terms(request))
    named = [
        each
        for each in said
        if similar.get(each.text, 0.0) >= SURELY or terms.intersection(index_terms(each.text))
    ]
    return _nearest(request, named, similar, MEANT, _AS_MUCH)


def distinct(said: Iterable[SaidSentence]) -> list[SaidSentence]:
    """Return sentences without repetitions, the newest first; one that can be cited goes first."""
    found: dict[str, SaidSentence] = {}
    for each in sorted(said, key=lambda each: (each.id is not None, each.at), reverse=True):
        found.setdefault(" ".join(fold(each.text).strip(" .!").split()), each)
    return sorted(found.values(), key=lambda each: each.at, reverse=True)


def _nearest(
    wanted: str,
    said: Iterable[SaidSentence],
    similar: Mapping[str, float],
    least: float,
    near: float,
) -> list[SaidSentence]:
    terms = frozenset(query_terms(wanted))
    fits = [(_fit(terms, each.text, similar), each) for each in said]
    best = max((fit for fit, _ in fits), default=0.0)
    chosen = [pair for pair in fits if pair[0] >= max(least, best - near)]
    chosen.sort(key=lambda pair: -pair[0])
    return sorted((each for _, each in chosen[:MOST]), key=lambda each: each.at, reverse=True)


def _fit(terms: frozenset[str], text: str, similar: Mapping[str, float]) -> float:
    """Return how well a sentence fits: by meaning, and a little by its words."""
    shared = len(terms & set(index_terms(text))) / len(terms) if terms else 0.0
    return similar.get(text, 0.0) + _SHARE_WEIGHT * shared


def texts_of(said: Sequence[SaidSentence], most: int) -> list[str]:
    """Return the texts to compare with a question, the newest first."""
    return [each.text for each in distinct(said)[:most]]
