"""Which evidence a sentence is surely from, and which of its values have no source."""

import pytest

from saegim.chat.grounding.support import EvidenceSupport, EvidenceText, content_words, no_source
from saegim.chat.types import Evidence, EvidenceKind

pytestmark = pytest.mark.requirement("TN7")

RESERVED = (
    "예약 인스턴스는 1년 또는 3년 약정으로 최대 72% 할인을 받습니다."
    " 스팟 인스턴스는 최대 90% 할인됩니다."
)
BUDGET = "예산 메뉴에서 알림을 켜면 예산의 80%를 넘을 때 이메일을 받습니다."
PRICES = (
    "| 요금제 | 월 요금 | 사용자 |\n| --- | --- | --- |\n| 팀 | 290,000원 | 10 |\n"
    "| 비즈니스 | 1,200,000원 | 50 |\n| 기업 | 2천만원 | 400 |\n"
    "1년을 한 번에 결제하면 15% 할인됩니다."
)
ENGLISH = "Invitations are valid for 14 days. An owner can revoke them in the settings."
TODAY = "<now>\nThursday, 19 November 2026, 12:27 (Asia/Seoul)\n</now>"


def support(*texts: str, question: str = "", given: tuple[str, ...] = ()) -> EvidenceSupport:
    pieces = [EvidenceText(str(number), text) for number, text in enumerate(texts, start=1)]
    return EvidenceSupport(pieces, question, given)


@pytest.mark.parametrize(
    ("sentence", "marker"),
    [
        ("예약 인스턴스를 3년 약정하면 72%까지 할인됩니다.", "1"),
        ("예산의 80%를 넘으면 이메일이 옵니다.", "2"),
        ("예약 인스턴스는 95% 할인됩니다.", None),
        ("예약 인스턴스를 쓰고 예산의 80%를 넘으면 이메일이 옵니다.", None),
        ("온프레미스 서버로 옮기면 전기 요금이 절약됩니다.", None),
        ("네, 그렇습니다.", None),
    ],
)
def test_a_source_has_the_words_and_every_value_of_a_sentence(
    sentence: str, marker: str | None
) -> None:
    assert support(RESERVED, BUDGET, question="비용을 줄이려면?").source(sentence) == marker


def test_what_two_pieces_say_alike_has_no_sure_source() -> None:
    twice = support(BUDGET, RESERVED, BUDGET, question="알림은?")
    assert twice.source("예산의 80%를 넘으면 이메일이 옵니다.") is None
    assert twice.source("스팟 인스턴스는 최대 90% 할인됩니다.") == "2"


def test_the_piece_that_fits_the_question_is_the_source() -> None:
    evidence = support(
        "박영수 대리는 주차장을 관리합니다.",
        "할인은 박영수 대리가 승인합니다.",
        question="할인을 승인하는 사람은?",
    )
    assert evidence.source("박영수입니다.") == "2"
    assert evidence.source("할인을 승인하는 사람은 최서연입니다.") is None


def test_an_english_sentence_has_a_source() -> None:
    evidence = support(ENGLISH, "Plans are billed monthly.", question="How long are they valid?")
    assert evidence.source("Your invitation stays valid for 14 days.") == "1"
    assert evidence.source("They expire after 30 days.") is None


def known() -> EvidenceSupport:
    return support(
        PRICES,
        "착수일은 2026. 3. 5.이고 '23년 말에 7,172개였습니다. 오류 E17은 센서 고장입니다.",
        question="비즈니스 요금제 1년치는 얼마야? 다음 주 금요일은?",
        given=(TODAY, "치과는 11월 20일 오후 3시야. 예산은 1억 2천만원.", "담당은 김민수 팀장"),
    )


