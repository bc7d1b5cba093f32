"""Candidates fitted to what recall may bring back: nothing twice, no budget exceeded (LM3, LM4)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from saegim.memory.types import Candidate, Fate, Kind, RecallBudget, Recollection
from saegim.search import analyse, tokens

# How much a candidate's own score counts against being unlike what is taken already.
_DIVERSITY = 0.2
_SAME = 0.85
# Records come first, but leave room for what was said, where there is something.
_RECORDS_SHARE = 2 / 3


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
    dropped: list[Candidate] = []
    slot = _Room(len(kept), budget.pinned_tokens)
    outgrown = [each for each in kept if slot.take(each) is not Fate.TAKEN]
    recalled = diversify(_once(records, [*kept, *chosen], dropped))
    share = int(budget.tokens * _RECORDS_SHARE) if episodes else budget.tokens
    first = [*(replace(each, kind=Kind.RECORD) for each in outgrown), *_unseen(chosen, kept)]
    room = _Room(budget.records, budget.tokens)
    left = [*_fill(room, first), *_fill_within(room, recalled, budget.tokens - share)]
    said = _Room(budget.episodes, room.tokens)
    dropped += _fill(said, _once(episodes, room.taken, dropped))
    room.tokens = said.tokens
    dropped += _fill(room, left)
    return Recollection(
        pinned=tuple(slot.taken),
        records=tuple(room.taken),
        episodes=tuple(said.taken),
        dropped=tuple(dropped),
    )


def shorten(text: str, each: int) -> tuple[str, int]:
    """A text of at most so many tokens, and how many it has."""
    size = tokens.count(text)
    if size <= each:
        return text, size
    cut = tokens.cut(text, each)
    return cut, tokens.count(cut)


def diversify(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Best first, but each a little less for being like what stands before it (MMR)."""
    left = list(candidates)
    terms = {each.id: _terms(each) for each in left}
    nearest = dict.fromkeys(terms, 0.0)
    ordered: list[Candidate] = []
    while left:
        taken = max(left, key=lambda each: each.signals.score - _DIVERSITY * nearest[each.id])
        left.remove(taken)
        ordered.append(taken)
        for each in left:
            alike = _overlap(terms[each.id], terms[taken.id])
            nearest[each.id] = max(nearest[each.id], alike)
    return ordered


def _once(
    candidates: Iterable[Candidate], before: Sequence[Candidate], dropped: list[Candidate]
) -> list[Candidate]:
    """Candidates without those that say what another one says already."""
    ids = {each.id for each in before}
    said = [_terms(each) for each in before]
    unique: list[Candidate] = []
    for candidate in candidates:
        if candidate.id in ids:
            continue
        terms = _terms(candidate)
        if any(_overlap(terms, other) >= _SAME for other in said):
            dropped.append(replace(candidate, fate=Fate.NEAR_DUPLICATE))
            continue
        said.append(terms)
        unique.append(candidate)
    return unique


def _unseen(chosen: Sequence[Candidate], kept: Sequence[Candidate]) -> list[Candidate]:
    ids = {each.id for each in kept}
    return [each for each in chosen if each.id not in ids]


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


def _terms(candidate: Candidate) -> frozenset[str]:
    return frozenset(analyse.terms(candidate.text))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of terms that two texts have in common."""
    return len(one & other) / len(one | other) if one or other else 1.0
