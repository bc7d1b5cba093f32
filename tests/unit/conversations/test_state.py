from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from saegim.conversations.types import CONTEXT_TURNS, Exchange, WorkingState, context_turns

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def said(number: int) -> Exchange:
    return Exchange(number, f"질문 {number}", f"답 {number}", NOW)


@pytest.mark.requirement("WM1")
def test_the_last_fifteen_stay_and_summarised_ones_before_them_go() -> None:
    turns = context_turns([said(n) for n in range(1, 22)], summarised_through=20)
    assert [turn.number for turn in turns] == list(range(7, 22))


@pytest.mark.requirement("WM2")
def test_unfolded_turns_stay() -> None:
    turns = context_turns([said(n) for n in range(1, 22)], summarised_through=3)
    assert [turn.number for turn in turns] == list(range(4, 22))


def test_a_backlog_does_not_grow_without_end() -> None:
    state = WorkingState(0)
    for number in range(1, 200):
        state = state.after(said(number), number)
    assert len(state.recent) == CONTEXT_TURNS
    assert state.recent[-1].number == 199


@given(st.lists(st.integers(1, 90), unique=True, min_size=1, max_size=60), st.integers(0, 90))
def test_a_state_kept_turn_by_turn_equals_one_that_is_rebuilt(
    numbers: list[int], summarised_through: int
) -> None:
    """Turns may be recorded out of their order: several can run at once."""
    kept = WorkingState(0, summarised_through=summarised_through)
    for completed_turns, number in enumerate(numbers, 1):
        kept = kept.after(said(number), completed_turns)
    assert kept.recent == context_turns([said(number) for number in numbers], summarised_through)
