"""Which evidence supports a sentence of an answer."""

from datetime import UTC, datetime

import pytest

from saegim.chat.context.assembly import Budgets, assemble
from saegim.chat.context.thread import Thread
from saegim.chat.grounding.sentence_kinds import states_something
from saegim.chat.grounding.support import EvidenceSupport, EvidenceText, Verdict
from saegim.chat.grounding.words import content_words, quantities_of
from saegim.chat.types import Evidence, EvidenceKind
from saegim.conversations.types import Exchange
from saegim.domain.ids import new_id
from saegim.domain.tenancy import Assistant

pytestmark = pytest.mark.requirement("TN7")

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RESERVED = (
    "예약 인스턴스는 1년 또는 3년 약정으로 최대 72% 할인을 받습니다."
    " 스팟 인스턴스는 최대 90% 할인됩니다."
)
BUDGET = "예산 메뉴에서 알림을 켜면 예산의 80%를 넘을 때 이메일을 받습니다."
INVITATION = "Invitations are valid for 14 days. An owner can revoke them in the settings."


def support(*texts: str, question: str = "비용을 줄이려면?", **values: object) -> EvidenceSupport:
    pieces = [EvidenceText(str(number), text, text) for number, text in enumerate(texts, start=1)]
    return EvidenceSupport(pieces, question, **values)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("sentence", "own", "verdict", "markers"),
    [
        ("예약 인스턴스를 3년 약정하면 72%까지 할인됩니다.", [], "supported", ["1"]),
        ("예산의 80%를 넘으면 이메일이 옵니다.", [], "supported", ["2"]),
        ("예산의 80%를 넘으면 이메일이 옵니다.", ["2"], "supported", ["2"]),
        # Shares nothing with what it cites.
        ("예산의 80%를 넘으면 이메일이 옵니다.", ["1"], "supported", ["2"]),
        # Shares a word, or is about what no evidence says.
        ("예산의 80%를 넘으면 할인 이메일이 옵니다.", ["1"], "unsure", ["1"]),
        ("온프레미스 서버로 옮기면 요금이 절약됩니다.", ["1"], "unsure", ["1"]),
        # In another language no word is shared.
        ("Email is sent above 80% of the budget.", ["1"], "unsure", ["1"]),
        ("예약 인스턴스는 95% 할인됩니다.", [], "unsupported", []),
        ("예약 인스턴스는 95% 할인됩니다.", ["1"], "unsupported", ["1"]),
        ("온프레미스 서버로 옮기면 전기 요금이 절약됩니다.", [], "unsupported", []),
        ("Reserved instances are up to 72% cheaper.", [], "supported", ["1"]),
        ("Reserved instances are a good choice for you.", [], "unsure", []),
        ("Reserved instances are 95% cheaper.", [], "unsupported", []),
        ("문서에서 찾을 수 없습니다.", [], "free", []),
        ("강한 답", ["1"], "unsure", ["1"]),
    ],
)
def test_markers_of_a_sentence(
    sentence: str, own: list[str], verdict: str, markers: list[str]
) -> None:
    judged = support(RESERVED, BUDGET).judge(sentence, own)
    assert (judged.verdict, list(judged.markers)) == (verdict, markers)


def test_an_english_sentence_is_supported_by_its_words() -> None:
    evidence = support(INVITATION, "Plans are billed monthly.", question="How long are they valid?")
    assert evidence.judge("Your invitation stays valid for 14 days.").markers == ("1",)
    assert evidence.judge("They expire after 30 days.").verdict is Verdict.UNSUPPORTED


def test_two_pieces_support_together() -> None:
    evidence = support(
        "서울 지점은 강남역 앞에 있습니다.", "부산 지점은 해운대 시장 옆에 있습니다.", question="?"
    )
    judged = evidence.judge("서울 지점은 강남역, 부산 지점은 해운대 시장에 있습니다.")
    assert (judged.verdict, set(judged.markers)) == (Verdict.SUPPORTED, {"1", "2"})


