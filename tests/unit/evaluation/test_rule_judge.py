"""The rule-based judge separates correct, stale, wrong, vague and noisy memories."""

from datetime import UTC, datetime

import pytest

from benchmarks.doubles.models import ScriptedModels
from benchmarks.evaluation.calibration import SampleQuality, accepted, calibrate, samples
from saegim.evaluation.judge import judge
from saegim.evaluation.types import ExpectedFact, JudgedMemory, Judgement, MemoryStatement
from saegim.llm.steps import Steps

QUERY = "현재 예산이 얼마야?"
BUDGET = ExpectedFact((("예산",),), ("1.5억", "1억 5천"), ("1억",))
SPENT = ExpectedFact((("지출", "비용"),), ("1.2억",))
AWS = ExpectedFact((("AWS",),), ("1.2억",), rivals=("GCP",))
EARLY, LATE = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)


async def ruled(
    *memory: str | MemoryStatement,
    facts: tuple[ExpectedFact, ...] = (BUDGET,),
    query: str = QUERY,
    related: tuple[str, ...] = (),
) -> Judgement:
    said = [each if isinstance(each, MemoryStatement) else MemoryStatement(each) for each in memory]
    subject = JudgedMemory(query, said, facts=facts, related=related)
    judgement, _ = await judge(Steps(ScriptedModels({})), subject)
    return judgement


@pytest.mark.requirement("EV1")
async def test_the_rule_judge_accepts_few_wrong_memories_and_the_good_ones() -> None:
    rulings = await calibrate(Steps(ScriptedModels({})), samples())
    share = accepted(rulings)

    assert share[SampleQuality.WRONG] < 0.10
    assert share[SampleQuality.STALE] < 0.10
    assert share[SampleQuality.VAGUE] < 0.10
    assert share[SampleQuality.NOISY] < 0.10
    assert share[SampleQuality.GOOD] > 0.90
    wrong = [each for each in samples() if each.quality is SampleQuality.WRONG]
    assert len(wrong) >= 50
    assert {each.inaccuracy for each in wrong} == {"number", "time", "target", "state"}
    assert {each.language for each in wrong} == {"ko", "en"}


@pytest.mark.requirement("EV1")
@pytest.mark.parametrize(
    ("memory", "least", "most"),
    [
        ("사용자는 AWS 주력, 월 1.2억 지출", 9, 10),
        ("사용자는 클라우드 비용 관심", 4, 6),
        ("사용자가 RI 커버리지 질문함", 1, 3),
        ("점심은 국수였다", 0, 0),
    ],
)
async def test_relevance_is_in_the_band_of_the_specification(
    memory: str, least: int, most: int
) -> None:
    cost = ExpectedFact((("AWS", "비용"),), ("1.2억",))
    judgement = await ruled(memory, facts=(cost,), query="AWS 비용 얼마야?", related=("RI",))
    assert least <= judgement.scores.relevance.score <= most


@pytest.mark.requirement("EV1")
@pytest.mark.parametrize(
    ("memory", "completeness"),
    [("예산 1억, 현재 1.2억 지출, 초과 우려 언급", 10), ("예산 관련 논의 있었음", 4)],
)
async def test_completeness_is_as_the_specification_says(memory: str, completeness: int) -> None:
    judgement = await ruled(
        memory,
        facts=(ExpectedFact((("예산",),), ("1억",)), SPENT),
        query="지난번 말한 예산 초과 어떻게 됐어?",
    )
    assert judgement.scores.completeness.score == completeness


async def test_what_is_stale_is_inaccurate() -> None:
    judgement = await ruled("예산은 1억이다")
    assert judgement.scores.accuracy.score <= 3
    assert not judgement.usable


async def test_old_and_new_side_by_side_are_half_right() -> None:
    judgement = await ruled("예산은 1억이다", "예산은 1.5억이다")
    assert judgement.scores.accuracy.score == 5


async def test_dates_tell_which_of_two_values_holds() -> None:
    told = (MemoryStatement("예산은 1억이다", EARLY), MemoryStatement("예산은 1.5억이다", LATE))
    assert (await ruled(*told)).usable
    turned = (MemoryStatement("예산은 1억이다", LATE), MemoryStatement("예산은 1.5억이다", EARLY))
    assert not (await ruled(*turned)).usable


async def test_a_statement_that_takes_the_older_value_back_tells_which_holds() -> None:
    facts = (ExpectedFact((("allergic",),), ("shrimp",), ("peanuts",)),)
    query, old = "Which allergy do I have?", "I am allergic to peanuts"
    told = await ruled(old, "I am allergic to shrimp, not to peanuts", query=query, facts=facts)
    beside = await ruled(old, "I am allergic to shrimp", query=query, facts=facts)
    assert told.usable
    assert not beside.usable


@pytest.mark.parametrize(
    "memory",
    [
        "예산은 11.5억이다",
        "예산은 1.55억이다",
        "예산은 1.5억이 아니다",
        "예산을 1.5억으로 늘릴 계획이다",
        "예산이 1.5억이야?",
        "인건비가 1.5억이다",
    ],
)
async def test_what_only_looks_like_the_fact_is_not_it(memory: str) -> None:
    assert not (await ruled(memory)).usable


async def test_a_value_belongs_to_the_subject_it_stands_with() -> None:
    facts = (ExpectedFact((("예산",),), ("1억",)), SPENT)
    assert (await ruled("예산 1억, 지출 1.2억", facts=facts)).usable
    assert not (await ruled("예산 1.2억, 지출 1억", facts=facts)).usable


async def test_another_subject_of_the_same_kind_is_no_match() -> None:
    assert (await ruled("AWS를 주로 쓰고 월 1.2억을 낸다", facts=(AWS,))).usable
    assert not (await ruled("AWS도 쓰지만 GCP에 월 1.2억을 낸다", facts=(AWS,))).usable


async def test_noise_grows_with_what_is_unrelated() -> None:
    aside = [f"점심 메뉴 {number}번은 국수였다" for number in range(9)]
    found = [
        (await ruled("예산은 1.5억이다", *aside[:count])).scores.noise.score
        for count in (0, 1, 4, 9)
    ]
    assert found[0] == 0
    assert found == sorted(found)
    assert found[-1] >= 7


async def test_entities_are_part_of_what_is_remembered() -> None:
    subject = JudgedMemory(QUERY, [], [("예산", "1.5억")], [BUDGET])
    judgement, _ = await judge(Steps(ScriptedModels({})), subject)
    assert judgement.usable
    assert judgement.helpful_info == ["예산: 1.5억"]


async def test_without_facts_the_words_of_the_query_decide() -> None:
    near = await ruled("예산은 1.5억으로 정해졌다", facts=())
    far = await ruled("고양이는 두 마리다", facts=())
    assert near.scores.relevance.score >= 7
    assert far.scores.relevance.score == 0
    assert near.scores.accuracy.score <= 7, "nobody knows whether it is right"


async def test_reasons_are_in_the_language_of_the_query() -> None:
    korean = await ruled("예산은 1.5억이다")
    english = await ruled("The budget is $2", query="What is the budget?", facts=())
    assert korean.scores.relevance.reason == "쿼리에 직접 관련된 정보가 명확히 존재"
    assert english.scores.relevance.reason.isascii()
