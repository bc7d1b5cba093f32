"""Forgotten memories do not come back from the transcript; restored ones do."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any
from uuid import UUID

import psycopg
import pytest

from benchmarks.doubles.embedders import HashEmbedder
from benchmarks.doubles.models import RecordedRequest, Reply, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.chat.preview import PreviewRequest
from saegim.conversations.state_cache import RedisStateCache
from saegim.conversations.summary.summariser import SummaryEntity, SummaryForm
from saegim.conversations.titles import TitleForm
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.ports import EmbedKind, ModelRole
from saegim.memory.extraction.extractor import Extraction, StatementForm
from saegim.memory.turn_changes import Forget
from saegim.memory.types import MemoryType
from tests.integration.memory.pending_jobs import work
from tests.integration.memory.records import carry_out
from tests.integration.memory.turns import Hands
from tests.integration.memory.verbatim_extractor import reading, supersedes
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("LM7", "LM11")

SAID = "나는 부산으로 이사했어. 강아지 초코를 키워."
ASKED = "내가 어디로 이사했지? 부산이야?"
BUDGET, RAISED = "모바일 프로젝트 예산은 1억이야", "모바일 프로젝트 예산을 1.5억으로 올렸어"
RELATED = {RAISED: supersedes(BUDGET)}

OFF, ON = (dict.fromkeys(("learning", "using"), on) for on in (False, True))


@pytest.fixture
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    models = reading(RELATED)
    async with new_stack(databases, Fakes(clock=Hands(), models=models)) as running:
        yield running


async def say(stack: Stack, message: str, session: str = "first") -> dict[str, Any]:
    return await stack.say(message, **{"Saegim-Session": session})


async def call(stack: Stack, method: str, path: str, **more: Any) -> Any:
    response = await stack.http.request(method, path, headers=stack.headers(), **more)
    assert response.status_code in (200, 204), response.text
    return response.json() if response.content else None


async def record(stack: Stack, words: str) -> str:
    found = await call(stack, "GET", "/v1/memories", params={"q": words})
    [one] = [each for each in found["memories"] if "digest" not in each["tags"]]
    return one["memory_id"]


async def forget(stack: Stack, words: str) -> str:
    memory = await record(stack, words)
    await call(stack, "DELETE", f"/v1/memories/{memory}")
    return memory


async def recalled(stack: Stack, message: str, **more: Any) -> str:
    """All that recall considers for a message, taken or not."""
    found = await call(stack, "POST", "/v1/recall", json={"message": message, **more})
    return json.dumps(found, ensure_ascii=False)


async def prompt(stack: Stack, message: str, session: str | None = None) -> str:
    """Returns the prompt of a message."""
    draft = PreviewRequest(message, UUID(session) if session else None)
    context, _ = await stack.services.chat.preview.draft(await stack.caller(), draft)
    shown = context.prompt
    return "\n".join([shown.system, *(each.text for each in shown.messages[:-1])])


async def test_the_episode_of_a_forgotten_record_does_not_tell_it(databases: Databases) -> None:
    fakes = Fakes(clock=Hands(), embedder=BundledEmbedder())
    async with new_stack(databases, fakes) as stack:
        await _forgotten_words_are_told_again_only_after_an_undo(stack)


async def _forgotten_words_are_told_again_only_after_an_undo(stack: Stack) -> None:
    said = await say(stack, SAID)
    await say(stack, "고마워요")
    await work(stack)
    assert "부산" in (await say(stack, "내가 어디로 이사했지?", "before"))["answer"]

    memory = await forget(stack, "부산")
    assert "부산으로" not in await recalled(stack, ASKED), "before any job ran"
    assert await work(stack) > 0
    for asked in (ASKED, "강아지 초코"):
        assert "부산으로" not in await recalled(stack, asked)
        assert "부산으로" not in await recalled(stack, asked, as_of="2026-03-02T10:00:00Z")
        assert "부산으로" not in await prompt(stack, asked)
    assert "초코를 키워" in await recalled(stack, "강아지 초코"), "the rest of the turn is found"
    assert "부산으로" not in (await say(stack, "내가 어디로 이사했지?", "new"))["answer"]
    assert "초코" in (await say(stack, "강아지 이름이 뭐지?", "newer"))["answer"]
    turn = await call(stack, "GET", f"/v1/turns/{said['turn_id']}")
    assert turn["message"] == SAID, "the transcript is the person's own"

    await call(stack, "POST", f"/v1/memories/{memory}/undo")
    await work(stack)
    assert SAID in await recalled(stack, ASKED)
    assert "부산" in (await say(stack, "내가 어디로 이사했지?", "after"))["answer"]


async def test_the_same_conversation_goes_on_without_it(stack: Stack) -> None:
    first = await say(stack, SAID)
    session = first["session_id"]
    assert "부산으로" in await prompt(stack, "그래서?", session)
    for number in range(7):
        await say(stack, f"{number}번 회의는 {number + 9}시에 시작해")
    await work(stack)
    context = await stack.context(session)
    assert context["summarised_through"] >= 5
    assert "부산" in json.dumps(context, ensure_ascii=False), "the summary holds it"

    memory = await forget(stack, "부산")
    assert "부산" not in json.dumps(await stack.context(session), ensure_ascii=False)
    await work(stack)
    context = await stack.context(session)
    assert context["summarised_through"] >= 5, "it is folded again"
    assert "부산" not in json.dumps(context, ensure_ascii=False)
    assert "초코" in json.dumps(context, ensure_ascii=False)

    await call(stack, "POST", f"/v1/memories/{memory}/undo")
    await work(stack)
    assert "부산" in json.dumps(await stack.context(session), ensure_ascii=False)


async def test_a_summary_whose_turns_are_gone_loses_only_what_repeats_it(
    stack: Stack, databases: Databases
) -> None:
    session = (await say(stack, "회의실은 3층에 있어"))["session_id"]
    await say(stack, SAID)
    for number in range(9):
        await say(stack, f"{number}번 회의는 {number + 9}시에 시작해")
    await work(stack)
    before = await stack.context(session)
    assert "부산" in before["summary"]
    with psycopg.connect(databases.admin_url) as connection:
        connection.execute("set search_path = saegim")
        connection.execute("delete from turn where session_id = %s and number = 1", (session,))
    await forget(stack, "부산")
    await work(stack)
    context = await stack.context(session)
    assert context["summarised_through"] == before["summarised_through"]
    assert "부산" not in context["summary"], context["summary"]
    assert "부산" not in json.dumps(context, ensure_ascii=False)
    assert "3층" in context["summary"], "nobody could fold it again"


def remembering(*statements: tuple[str, str]) -> Callable[[RecordedRequest], Reply]:
    """An extractor that finds these statements, content and quote, in what it is shown."""

    def play(shown: RecordedRequest) -> Reply:
        said = "\n".join(shown.blocks("turns"))
        return Extraction(
            statements=[
                StatementForm(type=MemoryType.FACT, content=content, quote=quote, topic=content)
                for content, quote in statements
                if quote in said
            ]
        )

    return play


async def test_what_answers_repeated_elsewhere_goes_too(databases: Databases) -> None:
    def answer(shown: RecordedRequest) -> Reply:
        message = shown.messages[-1].text.rpartition("\n")[2]
        if "이사했어" in message:
            return "부산으로 이사하셨군요! 초코도 반가워요."
        return "부산으로 이사하셨다고 했어요." if "어디" in message else "잘 모르겠어요."

    models = ScriptedModels(
        {
            ModelRole.LITE: answer,
            ModelRole.STRONG: answer,
            ModelRole.EXTRACTOR: remembering(("부산으로 이사했다", "부산으로 이사했어")),
        }
    )
    async with new_stack(databases, Fakes(clock=Hands(), models=models)) as stack:
        await say(stack, SAID)
        await work(stack)
        await say(stack, "내가 어디로 이사했다고 했지?", "second")
        await work(stack)
        memory = await forget(stack, "부산")
        await work(stack)
        for session in ("third", "second", "first"):
            models.requests.clear()
            await say(stack, "요즘 뭐가 좋을까", session)
            seen = "\n".join(text.text for shown in models.requests for text in shown.messages)
            system = "\n".join(shown.system for shown in models.requests)
            assert "부산" not in seen + system, session
        assert "초코도 반가워요" in await recalled(stack, "초코")
        await call(stack, "POST", f"/v1/memories/{memory}/undo")
        await work(stack)
        found = await recalled(stack, "부산으로 이사")
        assert "이사하셨군요" in found
        assert "이사하셨다고 했어요" in found


HOME = ("The user lives in Busan", "I live in Busan")
TEAM = ("The user's team has 12 people", "our team has 12 people")


def summary_of_home(shown: RecordedRequest) -> Reply:
    """A summary in its own words, with an entity for the home, as often as the turns allow it."""
    home = "She is an analyst from Busan. " if "Busan" in shown.messages[-1].text else ""
    entities = [SummaryEntity(key="home", value="Busan"), SummaryEntity(key="team", value="12")]
    return SummaryForm(summary=f"{home}Their team has 12 people.", entities=entities)


async def by_page(stack: Stack, memory: str) -> None:
    await call(stack, "DELETE", f"/v1/memories/{memory}")


async def by_choice(stack: Stack, memory: str) -> None:
    await call(stack, "POST", "/v1/memories/forget", json={"memory_ids": [memory]})


async def by_message(stack: Stack, memory: str) -> None:
    scope, changes = (await stack.caller()).scope, stack.services.memory.turn_changes
    await carry_out(changes, scope, Forget((UUID(memory),)))


@pytest.mark.parametrize("door", [by_page, by_choice, by_message])
async def test_forgotten_value_leaves_summaries_at_once_without_a_model(
    databases: Databases, door: Callable[[Stack, str], Awaitable[None]]
) -> None:
    def answer(shown: RecordedRequest) -> Reply:
        asked = "where do I live" in shown.messages[-1].text
        return "You live in Busan." if asked else "Noted."

    models = ScriptedModels(
        {
            ModelRole.LITE: answer,
            ModelRole.STRONG: answer,
            ModelRole.SUMMARIZER: summary_of_home,
            ModelRole.EXTRACTOR: remembering(HOME, TEAM),
        }
    )
    async with new_stack(databases, Fakes(clock=Hands(), models=models)) as stack:
        first = (await say(stack, "I live in Busan, and our team has 12 people."))["session_id"]
        await work(stack)
        second = (await say(stack, "Tell me, where do I live?", "second"))["session_id"]
        for number in range(6):
            await say(stack, f"Agenda item {number} is the printer.")
            await say(stack, f"Agenda item {number} is the coffee.", "second")
        await work(stack)
        scope = (await stack.caller()).scope
        cache = RedisStateCache(stack.services.db.redis, stack.services.encryption.keyring)
        for session in (first, second):
            before = await stack.context(session)
            assert before["summarised_through"] >= 5
            assert "from Busan" in before["summary"]
            assert "home: Busan" in prompt_entities(before)
            assert await cache.load(scope, UUID(session))

        models.requests.clear()
        await door(stack, await record(stack, "Busan"))
        for session in (first, second):
            assert await cache.load(scope, UUID(session)) is None
            after = await stack.context(session)
            assert "Busan" not in json.dumps(after)
            assert after["summary"] == "Their team has 12 people."
            assert after["summarised_through"] >= 5
        assert "team: 12" in prompt_entities(await stack.context(first))
        await work(stack)
        summarised = [each for each in models.requests if each.role is ModelRole.SUMMARIZER]
        assert not summarised, "no session is summarised again"

        for number in range(6):
            await say(stack, f"Agenda item {number} is the budget.")
            await work(stack)
        await say(stack, "What should I visit?", "third")
        await say(stack, "What should I visit?", "second")
        await work(stack)
        seen = [f"{shown.system}{shown.messages}" for shown in models.requests]
        assert any(each.role is ModelRole.SUMMARIZER for each in models.requests), "as usual"
        assert not [text for text in seen if "Busan" in text]
        assert "Busan" not in json.dumps(await stack.context(first))


async def test_message_left_out_on_a_yes_leaves_summary_and_entities(databases: Databases) -> None:
    models = ScriptedModels(
        {
            ModelRole.LITE: lambda _: "Noted.",
            ModelRole.STRONG: lambda _: "Noted.",
            ModelRole.SUMMARIZER: summary_of_home,
            ModelRole.EXTRACTOR: remembering(HOME),
        }
    )
    async with new_stack(databases, Fakes(clock=Hands(), models=models)) as stack:
        said = await say(stack, "I live in Busan.")
        for number in range(6):
            await say(stack, f"Our team has 12 people, says item {number}.")
        await work(stack)
        scope, session = (await stack.caller()).scope, said["session_id"]
        cache = RedisStateCache(stack.services.db.redis, stack.services.encryption.keyring)
        before = await stack.context(session)
        assert "from Busan" in before["summary"]
        assert "home: Busan" in prompt_entities(before)
        assert await cache.load(scope, UUID(session))

        changes = stack.services.memory.turn_changes
        left_out = await changes.leave_out(scope, UUID(said["turn_id"]))
        await carry_out(changes, scope, left_out)
        assert await cache.load(scope, UUID(session)) is None
        after = await stack.context(session)
        assert after["summary"] == "Their team has 12 people."
        assert prompt_entities(after) == ["team: 12"]


def prompt_entities(context: dict[str, Any]) -> list[str]:
    return [f"{each['key']}: {each['value']}" for each in context["entities"]]


def titling() -> ScriptedModels:
    """Models that repeat a record in the answer and write it into the title."""
    return ScriptedModels(
        {
            ModelRole.LITE: lambda _: "부산으로 이사하셨다고 했어요.",
            ModelRole.STRONG: lambda _: "부산으로 이사하셨다고 했어요.",
            ModelRole.EXTRACTOR: remembering(("부산으로 이사했다", "부산으로 이사했어")),
            ModelRole.SUMMARIZER: lambda _: TitleForm(title="부산 이사"),
        }
    )


async def titled(stack: Stack, session: str) -> bool:
    """Let a model write the title of a session; whether it did."""
    titles = stack.services.conversations.titles
    return await titles.write(stack.tenant.tenant.id, UUID(session))


async def title(stack: Stack, session: str) -> str:
    found = (await call(stack, "GET", "/v1/sessions"))["sessions"]
    return next(each["title"] for each in found if each["session_id"] == session)


async def test_a_title_that_a_model_wrote_from_the_answer_goes_too(databases: Databases) -> None:
    async with new_stack(databases, Fakes(clock=Hands(), models=titling())) as stack:
        await say(stack, SAID)
        await work(stack)
        session = (await say(stack, "나에 대해 뭘 알아?", "second"))["session_id"]
        await work(stack)
        assert await titled(stack, session)
        assert await title(stack, session) == "부산 이사"

        await forget(stack, "부산")
        assert await title(stack, session) == "나에 대해 뭘 알아"
        assert not await titled(stack, session), "the answer still has the words"


async def test_a_title_of_a_message_edited_since_goes_too(databases: Databases) -> None:
    async with new_stack(databases, Fakes(clock=Hands(), models=titling())) as stack:
        first = await say(stack, SAID)
        session = first["session_id"]
        await work(stack)
        assert await titled(stack, session)
        edit = {"message": "강아지 초코를 키워"}
        await call(stack, "POST", f"/v1/turns/{first['turn_id']}/edit", json=edit)
        assert await title(stack, session) == "부산 이사"

        await forget(stack, "부산")
        assert await title(stack, session) == "강아지 초코를 키워"


async def test_a_title_that_is_written_meanwhile_is_not_saved(databases: Databases) -> None:
    async with new_stack(databases, Fakes(clock=Hands(), models=titling())) as stack:
        session = UUID((await say(stack, SAID))["session_id"])
        await work(stack)
        store, tenant = stack.services.conversations.sessions, stack.tenant.tenant.id
        first = await store.untitled(tenant, session)
        assert first is not None
        await forget(stack, "부산")
        assert not await store.save_auto_title(tenant, session, first, "부산 이사")
        assert "부산" not in await title(stack, str(session))


async def test_words_of_another_record_are_kept_until_it_goes_too(databases: Databases) -> None:
    both = "아내랑 딸이 하나 있어"
    script = remembering(("아내가 있다", both), ("딸이 하나 있다", both))
    models = ScriptedModels({ModelRole.EXTRACTOR: script})
    async with new_stack(databases, Fakes(clock=Hands(), models=models)) as stack:
        await say(stack, f"{both}. 초코를 키워.")
        await work(stack)
        wife = await forget(stack, "아내")
        await work(stack)
        assert both in await recalled(stack, "딸이 몇이지?")
        await forget(stack, "딸이")
        await work(stack)
        assert both not in await recalled(stack, "딸이 몇이지?")
        await call(stack, "POST", f"/v1/memories/{wife}/undo")
        await work(stack)
        assert both in await recalled(stack, "아내랑 딸"), "one of them stands on these words"


class Interrupted(HashEmbedder):
    """An embedder that runs a callback once during its work."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        vectors = await super().embed(texts, kind)
        if self.meanwhile is not None:
            happens, self.meanwhile = self.meanwhile, None
            await happens()
        return vectors


