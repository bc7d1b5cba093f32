import pytest

from saegim.chat.escalation import (
    DraftAnswer,
    EscalationSignals,
    ModelChoice,
    SelfScore,
    check,
    conflicts,
    coverage,
    decide,
    expected_tokens,
    rejection_reasons,
    unsupported,
)
from saegim.chat.types import AssistantConfig, Evidence, EvidenceKind, Thresholds

CONFIG = AssistantConfig()


def passage(number: int, text: str) -> Evidence:
    mark = str(number)
    return Evidence(EvidenceKind.PASSAGE, mark, mark, "제목", text, document=f"d{number}")


EC2 = passage(1, "예약 인스턴스는 1년 약정으로 최대 72% 할인을 받습니다.")


@pytest.mark.requirement("TN6")
@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("예약 인스턴스는 1년 약정으로 최대 72% 할인을 받습니다 [1].", True),
        ("예약 인스턴스는 최대 85% 할인을 받습니다 [1].", False),
        ("스페이스X 로켓은 화성으로 날아가 새로운 도시를 세웁니다.", False),
        ("예약 인스턴스는 최대 72% 할인을 받습니다 [4].", False),
    ],
)
def test_a_text_must_be_borne_out(text: str, passed: bool) -> None:
    assert check(text, {"1": EC2}, "EC2 할인 알려줘").passed is passed


def test_numbers_need_a_source_but_small_counts_do_not() -> None:
    assert unsupported("2가지 방법, 1,500원, 99.50점", ["값은 1500 원, 99.5점"]) == []
    assert unsupported("총 1,234원", ["없음"]) == ["1,234"]
    assert coverage("네.", []) == 1.0


@pytest.mark.requirement("TN6")
def test_documents_that_say_otherwise_conflict() -> None:
    other = passage(2, "예약 인스턴스는 1년 약정으로 최대 60% 할인을 받습니다.")
    same = passage(3, "예약 인스턴스는 1년 약정으로 최대 72% 할인을 받습니다.")
    assert conflicts([EC2, same], "예약 인스턴스 할인") is False
    assert conflicts([passage(1, "최대 72% 할인"), passage(2, "가격은 3달러")], "할인") is False
    different = passage(4, other.text.replace("1년", "3년"))
    assert conflicts([EC2, different], "예약 인스턴스 할인") is True


def signals(message: str = "EC2 할인?", **values: object) -> EscalationSignals:
    base: dict[str, object] = {"confidence": 0.9, "is_sufficient": True, "has_evidence": True}
    return EscalationSignals(message, **(base | values))  # pyright: ignore[reportArgumentType] - test values


@pytest.mark.requirement("TN6")
@pytest.mark.parametrize(
    ("known", "choice", "reason"),
    [
        (signals(), ModelChoice.LITE, "sure"),
        (signals(confidence=0.6), ModelChoice.DRAFT, "undecided"),
        (signals(is_sufficient=False), ModelChoice.DRAFT, "undecided"),
        (signals(conflict=True), ModelChoice.STRONG, "conflict"),
        (signals("이 약을 같이 복용해도 돼?"), ModelChoice.STRONG, "high_risk"),
        (signals("3000자로 써줘"), ModelChoice.STRONG, "long_answer"),
        (signals(has_evidence=False), ModelChoice.LITE, "conversation"),
    ],
)
def test_the_model_is_chosen_before_it_speaks(
    known: EscalationSignals, choice: ModelChoice, reason: str
) -> None:
    decision = decide(known, CONFIG, has_strong=True)
    assert decision.choice is choice
    assert reason in decision.reasons


def test_without_a_strong_model_the_lite_one_answers() -> None:
    assert decide(signals("약을 복용"), CONFIG, has_strong=False).choice is ModelChoice.LITE


def test_expected_tokens() -> None:
    assert expected_tokens("안녕?") < 500 < expected_tokens("1000단어로")


GOOD = "예약 인스턴스는 1년 약정으로 최대 72% 할인을 받습니다 [1]."


@pytest.mark.requirement("TN6")
@pytest.mark.parametrize(
    ("draft", "overall", "risk", "more", "reason"),
    [
        (GOOD, 0.9, 0.1, {}, None),
        (GOOD, 0.7, 0.1, {}, "low_score"),
        (GOOD, 0.9, 0.7, {}, "risky"),
        (GOOD, 0.9, 0.1, {"needs_strong_model": True}, "needs_strong_model"),
        (GOOD, 0.9, 0.1, {"needs_tool": True}, "wants_tools"),
        ("85% 할인을 받습니다 [1].", 1.0, 0.0, {}, "unsupported_numbers"),
        (GOOD.replace("[1]", "[7]"), 1.0, 0.0, {}, "unknown_markers"),
        ("", 1.0, 0.0, {}, "empty"),
    ],
)
def test_a_draft_is_shown_only_if_it_and_an_independent_check_say_so(
    draft: str, overall: float, risk: float, more: dict[str, object], reason: str | None
) -> None:
    score = SelfScore(accuracy=overall, completeness=overall, risk=risk, overall=overall)
    made = DraftAnswer.model_validate({"draft": draft, "self_score": score, **more})
    reasons = rejection_reasons(made, check(draft, {"1": EC2}, "EC2?"), Thresholds())
    assert reasons == () if reason is None else reason in reasons
