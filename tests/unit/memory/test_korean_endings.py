import pytest

from saegim.memory.rules.extractor import extract_statements
from saegim.memory.rules.korean_endings import closed


@pytest.mark.parametrize(
    ("clause", "rest", "sentence"),
    [
        ("저는 판교에 살고", "강아지를 키워요", "저는 판교에 살아요"),
        ("나는 판교에 사는데", "멀어", "나는 판교에 살아"),
        ("차는 아반떼 쓰는데", "오래됐어요", "차는 아반떼 써요"),
        ("저 간호사인데", "바빠요", "저 간호사예요"),
        ("난 수험생이라", "바빠", "난 수험생이야"),
        ("어제 면접 봤고", "결과는 모레 나와요", "어제 면접 봤어요"),
        ("딸이 둘 있고", "아들도 있습니다", "딸이 둘 있어요"),
        ("고수 싫어해", "", "고수 싫어해"),
    ],
)
def test_a_clause_is_closed_in_the_style_of_its_sentence(
    clause: str, rest: str, sentence: str
) -> None:
    assert closed(clause, f"{clause} {rest}".strip()) == sentence


def test_a_habit_is_no_manner_of_answers() -> None:
    [habit] = extract_statements("아침엔 늘 녹차를 마셔요")
    assert habit.topic == "습관"


def test_a_request_of_today_is_no_manner_of_answers() -> None:
    assert extract_statements("오늘 회의 내용 좀 정리해줘") == []
