"""What several queries found, as one ranking."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from saegim.library.types import Found, Signals
from saegim.research.types import Hints
from saegim.text.analysis import fold

# What a passage gains that has the equipment, the type or the kind of document that was asked
# about, as a share of the best score.
HINT_SHARE = 0.15
PREFERRED_SHARE = 0.05


def fuse(searches: Sequence[Sequence[Found]]) -> list[Found]:
    """The mean of a passage's scores over the queries, best first.

    What a query left out stands at its far end. Scores are points of one scale, so that a query
    with rare words, which scores high, counts for more than one of common words.
    """
    searches = [found for found in searches if found]
    by_query = [{one.passage.id: one for one in found} for found in searches]
    lowest = [min(one.signals.score for one in found) for found in searches]
    seen: dict[UUID, Found] = {
        key: one for found in reversed(by_query) for key, one in found.items()
    }
    fused = [
        replace(
            one,
            signals=Signals(
                _best([found[key].signals.lexical for found in by_query if key in found]),
                _best([found[key].signals.dense for found in by_query if key in found]),
                sum(
                    found[key].signals.score if key in found else low
                    for found, low in zip(by_query, lowest, strict=True)
                )
                / len(by_query),
            ),
        )
        for key, one in seen.items()
    ]
    return sorted(fused, key=lambda one: (-one.signals.score, one.passage.id))


def favour(found: Sequence[Found], hints: Hints, prefers: Sequence[str]) -> list[Found]:
    """The ranking with what the message names, and what the route prefers, moved up."""
    best = max((one.signals.score for one in found), default=0.0)
    wanted = {fold(name) for name in hints.names()}

    def gain(one: Found) -> float:
        names = {fold(name) for name in one.passage.tags.names}
        named = len(wanted & names) + (one.document.type == hints.doc_type)
        return best * (HINT_SHARE * named + PREFERRED_SHARE * (one.document.type in prefers))

    moved = [_raised(one, gain(one)) for one in found]
    return sorted(moved, key=lambda one: -one.signals.score)


def _raised(one: Found, points: float) -> Found:
    if not points:
        return one
    return replace(one, signals=replace(one.signals, score=one.signals.score + points))


def _best(scores: Sequence[float | None]) -> float | None:
    return max((score for score in scores if score is not None), default=None)
