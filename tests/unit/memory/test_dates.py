from datetime import UTC, date, datetime

import pytest

from saegim.memory.dates.resolution import bounds, dated, find_dates

SEOUL = "Asia/Seoul"
# A Sunday, already 16 November in Seoul.
SAID = datetime(2026, 11, 15, 16, 0, tzinfo=UTC)
SUNDAY = datetime(2026, 11, 15, 5, 0, tzinfo=UTC)


def days(text: str, said_at: datetime, time_zone: str) -> str:
    """Return the days that are stored behind a statement."""
    return dated(text, said_at, time_zone).removeprefix(text).strip(" ()")


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("어제 부산으로 이사했어", "2026-11-14"),
        ("그저께부터 아파", "2026-11-13"),
        ("지난주 금요일에 면접 봤어", "2026-11-06"),
        ("지난 금요일에 면접 봤어", "2026-11-13"),
        ("다음 주 화요일 회의", "2026-11-17"),
        ("다음 주에 출장 가", "2026-11-16/2026-11-22"),
        ("작년 여름에 결혼했어", "2025-06-01/2025-08-31"),
        ("재작년 3월에 입사했어", "2024-03"),
        ("3년 전에 대학을 졸업했어", "2023"),
        ("다음 달 3일이 마감이야", "2026-12-03"),
        ("지난달에 강아지를 입양했어", "2026-10"),
        ("두 달 전에 수술했어", "2026-09"),
        ("이틀 전부터 약을 먹어", "2026-11-13"),
        ("내년에 이직할 거야", "2027"),
        ("지난 여름에 제주도 갔어", "2026-06-01/2026-08-31"),
        ("12월 24일에 공연 보러 가", "2026-12-24"),
        ("2019년 5월에 결혼했어", ""),
        ("오전에 커피를 마셔", ""),
        ("내 생일은 5월 3일이야", ""),
        ("내일모레 시험이야", "2026-11-17"),
        ("마감이 12월 10일로 바뀌었어", "2026-12-10"),
        ("회의가 3월 5일로 미뤄졌어", "2027-03-05"),
    ],
)
def test_korean_dates_are_resolved(said: str, stored: str) -> None:
    assert days(said, SUNDAY, SEOUL) == stored


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("I moved to Busan yesterday", "2026-11-14"),
        ("Yesterday I quit my job", "2026-11-14"),
        ("I have been ill since yesterday", "2026-11-14"),
        ("I had an interview last Friday", "2026-11-13"),
        ("We meet next Tuesday", "2026-11-17"),
        ("We married last May", "2026-05"),
        ("I graduated three years ago", "2023"),
        ("We adopted a dog last month", "2026-10"),
        ("It ends next year", "2027"),
        ("The exam is in two weeks", "2026-11-29"),
        ("We went to Jeju last summer", "2026-06-01/2026-08-31"),
        ("I may go to the beach", ""),
        ("I was born on May 3, 1990", ""),
        ("The deadline moved to December 10.", "2026-12-10"),
        ("Dad broke his leg on Tuesday", "2026-11-10"),
        ("The defence is 14 May 2027", ""),
        ("It is due by the 30th", "2026-11-30"),
        ("They want it by Thanksgiving", "2026-11-26"),
        ("We met at the lake on Labor Day", "2026-09-07"),
        ("The demo is on December 3rd", "2026-12-03"),
    ],
)
def test_english_dates_are_resolved(said: str, stored: str) -> None:
    assert days(said, SUNDAY, "Europe/London") == stored


def test_a_day_is_the_speakers_own() -> None:
    assert days("오늘 입사했어", SAID, SEOUL) == "2026-11-16"
    assert days("오늘 입사했어", SAID, "America/New_York") == "2026-11-15"


@pytest.mark.parametrize(
    ("said", "first", "past"),
    [
        ("작년 여름에 어디 갔지?", date(2025, 6, 1), date(2025, 9, 1)),
        ("What did I do last May?", date(2026, 5, 1), date(2026, 6, 1)),
        ("2024년에 뭐 했지?", date(2024, 1, 1), date(2025, 1, 1)),
        ("in 2024", date(2024, 1, 1), date(2025, 1, 1)),
        ("2025-03-05 회의", date(2025, 3, 5), date(2025, 3, 6)),
        ("작년 겨울", date(2025, 12, 1), date(2026, 3, 1)),
    ],
)
def test_a_question_tells_its_span(said: str, first: date, past: date) -> None:
    [mention] = find_dates(said, SUNDAY, SEOUL)
    assert (mention.first, mention.past) == (first, past)
    start, end = bounds(mention, SEOUL)
    assert (start.date(), end.date()) == (first, past)
    assert start.utcoffset() is not None


