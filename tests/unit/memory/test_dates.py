from datetime import UTC, date, datetime

import pytest

from saegim.memory.dates.resolution import bounds, find_dates
from tests.unit.memory.written_dates import absolute

SEOUL = "Asia/Seoul"
# A Sunday, already 16 November in Seoul.
SAID = datetime(2026, 11, 15, 16, 0, tzinfo=UTC)
SUNDAY = datetime(2026, 11, 15, 5, 0, tzinfo=UTC)


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("어제 부산으로 이사했어", "2026년 11월 14일 부산으로 이사했어"),
        ("그저께부터 아파", "2026년 11월 13일부터 아파"),
        ("지난주 금요일에 면접 봤어", "2026년 11월 6일에 면접 봤어"),
        ("지난 금요일에 면접 봤어", "2026년 11월 13일에 면접 봤어"),
        ("다음 주 화요일 회의", "2026년 11월 17일 회의"),
        ("다음 주에 출장 가", "2026년 11월 16일 주에 출장 가"),
        ("작년 여름에 결혼했어", "2025년 여름에 결혼했어"),
        ("재작년 3월에 입사했어", "2024년 3월에 입사했어"),
        ("3년 전에 대학을 졸업했어", "2023년에 대학을 졸업했어"),
        ("다음 달 3일이 마감이야", "2026년 12월 3일이 마감이야"),
        ("지난달에 강아지를 입양했어", "2026년 10월에 강아지를 입양했어"),
        ("두 달 전에 수술했어", "2026년 9월에 수술했어"),
        ("이틀 전부터 약을 먹어", "2026년 11월 13일부터 약을 먹어"),
        ("내년에 이직할 거야", "2027년에 이직할 거야"),
        ("지난 여름에 제주도 갔어", "2026년 여름에 제주도 갔어"),
        ("12월 24일에 공연 보러 가", "2026년 12월 24일에 공연 보러 가"),
        ("2019년 5월에 결혼했어", "2019년 5월에 결혼했어"),
        ("오전에 커피를 마셔", "오전에 커피를 마셔"),
        ("내 생일은 5월 3일이야", "내 생일은 5월 3일이야"),
        ("내일모레 시험이야", "2026년 11월 17일 시험이야"),
        ("마감이 12월 10일로 바뀌었어", "마감이 2026년 12월 10일로 바뀌었어"),
        ("회의가 3월 5일로 미뤄졌어", "회의가 2027년 3월 5일로 미뤄졌어"),
    ],
)
def test_korean_dates_become_absolute(said: str, written: str) -> None:
    assert absolute(said, SUNDAY, SEOUL) == written


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("I moved to Busan yesterday", "I moved to Busan on November 14, 2026"),
        ("Yesterday I quit my job", "On November 14, 2026 I quit my job"),
        ("I have been ill since yesterday", "I have been ill since November 14, 2026"),
        ("I had an interview last Friday", "I had an interview on November 13, 2026"),
        ("We meet next Tuesday", "We meet on November 17, 2026"),
        ("We married last May", "We married in May 2026"),
        ("I graduated three years ago", "I graduated in 2023"),
        ("We adopted a dog last month", "We adopted a dog in October 2026"),
        ("It ends next year", "It ends in 2027"),
        ("The exam is in two weeks", "The exam is November 29, 2026"),
        ("We went to Jeju last summer", "We went to Jeju in summer 2026"),
        ("I may go to the beach", "I may go to the beach"),
        ("I was born on May 3, 1990", "I was born on May 3, 1990"),
        ("The deadline moved to December 10.", "The deadline moved to December 10, 2026."),
        ("Dad broke his leg on Tuesday", "Dad broke his leg on November 10, 2026"),
        ("The defence is 14 May 2027", "The defence is May 14, 2027"),
        ("It is due by the 30th", "It is due by November 30, 2026"),
        ("They want it by Thanksgiving", "They want it by Thanksgiving (November 26, 2026)"),
        ("We met at the lake on Labor Day", "We met at the lake on Labor Day (September 7, 2026)"),
        ("The demo is on December 3rd", "The demo is on December 3, 2026"),
    ],
)
def test_english_dates_become_absolute(said: str, written: str) -> None:
    assert absolute(said, SUNDAY, "Europe/London") == written


def test_a_day_is_the_speakers_own() -> None:
    assert absolute("오늘 입사했어", SAID, SEOUL) == "2026년 11월 16일 입사했어"
    assert absolute("오늘 입사했어", SAID, "America/New_York") == "2026년 11월 15일 입사했어"


def test_making_dates_absolute_twice_changes_nothing() -> None:
    once = absolute("지난주 금요일에 계약했고 다음 달 3일에 이사해", SUNDAY, SEOUL)
    assert absolute(once, SAID.replace(year=2030), SEOUL) == once


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
    assert absolute("13월 45일", SUNDAY, SEOUL) == "13월 45일"
    assert absolute("다음 달 31일", datetime(2026, 1, 5, tzinfo=UTC), SEOUL) == "다음 달 31일"


