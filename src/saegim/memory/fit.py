"""Candidates fitted to what recall may bring back: nothing twice, no budget exceeded (LM3, LM4)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from saegim.memory.types import Candidate, Fate, Kind, RecallBudget, Recollection
from saegim.search import analyse, tokens

# How much a candidate's own score counts against being unlike what is taken already.
_DIVERSITY = 0.2
_SAME = 0.85
# Records come first, but leave room for what was said, where there is something.
_EPISODES_SHARE = 1 / 3

type Terms = frozenset[str]


@dataclass(slots=True)
class _Room:
    """What is left of a budget. `said` are the texts that need not come back a second time."""

    items: int
    tokens: int
    said: list[Terms]
    taken: list[Candidate] = field(default_factory=list[Candidate])

    def take(self, candidate: Candidate, terms: Terms) -> Fate:
        if self.items <= 0:
            return Fate.BELOW_THE_REST
        if candidate.tokens > self.tokens:
            return Fate.OVER_BUDGET
        if any(_overlap(terms, other) >= _SAME for other in self.said):
            return Fate.NEAR_DUPLICATE
        self.keep(candidate, terms)
        return Fate.TAKEN

    def keep(self, candidate: Candidate, terms: Terms) -> None:
        """Takes what has to come back whatever else says the same."""
        self.items -= 1
        self.tokens -= candidate.tokens
        self.said.append(terms)
        self.taken.append(candidate)


def fit(
    kept: Sequence[Candidate],
    chosen: Sequence[Candidate],
    records: Sequence[Candidate],
    episodes: Sequence[Candidate],
    budget: RecallBudget,
) -> Recollection:
    """What comes back, best first. Kept facts that outgrow their slot are first among records,
    then what a person chose (LM9), then what was recalled."""
    said = {
        each.id: frozenset(analyse.terms(each.text))
        for each in (*kept, *chosen, *records, *episodes)
    }
    heard: list[Terms] = []
    slot = _Room(len(kept), budget.pinned_tokens, heard)
    outgrown = _must_fill(slot, kept, said)
    first = {each.id: each for each in (*outgrown, *chosen) if each not in slot.taken}
    room = _Room(budget.records, budget.tokens, heard)
    left = _must_fill(room, (replace(each, kind=Kind.RECORD) for each in first.values()), said)
    spared = min(int(budget.tokens * _EPISODES_SHARE) if episodes else 0, room.tokens)
    room.tokens -= spared
    known = {each.id for each in (*kept, *chosen)}
    recalled = [each for each in records if each.id not in known]
    left += _fill(room, diversify(recalled, said), said)
    talk = _Room(budget.episodes, room.tokens + spared, heard)
    unsaid = _fill(talk, episodes, said)
    # What the episodes leave is the records' again.
    room.tokens = talk.tokens
    return Recollection(
        pinned=tuple(slot.taken),
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


def diversify(candidates: Sequence[Candidate], said: Mapping[UUID, Terms]) -> list[Candidate]:
    """Best first, but each a little less for being like what stands before it (MMR)."""
    left = list(candidates)
    nearest = {each.id: 0.0 for each in left}
    ordered: list[Candidate] = []
    while left:
        taken = max(left, key=lambda each: each.signals.score - _DIVERSITY * nearest[each.id])
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
        if room.items <= 0:
            left.append(replace(candidate, fate=Fate.BELOW_THE_REST))
        elif candidate.tokens > room.tokens:
            left.append(replace(candidate, fate=Fate.OVER_BUDGET))
        else:
            room.keep(candidate, said[candidate.id])
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