def test_days_that_do_not_exist_are_left_alone() -> None:
    assert days("13월 45일", SUNDAY, SEOUL) == ""
    assert days("다음 달 31일", datetime(2026, 1, 5, tzinfo=UTC), SEOUL) == ""


# A Tuesday.
TUESDAY = datetime(2026, 11, 17, 3, 0, tzinfo=UTC)


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("다음주 목욜까지 써야 해", "2026-11-26"),
        ("담주 수욜에 회의 있어", "2026-11-25"),
        ("내일 모레 부동산 가", "2026-11-19"),
        ("6월 말까지 접수해야 함", "2027-06-30"),
        ("접수 6/22부터", "2027-06-22"),
        ("이번 달 말까지 내야 해", "2026-11-30"),
        ("월말까지 정산해야 돼", "2026-11-30"),
        ("분기 말까지 끝내야 해", "2026-12-31"),
        ("다음 분기에 출시해", "2027-01-01/2027-03-31"),
        ("22일부터 오사카에 가", "2026-11-22"),
        ("금요일까지 보내야 해", "2026-11-20"),
        ("토요일에 이사했어", "2026-11-14"),
        ("11월 셋째 주 토요일에 김장해", "2026-11-21"),
        ("다음 달 마지막 금요일에 회식", "2026-12-25"),
        ("사흘 뒤에 수술", "2026-11-20"),
        ("보름 후 입주", "2026-12-02"),
        ("일주일 뒤 출국", "2026-11-24"),
        ("추석에 부산 갔어", "2026-09-25"),
        ("설에 고향 내려갈 거야", "2027-02-07"),
        ("크리스마스에 대전 가", "2026-12-25"),
        ("연말까지 살 빼야 해", "2026-12-31"),
        ("3월 초에 결혼했어", "2026-03"),
        ("12월 3일에 수술했어", "2025-12-03"),
        ("지난 3월에 퇴사했어", "2026-03"),
        ("올여름에 갔어", "2026-06-01/2026-08-31"),
        ("반년 전에 이사했어", "2026-05"),
        ("내후년에 졸업해", "2028"),
        ("주말에 등산 갔다 왔어", "2026-11-14/2026-11-15"),
        # Not a day
        ("매주 화요일에 수영해", ""),
        ("화요일에는 필라테스 가요", ""),
        ("매년 11월 셋째 주 토요일에 김장해", ""),
        ("12일 동안 먹어", ""),
        ("원가가 1/3로 줄었어", ""),
        ("올바른 방법", ""),
        ("설명해 줘", ""),
        ("reports are due a week today", "2026-11-24"),
        ("The visit is a week from Friday", "2026-11-27"),
        ("pay it by the end of the month", "2026-11-30"),
        ("tell them before end of April", "2027-04-30"),
        ("it is due by Friday", "2026-11-20"),
        ("I saw him Friday", "2026-11-13"),
        ("The gig moved to the 15th", "2026-12-15"),
        ("I fell on the 3rd", "2026-11-03"),
        ("I have worked there since June", "2026-06"),
        ("insurance pays until August", "2027-08"),
        ("we meet Tuesday next week", "2026-11-24"),
        ("It is due on 12/5", "2026-12-05"),
        ("the first Monday in December", "2026-12-07"),
        ("in a fortnight we move", "2026-12-01"),
        ("next spring we travel", "2027-03-01/2027-05-31"),
        ("lease ends on the thirtieth", "2026-11-30"),
        ("a couple of days ago I fell", "2026-11-15"),
        ("standup is daily from Monday", "2026-11-23"),
        # Not a day
        ("every Friday I swim", ""),
        ("I may go", ""),
        ("half a cup, so 1/2", ""),
    ],
)
def test_wider_expressions_are_resolved(said: str, stored: str) -> None:
    assert days(said, TUESDAY, SEOUL) == stored