# A Tuesday.
TUESDAY = datetime(2026, 11, 17, 3, 0, tzinfo=UTC)


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("다음주 목욜까지 써야 해", "2026년 11월 26일까지 써야 해"),
        ("담주 수욜에 회의 있어", "2026년 11월 25일에 회의 있어"),
        ("내일 모레 부동산 가", "2026년 11월 19일 부동산 가"),
        ("6월 말까지 접수해야 함", "2027년 6월 30일까지 접수해야 함"),
        ("접수 6/22부터", "접수 2027년 6월 22일부터"),
        ("이번 달 말까지 내야 해", "2026년 11월 30일까지 내야 해"),
        ("월말까지 정산해야 돼", "2026년 11월 30일까지 정산해야 돼"),
        ("분기 말까지 끝내야 해", "2026년 12월 31일까지 끝내야 해"),
        ("다음 분기에 출시해", "2027년 1분기에 출시해"),
        ("22일부터 오사카에 가", "2026년 11월 22일부터 오사카에 가"),
        ("금요일까지 보내야 해", "2026년 11월 20일까지 보내야 해"),
        ("토요일에 이사했어", "2026년 11월 14일에 이사했어"),
        ("11월 셋째 주 토요일에 김장해", "2026년 11월 21일에 김장해"),
        ("다음 달 마지막 금요일에 회식", "2026년 12월 25일에 회식"),
        ("사흘 뒤에 수술", "2026년 11월 20일에 수술"),
        ("보름 후 입주", "2026년 12월 2일 입주"),
        ("일주일 뒤 출국", "2026년 11월 24일 출국"),
        ("추석에 부산 갔어", "2026년 추석(9월 25일)에 부산 갔어"),
        ("설에 고향 내려갈 거야", "2027년 설(2월 7일)에 고향 내려갈 거야"),
        ("크리스마스에 대전 가", "2026년 크리스마스(12월 25일)에 대전 가"),
        ("연말까지 살 빼야 해", "2026년 12월 31일까지 살 빼야 해"),
        ("3월 초에 결혼했어", "2026년 3월 초에 결혼했어"),
        ("12월 3일에 수술했어", "2025년 12월 3일에 수술했어"),
        ("지난 3월에 퇴사했어", "2026년 3월에 퇴사했어"),
        ("올여름에 갔어", "2026년 여름에 갔어"),
        ("반년 전에 이사했어", "2026년 5월에 이사했어"),
        ("내후년에 졸업해", "2028년에 졸업해"),
        ("주말에 등산 갔다 왔어", "2026년 11월 14일 주말에 등산 갔다 왔어"),
        # Not a day
        ("매주 화요일에 수영해", "매주 화요일에 수영해"),
        ("화요일에는 필라테스 가요", "화요일에는 필라테스 가요"),
        ("매년 11월 셋째 주 토요일에 김장해", "매년 11월 셋째 주 토요일에 김장해"),
        ("12일 동안 먹어", "12일 동안 먹어"),
        ("원가가 1/3로 줄었어", "원가가 1/3로 줄었어"),
        ("올바른 방법", "올바른 방법"),
        ("설명해 줘", "설명해 줘"),
        ("reports are due a week today", "reports are due on November 24, 2026"),
        ("The visit is a week from Friday", "The visit is November 27, 2026"),
        ("pay it by the end of the month", "pay it by November 30, 2026"),
        ("tell them before end of April", "tell them before April 30, 2027"),
        ("it is due by Friday", "it is due by November 20, 2026"),
        ("I saw him Friday", "I saw him on November 13, 2026"),
        ("The gig moved to the 15th", "The gig moved to December 15, 2026"),
        ("I fell on the 3rd", "I fell on November 3, 2026"),
        ("I have worked there since June", "I have worked there since June 2026"),
        ("insurance pays until August", "insurance pays until August 2027"),
        ("we meet Tuesday next week", "we meet on November 24, 2026"),
        ("It is due on 12/5", "It is due on December 5, 2026"),
        ("the first Monday in December", "on December 7, 2026"),
        ("in a fortnight we move", "on December 1, 2026 we move"),
        ("next spring we travel", "in spring 2027 we travel"),
        ("lease ends on the thirtieth", "lease ends on November 30, 2026"),
        ("a couple of days ago I fell", "on November 15, 2026 I fell"),
        ("standup is daily from Monday", "standup is daily from November 23, 2026"),
        # Not a day
        ("every Friday I swim", "every Friday I swim"),
        ("I may go", "I may go"),
        ("half a cup, so 1/2", "half a cup, so 1/2"),
    ],
)
def test_wider_expressions_become_absolute(said: str, written: str) -> None:
    assert absolute(said, TUESDAY, SEOUL) == written


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("이달 25일에 월급", "2026년 3월 25일에 월급"),
        ("이달 말까지 제출", "2026년 3월 31일까지 제출"),
        ("2주 뒤 금요일에 여행", "2026년 3월 27일에 여행"),
        ("열흘 있으면 개업", "2026년 3월 21일 개업"),
        ("시험 D-10 이야", "시험 2026년 3월 21일 이야"),
        ("총회 24일로 변경됐어", "총회 2026년 3월 24일로 변경됐어"),
        ("면접은 20일이야", "면접은 2026년 3월 20일이야"),
        ("2026.04.17 오픈", "2026년 4월 17일 오픈"),
        ("휴가가 15일이야", "휴가가 15일이야"),
        ("10일 동안 여행", "10일 동안 여행"),
    ],
)
def test_days_in_other_words_are_resolved_and_counts_of_days_are_not(
    text: str, resolved: str
) -> None:
    said_at = datetime.fromisoformat("2026-03-11T10:00:00+09:00")
    assert absolute(text, said_at, "Asia/Seoul") == resolved


