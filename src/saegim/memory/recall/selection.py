"""Fits recall candidates to the token budget: nothing twice, pinned facts always."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from saegim.memory.types import Candidate, Fate, RecallBudget, Recollection
from saegim.text import analysis, tokens

_SAME = 0.85

type Terms = frozenset[str]


@dataclass(slots=True)
class _Room:
    """What is left of the budget. `said` are the texts that need not come back a second time."""

    items: int
    tokens: int
    header: int
    said: list[Terms]
    taken: list[Candidate] = field(default_factory=list[Candidate])

    def take(self, candidate: Candidate, terms: Terms) -> Fate:
        """Takes a candidate that fits and says something new; returns what became of it."""
        fate = self.refuses(candidate)
        if fate is None and any(_overlap(terms, other) >= _SAME for other in self.said):
            fate = Fate.NEAR_DUPLICATE
        if fate is not None:
            return fate
        self.keep(candidate, terms)
        return Fate.TAKEN

    def refuses(self, candidate: Candidate) -> Fate | None:
        """Why there is no room for a candidate, or None."""
        if self.items <= 0:
            return Fate.BELOW_THE_REST
        if candidate.tokens + self.header > self.tokens:
            return Fate.OVER_BUDGET
        return None

    def keep(self, candidate: Candidate, terms: Terms) -> None:
        """Takes a candidate whatever else says the same."""
        self.items -= 1
        self.tokens -= candidate.tokens + self.header
        self.said.append(terms)
        self.taken.append(candidate)


def fit(
    pinned: Sequence[Candidate],
    chosen: Sequence[Candidate],
    records: Sequence[Candidate],
    episodes: Sequence[Candidate],
    budget: RecallBudget,
) -> Recollection:
    """All pinned facts; then what a person chose, then what was recalled, best first.

    Records and episodes have their shares of the tokens; what one leaves is the other's.
    """
    every = (*pinned, *chosen, *records, *episodes)
    said = {each.id: frozenset(analysis.terms(each.text)) for each in every}
    known = {each.id for each in pinned}
    shown = [said[each.id] for each in pinned]
    most = len(records) + len(chosen) if budget.count is None else budget.count
    room = _Room(most, budget.tokens, budget.header, shown)
    left = _must_fill(room, [each for each in chosen if each.id not in known], said)
    known |= {each.id for each in chosen}
    recalled = [each for each in records if each.id not in known]
    spared = min(int(budget.tokens * budget.episodes_share) if episodes else 0, room.tokens)
    room.tokens -= spared
    left += _fill(room, diversify(recalled, said, budget.diversity), said)
    talk = _Room(len(episodes), room.tokens + spared, budget.header, shown)
    unsaid = _fill(talk, episodes, said)
    # What the episodes leave is the records' again.
    room.tokens = talk.tokens
    return Recollection(
        pinned=tuple(pinned),
        dropped=(*_fill(room, left, said), *unsaid),
        records=tuple(room.taken),
        episodes=tuple(talk.taken),
    )


def shorten(text: str, each: int) -> tuple[str, int]:
    """A text of at most so many tokens, and how many it has."""
    size = tokens.count(text)
    if size <= each:
        return text, size
    cut = tokens.cut(text, each)
    return cut, tokens.count(cut)


def diversify(
    candidates: Sequence[Candidate], said: Mapping[UUID, Terms], diversity: float
) -> list[Candidate]:
    """Best first, but each a little less for being like what stands before it (MMR)."""
    left = list(candidates)
    nearest = {each.id: 0.0 for each in left}
    ordered: list[Candidate] = []
    while left:
        taken = max(left, key=lambda each: each.signals.score - diversity * nearest[each.id])
        left.remove(taken)
        ordered.append(taken)
        for each in left:
            nearest[each.id] = max(nearest[each.id], _overlap(said[each.id], said[taken.id]))
    return ordered


def _must_fill(
    room: _Room, candidates: Iterable[Candidate], said: Mapping[UUID, Terms]
) -> list[Candidate]:
    """Takes all that fits, alike or not; returns the others with why they do not."""
    left: list[Candidate] = []
    for candidate in candidates:
        fate = room.refuses(candidate)
        if fate is None:
            room.keep(candidate, said[candidate.id])
        else:
            left.append(replace(candidate, fate=fate))
    return left


def _fill(
    room: _Room, candidates: Iterable[Candidate], said: Mapping[UUID, Terms]
) -> list[Candidate]:
    """Takes what fits and says something new; returns the others with why they do not."""
    left: list[Candidate] = []
    for candidate in candidates:
        fate = room.take(candidate, said[candidate.id])
        if fate is not Fate.TAKEN:
            left.append(replace(candidate, fate=fate))
    return left


def _overlap(one: Terms, other: Terms) -> float:
    """The share of terms that two texts have in common."""
    if not one and not other:
        return 1.0
    common = len(one & other)
    return common / (len(one) + len(other) - common)