def test_lunar_holidays_of_later_years_are_known() -> None:
    assert days("추석에 부산 갈 거야", datetime(2030, 8, 1, tzinfo=UTC), SEOUL) == "2030-09-12"
    assert days("설에 고향 내려갈 거야", datetime(2039, 12, 1, tzinfo=UTC), SEOUL) == "2040-02-12"


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("이달 25일에 월급", "2026-03-25"),
        ("이달 말까지 제출", "2026-03-31"),
        ("2주 뒤 금요일에 여행", "2026-03-27"),
        ("열흘 있으면 개업", "2026-03-21"),
        ("시험 D-10 이야", "2026-03-21"),
        ("총회 24일로 변경됐어", "2026-03-24"),
        ("면접은 20일이야", "2026-03-20"),
        ("2026.04.17 오픈", ""),
        ("휴가가 15일이야", ""),
        ("10일 동안 여행", ""),
    ],
)
def test_days_in_other_words_are_resolved_and_counts_of_days_are_not(
    said: str, stored: str
) -> None:
    said_at = datetime.fromisoformat("2026-03-11T10:00:00+09:00")
    assert days(said, said_at, "Asia/Seoul") == stored


WEDNESDAY = datetime(2026, 3, 11, 5, 0, tzinfo=UTC)


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("said", "stored"),
    [
        # Plans far ahead, told in the present
        ("결혼식은 10월 10일이야", "2026-10-10"),
        ("워크숍은 11월 3일이에요", "2026-11-03"),
        ("12월 20일 회의 자료야", "2025-12-20"),
        ("My wedding is on October 10.", "2026-10-10"),
        ("I'm getting married on December 5.", "2026-12-05"),
        # Arrangements told in the past
        ("4월 10일에 출시하기로 했어", "2026-04-10"),
        ("금요일에 만나기로 했어", "2026-03-13"),
        ("금요일에 만나기로 했는데 안 왔어", "2026-03-06"),
        ("토요일에 소개팅 잡혔어", "2026-03-14"),
        ("4월 3일 회의가 취소됐어", "2026-04-03"),
        ("마감이 4월 15일에서 4월 30일로 미뤄졌어", "2026-04-15, 2026-04-30"),
        ("I bought tickets for a concert on Saturday", "2026-03-14"),
        ("I registered for a course on May 12", "2026-05-12"),
        ("I had an appointment on Monday", "2026-03-09"),
        # Counted from an event, not from today
        ("미팅 3일 전까지 공유해야 해", ""),
        ("입사 1년 후에 팀장이 됐어", ""),
        ("계약 만료 한 달 전에 통보해야 해", ""),
        ("미팅 3일 전 한 번 공유해야 해", ""),
        ("수술 2주 전에 받았어", "2026-02-25"),
        ("노트북 3년 전에 샀어", "2023"),
        # From one weekday to another
        ("다음주 월요일부터 금요일까지 출장이야", "2026-03-16"),
        ("월요일부터 금요일까지 9시에 출근해요", ""),
        ("I work Monday to Friday.", ""),
        ("My office hours are Tuesday and Thursday.", ""),
        ("I am away next Monday to Friday", "2026-03-16"),
        # Durations and parts of a month
        ("1년 6개월 전에 입사했어", "2024-09"),
        ("2~3일 뒤에 출장 가야 해", ""),
        ("2, 3일 뒤에 출장 가야 해", ""),
        ("3월 초에 입사했어", "2026-03"),
        ("3월 말에 입사했어", "2025-03"),
        ("It is due by end of day Friday.", "2026-03-13"),
        # Spaces and particles
        ("이번 주 회의 자료 만들어야 해", "2026-03-09/2026-03-15"),
        ("올해는 이직할 거야", "2026"),
        ("올해로 3년차야", "2026"),
        ("모레는 시험이야", "2026-03-13"),
        ("결과는 3일 뒤야", "2026-03-14"),
        ("나 내일가", "2026-03-12"),
        ("이번 주는 바빠", "2026-03-09/2026-03-15"),
    ],
)
def test_plans_ranges_and_particles(said: str, stored: str) -> None:
    assert days(said, WEDNESDAY, SEOUL) == stored


def test_only_the_text_nearby_shows_the_tense() -> None:
    pages = "The report has many pages. " * 8
    said = f"I met him on Monday. {pages}You will read them."
    assert days(said, WEDNESDAY, SEOUL) == "2026-03-09"
