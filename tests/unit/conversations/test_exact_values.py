import time

import pytest

from saegim.conversations.summary.exact_values import (
    MOST_OF_REPLY,
    exact_values,
    find_exact,
)
from saegim.conversations.types import Exchange
from saegim.domain.ids import SystemClock

NOW = SystemClock().now()

KOREAN = {
    "AWS 비용이 1.2억이에요": {"AWS 비용": "1.2억"},
    "RI 커버리지는 60%예요": {"RI 커버리지": "60%"},
    "예산이 1.5억으로 늘었어요": {"예산": "1.5억"},
    "예산이 1억에서 1억 5천만원으로 늘었어요": {"예산": "1억 5천만원"},
    "예산은 2억이 아니라 1.5억이야": {"예산": "1.5억"},
    "예산을 2억으로 올려줘": {"예산": "2억"},
    "2억으로 예산을 늘렸어": {"예산": "2억"},
    "예산: 1.5억": {"예산": "1.5억"},
    "예산 1.5억, 기간 3개월": {"예산": "1.5억"},
    "- **마감일**: 2026-03-05": {"마감일": "2026-03-05"},
    "| 예산 | 1.5억 |": {"예산": "1.5억"},
    "우리 팀 예산은 이번에 다시 1.5억으로 정했어": {"팀 예산": "1.5억"},
    "11월 AWS 총 비용은 $12,500이고 EC2가 65%를 차지합니다": {
        "11월 AWS 총 비용": "$12,500",
        "EC2": "65%",
    },
    "3월 5일에 정기 점검이 있어요": {"정기 점검": "3월 5일"},
    "회의는 2026년 3월 5일 오후 3시입니다": {"회의": "2026년 3월 5일 오후 3시"},
    "마감일이 3월 10일로 바뀌었어": {"마감일": "3월 10일"},
    "계약 번호는 CT-2026-0117이고 금액은 3,200만원입니다": {
        "계약 번호": "CT-2026-0117",
        "금액": "3,200만원",
    },
    "송장 번호 INV-2041 확인해줘": {"송장 번호": "INV-2041"},
    "배포는 v2.3.1로 했어": {"배포": "v2.3.1"},
    "Python 3.12로 올렸고 Django는 v5.2.1": {"Python": "3.12", "Django": "v5.2.1"},
    "제29조의2에 따라 근거 조항은 제31조야": {"번호": "제29조의2", "근거 조항": "제31조"},
    "담당자는 김민수야": {"담당자": "김민수"},
    "고양이 이름은 나비고 나이는 3살이야": {"고양이 이름": "나비", "나이": "3살"},
    "프로젝트 코드명은 '새벽별'이야": {"프로젝트 코드명": "새벽별"},
    "부산으로 이사했어요": {"거주지": "부산"},
    "재고는 42개, 포트는 5432야": {"재고": "42개", "포트": "5432"},
    "키가 180cm이고 몸무게는 75kg": {"키": "180cm", "몸무게": "75kg"},
    "월 사용료는 99,000원이에요": {"월 사용료": "99,000원"},
}
ENGLISH = {
    "The budget is $10,000 and the deadline is March 3, 2026.": {
        "budget": "$10,000",
        "deadline": "March 3, 2026",
    },
    "we raised the budget from $10,000 to $12,000": {"budget": "$12,000"},
    "Set the retry limit to 5 please": {"retry limit": "5"},
    "Please move the launch to May 14, 2026": {"launch": "May 14, 2026"},
    "Our churn rate dropped to 3.5%": {"churn rate": "3.5%"},
    "EC2 accounts for 65% of the bill": {"EC2": "65%"},
    "the $10,000 budget": {"budget": "$10,000"},
    "budget: $10,000": {"budget": "$10,000"},
    "Revenue for Q3 2026 was $4.2 million": {"Revenue for Q3 2026": "$4.2 million"},
    "the contract number is CT-2026-0117": {"contract number": "CT-2026-0117"},
    "invoice INV-2041 is overdue": {"invoice": "INV-2041"},
    "We upgraded Postgres to 18.1": {"Postgres": "18.1"},
    "The meeting is on Friday at 3 pm": {"meeting": "Friday at 3 pm"},
    "My cat's name is Nabi": {"cat": "Nabi"},
    "Our account manager is Jane Smith": {"account manager": "Jane Smith"},
    "I live in Seoul": {"home": "Seoul"},
    "The port is 5432": {"port": "5432"},
}


@pytest.mark.parametrize("sentence", [*KOREAN, *ENGLISH])
def test_a_value_goes_by_what_it_is_said_of(sentence: str) -> None:
    found = {each.key: each.value for each in find_exact(sentence)}
    assert found == (KOREAN | ENGLISH)[sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "예산이 2억이면 어떻게 돼?",
        "만약 예산을 3억으로 늘리면 어떨까요",
        "환불 금액이 45,000원 맞나요",
        "If the budget were $3, we would stop",
        "What about $500?",
        "안녕하세요, 반갑습니다.",
        "Let's talk about it later.",
    ],
)
def test_questions_and_suppositions_state_nothing(sentence: str) -> None:
    assert list(find_exact(sentence)) == []


@pytest.mark.parametrize(
    ("before", "said", "key", "value"),
    [
        ("예산이 얼마예요?", "1.5억이요", "예산", "1.5억"),
        ("11월 비용은 얼마야?", "$12,500입니다.", "11월 비용", "$12,500"),
        ("What is the monthly budget?", "$12,500.", "monthly budget", "$12,500"),
    ],
)
def test_an_answer_goes_by_what_was_asked(before: str, said: str, key: str, value: str) -> None:
    [found] = find_exact(said, before)
    assert (found.key, found.value) == (key, value)


def test_what_the_user_said_counts_over_what_was_answered() -> None:
    turn = Exchange(1, "예산은 1.5억이야", "네, 예산은 2억입니다. 마감일은 3월 5일입니다.", NOW)
    found = {each.key: each.value for each in exact_values(turn)}
    assert found == {"예산": "1.5억", "마감일": "3월 5일"}


def test_a_reply_full_of_numbers_gives_only_a_few() -> None:
    report = "\n".join(f"- 서비스{n} 비용은 ${n}00입니다." for n in range(1, 40))
    turn = Exchange(1, "예산은 1.5억이야. 비용표 보여줘", report, NOW)
    found = [each.key for each in exact_values(turn)]
    assert found[0] == "예산"
    assert len(found) == 1 + MOST_OF_REPLY


def test_what_only_quotes_states_nothing() -> None:
    turn = Exchange(1, "얼마였지", "> 예산은 9억이야 [턴 1]", NOW, by_rule=True)
    assert exact_values(turn) == []


@pytest.mark.alone
@pytest.mark.parametrize(
    "text",
    [
        "a-" * 8_000,
        "가나다라 " * 6_000,
        " 예산은" * 3_000 + " 1" * 5_000,
        "1," * 9_000,
        "A" * 20_000,
        "2026-11-15 12:33:01 ERROR prod-db-01 failed (code=E-4012) " * 400,
        "이름은 " * 6_000,
        "my cat's " * 4_000,
    ],
    ids=lambda text: text[:8],
)
def test_no_text_takes_long(text: str) -> None:
    """Far more than any of these takes, and far less than what is not linear would."""
    began = time.process_time()
    list(find_exact(text))
    assert time.process_time() - began < 4