WEDNESDAY = datetime(2026, 3, 11, 5, 0, tzinfo=UTC)


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("said", "written"),
    [
        # Plans far ahead, told in the present
        ("결혼식은 10월 10일이야", "결혼식은 2026년 10월 10일이야"),
        ("워크숍은 11월 3일이에요", "워크숍은 2026년 11월 3일이에요"),
        ("12월 20일 회의 자료야", "2025년 12월 20일 회의 자료야"),
        ("My wedding is on October 10.", "My wedding is on October 10, 2026."),
        ("I'm getting married on December 5.", "I'm getting married on December 5, 2026."),
        # Arrangements told in the past
        ("4월 10일에 출시하기로 했어", "2026년 4월 10일에 출시하기로 했어"),
        ("금요일에 만나기로 했어", "2026년 3월 13일에 만나기로 했어"),
        ("금요일에 만나기로 했는데 안 왔어", "2026년 3월 6일에 만나기로 했는데 안 왔어"),
        ("토요일에 소개팅 잡혔어", "2026년 3월 14일에 소개팅 잡혔어"),
        ("4월 3일 회의가 취소됐어", "2026년 4월 3일 회의가 취소됐어"),
        (
            "마감이 4월 15일에서 4월 30일로 미뤄졌어",
            "마감이 2026년 4월 15일에서 2026년 4월 30일로 미뤄졌어",
        ),
        (
            "I bought tickets for a concert on Saturday",
            "I bought tickets for a concert on March 14, 2026",
        ),
        ("I registered for a course on May 12", "I registered for a course on May 12, 2026"),
        ("I had an appointment on Monday", "I had an appointment on March 9, 2026"),
        # Counted from an event, not from today
        ("미팅 3일 전까지 공유해야 해", "미팅 3일 전까지 공유해야 해"),
        ("입사 1년 후에 팀장이 됐어", "입사 1년 후에 팀장이 됐어"),
        ("계약 만료 한 달 전에 통보해야 해", "계약 만료 한 달 전에 통보해야 해"),
        ("미팅 3일 전 한 번 공유해야 해", "미팅 3일 전 한 번 공유해야 해"),
        ("수술 2주 전에 받았어", "수술 2026년 2월 25일에 받았어"),
        ("노트북 3년 전에 샀어", "노트북 2023년에 샀어"),
        # From one weekday to another
        (
            "다음주 월요일부터 금요일까지 출장이야",
            "2026년 3월 16일부터 2026년 3월 20일까지 출장이야",
        ),
        ("월요일부터 금요일까지 9시에 출근해요", "월요일부터 금요일까지 9시에 출근해요"),
        ("I work Monday to Friday.", "I work Monday to Friday."),
        ("My office hours are Tuesday and Thursday.", "My office hours are Tuesday and Thursday."),
        ("I am away next Monday to Friday", "I am away on March 16, 2026 to March 20, 2026"),
        # Durations and parts of a month
        ("1년 6개월 전에 입사했어", "2024년 9월에 입사했어"),
        ("2~3일 뒤에 출장 가야 해", "2~3일 뒤에 출장 가야 해"),
        ("2, 3일 뒤에 출장 가야 해", "2, 3일 뒤에 출장 가야 해"),
        ("3월 초에 입사했어", "2026년 3월 초에 입사했어"),
        ("3월 말에 입사했어", "2025년 3월 말에 입사했어"),
        ("It is due by end of day Friday.", "It is due by end of day on March 13, 2026."),
        # Spaces and particles
        ("이번 주 회의 자료 만들어야 해", "2026년 3월 9일 주 회의 자료 만들어야 해"),
        ("올해는 이직할 거야", "2026년은 이직할 거야"),
        ("올해로 3년차야", "2026년으로 3년차야"),
        ("모레는 시험이야", "2026년 3월 13일은 시험이야"),
        ("결과는 3일 뒤야", "결과는 2026년 3월 14일이야"),
        ("나 내일가", "나 2026년 3월 12일가"),
        ("이번 주는 바빠", "2026년 3월 9일 주는 바빠"),
    ],
)
def test_plans_ranges_and_particles(said: str, written: str) -> None:
    assert absolute(said, WEDNESDAY, SEOUL) == written


def test_only_the_text_nearby_shows_the_tense() -> None:
    pages = "The report has many pages. " * 8
    said = f"I met him on Monday. {pages}You will read them."
    assert "on March 9, 2026" in absolute(said, WEDNESDAY, SEOUL)
