import pytest

from saegim.memory.rules.relations import Relation, by_rule, relation_of
from tests.unit.memory.cases import CASES, Case


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.known} / {case.said}")
def test_the_twin_tells_how_statements_stand_to_each_other(case: Case) -> None:
    assert relation_of(case.said, case.known) is (case.missed or case.relation)


def test_the_twin_misses_few_of_the_forty_cases() -> None:
    assert len(CASES) == 40
    assert len([case for case in CASES if case.missed]) <= 4


def test_a_correction_is_no_contradiction() -> None:
    known = "내 생일은 5월 3일이야"
    assert relation_of("내 생일은 5월 3일이 아니라 5월 5일이야", known) is not Relation.NEW
    assert relation_of("Actually my birthday is May 5.", "My birthday is May 3.") is (
        Relation.SUPERSEDES
    )


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("said", "known", "relation"),
    [
        ("I was wrong: I am allergic to shrimp, not to peanuts", "peanuts", Relation.SUPERSEDES),
        ("I am allergic to shrimp, not to peanuts", "peanuts", Relation.CONTRADICTS),
        ("I am allergic to shrimp, not to peanuts", "eggs", Relation.NEW),
        ("I am allergic to shrimp", "peanuts", Relation.NEW),
    ],
)
def test_what_is_named_as_wrong_is_replaced(said: str, known: str, relation: Relation) -> None:
    assert relation_of(said, f"I am allergic to {known}") is relation


def test_what_is_named_as_wrong_is_replaced_in_korean_too() -> None:
    said = "저는 땅콩이 아니라 새우 알레르기가 있어요"
    assert relation_of(said, "저는 땅콩 알레르기가 있어요") is Relation.SUPERSEDES
    assert relation_of(said, "저는 복숭아 알레르기가 있어요") is Relation.NEW


def test_the_record_it_concerns_is_named() -> None:
    known = ["커피를 좋아해", "나는 서울에 살아", "강아지 초코를 키워"]
    assert by_rule("부산으로 이사했어", known) == (Relation.SUPERSEDES, 1)
    assert by_rule("테니스를 배우고 있어", known) == (Relation.NEW, None)


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I'm vegan and allergic to nuts", "I am vegetarian now, not vegan"),
        (
            "I'm Minji Park, Busan, FinOps analyst, short answers, team of 12",
            "My name is Minji Lee",
        ),
        ("나는 네이버에서 일하는 개발자야", "카카오로 이직했어"),
        ("저는 판교에 살고 강아지를 키워요", "부산으로 이사했어요"),
        ("I love tea and coffee", "I hate tea"),
    ],
)
def test_correction_leaves_a_record_that_states_more(known: str, said: str) -> None:
    assert relation_of(said, known) is not Relation.NEW
    assert by_rule(said, [known]) == (Relation.NEW, None)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I live in Busan, South Korea", "I moved to Seoul"),
        ("I live in Seoul now, not Busan", "I moved to Daegu"),
        ("판교 말고 정자에 살아", "을지로로 이사했어"),
        ("내일 치과 예약 있어 (2026-11-20)", "내일 치과 예약 취소됐어"),
        *((case.known, case.said) for case in CASES if case.relation is Relation.SUPERSEDES),
    ],
)
def test_correction_replaces_a_record_that_states_only_that(known: str, said: str) -> None:
    assert by_rule(said, [known]) == (Relation.SUPERSEDES, 0)
