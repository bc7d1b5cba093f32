from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings, strategies as st

from saegim.conversations.summary.fallback import bounded, summarise
from saegim.conversations.types import Exchange
from saegim.text import analysis
from saegim.text.tokens import count

NOW = datetime(2026, 11, 15, tzinfo=UTC)
COSTS = [
    (
        "11월 분석해줘",
        "11월 AWS 총 비용은 $12,500이고 EC2가 65%를 차지합니다. 궁금한 점은 말씀해 주세요.",
    ),
    ("EC2가 왜 늘었어?", "m5.large 인스턴스가 3대 늘었고, 쓰지 않는 EBS 볼륨이 12개 있습니다."),
    ("RI를 사면 얼마나 줄어?", "1년 약정 RI를 적용하면 월 $2,100을 절감할 수 있습니다."),
    ("좋아, 예산은 월 1만 달러로 하기로 했어", "네, 알겠습니다."),
    ("고마워", "천만에요."),
]
CATS = [
    ("다른 얘기인데, 고양이 사료를 바꾸려고 해", "신장 처방식은 인 함량이 낮은 제품이 좋습니다."),
    ("우리 나비는 7살이야", "7살이면 하루 50g 정도가 적당합니다."),
    ("알레르기가 있어서 닭고기는 못 먹어", "닭고기가 들어 있지 않은 연어 제품을 고르세요."),
    ("하루에 몇 번 줘야 해?", "하루 두 번 나누어 주세요."),
    ("사료는 어디서 사는 게 좋아?", "동물병원이나 전문 매장을 추천합니다."),
]
NOVEMBER = [
    (
        "Analyze November for me",
        "AWS spend in November was $12,500, and EC2 accounts for 65% of it. Anything else?",
    ),
    ("Why did EC2 grow?", "Three m5.large instances were added and 12 EBS volumes are unused."),
    ("OK, we decided the monthly budget is $10,000", "Noted."),
    ("Thanks!", "You're welcome."),
]


def turns(pairs: list[tuple[str, str]], first: int = 1) -> list[Exchange]:
    return [Exchange(first + n, *pair, NOW) for n, pair in enumerate(pairs)]


def test_it_keeps_what_was_wanted_found_and_decided() -> None:
    lines = summarise("", turns(COSTS), 20, 500).splitlines()
    assert "사용자: 11월 분석해줘" in lines
    assert "답변: 11월 AWS 총 비용은 $12,500이고 EC2가 65%를 차지합니다." in lines
    assert "사용자: 예산은 월 1만 달러로 하기로 했어" in lines
    assert not any("고마워" in line or "천만에" in line or "궁금한" in line for line in lines)


def test_it_speaks_the_language_of_the_conversation() -> None:
    lines = summarise("", turns(NOVEMBER), 20, 500).splitlines()
    assert lines[0] == "User: Analyze November for me"
    assert "User: we decided the monthly budget is $10,000" in lines
    assert not any("welcome" in line or "Anything else" in line for line in lines)


@pytest.mark.requirement("WM3")
def test_a_topic_left_behind_shrinks_to_one_line() -> None:
    before = summarise("", turns(COSTS), 20, 500)
    after = summarise(before, turns(CATS, 6), 20, 500).splitlines()

    [earlier] = [line for line in after if line.startswith("이전 주제: ")]
    assert "11월 분석해줘" in earlier
    assert "$12,500" in earlier
    assert sum("EC2" in line or "RI" in line for line in after) == 1
    assert sum("사료" in line or "닭고기" in line for line in after) >= 3


@pytest.mark.requirement("WM3")
def test_old_topics_go_in_the_end() -> None:
    summary = summarise("", turns(COSTS), 20, 500)
    for subject in ("여행", "노트북", "이사", "보험", "운동", "요리", "정원"):
        pairs = [(f"다른 얘기인데, {subject} 계획을 세워줘", f"{subject} 계획을 정리했습니다.")] * 5
        summary = summarise(summary, turns(pairs), 20, 500)
    assert "11월" not in summary
    assert "정원" in summary


def test_a_topic_that_goes_on_stays_in_full() -> None:
    before = summarise("", turns(COSTS), 20, 500)
    more = [
        ("EC2 비용을 더 줄이려면?", "EBS 볼륨을 지우고 RI를 적용하세요."),
        ("11월 RDS 비용은?", "$1,900입니다."),
    ]
    after = summarise(before, turns(more, 6), 20, 500)
    assert "이전 주제" not in after
    assert "사용자: 11월 분석해줘" in after


def test_what_only_quotes_is_not_summarised() -> None:
    quoting = [
        replace(turn, by_rule=True)
        for turn in turns([("예산이 얼마였지", "> 예산은 9억이야 [T1]")])
    ]
    assert summarise("", quoting, 20, 500) == "사용자: 예산이 얼마였지"


TEXTS = st.text(
    st.sampled_from("가나다 예산은 비용 1.5억 12% budget is $10\n.?!**()…"), max_size=400
)


@pytest.mark.requirement("WM1")
@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=25))
def test_it_stays_within_its_bounds_fold_after_fold(pairs: list[tuple[str, str]]) -> None:
    summary = ""
    for start in range(0, len(pairs), 5):
        summary = bounded(summarise(summary, turns(pairs[start : start + 5]), 20, 500))
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