async def test_an_episode_that_is_made_meanwhile_does_not_tell_it(databases: Databases) -> None:
    embedder = Interrupted()
    fakes = Fakes(clock=Hands(), embedder=embedder, models=reading())
    async with new_stack(databases, fakes) as stack:
        turn = UUID((await say(stack, SAID))["turn_id"])
        tenant = stack.tenant.tenant.id
        await stack.services.memory.extraction.extract(tenant, turn)
        embedder.meanwhile = lambda: forget(stack, "부산")
        assert await stack.services.memory.episodes.index(tenant, turn)
        assert embedder.embedded[-1][0] == "[…] 강아지 초코를 키워."
        assert "부산으로" not in await recalled(stack, ASKED)


async def test_an_episode_is_made_again_though_memory_was_switched_off(stack: Stack) -> None:
    await say(stack, SAID)
    await work(stack)
    await call(stack, "PUT", "/v1/consent", json=OFF)
    await forget(stack, "부산")
    await work(stack)
    await call(stack, "PUT", "/v1/consent", json=ON)
    found = await recalled(stack, "강아지 초코")
    assert "[…] 강아지 초코를 키워" in found


async def test_words_stay_struck_when_the_record_is_gone_for_good(stack: Stack) -> None:
    await say(stack, SAID)
    await work(stack)
    await forget(stack, "부산")
    records, tenant = stack.services.memory.records, stack.tenant.tenant.id
    later = stack.services.clock.now().replace(year=2027)
    assert await records.purge(tenant, later, 10) == 1
    await work(stack)
    assert await records.purge(tenant, later, 10) == 0
    found = await recalled(stack, "강아지 초코 부산으로 이사")
    assert "[…] 강아지 초코를 키워" in found


