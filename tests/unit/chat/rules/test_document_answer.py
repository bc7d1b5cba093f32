import pytest

from saegim.chat.rules.document_answer import best_line, candidates, compose
from saegim.chat.rules.document_question import SourcePassage, understand

PLANS = """한도를 넘으면 알려 드립니다.

| 요금제 | 월 요금 | 사용자 | API 호출 |
| --- | --- | --- | --- |
| 무료 | 0원 | 2명 | 없음 |
| 팀 | 290,000원 | 10명 | 분당 60회 |
| 비즈니스 | 1,200,000원 | 50명 | 분당 600회 |
"""
MODELS = """All models are sold in black.

| | Mini | Pro |
| --- | --- | --- |
| Largest batch | 120 g | 500 g |
| Weight | 4.1 kg | 9.5 kg |
"""
STAFF = """| 부서 | 담당자 | 내선 |
| --- | --- | --- |
| 총무팀 | 김민아 대리 | 4010 |
| 정보지원실 | 백도현 과장 | 4021 |
"""
ROOMS = """| 회의실 | 정원 | 화상 장비 |
| --- | --- | --- |
| 소나무 | 6명 | 없음 |
| 잣나무 | 8명 | 있음 |
| 대강당 | 180명 | 있음 |
"""
FAQ = """## 급여일은 언제인가요?

매월 21일입니다. 21일이 휴일이면 그 전 영업일에 지급합니다.
"""
PASSAGES = [
    SourcePassage("1", "요금제와 한도", "요금", PLANS),
    SourcePassage("2", "Models compared", "", MODELS),
    SourcePassage("3", "연락처", "", STAFF),
    SourcePassage("4", "회의실 안내", "", ROOMS),
    SourcePassage("5", "자주 묻는 질문", "", FAQ),
]


def answer(message: str, earlier: str = "") -> str:
    """Answer by words alone."""
    question = understand(message, earlier, PASSAGES, 0.6 if earlier else 0.0)
    line = best_line(candidates(question, PASSAGES), {})
    return line.text if line else ""


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("팀 요금제는 한 달에 얼마예요?", "팀, 월 요금: **290,000원**"),
        ("비즈니스 요금제는 사용자 몇 명까지?", "비즈니스, 사용자: **50명**"),
        ("팀 요금제 API 호출 제한은?", "팀, API 호출: **분당 60회**"),
        ("what is the largest batch of the pro?", "Largest batch, Pro: **500 g**"),
        ("정보지원실 담당자 누구예요?", "정보지원실, 담당자: **백도현 과장**"),
        ("백도현 과장님은 어느 부서예요?", "백도현 과장, 부서: **정보지원실**"),
        ("급여일은 언제예요?", "매월 21일입니다. 21일이 휴일이면 그 전 영업일에 지급합니다."),
    ],
)
def test_one_line_answers(message: str, line: str) -> None:
    assert answer(message) == line


def test_lists_and_counts_come_from_the_labels_of_a_table() -> None:
    assert answer("회의실 총 몇 개 있어?") == "**3개**: 소나무, 잣나무, 대강당"
    assert answer("화상 장비 있는 회의실 뭐뭐 있어?") == "잣나무, 대강당"


def test_a_follow_up_takes_its_row_from_the_question_before() -> None:
    assert answer("내선 번호는요?", "정보지원실 담당자 누구예요?") == "정보지원실, 내선: **4021**"


def test_meaning_finds_what_words_do_not() -> None:
    question = understand("how heavy is the pro?", "", PASSAGES)
    found = candidates(question, PASSAGES)
    similar = {each.meaning: 0.1 for each in found}
    weight = next(each for each in found if each.line.text == "Weight, Pro: **9.5 kg**")
    similar[weight.meaning] = 0.9
    line = best_line(found, similar)
    assert line is not None
    assert line.text == "Weight, Pro: **9.5 kg**"


def test_nothing_is_answered_if_no_line_means_the_question() -> None:
    question = understand("작년 매출이 얼마였나요?", "", PASSAGES)
    found = candidates(question, PASSAGES)
    assert best_line(found, {each.meaning: 0.3 for each in found}) is None


def test_the_quote_keeps_the_header_of_the_table() -> None:
    question = understand("팀 요금제는 한 달에 얼마예요?", "", PASSAGES)
    line = best_line(candidates(question, PASSAGES), {})
    assert line is not None
    text = compose([line])
    assert text.startswith(
        "팀, 월 요금: **290,000원** [1]\n\n**요금제와 한도 › 요금** [1]\n> | 요금제 |"
    )
    assert "비즈니스" not in text


def test_columns_that_a_question_compares_are_set_side_by_side() -> None:
    rows = ["| 항목 | 무료 | 팀 |", "| --- | --- | --- |", "| 월 요금 | 0원 | 290,000원 |"]
    table = "\n".join([*rows, "| 사용자 | 2명 | 10명 |"])
    passage = SourcePassage("1", "요금제와 한도", "", table)
    question = understand("무료랑 팀이랑 뭐가 달라?", "", [passage])
    line = best_line(candidates(question, [passage]), {})
    assert line is not None
    assert line.text.splitlines()[0] == "- 월 요금: 무료 0원 / 팀 290,000원"


def test_a_line_with_a_rival_is_no_answer() -> None:
    question = understand("배송비는 얼마예요?", "", PASSAGES)
    found = candidates(question, PASSAGES)
    assert best_line(found, {each.meaning: 0.9 for each in found}) is None


def test_rivals_in_one_row_are_shown_as_the_row() -> None:
    table = "| 코드 | 뜻 | 조치 |\n| --- | --- | --- |\n| E42 | 본체 과열 | 통풍을 확보합니다 |"
    passage = SourcePassage("1", "오류 코드", "", table)
    found = candidates(understand("E42는 뭐야?", "", [passage]), [passage])
    line = best_line(found, {each.meaning: 0.9 for each in found})
    assert line is not None
    assert line.text == "E42: 뜻 본체 과열 · 조치 통풍을 확보합니다"
