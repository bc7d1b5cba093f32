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
    """What is left of a budget."""

    items: int
    tokens: int
    taken: list[Candidate] = field(default_factory=list[Candidate])

    def take(self, candidate: Candidate) -> Fate:
        if self.items <= 0:
            return Fate.BELOW_THE_REST
        if candidate.tokens > self.tokens:
            return Fate.OVER_BUDGET
        self.items -= 1
        self.tokens -= candidate.tokens
        self.taken.append(candidate)
        return Fate.TAKEN


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
    slot = _Room(len(kept), budget.pinned_tokens)
    outgrown = [each for each in kept if slot.take(each) is not Fate.TAKEN]
    asked = [each for each in chosen if each.id not in {other.id for other in kept}]
    recalled, same = _once(records, [*kept, *asked], said)
    room = _Room(budget.records, budget.tokens)
    left = _fill(room, [*(replace(each, kind=Kind.RECORD) for each in outgrown), *asked])
    spared = int(budget.tokens * _EPISODES_SHARE) if episodes else 0
    left += _fill_within(room, diversify(recalled, said), spared)
    spoken, again = _once(episodes, room.taken, said)
    talk = _Room(budget.episodes, room.tokens)
    unsaid = _fill(talk, spoken)
    room.tokens = talk.tokens
    return Recollection(
        pinned=tuple(slot.taken),
        dropped=(*_fill(room, left), *same, *unsaid, *again),
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


def _once(
    candidates: Iterable[Candidate], before: Sequence[Candidate], said: Mapping[UUID, Terms]
) -> tuple[list[Candidate], list[Candidate]]:
    """Candidates that nobody said before, and those that say what another one says already."""
    ids = {each.id for each in before}
    known = [said[each.id] for each in before]
    unique: list[Candidate] = []
    same: list[Candidate] = []
    for candidate in candidates:
        terms = said[candidate.id]
        if candidate.id in ids:
            continue
        if any(_overlap(terms, other) >= _SAME for other in known):
            same.append(replace(candidate, fate=Fate.NEAR_DUPLICATE))
        else:
            known.append(terms)
            unique.append(candidate)
    return unique, same


def _fill(room: _Room, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Takes what fits; returns the others with why they do not."""
    left: list[Candidate] = []
    for candidate in candidates:
        fate = room.take(candidate)
        if fate is not Fate.TAKEN:
            left.append(replace(candidate, fate=fate))
    return left


def _fill_within(room: _Room, candidates: Iterable[Candidate], spared: int) -> list[Candidate]:
    """Takes what fits without the tokens that are spared."""
    spared = min(spared, room.tokens)
    room.tokens -= spared
    left = _fill(room, candidates)
    room.tokens += spared
    return left


def _overlap(one: Terms, other: Terms) -> float:
    """The share of terms that two texts have in common."""
    return len(one & other) / len(one | other) if one or other else 1.0