async def test_a_turn_that_is_taken_back_leaves_its_neighbours(stack: Stack) -> None:
    turn = (await say(stack, "나는 부산으로 이사했어"))["turn_id"]
    await say(stack, "강아지 초코를 키워")
    await work(stack)
    await call(stack, "DELETE", f"/v1/turns/{turn}/memories")
    await work(stack)
    found = await recalled(stack, "강아지 초코")
    assert '"episode"' in found
    assert "초코를 키워" in found
    assert "부산" not in await recalled(stack, "어디로 이사했지?")
    session = (await call(stack, "GET", "/v1/sessions"))["sessions"][0]["session_id"]
    assert "부산으로" in await prompt(stack, "그래서?", session), "the conversation goes on"


PLACES = ("제주도", "강릉", "부산", "속초", "여수")


async def test_digests_do_not_tell_it(databases: Databases) -> None:
    clock = Hands()
    trips = {f"{place} 다녀왔어": {"topic": "여행"} for place in PLACES}
    async with new_stack(databases, Fakes(clock=clock, models=reading(trips))) as stack:
        for place in PLACES:
            await say(stack, f"{place} 다녀왔어")
            clock.on(days=3)
        await work(stack)
        scope = (await stack.caller()).scope
        clock.on(days=120)
        await stack.services.memory.consolidation.consolidate(scope.tenant, scope.profile)
        await forget(stack, "부산")
        assert await stack.services.memory.records.digests(scope) == ()
        assert "부산" not in await recalled(stack, "어디 다녀왔지?")
        await stack.services.memory.consolidation.consolidate(scope.tenant, scope.profile)
        [digest] = await stack.services.memory.records.digests(scope)
        assert "부산" not in digest.summary
        assert "강릉" in digest.summary
        assert len(digest.sources) == 4