@pytest.mark.parametrize(
    "sentence",
    [
        # As it is written, in another unit or form
        "기업 요금제는 20,000,000원, 2,000만 원이고 비즈니스는 120만원입니다.",
        "2026년 3월 5일, 2026-03-05, March 5, 2026에 착수합니다.",
        "2023년에 7172개였습니다.",
        "예산은 1.2억, 120,000,000원입니다.",
        # Computed
        "1,200,000 × 12 × 0.85 = 12,240,000원이고 2,160,000원 쌉니다.",
        "연간 14,400,000원입니다.",
        "1,200,000원은 팀의 290,000원보다 약 4.1배, 314% 많습니다.",
        "사용자는 합계 460명입니다.",
        "15%를 빼면 85%입니다.",
        # Dates
        "오늘은 11월 19일, 내일은 2026년 11월 20일입니다.",
        "다음 주 금요일은 11월 27일입니다.",
        "착수하고 259일이 지났습니다.",
        # Counts, names and general words
        "방법은 3가지이고 하루는 24시간, 1년은 365일입니다.",
        "김민수 팀장에게 물어보세요. 오류 E17입니다.",
        "Monday나 API, PDF로 하세요.",
        "",
    ],
)
def test_known_and_computed_values_have_a_source(sentence: str) -> None:
    assert known().unknown(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "unknown"),
    [
        ("예약하면 72% 저렴합니다.", ["72%"]),
        ("8% 더 비쌉니다.", ["8%"]),
        ("기업 요금제는 3,170만원을 받습니다.", ["3,170만원"]),
        ("비즈니스는 12,340,000원입니다.", ["12,340,000원"]),
        ("45일까지입니다.", ["45일"]),
        ("2024년 8월에 나왔고 2031-05-06에 끝납니다.", ["2024년 8월", "2031-05-06"]),
        ("오류 E42는 박철수 대리에게 문의하세요.", ["박철수", "E42"]),
        ("담당자는 Anna Berger입니다.", ["Anna Berger"]),
    ],
)
def test_values_that_nothing_contains_have_no_source(sentence: str, unknown: list[str]) -> None:
    assert sorted(known().unknown(sentence)) == sorted(unknown)


def test_names_are_compared_in_their_own_script() -> None:
    english = "The Business plan is managed by Minsu Kim."
    assert support(PRICES, question="요금제는?").unknown(english) == []
    assert support(ENGLISH).unknown("It is managed by Minsu Kim.") == ["Minsu Kim"]
    assert support(ENGLISH).unknown("Owners can revoke them in Settings.") == []


def test_a_result_of_the_answer_is_known_afterwards() -> None:
    evidence = support(PRICES)
    assert evidence.unknown("비즈니스는 1년에 1,200,000 × 12 = 14,400,000원입니다.") == []
    assert evidence.unknown("절반은 7,200,000원입니다.") == []


def test_what_a_tool_finds_is_evidence_from_then_on() -> None:
    evidence = support(RESERVED)
    assert evidence.unknown("예산의 83%에서 알립니다.") == ["83%"]
    text = "예산의 83%를 넘으면 이메일을 받습니다."
    evidence.add([Evidence(EvidenceKind.PASSAGE, "2", "7", "예산", text)], "It is 21 degrees.")
    assert evidence.unknown("예산의 83%에서 알립니다. 21도입니다.") == []
    assert evidence.source("예산의 83%를 넘으면 이메일이 옵니다.") == "7"


def test_a_value_without_a_source_has_none_in_the_next_answer() -> None:
    """An answer would support itself when it is asked for again."""
    reply = f"전기 요금이 45% 절약되고 30명이 씁니다.\n\n{no_source(['45%'], 'ko')}"
    again = support(RESERVED, given=("몇 명이 써?", reply))
    assert again.unknown("45% 절약되고 30명입니다.") == ["45%"]


@pytest.mark.parametrize(
    "text",
    [
        "“EC2 reserved instances are up to 72% cheaper.”",
        "EC2 reserved instances are up to 72% cheaper. Spot instances are cheaper still.",
        "\n> EC2 reserved instances are up to 72% cheaper.",
    ],
)
def test_an_answer_on_a_given_text_is_from_that(text: str) -> None:
    assert support(RESERVED, question=f"번역해 줘: {text}").is_about_text


def test_an_answer_to_a_question_is_from_the_documents() -> None:
    assert not support(RESERVED, question="EC2 비용 줄이는 방법?").is_about_text


def test_the_line_names_each_value_once() -> None:
    assert no_source(["72%", "2024년 3월", "72%"], "ko") == "출처를 찾지 못한 내용: 72%, 2024년 3월"
    assert no_source(map(str, range(9)), "en") == "No source for: 0, 1, 2, 3, 4, …"


def test_content_words_have_no_endings() -> None:
    found = content_words("문서에 따르면 임종석은 예약 인스턴스를 확인했습니다.")
    assert {each.term for each in found} == {"_임종석", "_예약", "_인스턴스", "_확인"}
