"""Observations, profile and entity pages follow from records alone."""

import random
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from saegim.domain.ids import new_id
from saegim.domain.scope import Scope
from saegim.memory.synthesis.profile import PROFILE_TOKENS, fit_profile
from saegim.memory.synthesis.repository import derive, next_change
from saegim.memory.synthesis.service import checked
from saegim.memory.synthesis.types import (
    DerivedFields,
    DerivedKind,
    DerivedMemory,
    DerivedStatement,
    ExplainedMemory,
    ProfilePart,
)
from saegim.memory.types import CORE, MemoryType, Origin, Record
from saegim.text.tokens import count

pytestmark = pytest.mark.requirement("LM12")

NOW = datetime(2026, 11, 1, tzinfo=UTC)
SCOPE = Scope(uuid4(), uuid4(), uuid4())


def record(
    content: str,
    days: int,
    topic: str = "",
    type: MemoryType = MemoryType.FACT,  # noqa: A002 - the field's own name
    *,
    turns: int = 1,
    superseded_by: UUID | None = None,
    tags: frozenset[str] = frozenset(),
    importance: float = 0.6,
) -> Record:
    at = NOW - timedelta(days=days)
    return Record(
        id=new_id(at),
        scope=SCOPE,
        type=type,
        content=content,
        importance=importance,
        said_at=at,
        valid_from=None,
        valid_to=NOW - timedelta(days=1) if superseded_by else None,
        sources=tuple(uuid4() for _ in range(turns)),
        quote=content,
        topic=topic,
        tags=tags,
        version=1,
        origin=Origin.FALLBACK,
        superseded_by=superseded_by,
    )


def of_kind(derived: tuple[DerivedStatement, ...], kind: DerivedKind) -> list[DerivedStatement]:
    return [each for each in derived if each.kind is kind]


def stored(derived: DerivedStatement) -> DerivedMemory:
    return DerivedMemory(
        id=uuid4(), **{field.name: getattr(derived, field.name) for field in fields(DerivedFields)}
    )


def test_statements_of_the_same_words_are_one_observation() -> None:
    first = record("아침에 커피를 마신다", 30, "습관")
    again = record("아침에는 커피를 마신다", 20, "습관")
    denied = record("아침에 커피를 안 마신다", 3, "습관")
    [observation] = of_kind(derive([denied, again, first], NOW), DerivedKind.OBSERVATION)
    assert observation.text == again.content
    assert observation.sources == (first.id, again.id)
    assert observation.against == (), "opposites are not guessed"
    assert (observation.proofs, observation.confidence) == (2, 0.75)
    assert (observation.first_seen, observation.last_seen) == (first.said_at, again.said_at)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("커피를 좋아한다", "홍차를 좋아한다"),
        ("커피를 좋아한다", "커피를 안 좋아한다"),
        ("I can swim", "I can't swim"),
        ("I drink coffee", "I don’t drink coffee"),
        ("모바일 프로젝트 예산은 3억이다", "모바일 프로젝트 예산은 5억이다"),
        ("?", "!"),
    ],
)
def test_other_words_and_numbers_are_not_the_same(one: str, other: str) -> None:
    records = [record(one, 3), record(other, 2)]
    assert of_kind(derive(records, NOW), DerivedKind.OBSERVATION) == []


def test_a_replaced_record_is_evidence_of_before_and_no_doubt() -> None:
    now_home = record("부산에 산다", 5, "거주지", MemoryType.PROFILE, turns=2)
    before = record("서울에 산다", 90, "거주지", MemoryType.PROFILE, superseded_by=now_home.id)
    earlier = record("대전에 산다", 190, "거주지", MemoryType.PROFILE, superseded_by=before.id)
    [observation] = of_kind(derive([now_home, before, earlier], NOW), DerivedKind.OBSERVATION)
    assert observation.against == (earlier.id, before.id)
    assert observation.confidence == 0.75
    [line] = of_kind(derive([now_home, before, earlier], NOW), DerivedKind.PROFILE)
    assert (line.title, line.text, line.part) == ("거주지", "부산에 산다", ProfilePart.STABLE)