def test_words_of_the_question_prove_nothing() -> None:
    evidence = support(RESERVED, question="예약 인스턴스의 할인을 승인하는 사람은?")
    judged = evidence.judge("예약 인스턴스의 할인을 승인하는 사람은 박영수입니다.")
    assert judged.verdict is Verdict.UNSUPPORTED


def test_the_passage_that_fits_the_question_is_cited() -> None:
    evidence = support(
        "박영수 대리는 주차장을 관리합니다.",
        "할인은 박영수 대리가 승인합니다.",
        question="할인을 승인하는 사람은?",
    )
    assert evidence.judge("박영수입니다.").markers == ("2",)


def test_what_is_known_from_the_background_is_not_marked() -> None:
    said = "온프레미스 서버의 전기 요금은 절약됩니다 [1]."
    sentence = "온프레미스 서버의 전기 요금이 절약됩니다."
    assert support(RESERVED, background=[said]).judge(sentence).verdict is Verdict.UNSURE


def test_an_earlier_turn_supports_by_the_message_and_not_by_the_reply() -> None:
    thread = Thread(
        recent=(Exchange(3, "내 차는 빨간 모닝이야", "모닝은 경차 할인을 받아요.", NOW),)
    )
    assistant = Assistant(new_id(NOW), new_id(NOW), "a", "", "", "ko")
    context = assemble(assistant, thread, "주차비는?", Budgets())
    evidence = EvidenceSupport.of(context)
    assert evidence.judge("빨간 모닝을 타시네요.").markers == ("T3",)
    assert evidence.judge("경차 할인을 받습니다.").verdict is Verdict.UNSUPPORTED
    assert evidence.judge("경차 할인을 받습니다.", ["T3"]).markers == ("T3",)


def test_a_recalled_turn_supports_by_the_message_and_not_by_the_reply() -> None:
    """An answer that nothing supported would support itself when it is asked for again."""
    said, reply = "내 차는 빨간 모닝이야", "모닝은 경차 할인을 받아요."
    turn = Evidence(EvidenceKind.MEMORY, "1", "M1", "2026-01-01", f"{said}\n{reply}", message=said)
    evidence = EvidenceSupport([EvidenceText.of(turn)], "주차비는?")
    assert evidence.judge("빨간 모닝을 타시네요.").markers == ("M1",)
    assert evidence.judge("경차 할인을 받습니다.").verdict is Verdict.UNSUPPORTED
    assert evidence.judge("경차 할인을 받습니다.", ["M1"]).markers == ("M1",)


@pytest.mark.parametrize(
    ("sentence", "states"),
    [
        ("예약 인스턴스는 72% 할인됩니다.", True),
        ("안녕하세요!", False),
        ("감사합니다.", False),
        ("어떤 문서를 찾으시나요?", False),
        ("방법은 다음과 같습니다.", False),
        ("요금제:", False),
        ("자세히 알려 드릴게요.", False),
        ("제공된 문서에는 그 내용이 없습니다.", False),
        ("문서에는 없지만 일반적으로 95%입니다.", True),
        ("I could not find that in the documents.", False),
        ("The documents do not mention it, but it is 95 %.", True),
        ("Here are the steps.", False),
        ("Do you mean the Business plan?", False),
        ("The Business plan costs 10 dollars.", True),
    ],
)
def test_sentences_that_need_no_support(sentence: str, states: bool) -> None:
    assert states_something(sentence) is states


def test_content_words_have_no_endings() -> None:
    words = {
        word.written for word in content_words("임종석은 EC2에서 예약 인스턴스를 확인했습니다.")
    }
    assert words == {"임종석", "ec", "예약", "인스턴스", "확인"}


def test_numbers_of_documents_in_other_forms() -> None:
    evidence = support(
        "지정 업소는 7,172개('23년 말)에서 1만개로 늘고 2천만원을 지원합니다.", question="?"
    )
    said = "지정 업소는 2023년 7,172개에서 10,000개로 늘고 2,000만원을 지원합니다."
    assert evidence.judge(said).markers == ("1",)


def test_numbers_are_compared_by_value() -> None:
    numbers = {each.number for each in quantities_of("2024.01.05에 1,500원, 3.50% 인상")}
    assert numbers == {2024.0, 1.0, 5.0, 1500.0, 3.5}
