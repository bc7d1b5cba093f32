from datetime import UTC, datetime

import pytest
from hypothesis import given, settings, strategies as st

from saegim.conversations.summary.fallback import CUT_MARK, LINE_TOKENS, bounded, summarise
from saegim.conversations.types import Exchange
from saegim.text import analysis
from saegim.text.tokens import count

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def turns(*messages: str) -> list[Exchange]:
    return [Exchange(number, each, "답변입니다.", NOW) for number, each in enumerate(messages, 1)]


def test_first_sentence_of_each_message_is_kept_in_order() -> None:
    messages = ("11월 분석해줘. 급해!", "Why did EC2 grow? Tell me.", "  ", "…", "고마워")
    assert summarise("사용자: 안녕", turns(*messages), 20, 500).splitlines() == [
        "사용자: 안녕",
        "사용자: 11월 분석해줘.",
        "User: Why did EC2 grow?",
        "사용자: 고마워",
    ]


def test_long_sentence_is_cut() -> None:
    line = summarise("", turns("아주 긴 문장 " * 2_000), 20, 500)
    assert line.endswith(CUT_MARK)
    assert count(line) <= LINE_TOKENS + count("사용자: ") + 1


@pytest.mark.requirement("WM3")
@pytest.mark.parametrize(("lines", "tokens"), [(4, 500), (20, 40)])
def test_oldest_lines_are_dropped_first(lines: int, tokens: int) -> None:
    summary = ""
    for number in range(10):
        summary = summarise(summary, turns(f"{number}번째 여행 계획을 세워줘"), lines, tokens)
    kept = summary.splitlines()
    assert kept[-1] == "사용자: 9번째 여행 계획을 세워줘"
    assert 1 < len(kept) <= lines
    assert kept == [f"사용자: {n}번째 여행 계획을 세워줘" for n in range(10 - len(kept), 10)]


TEXTS = st.text(
    st.sampled_from("가나다 예산은 비용 1.5억 12% budget is $10\n.?!**()…"), max_size=400
)


@pytest.mark.requirement("WM1")
@settings(max_examples=60, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=25))
def test_it_stays_within_its_bounds_fold_after_fold(messages: list[str]) -> None:
    summary = ""
    for start in range(0, len(messages), 5):
        summary = bounded(summarise(summary, turns(*messages[start : start + 5]), 20, 500))
        assert count(summary) <= 500
        assert len(analysis.sentences(summary)) <= 20


@pytest.mark.requirement("WM1")
@settings(max_examples=60, deadline=None)
@given(st.text(max_size=3_000), st.integers(0, 500))
def test_any_text_is_brought_within_its_bounds(text: str, tokens: int) -> None:
    summary = bounded(text, tokens=tokens)
    assert count(summary) <= tokens
    assert len(analysis.sentences(summary)) <= 20


def test_a_summary_within_its_bounds_stays_as_it_is() -> None:
    text = "첫 문장이다. 둘째 문장이다.\n셋째 줄."
    assert bounded(text) == text


def test_a_summary_over_its_bounds_loses_sentences_at_its_end() -> None:
    text = " ".join(f"{number}번째 문장이다." for number in range(30))
    assert bounded(text).splitlines() == [f"{number}번째 문장이다." for number in range(20)]
    assert bounded(text, tokens=20).splitlines() == ["0번째 문장이다.", "1번째 문장이다."]
