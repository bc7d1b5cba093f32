"""Recall on a real store: results, order, budgets and scope."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from benchmarks.doubles.models import ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.domain.scope import Scope
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.ports import ModelRole
from saegim.memory.recall.types import Fate, RecallLimits, RecallRequest
from saegim.memory.types import Consent, ConsentSubject, Filters, MemoryType, Supersede
from tests.integration.memory.records import PERSON, SAID, told, write
from tests.integration.memory.turns import Hands
from tests.stack import Databases, Stack, new_stack

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


async def _scope(stack: Stack, user: str, profile: str | None = None) -> Scope:
    return (await stack.caller(user, profile)).scope


def _asking(scope: Scope, message: str) -> RecallRequest:
    return RecallRequest(scope=scope, message=message, now=NOW, time_zone="Asia/Seoul")


async def _remember(stack: Stack, scope: Scope, *contents: str) -> None:
    for content in contents:
        await stack.services.memory.records.add(scope, told(content), PERSON)


@pytest.mark.requirement("LM3")
async def test_the_record_that_was_asked_for_comes_first_with_its_signals(stack: Stack) -> None:
    scope = await _scope(stack, "asker")
    await _remember(
        stack, scope, "회사는 판교에 있다", "고양이 이름은 나비다", "주말에 등산을 간다"
    )
    found = await stack.services.memory.recall.recall(_asking(scope, "우리 고양이 이름이 뭐였지?"))

    assert found.records[0].text == "고양이 이름은 나비다"
    assert found.records[0].signals.lexical > found.dropped[0].signals.lexical
    assert found.records[0].fate is Fate.TAKEN


@pytest.mark.requirement("LM3")
async def test_recency_does_not_bury_a_clearly_better_match(stack: Stack) -> None:
    scope, store = await _scope(stack, "veteran"), stack.services.memory.records
    old = told("땅콩 알레르기가 있다", datetime(2016, 1, 1, tzinfo=UTC), importance=0.1)
    await store.add(scope, old, PERSON)
    for day in range(30):
        new = told(f"점심에 {day}번 메뉴를 먹었다", NOW - timedelta(days=day), importance=1.0)
        await store.add(scope, new, PERSON)
    found = await stack.services.memory.recall.recall(_asking(scope, "땅콩 알레르기"))

    assert found.records[0].text == "땅콩 알레르기가 있다"


@pytest.mark.requirement("LM4")
async def test_core_facts_come_whatever_is_asked(stack: Stack) -> None:
    scope, store = await _scope(stack, "patient"), stack.services.memory.records
    await store.add(scope, told("페니실린 알레르기", core=True), PERSON)
    await store.add(scope, told("매주 화요일은 쉰다", pinned=True), PERSON)
    found = await stack.services.memory.recall.recall(_asking(scope, "오늘 날씨 어때?"))

    assert {each.text for each in found.pinned} == {"페니실린 알레르기", "매주 화요일은 쉰다"}
    assert not {each.id for each in found.records} & {each.id for each in found.pinned}


@pytest.mark.requirement("LM5")
async def test_what_was_said_is_found_though_nobody_extracted_it(stack: Stack) -> None:
    session = {"Saegim-Session": f"s-{uuid4()}"}
    for message in ("안녕하세요", "제 자전거는 빨간색 브롬톤이에요", "오늘은 비가 오네요"):
        turn = await stack.say(message, "rider", **session)
        await stack.services.memory.episodes.index(stack.tenant.tenant.id, turn["turn_id"])
    scope = await _scope(stack, "rider")
    asked = replace(_asking(scope, "내 자전거가 무슨 색이지?"), now=stack.services.clock.now())
    found = await stack.services.memory.recall.recall(asked)

    assert "빨간색 브롬톤" in found.episodes[0].text

    here = replace(asked, session=UUID(turn["session_id"]), recent_from=2)
    again = await stack.services.memory.recall.recall(here)
    assert all("브롬톤" not in each.text for each in again.episodes)


@pytest.mark.requirement("LM9")
async def test_chosen_records_come_before_recalled_ones(stack: Stack) -> None:
    scope = await _scope(stack, "chooser")
    await _remember(stack, scope, "고양이 이름은 나비다")
    chosen = await stack.services.memory.records.add(scope, told("할머니 생신은 3월"), PERSON)
    request = replace(_asking(scope, "고양이 이름"), chosen=(chosen.id,))
    found = await stack.services.memory.recall.recall(request)

    assert [each.text for each in found.records] == [
        "할머니 생신은 3월",
        "고양이 이름은 나비다",
    ]


async def test_what_was_known_then_comes_back_as_of_then(stack: Stack) -> None:
    scope, store = await _scope(stack, "mover"), stack.services.memory.records
    old = await store.add(scope, told("서울에 산다"), PERSON)
    new = told("부산에 산다", SAID + timedelta(days=100))
    await write(store, scope, Supersede(old.id, new, new.said_at))
    now = await stack.services.memory.recall.recall(_asking(scope, "어느 도시에 산다고 했지?"))
    then = await stack.services.memory.recall.recall(
        replace(_asking(scope, "어느 도시에 산다고 했지?"), as_of=SAID + timedelta(days=1))
    )

    assert [each.text for each in now.records] == ["부산에 산다"]
    assert [each.text for each in then.records] == ["서울에 산다"]


async def test_a_time_in_the_question_narrows_what_comes_back(stack: Stack) -> None:
    scope, store = await _scope(stack, "traveller"), stack.services.memory.records
    for year in (2023, 2024, 2025):
        said = datetime(year, 7, 20, tzinfo=UTC)
        await store.add(scope, told(f"여름 휴가로 바다에 갔다, {year}번째", said), PERSON)
    found = await stack.services.memory.recall.recall(_asking(scope, "작년 여름 휴가로 어디 갔지?"))

    assert [each.said_at.year for each in found.records] == [2025]
    assert {each.fate for each in found.dropped} == {Fate.OUT_OF_TIME}


async def test_filters_narrow_recall_to_types_and_times(stack: Stack) -> None:
    scope, store = await _scope(stack, "filtered"), stack.services.memory.records
    await store.add(scope, told("커피를 좋아한다", type=MemoryType.PREFERENCE), PERSON)
    await store.add(scope, told("커피를 마셨다"), PERSON)
    request = replace(_asking(scope, "커피"), filters=Filters(types={MemoryType.PREFERENCE}))
    found = await stack.services.memory.recall.recall(request)

    assert [each.text for each in found.records] == ["커피를 좋아한다"]


async def test_the_same_words_come_back_once(stack: Stack) -> None:
    scope = await _scope(stack, "repeater")
    await _remember(stack, scope, "매일 아침 커피를 마신다", "매일 아침 커피를 마신다.")
    found = await stack.services.memory.recall.recall(_asking(scope, "커피"))

    assert len(found.records) == 1
    assert [each.fate for each in found.dropped] == [Fate.NEAR_DUPLICATE]


@pytest.mark.requirement("LM11")
async def test_nothing_comes_back_where_memory_is_off(stack: Stack) -> None:
    scope = await _scope(stack, "private")
    await _remember(stack, scope, "비밀이 있다")
    await stack.services.memory.consents.set(scope, ConsentSubject.USER, Consent(False, False))
    found = await stack.services.memory.recall.recall(_asking(scope, "비밀"))

    assert (found.pinned, found.records, found.episodes) == ((), (), ())


async def test_an_empty_memory_has_nothing_to_say(stack: Stack) -> None:
    scope = await _scope(stack, "newcomer")
    found = await stack.services.memory.recall.recall(_asking(scope, "안녕"))

    assert found.records == found.episodes == found.pinned == ()


@pytest.mark.requirement("LM3")
async def test_a_budget_of_nothing_brings_nothing_back(stack: Stack) -> None:
    scope = await _scope(stack, "poor")
    await _remember(stack, scope, "고양이 이름은 나비다")
    request = replace(_asking(scope, "고양이"), limits=RecallLimits(tokens=3))
    found = await stack.services.memory.recall.recall(request)

    assert found.records == ()
    assert [each.fate for each in found.dropped] == [Fate.OVER_BUDGET]


NOISE = (
    "안녕하세요",
    "고마워요!",
    "what's 18% of 4,250,000?",
    "def area(r):\n    return 3.14 * r * r\nprint(area(3))",
    "내가 어디 사는지 잊어 줘",
    "강아지 이름은 보리예요",
)
PRICE = "팀 요금제는 한 달에 얼마예요?"


@pytest.mark.requirement("LM3")
async def test_prompt_has_no_unrelated_memories_greetings_or_requests(databases: Databases) -> None:
    models, clock = ScriptedModels({ModelRole.LITE: lambda _: "네."}), Hands()

    async def say(stack: Stack, message: str, *, ask: bool = False) -> list[str]:
        turn = await stack.say(message, **{"Saegim-Session": f"s-{uuid4()}"})
        if not ask:
            await stack.services.memory.episodes.index(stack.tenant.tenant.id, turn["turn_id"])
        return models.requests[-1].blocks("memories")

    fakes = Fakes(models=models, clock=clock, embedder=BundledEmbedder())
    async with new_stack(databases, fakes) as stack:
        for message in NOISE:
            await say(stack, message)
        unrelated = await say(stack, PRICE, ask=True)
        clock.at = datetime(2026, 11, 18, 18, 37, tzinfo=UTC)
        await say(stack, "우리 팀은 팀 요금제를 써요")
        clock.on(days=1)
        await say(stack, "다음 달에 팀 요금제를 비즈니스로 바꿔요")
        [related] = await say(stack, PRICE, ask=True)

    assert unrelated == []
    told_at = [line for line in related.splitlines() if line.startswith("[M")]
    assert told_at == ["[M1] (2026-11-20)", "[M2] (2026-11-19)"]


@pytest.mark.requirement("LM3")
async def test_recall_api_has_the_floor_and_allergies_first(databases: Databases) -> None:
    async with new_stack(databases, Fakes(embedder=BundledEmbedder())) as stack:
        contents = {"AWS 비용이 안 떠요": "fact", "땅콩 알레르기가 있다": "constraint"}
        for content, kind in (contents | {"주말에 등산을 간다": "fact"}).items():
            body = {"content": content, "type": kind}
            await stack.http.post("/v1/memories", json=body, headers=stack.headers())
        asked = {"message": "먹으면 안 되는 음식이 있나요?"}
        answer = await stack.http.post("/v1/recall", json=asked, headers=stack.headers())
    found = answer.json()

    assert [each["text"] for each in found["pinned"]] == ["땅콩 알레르기가 있다"]
    assert "주말에 등산을 간다" not in [each["text"] for each in found["records"]]
    assert {"주말에 등산을 간다": "below_the_rest"}.items() <= {
        each["text"]: each["fate"] for each in found["dropped"]
    }.items()
