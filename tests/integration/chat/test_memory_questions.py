"""Questions about oneself, answered from memory: by a model, and by quotes without one."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from benchmarks.doubles.providers import BrokenProvider
from saegim.app.infrastructure import Fakes
from saegim.memory.types import Add, Supersede
from tests.integration.chat.library_stack import scripted
from tests.integration.memory.records import PERSON, told, write
from tests.integration.memory.turns import Hands, Talk
from tests.outside_model import connection_to
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("LM14")

NOW = datetime(2026, 11, 18, 9, tzinfo=UTC)
LOOPBACK = {"model_private_networks": ["127.0.0.0/8"]}


@pytest.fixture
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases, Fakes(clock=Hands(NOW))) as running:
        yield running


async def ask(stack: Stack, question: str, user: str = "alice") -> dict[str, Any]:
    response = await stack.http.post(
        "/v1/memory/ask", json={"question": question}, headers=stack.headers(user)
    )
    assert response.status_code == 200, response.text
    return response.json()


async def remember(stack: Stack, *statements: str, user: str = "alice", **fields: Any) -> None:
    scope = (await stack.caller(user)).scope
    for each in statements:
        await stack.services.memory.records.add(scope, told(each, **fields), PERSON)


async def replaced(stack: Stack, old: str, new: str, at: datetime, user: str = "alice") -> None:
    """Store a record and another one that replaced it at a time."""
    scope = (await stack.caller(user)).scope
    records = stack.services.memory.records
    first = told(old, datetime(2026, 1, 10, tzinfo=UTC))
    stored = await write(records, scope, Add(first))
    second = told(new, at)
    change = Supersede(stored[0].id, second, at)
    assert await write(records, scope, change)


async def connect(stack: Stack, provider: BrokenProvider, **policy: object) -> None:
    """Connect a provider that gets only what its policy allows."""
    body = connection_to(provider)
    made = await stack.http.post("/v1/model-connections", json=body, headers=stack.headers("admin"))
    assert made.is_success, made.text
    path = f"/v1/model-connections/{made.json()['connection_id']}/egress"
    limited = await stack.http.put(path, json=policy, headers=stack.headers("admin"))
    assert limited.is_success, limited.text


def _answering(prompts: list[str], text: str = "NOTHING") -> Callable[[Any], str]:
    """Return a model that keeps its prompts and answers with a text."""

    def lite(shown: Any) -> str:
        prompts.append(shown.messages[-1].text)
        return text

    return lite


def quotes(answer: dict[str, Any]) -> list[str]:
    return [each["quote"] for each in answer["citations"]]


async def test_without_a_match_the_newest_records_are_listed(stack: Stack) -> None:
    said = [datetime(2026, month, 2, tzinfo=UTC) for month in (4, 5)]
    await remember(stack, "저는 부산에 살아요", said_at=said[0], importance=0.9)
    await remember(stack, "땅콩 알레르기가 있다", said_at=said[1])
    for question in ("나에 대해 뭘 알아?", "What do you know about me?"):
        answer = await ask(stack, question)
        assert (answer["outcome"], answer["confidence"]) == ("unknown", 0)
        assert quotes(answer) == ["땅콩 알레르기가 있다", "저는 부산에 살아요"]
        assert all(f"[{each['marker']}]" in answer["text"] for each in answer["citations"])
        assert all(each["memory_id"] and each["said_at"] for each in answer["citations"])


async def test_a_model_reads_a_decision_with_its_reason(databases: Databases) -> None:
    prompts: list[str] = []
    fakes = Fakes(clock=Hands(NOW), models=scripted(lite=_answering(prompts)))
    async with new_stack(databases, fakes) as stack:
        await remember(stack, "데이터베이스는 포스트그레스로 결정했다")
        await remember(stack, "포스트그레스는 팀이 잘 알기 때문에 골랐다")
        await ask(stack, "데이터베이스에 대해 뭘 결정했고 왜 그랬어?")

    assert "포스트그레스로 결정했다" in prompts[-1]
    assert "잘 알기 때문에 골랐다" in prompts[-1]


async def test_a_model_reads_changes_as_old_and_new_with_dates(databases: Databases) -> None:
    prompts: list[str] = []
    changed = "2026년 4월 2일에 부산으로 옮기셨습니다. 서울에 산다. 부산에 산다."
    fakes = Fakes(clock=Hands(NOW), models=scripted(lite=_answering(prompts, changed)))
    async with new_stack(databases, fakes) as stack:
        await replaced(stack, "서울에 산다", "부산에 산다", datetime(2026, 4, 2, tzinfo=UTC))
        answer = await ask(stack, "3월 이후 뭐가 바뀌었어?")

    lines = prompts[-1].splitlines()
    [old] = [line for line in lines if "서울에 산다" in line]
    [new] = [line for line in lines if "부산에 산다" in line]
    marker = new[1 : new.index("]")]
    assert f"replaced by {marker})" in old
    assert "2026-04-02" in new
    cited = next(each for each in answer["citations"] if each["text"] == "서울에 산다")
    assert cited["valid_to"] is not None
    assert cited["superseded_by"] is not None


async def test_a_correction_by_hand_is_a_change(databases: Databases) -> None:
    prompts: list[str] = []
    fakes = Fakes(clock=Hands(NOW), models=scripted(lite=_answering(prompts)))
    async with new_stack(databases, fakes) as stack:
        made = await stack.http.post(
            "/v1/memories", json={"content": "The launch is in May"}, headers=stack.headers()
        )
        path = f"/v1/memories/{made.json()['memory_id']}"
        changed = {"content": "The launch is in June"}
        await stack.http.patch(path, json=changed, headers=stack.headers())
        await ask(stack, "What has changed about the launch?")

    assert "The launch is in May" in prompts[-1]
    assert "The launch is in June" in prompts[-1]


async def test_without_a_model_what_was_said_is_quoted_with_its_day(stack: Stack) -> None:
    await remember(stack, "부산으로 이사했다", said_at=datetime(2026, 4, 2, tzinfo=UTC))
    answer = await ask(stack, "언제 부산으로 이사했지?")

    assert "2026-04-02: “부산으로 이사했다” [M1]" in answer["text"]


async def test_the_nearest_memories_are_quoted_in_the_order_of_recall(stack: Stack) -> None:
    await remember(
        stack, "주말마다 부산 바다에 간다", "부산 사무실은 3층이다", "땅콩 알레르기가 있다"
    )
    answer = await ask(stack, "부산 사무실은 몇 층이지?")

    assert answer["outcome"] == "answered"
    assert quotes(answer) == ["부산 사무실은 3층이다"]


async def test_what_was_never_said_is_unknown(stack: Stack) -> None:
    answer = await ask(stack, "내 혈액형이 뭐야?")
    assert (answer["outcome"], answer["citations"]) == ("unknown", [])
    await remember(stack, "저는 부산에 살아요")
    answer = await ask(stack, "내 혈액형이 뭐야?")

    assert (answer["outcome"], quotes(answer)) == ("unknown", ["저는 부산에 살아요"])
    assert answer["text"].startswith("기억에서 그에 대한 내용을 찾지 못했습니다.")


async def test_a_forgotten_memory_is_in_no_answer(stack: Stack) -> None:
    await replaced(stack, "서울에 산다", "부산에 산다", datetime(2026, 4, 2, tzinfo=UTC))
    scope = (await stack.caller()).scope
    records = stack.services.memory.records
    known = await Talk(stack).known()
    await records.forget_said(scope, [each.id for each in known], PERSON)
    await records.forget_said(scope, [each.id for each in await Talk(stack).known()], PERSON)
    for question in ("나에 대해 뭘 알아?", "뭐가 바뀌었어?", "나 어디 살아?"):
        answer = await ask(stack, question)
        assert answer["outcome"] == "unknown"
        assert "부산" not in str(answer)
        assert "서울" not in str(answer)


async def test_nothing_of_others_is_answered(stack: Stack) -> None:
    await remember(stack, "저는 부산에 살아요", user="bob")
    answer = await ask(stack, "나에 대해 뭘 알아?")

    assert answer["outcome"] == "unknown"
    assert "부산" not in str(answer)


async def test_while_memory_is_off_it_refuses(stack: Stack) -> None:
    await remember(stack, "저는 부산에 살아요")
    off = {"learning": True, "using": False}
    await stack.http.put("/v1/consent", json=off, headers=stack.headers())
    answer = await ask(stack, "나 어디 살아?")

    assert (answer["outcome"], answer["citations"]) == ("off", [])
    assert "꺼져" in answer["text"]


async def test_a_model_answers_and_is_cited(databases: Databases) -> None:
    prompts: list[str] = []
    lite = _answering(prompts, "부산에 사십니다. 땅콩 알레르기가 있습니다.")
    fakes = Fakes(clock=Hands(NOW), models=scripted(lite=lite))
    async with new_stack(databases, fakes) as stack:
        await remember(stack, "부산에 산다", "땅콩 알레르기가 있다")
        answer = await ask(stack, "나에 대해 뭘 알아?")

    assert answer["by"] == "model"
    assert sorted(quotes(answer)) == ["땅콩 알레르기가 있다", "부산에 산다"]
    assert answer["text"].startswith("부산에 사십니다")
    assert len(prompts) == 1


@pytest.mark.parametrize("written", ["화성에 있는 기지에서 12년째 근무하십니다.", ""])
async def test_what_a_model_does_not_answer_is_quoted(databases: Databases, written: str) -> None:
    fakes = Fakes(clock=Hands(NOW), models=scripted(lite=lambda _: written))
    async with new_stack(databases, fakes) as stack:
        await remember(stack, "부산에 산다")
        answer = await ask(stack, "나에 대해 뭘 알아?")

    assert answer["by"] == "fallback"
    assert quotes(answer) == ["부산에 산다"]


async def test_a_model_that_finds_no_answer_says_so(databases: Databases) -> None:
    fakes = Fakes(clock=Hands(NOW), models=scripted(lite=lambda _: "NOTHING"))
    async with new_stack(databases, fakes) as stack:
        await remember(stack, "부산에 산다")
        answer = await ask(stack, "내 혈액형이 뭐야?")

    assert (answer["outcome"], answer["by"], answer["citations"]) == ("unknown", "model", [])


async def test_what_rests_on_a_change_is_told_as_unsure(databases: Databases) -> None:
    clock = Hands(datetime(2026, 3, 2, 9, tzinfo=UTC))
    async with new_stack(databases, Fakes(clock=clock)) as stack:
        scope, records = (await stack.caller()).scope, stack.services.memory.records
        [home] = await write(records, scope, Add(told("홍대 근처에 산다", clock.at)))
        commute = told("출퇴근은 2호선으로 40분 걸린다", clock.at)
        await write(records, scope, Add(replace(commute, rests_on=(home.id,))))
        sure = await ask(stack, "출퇴근 얼마나 걸려?")
        clock.at = datetime(2026, 4, 2, 9, tzinfo=UTC)
        moved = told("분당으로 이사했다", clock.at)
        await write(records, scope, Supersede(home.id, moved, clock.at))
        clock.at = NOW
        unsure = await ask(stack, "출퇴근 얼마나 걸려?")

    [cited] = [each for each in unsure["citations"] if "2호선" in each["text"]]
    assert cited["unsure_since"].startswith("2026-04-02")
    assert "(2026-04-02부터 확실하지 않음)" in unsure["text"]
    assert "확실하지 않음" not in sure["text"]
    assert unsure["confidence"] < sure["confidence"]


@pytest.mark.requirement("TN13")
async def test_no_model_is_asked_if_nothing_found_may_leave(databases: Databases) -> None:
    async with (
        BrokenProvider(text="부산에 사십니다.") as provider,
        new_stack(databases, Fakes(clock=Hands(NOW)), settings=LOOPBACK) as stack,
    ):
        await connect(stack, provider, withheld_types=["fact", "episode"])
        await remember(stack, "저는 부산에 살아요")
        by_rule = await ask(stack, "나 어디 살아?")
        withheld = await ask(stack, "해운대에 자주 가는 편인가?")

    assert provider.requests == []
    assert (by_rule["by"], quotes(by_rule)) == ("fallback", ["저는 부산에 살아요"])
    assert (withheld["outcome"], quotes(withheld)) == ("unknown", ["저는 부산에 살아요"])
    assert "모델에 보내지 않도록" in withheld["text"]
