"""Recall stays within its budgets."""

from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from uuid import UUID

import pytest

from saegim.memory.recall.scoring import RankingContext, asks_of_the_past
from saegim.memory.recall.service import fit
from saegim.memory.recall.types import (
    CandidateKind,
    Fate,
    RecallBudget,
    RecallCandidate,
    RecallSignals,
    Recollection,
)
from saegim.text import analysis

AT = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = ["고양이", "나비", "서울", "커피", "알레르기", "여름", "바다", "등산", "a", "b", "1", "2"]


class State:
    """A random memory under a random question."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.pinned = self._some(CandidateKind.PINNED, 1_000)
        self.chosen = self._some(CandidateKind.RECORD, 2_000, 4)
        self.records = self._some(CandidateKind.RECORD, 3_000)
        self.episodes = self._some(CandidateKind.EPISODE, 4_000)

    def _some(self, kind: CandidateKind, first: int, most: int = 16) -> list[RecallCandidate]:
        return [
            self._candidate(kind, UUID(int=first + number))
            for number in range(self.chance.randint(0, most))
        ]

    def _candidate(self, kind: CandidateKind, identifier: UUID) -> RecallCandidate:
        text = " ".join(self.chance.choices(WORDS, k=self.chance.randint(1, 8)))
        signals = RecallSignals(score=self.chance.random())
        return RecallCandidate(kind, identifier, text, AT, signals, self.chance.randint(1, 150))


@pytest.mark.requirement("LM3")
def test_no_budget_is_exceeded_and_every_candidate_has_a_fate() -> None:
    for seed in range(1_000):
        state = State(seed)
        chance = state.chance
        budget = RecallBudget(
            count=chance.choice([None, chance.randint(0, 10)]), tokens=chance.randint(0, 1_500)
        )
        found = fit(state.pinned, state.chosen, state.records, state.episodes, budget)

        given = (*found.records, *found.episodes)
        assert sum(each.tokens + budget.header for each in given) <= budget.tokens
        assert budget.count is None or len(found.records) <= budget.count
        everything = (*state.pinned, *state.chosen, *state.records, *state.episodes)
        assert _ids(found) == {each.id for each in everything}
        assert all(each.fate is not Fate.TAKEN for each in found.dropped)


@pytest.mark.requirement("LM3")
def test_the_token_budget_is_used_and_not_a_number_of_items() -> None:
    records = [_distinct(CandidateKind.RECORD, 1_000 + n, tokens=20) for n in range(30)]
    episodes = [_distinct(CandidateKind.EPISODE, 2_000 + n, tokens=40) for n in range(30)]
    budget = RecallBudget()
    found = fit((), (), records, episodes, budget)

    used = sum(each.tokens + budget.header for each in (*found.records, *found.episodes))
    assert used > budget.tokens - 60
    assert len(found.records) > 8
    assert len(found.episodes) > 8
    few = fit((), (), records[:3], episodes, budget)
    assert len(few.episodes) > len(found.episodes), "the records' share was left unused"


@pytest.mark.requirement("LM4")
@pytest.mark.parametrize("tokens", [0, 300, 1_200])
def test_every_pinned_fact_is_returned_whatever_the_budget(tokens: int) -> None:
    pinned = [_distinct(CandidateKind.PINNED, n, tokens=40) for n in range(30)]
    alike = [replace(pinned[0], id=UUID(int=500 + n)) for n in range(3)]
    records = [_distinct(CandidateKind.RECORD, 1_000 + n, tokens=30) for n in range(30)]
    found = fit([*pinned, *alike], pinned[:2], records, (), RecallBudget(tokens=tokens, count=2))

    assert list(found.pinned) == [*pinned, *alike]
    assert not {each.id for each in found.records} & {each.id for each in pinned}


@pytest.mark.requirement("LM9")
def test_chosen_records_come_first_even_if_they_repeat_a_pinned_fact() -> None:
    for seed in range(300):
        state = State(seed)
        budget = RecallBudget(tokens=100_000)
        found = fit(state.pinned, state.chosen, state.records, state.episodes, budget)
        expected = [each.id for each in state.chosen]

        assert [each.id for each in found.records][: len(expected)] == expected


def test_a_near_duplicate_of_the_best_makes_room_for_something_else() -> None:
    scores = {"커피 좋아": 0.9, "커피 좋아 a": 0.85, "등산 여름": 0.8}
    records = [
        RecallCandidate(CandidateKind.RECORD, UUID(int=at), text, AT, RecallSignals(score), 5)
        for at, (text, score) in enumerate(scores.items())
    ]
    found = fit((), (), records, (), RecallBudget(count=2))

    assert [each.text for each in found.records] == ["커피 좋아", "등산 여름"]


def _distinct(kind: CandidateKind, number: int, tokens: int) -> RecallCandidate:
    """A candidate that differs from all others."""
    text = f"{number}a {number}b {number}c"
    return RecallCandidate(
        kind, UUID(int=number), text, AT, RecallSignals(1 / (1 + number)), tokens
    )


def _ids(found: Recollection) -> set[UUID]:
    return {
        each.id
        for part in (found.pinned, found.records, found.episodes, found.dropped)
        for each in part
    }


def _said(kind: CandidateKind, number: int, text: str, score: float, day: int) -> RecallCandidate:
    at, turn = AT.replace(day=day), UUID(int=day)
    return RecallCandidate(
        kind, UUID(int=number), text, at, RecallSignals(score), 10, sources=(turn,)
    )


def _ranked(question: str, *episodes: RecallCandidate, **others: RecallCandidate) -> list[str]:
    asked = frozenset(analysis.query_terms(question))
    context = RankingContext(asked, 1.0, asks_of_the_past(question))
    found = fit((), (), [*others.values()], episodes, RecallBudget(), context)
    return [each.text for each in found.recalled]


OLD = _said(CandidateKind.EPISODE, 1, "논문 심사일은 12월 21일이야", 3.0, 2)
NEW = _said(CandidateKind.EPISODE, 2, "논문 심사가 1월 6일로 밀렸어", 2.5, 9)
OTHER = _said(CandidateKind.EPISODE, 3, "주말에 등산 다녀왔어", 0.5, 20)


@pytest.mark.requirement("LM3")
def test_change_ranks_above_the_value_it_changed() -> None:
    assert _ranked("논문 심사 날짜가 언제지?", OLD, NEW, OTHER) == [NEW.text, OLD.text, OTHER.text]


@pytest.mark.requirement("LM3")
def test_question_about_the_past_keeps_the_old_value_first() -> None:
    assert _ranked("논문 심사 날짜가 원래 언제였지?", OLD, NEW, OTHER)[0] == OLD.text


@pytest.mark.requirement("LM3")
def test_correction_comes_first_even_if_the_question_is_about_the_past() -> None:
    wrong = _said(CandidateKind.EPISODE, 4, "예전 차는 2015년식이야", 3.0, 2)
    right = _said(CandidateKind.EPISODE, 5, "차는 2015년식이 아니고 2016년식이야", 2.5, 9)
    assert _ranked("예전 차가 몇 년식이었지?", wrong, right, OTHER)[0] == right.text


@pytest.mark.requirement("LM3")
def test_record_ranks_with_its_turn_and_not_before_better_turns() -> None:
    weak = _said(CandidateKind.RECORD, 4, "등산을 좋아함", 0.4, 20)
    ranked = _ranked("논문 심사 날짜가 언제지?", OLD, NEW, OTHER, weak=weak)
    assert ranked == [NEW.text, OLD.text, weak.text, OTHER.text]


@pytest.mark.requirement("LM3")
@pytest.mark.parametrize("question", ["심사 언제지?", "원래 언제였지?", "What was my old address?"])
def test_prompt_shows_memories_newest_first(question: str) -> None:
    turns = [
        _said(CandidateKind.EPISODE, day, f"{day}번째 이야기 {day * 111}", 30.0 - day, day)
        for day in range(1, 11)
    ]
    context = RankingContext(frozenset(), 1.0, asks_of_the_past(question))
    found = fit((), (), (), turns, RecallBudget(), context)
    assert [each.said_at.day for each in found.in_prompt] == list(range(10, 0, -1))