def test_a_change_of_the_future_is_waited_for() -> None:
    later = record("부산에 산다", 1, "거주지", MemoryType.PROFILE)
    today = record("서울에 산다", 90, "거주지", MemoryType.PROFILE, superseded_by=later.id)
    today = replace(today, valid_to=NOW + timedelta(days=9))
    assert next_change([later, today], NOW) == NOW + timedelta(days=9)
    assert next_change([later, today], NOW + timedelta(days=9)) is None


def test_profile_orders_records_by_type_and_importance() -> None:
    records = [
        record("부산에 산다", 200, "거주지", MemoryType.PROFILE, tags=frozenset({CORE})),
        record("커피를 좋아한다", 5, "취향", MemoryType.PREFERENCE, importance=0.5),
        record("땅콩 알레르기가 있다", 50, "건강", MemoryType.CONSTRAINT, importance=0.9),
        record("발표 자료를 준비해야 한다", 2, "할 일", MemoryType.TODO),
        record("제주로 가기로 했다", 60, "계획", MemoryType.TIMELINE),
        record("어제 비가 왔다", 1),
        replace(record("대전에서 일한다", 9, type=MemoryType.PROFILE), unsure_since=NOW),
    ]
    lines = [stored(each) for each in of_kind(derive(records, NOW), DerivedKind.PROFILE)]
    assert [line.text for line in fit_profile(lines, NOW)] == [
        "부산에 산다",
        "땅콩 알레르기가 있다",
        "커피를 좋아한다",
        "발표 자료를 준비해야 한다",
    ]
    pinned = frozenset({records[0].id})
    assert "부산에 산다" not in [line.text for line in fit_profile(lines, NOW, pinned)]
    undone = [replace(line, undone_at=NOW) for line in lines]
    assert fit_profile(undone, NOW) == ()


def test_the_profile_fits_its_tokens() -> None:
    records = [
        record(
            f"{number}번 취미는 아주 긴 이름을 가진 {number}가지 놀이이다",
            number,
            "취미",
            MemoryType.PREFERENCE,
        )
        for number in range(20)
    ]
    records += [
        record(f"{number}월에 출장을 가기로 결정했다", 1, "결정", MemoryType.DECISION)
        for number in range(20)
    ]
    lines = [stored(each) for each in of_kind(derive(records, NOW), DerivedKind.PROFILE)]
    shown = fit_profile(lines, NOW)
    assert {line.part for line in shown} == set(ProfilePart)
    assert sum(count(line.text) for line in shown) <= PROFILE_TOKENS


def test_a_topic_of_two_living_records_has_a_page() -> None:
    records = [
        record("민수 씨가 디자인을 맡는다", 10, " apollo "),
        record("마감은 금요일이다", 9, "Apollo"),
        record("지영 씨는 휴가이다", 8, "일정"),
        record("회의는 월요일이다", 8),
        record("점심은 한 시이다", 8),
    ]
    replaced = record("마감은 목요일이다", 20, "일정", superseded_by=records[1].id)
    [page] = of_kind(derive([*records, replaced], NOW), DerivedKind.ENTITY)
    assert page.title == "Apollo"
    assert page.sources == (records[0].id, records[1].id)
    assert page.text == "마감은 금요일이다\n민수 씨가 디자인을 맡는다"


def test_the_order_of_records_does_not_matter() -> None:
    chance = random.Random(3)
    words = ["커피", "홍차", "우유", "아침", "저녁", "민수 씨", "모바일 프로젝트"]
    records = [
        record(f"{chance.choice(words)} {chance.choice(words)} 마신다", day % 40, "습관")
        for day in range(60)
    ]
    expected = derive(records, NOW)
    assert expected
    for _ in range(5):
        chance.shuffle(records)
        assert derive(records, NOW) == expected


@pytest.mark.parametrize(
    ("sentence", "accepted"),
    [
        ("아침마다 커피를 마신다", True),
        ("아침에 커피를 마시고 담배를 피운다", False),
        ("아침에 커피를 3잔 마신다", False),
        ("", False),
    ],
)
def test_a_model_may_only_use_words_of_the_records(sentence: str, accepted: bool) -> None:
    records = (record("아침에 커피를 마신다", 3), record("아침에는 커피를 마신다", 2))
    [observation] = of_kind(derive(records, NOW), DerivedKind.OBSERVATION)
    explained = ExplainedMemory(stored(observation), records, ())
    assert (checked(sentence, explained) is not None) == accepted
