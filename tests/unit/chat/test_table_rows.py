"""Long tables in a prompt are cut to the rows that the question is about."""

import pytest

from saegim.chat.context.evidence import SKIPPED, Refs, RetrievedContext, focused, found

HEADER = "| 지점 | 매출 | 담당 |\n| --- | --- | --- |"
CITIES = (
    "서울",
    "부산",
    "대구",
    "인천",
    "광주",
    "대전",
    "울산",
    "세종",
    "수원",
    "성남",
    "고양",
    "용인",
)
ROWS = [f"| {city}점 | {100 + at} | 담당자 {at} |" for at, city in enumerate(CITIES)]
TABLE = "\n".join([HEADER, *ROWS])


def test_a_row_is_shown_with_its_neighbours_under_the_header() -> None:
    shown = focused(f"지점별 실적입니다.\n\n{TABLE}\n\n끝.", "울산점 매출이 얼마야?")
    rows = "\n".join([SKIPPED, *ROWS[5:8], SKIPPED])

    assert shown == f"지점별 실적입니다.\n\n{HEADER}\n{rows}\n\n끝."


def test_rows_at_both_ends_are_shown() -> None:
    shown = focused(TABLE, "서울점과 용인점 매출은?").splitlines()

    assert shown[2:] == [*ROWS[:2], SKIPPED, *ROWS[-2:]]


@pytest.mark.parametrize(
    "question", ["매출이 가장 높은 곳은?", "지점이 몇 곳이야?", "휴가는 며칠이야?", "매출은?"]
)
def test_a_question_that_hits_no_row_leaves_the_table_whole(question: str) -> None:
    assert focused(TABLE, question) == TABLE


def test_a_short_table_stays_whole() -> None:
    short = "\n".join([HEADER, *ROWS[:8]])

    assert focused(short, "울산점 매출이 얼마야?") == short


def test_nothing_found_is_nothing_shown() -> None:
    assert found(RetrievedContext(), "울산점 매출이 얼마야?", Refs()) == []