@pytest.mark.requirement("LM2")
async def test_what_was_corrected_by_hand_is_not_told_as_if_it_held(stack: Stack) -> None:
    await say(stack, "모바일 프로젝트 예산은 1억이야. 강아지 초코를 키워")
    await work(stack)
    memory = await record(stack, "예산은")
    await call(
        stack, "PATCH", f"/v1/memories/{memory}", json={"content": "모바일 프로젝트 예산은 1.5억"}
    )
    asked = "모바일 프로젝트 예산"
    assert "예산은 1억이야 (이후 정정됨). 강아지 초코를 키워" in await recalled(stack, asked)
    assert '"모바일 프로젝트 예산은 1.5억"' in await recalled(stack, asked)
    await call(stack, "PATCH", f"/v1/memories/{memory}", json={"importance": 0.9})
    assert "예산은 1억이야 (이후 정정됨)" in await recalled(stack, asked)
    await call(stack, "POST", f"/v1/memories/{memory}/rollback", json={"version": 1})
    assert "정정됨" not in await recalled(stack, asked)


@pytest.mark.requirement("LM2")
async def test_what_was_replaced_since_says_so_until_it_holds_again(stack: Stack) -> None:
    await say(stack, BUDGET, "first")
    await work(stack)
    await say(stack, RAISED, "second")
    await work(stack)
    asked = "모바일 프로젝트 예산"
    found = await recalled(stack, asked)
    assert "예산은 1억이야 (이후 바뀜)" in found
    assert "1.5억으로 올렸어 (" not in found
    memory = await forget(stack, "1.5억")
    assert "바뀜" not in await recalled(stack, asked), "it holds again"
    await call(stack, "POST", f"/v1/memories/{memory}/undo")
    await work(stack)
    assert "예산은 1억이야 (이후 바뀜)" in await recalled(stack, asked)
