"""What comes back from recall keeps to its budgets, whatever there is to bring back."""

from datetime import UTC, datetime
from random import Random
from uuid import UUID

import pytest

from saegim.memory.fit import fit
from saegim.memory.types import Candidate, Fate, Kind, RecallBudget, Recollection, Signals

AT = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = ["고양이", "나비", "서울", "커피", "알레르기", "여름", "바다", "등산", "a", "b", "1", "2"]


class State:
    """A random memory under a random question."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.kept = self._some(Kind.PINNED, 1_000)
        self.chosen = self._some(Kind.RECORD, 2_000, 4)
        self.records = self._some(Kind.RECORD, 3_000)
        self.episodes = self._some(Kind.EPISODE, 4_000)

    def _some(self, kind: Kind, first: int, most: int = 16) -> list[Candidate]:
        return [
            self._candidate(kind, UUID(int=first + number))
            for number in range(self.chance.randint(0, most))
        ]

    def _candidate(self, kind: Kind, identifier: UUID) -> Candidate:
        text = " ".join(self.chance.choices(WORDS, k=self.chance.randint(1, 8)))
        signals = Signals(score=self.chance.random())
        return Candidate(kind, identifier, text, AT, signals, self.chance.randint(1, 150))


@pytest.mark.requirement("LM3")
def test_no_budget_is_exceeded_and_nothing_is_lost() -> None:
    for seed in range(1_000):
        state = State(seed)
        chance = state.chance
        budget = RecallBudget(
            records=chance.randint(0, 10),
            tokens=chance.randint(0, 1_500),
            pinned_tokens=chance.randint(0, 600),
            episodes=chance.randint(0, 10),
        )
        found = fit(state.kept, state.chosen, state.records, state.episodes, budget)

        assert sum(each.tokens for each in found.pinned) <= budget.pinned_tokens
        assert sum(each.tokens for each in (*found.records, *found.episodes)) <= budget.tokens
        assert len(found.records) <= budget.records
        assert len(found.episodes) <= budget.episodes
        everything = (*state.kept, *state.chosen, *state.records, *state.episodes)
        assert _ids(found) == {each.id for each in everything}
        assert all(each.fate is not Fate.TAKEN for each in found.dropped)


@pytest.mark.requirement("LM4")
def test_pinned_facts_are_in_the_context_in_a_thousand_states() -> None:
    for seed in range(1_000):
        state = State(seed)
        budget = RecallBudget(pinned_tokens=sum(each.tokens for each in state.kept))
        found = fit(state.kept, state.chosen, state.records, state.episodes, budget)

        assert list(found.pinned) == state.kept


@pytest.mark.requirement("LM4", "LM9")
def test_pinned_facts_that_outgrow_their_slot_come_first_then_what_was_chosen() -> None:
    for seed in range(300):
        state = State(seed)
        budget = RecallBudget(records=100, tokens=100_000)
        found = fit(state.kept, state.chosen, state.records, state.episodes, budget)
        outgrown = [each.id for each in state.kept if each not in found.pinned]
        expected = [*outgrown, *(each.id for each in state.chosen)]

        assert [each.id for each in found.records][: len(expected)] == expected


def test_what_is_like_the_first_makes_room_for_something_else() -> None:
    scores = {"커피 좋아": 0.9, "커피 좋아 a": 0.85, "등산 여름": 0.8}
    records = [
        Candidate(Kind.RECORD, UUID(int=at), text, AT, Signals(score), 5)
        for at, (text, score) in enumerate(scores.items())
    ]
    found = fit((), (), records, (), RecallBudget(records=2))

    assert [each.text for each in found.records] == ["커피 좋아", "등산 여름"]


def _ids(found: Recollection) -> set[UUID]:
    return {
        each.id
        for part in (found.pinned, found.records, found.episodes, found.dropped)
        for each in part
    }
