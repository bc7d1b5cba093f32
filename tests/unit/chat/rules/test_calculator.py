from datetime import UTC, datetime

import pytest

from saegim.chat.rules.calculator import calculate, on_calendar

NOW = datetime(2026, 11, 17, 9, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("message", "result"),
    [
        ("123 곱하기 45는?", "5,535"),
        ("17*23", "391"),
        ("what is 15% of 240?", "36"),
        ("1,200,000의 15%는?", "180,000"),
        ("300에서 45 빼면?", "255"),
        ("12만원을 3명이서 나누면?", "40,000"),
        ("(12 + 8) / 4 계산해줘", "5"),
        ("10 / 4", "2.5"),
        ("5만원의 10%는 얼마야?", "5,000"),
        ("300만원의 3.3%는?", "99,000"),
        ("12만원에서 3만5천원을 빼면?", "85,000"),
        ("1만2천원 곱하기 3", "36,000"),
        ("1만 5000원 더하기 2천원은?", "17,000"),
        ("1억 2천만원의 5%는 얼마야?", "6,000,000"),
    ],
)
def test_arithmetic_is_computed(message: str, result: str) -> None:
    assert (calculate(message) or "").endswith(f"= **{result}**")


@pytest.mark.parametrize(
    "message",
    [
        *("2026-11-17", "010-1234-5678", "35명이면 얼마야?", "12 나누기 0", "2**9999999"),
        *(
            "3개월은?",
            "11/25",
            "11/25는?",
            "2026-11",
            "24/7",
            "99999999999999999999 * 99999999999999999999",
        ),
    ],
)
def test_other_numbers_are_not_computed(message: str) -> None:
    assert calculate(message) is None


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("오늘 며칠이야?", "오늘은 2026년 11월 17일 화요일입니다."),
        ("사흘 뒤면 무슨 요일이에요?", "11월 20일은 금요일"),
        ("12월 25일까지 며칠 남았어?", "38일"),
        ("지금 몇 시야?", "09:05"),
        ("What's the date tomorrow?", "November 18, 2026 is a Wednesday"),
        ("what day is it 2 weeks from now?", "December 1, 2026"),
        ("what date is it two weeks from now?", "December 1, 2026"),
        ("what day is it in 3 months?", "February 17, 2027"),
        ("내년 1월 1일은 무슨 요일이야?", "2027년 1월 1일은 금요일"),
        ("작년 12월 25일은 무슨 요일이었어?", "2025년 12월 25일은 목요일"),
        ("2027년 5월 5일은 무슨 요일이야?", "2027년 5월 5일은 수요일"),
        ("내일모레는 며칠이야?", "2026년 11월 19일"),
        ("지금 시간이 어떻게 돼?", "09:05"),
    ],
)
def test_calendar_questions_are_answered(message: str, shown: str) -> None:
    assert shown in (on_calendar(message, NOW) or "")


def test_questions_about_other_days_are_not_for_the_calendar() -> None:
    for message in (
        "연차는 며칠이야?",
        "회의는 무슨 요일이야?",
        "how many days off?",
        "입사 3개월 후 언제부터 연차 생겨?",
        "현재 시간외 수당은 얼마야?",
        "지금 시간 되는 사람 누구야?",
        "what date is it eleven weeks from now?",
        "9999년 뒤는 며칠이야?",
    ):
        assert on_calendar(message, NOW) is None


def test_a_month_later_is_the_same_day_or_the_last_of_that_month() -> None:
    on = {day: datetime(2026, month, day, tzinfo=UTC) for month, day in ((3, 30), (1, 31))}
    assert "4월 30일" in (on_calendar("한 달 뒤는 며칠이야?", on[30]) or "")
    assert "2월 28일" in (on_calendar("한 달 뒤는 며칠이야?", on[31]) or "")
