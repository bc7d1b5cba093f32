"""Figures of the conversation benchmark: what is recorded, and under which commit."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

import saegim
from benchmarks.conversation.__main__ import is_own_code
from benchmarks.conversation.about_oneself import SelfAnswer, figures_of, page, summed
from benchmarks.conversation.judge import VisibleAnswer
from benchmarks.conversation.messages import Message
from benchmarks.conversation.run import JudgedAnswer
from benchmarks.results import ROOT


def test_figures_are_recorded_for_the_code_of_this_copy_only(tmp_path: Path) -> None:
    assert is_own_code(Path(saegim.__file__))
    assert not is_own_code(tmp_path / "src" / "saegim" / "__init__.py")
    assert not is_own_code(ROOT.parent / "other" / "src" / "saegim" / "__init__.py")
    assert not is_own_code(ROOT / ".venv" / "lib" / "saegim" / "__init__.py")


def answer(*, right: bool, facts: float, tokens: int) -> SelfAnswer:
    message = Message(
        id="1",
        user="ann",
        documents="manual",
        session="ann-1",
        at=datetime(2038, 3, 1, tzinfo=UTC),
        language="en",
        kind="self_summary",
        message="What am I like?",
    )
    failures = () if right else ("lacks tea",)
    judged = JudgedAnswer(message, VisibleAnswer(""), failures, repeats_forgotten=False)
    return SelfAnswer(judged, facts, 1.0, tokens, facts, tokens // 2)


def test_both_sides_of_a_set_and_their_sum_stand_in_one_table() -> None:
    without = [answer(right=False, facts=0.5, tokens=100), answer(right=True, facts=1, tokens=300)]
    with_ = [answer(right=True, facts=1, tokens=200), answer(right=True, facts=1, tokens=400)]
    found = figures_of("dev", without, with_)
    assert (found["about_oneself.dev.without"], found["about_oneself.dev.with"]) == (0.5, 1)
    assert found["about_oneself.dev.facts_without"] == 0.75
    assert (found["about_oneself.dev.gained"], found["about_oneself.dev.lost"]) == (1, 0)
    found |= figures_of("review", with_[:1], without[:1])
    found |= summed(found)
    assert found["about_oneself.n"] == 3
    assert found["about_oneself.without"] == pytest.approx(2 / 3)
    assert found["about_oneself.with"] == pytest.approx(2 / 3)
    table = page(found).splitlines()
    assert [line.split("|")[1].strip() for line in table[2:]] == ["`dev`", "`review`", "all"]
    assert "| 0.500 | 1.000 |" in table[2]
