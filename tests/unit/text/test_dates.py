"""Dates that a question names: the days that recall looks at."""

from datetime import UTC, date, datetime, timedelta

import pytest

from saegim.text.dates.resolution import bounds, find_dates

SEOUL = "Asia/Seoul"
# A Sunday, already 16 November in Seoul.
LATE_SUNDAY = datetime(2026, 11, 15, 16, 0, tzinfo=UTC)
SUNDAY = datetime(2026, 11, 15, 5, 0, tzinfo=UTC)
TUESDAY = datetime(2026, 11, 17, 3, 0, tzinfo=UTC)


def days(text: str, said_at: datetime = TUESDAY, time_zone: str = SEOUL) -> str:
    """Return the days of a text, each span as its first and last one."""
    spans = (
        (each.first, each.past - timedelta(days=1)) for each in find_dates(text, said_at, time_zone)
    )
    return ", ".join(f"{first}" if first == last else f"{first}/{last}" for first, last in spans)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("어제 뭐라고 했지?", "2026-11-16"),
        ("그저께 얘기한 식당", "2026-11-15"),
        ("3일 전에 뭐 했지?", "2026-11-14"),
        ("사흘 전에 뭐 했지?", "2026-11-14"),
        ("두 달 전에 뭐 했지?", "2026-09-01/2026-09-30"),
        ("3년 전 여행", "2023-01-01/2023-12-31"),
        ("지난주에 뭐 했지?", "2026-11-09/2026-11-15"),
        ("지난주 화요일에 뭐 했지?", "2026-11-10"),
        ("지난 금요일 회의", "2026-11-13"),
        ("지난 주말에 뭐 했지?", "2026-11-14/2026-11-15"),
        ("2주 전 금요일에 뭐 했지?", "2026-11-06"),
        ("다음주 목욜 약속", "2026-11-26"),
        ("다음 달 3일에 뭐 있지?", "2026-12-03"),
        ("이달 25일 약속", "2026-11-25"),
        ("지난 분기 매출", "2026-07-01/2026-09-30"),
        ("작년 여름에 어디 갔지?", "2025-06-01/2025-08-31"),
        ("작년 겨울", "2025-12-01/2026-02-28"),
        ("올여름에 어디 갔지?", "2026-06-01/2026-08-31"),
        ("재작년 3월에 뭐 했지?", "2024-03-01/2024-03-31"),
        ("지난 3월", "2026-03-01/2026-03-31"),
        ("2024년에 뭐 했지?", "2024-01-01/2024-12-31"),
        ("2026년 3월 2일 회의", "2026-03-02"),
        ("2026.04.17 오픈", "2026-04-17"),
        ("작년 추석에 뭐 했지?", "2025-10-06"),
        ("올해 크리스마스에 뭐 하지?", "2026-12-25"),
        # Nothing of the calendar
        ("올바른 방법", ""),
        ("설명해 줘", ""),
        ("이번 주제는 뭐야?", ""),
        ("원가가 1/3로 줄었어", ""),
        ("12일 동안 먹어", ""),
        ("오전에 커피를 마셔", ""),
        ("13월 45일", ""),
        ("이달 31일", ""),
    ],
)
def test_korean_dates_are_found(asked: str, found: str) -> None:
    assert days(asked) == found


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("What did I say yesterday?", "2026-11-16"),
        ("What did we do the day before yesterday?", "2026-11-15"),
        ("What did I do last week?", "2026-11-09/2026-11-15"),
        ("What did I tell you last Tuesday?", "2026-11-10"),
        ("Tuesday next week", "2026-11-24"),
        ("last week on Friday", "2026-11-13"),
        ("last weekend", "2026-11-14/2026-11-15"),
        ("What did I do last May?", "2026-05-01/2026-05-31"),
        ("Where were we last summer?", "2026-06-01/2026-08-31"),
        ("in March last year", "2025-03-01/2025-03-31"),
        ("three weeks ago", "2026-10-27"),
        ("a couple of days ago", "2026-11-15"),
        ("Is the exam in two weeks?", "2026-12-01"),
        ("in 2024", "2024-01-01/2024-12-31"),
        ("summer of 2024", "2024-06-01/2024-08-31"),
        ("the talk on May 3, 1990", "1990-05-03"),
        ("the defence on 14 May 2027", "2027-05-14"),
        ("2026-03-02", "2026-03-02"),
        ("March 2025", "2025-03-01/2025-03-31"),
        ("What did we eat last Christmas?", "2025-12-25"),
        ("Thanksgiving 2024", "2024-11-28"),
        # Nothing of the calendar
        ("this may help", ""),
        ("I may go", ""),
        ("every Friday I swim", ""),
        ("half a cup, so 1/2", ""),
    ],
)
def test_english_dates_are_found(asked: str, found: str) -> None:
    assert days(asked) == found


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("3월에 뭐 했지?", "2026-03-01/2026-03-31, 2027-03-01/2027-03-31"),
        ("3월 2일에 뭐 했지?", "2026-03-02, 2027-03-02"),
        ("12일에 뭐 했지?", "2026-11-12, 2026-12-12"),
        ("11/3에 뭐 했지?", "2026-11-03, 2027-11-03"),
        ("화요일에 뭐 했지?", "2026-11-10, 2026-11-24"),
        ("주말에 뭐 했지?", "2026-11-14/2026-11-15, 2026-11-21/2026-11-22"),
        ("추석에 어디 갔지?", "2026-09-25, 2027-09-15"),
        ("설날에 어디 갔지?", "2026-02-17, 2027-02-07"),
        ("What did I do in March?", "2026-03-01/2026-03-31, 2027-03-01/2027-03-31"),
        ("What is on Friday?", "2026-11-13, 2026-11-20"),
        ("the dinner on the 3rd", "2026-11-03, 2026-12-03"),
        ("On December 3rd", "2025-12-03, 2026-12-03"),
        ("on 12/5", "2025-12-05, 2026-12-05"),
        ("at the weekend", "2026-11-14/2026-11-15, 2026-11-21/2026-11-22"),
        ("Labor Day", "2026-09-07, 2027-09-06"),
    ],
)
def test_without_a_year_or_week_the_last_and_the_next_day_are_meant(asked: str, found: str) -> None:
    assert days(asked) == found


def test_a_day_is_the_speakers_own() -> None:
    assert days("오늘 뭐 했지?", LATE_SUNDAY, SEOUL) == "2026-11-16"
    assert days("오늘 뭐 했지?", LATE_SUNDAY, "America/New_York") == "2026-11-15"


def test_lunar_holidays_of_later_years_are_known() -> None:
    assert days("추석 2030년", datetime(2030, 8, 1, tzinfo=UTC)).startswith(
        "2029-09-22, 2030-09-12"
    )
    assert days("2040년 설날에") == "2040-02-12"


def test_bounds_are_instants_in_the_time_zone() -> None:
    [mention] = find_dates("작년 여름에 어디 갔지?", SUNDAY, SEOUL)
    start, end = bounds(mention, SEOUL)
    assert (start.date(), end.date()) == (date(2025, 6, 1), date(2025, 9, 1))
    assert start.utcoffset() == timedelta(hours=9)
