"""A change makes what rests on it unsure, and deleting something deletes what rests on it alone."""

from collections.abc import AsyncIterator

import pytest

from benchmarks.doubles.models import ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.llm.ports import ModelRole
from saegim.memory.recall.types import RecallRequest, Recollection
from saegim.memory.types import Action, Record
from tests.integration.memory.records import PERSON
from tests.integration.memory.turns import Hands, Talk
from tests.integration.memory.verbatim_extractor import (
    VerbatimExtractor,
    reading,
    refines,
    supersedes,
)
from tests.stack import Databases, Stack, new_stack

HOME, MOVED = "나는 서울 마포에 살아", "부산으로 이사했어"
COMMUTE = "출퇴근은 지하철로 40분 걸려"
WORK, OTHER_WORK = "판교에 있는 회사에 다녀", "이제 분당에 있는 회사에 다녀"
RELATED = {
    MOVED: supersedes(HOME),
    OTHER_WORK: supersedes(WORK),
    COMMUTE: {"rests_on": [HOME, WORK]},
    "강아지 초코를 키워": refines("강아지를 키워"),
}


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
async def stack(databases: Databases, clock: Hands) -> AsyncIterator[Stack]:
    async with new_stack(databases, Fakes(clock=clock, models=reading(RELATED))) as running:
        yield running


async def found(talk: Talk, content: str) -> Record:
    [record] = [each for each in await talk.known() if each.content == content]
    return record


async def recalled(stack: Stack, clock: Hands, message: str) -> Recollection:
    scope = (await stack.caller()).scope
    request = RecallRequest(scope, message, clock.now(), "Asia/Seoul")
    return await stack.services.memory.recall.recall(request)


async def moved(stack: Stack, clock: Hands) -> Talk:
    """Tells a home and what rests on it, then another home a month later."""
    talk = Talk(stack)
    await talk.say(HOME)
    await talk.say(COMMUTE)
    clock.on(days=30)
    await talk.say(MOVED)
    return talk


@pytest.mark.requirement("LM13")
async def test_statement_rests_on_the_home_that_it_needs(stack: Stack) -> None:
    talk = Talk(stack)
    await talk.say(HOME)
    await talk.say(COMMUTE)
    await talk.say("고양이 나비를 키워")
    assert (await found(talk, COMMUTE)).rests_on == ((await found(talk, HOME)).id,)
    assert (await found(talk, "고양이 나비를 키워")).rests_on == ()


@pytest.mark.requirement("LM13")
async def test_change_makes_dependents_unsure_and_drops_them(stack: Stack, clock: Hands) -> None:
    talk = await moved(stack, clock)
    unsure = await found(talk, COMMUTE)
    assert unsure.unsure_since == clock.now()
    scope = (await stack.caller()).scope
    [event, _] = await stack.services.memory.records.trail(scope, unsure.id, 10)
    assert event.action is Action.DOUBT
    before = await recalled(stack, clock, "출퇴근 얼마나 걸려?")
    [candidate] = [each for each in before.records if each.id == unsure.id]
    assert candidate.unsure_since == unsure.unsure_since
    assert before.to_ask == candidate
    await stack.services.memory.confirmations.confirm(scope, unsure.id, PERSON)
    after = await recalled(stack, clock, "출퇴근 얼마나 걸려?")
    [sure] = [each for each in after.records if each.id == unsure.id]
    assert sure.signals.score > candidate.signals.score
    assert after.to_ask is None


@pytest.mark.requirement("LM13")
async def test_said_again_an_unsure_record_is_sure(stack: Stack, clock: Hands) -> None:
    talk = await moved(stack, clock)
    await talk.say(COMMUTE)
    assert (await found(talk, COMMUTE)).unsure_since is None


@pytest.mark.requirement("LM13")
@pytest.mark.parametrize(("reply", "sure"), [("응", True), ("아니 바뀌었어", False)])
async def test_yes_confirms_what_the_turn_before_asked(
    stack: Stack, clock: Hands, reply: str, sure: bool
) -> None:
    talk = await moved(stack, clock)
    turn = await talk.say("출퇴근 얼마나 걸리지?")
    unsure = await found(talk, COMMUTE)
    scope = (await stack.caller()).scope
    await stack.services.memory.confirmations.note_asked(scope, unsure.id, turn)
    assert (await recalled(stack, clock, "출퇴근 얼마나 걸려?")).to_ask is None
    await talk.say(reply)
    assert ((await found(talk, COMMUTE)).unsure_since is None) == sure


@pytest.mark.requirement("LM13")
@pytest.mark.parametrize(("answer", "asks"), [("지금도 40분 걸리나요?", True), ("네.", False)])
async def test_a_model_that_does_not_ask_leaves_the_question_for_later(
    databases: Databases, clock: Hands, answer: str, asks: bool
) -> None:
    said = ["네."]
    models = ScriptedModels(
        {
            ModelRole.LITE: lambda _: said[-1],
            ModelRole.STRONG: lambda _: said[-1],
            ModelRole.EXTRACTOR: VerbatimExtractor(RELATED),
        }
    )
    async with new_stack(databases, Fakes(clock=clock, models=models)) as stack:
        talk = await moved(stack, clock)
        said.append(answer)
        await talk.say("출퇴근 얼마나 걸리지?")
        after = await recalled(stack, clock, "출퇴근 얼마나 걸려?")
    assert (after.to_ask is None) == asks


@pytest.mark.requirement("LM13")
async def test_record_stays_unsure_while_another_ground_is_changed(
    stack: Stack, clock: Hands
) -> None:
    talk = Talk(stack)
    for said in (HOME, WORK, COMMUTE):
        await talk.say(said)
    clock.on(days=30)
    for said in (MOVED, OTHER_WORK):
        await talk.say(said)
    assert len((await found(talk, COMMUTE)).rests_on) == 2
    scope, records = (await stack.caller()).scope, stack.services.memory.records
    for word, sure in (("부산", False), ("분당", True)):
        [new] = [each for each in await talk.known() if word in each.content]
        await records.forget(scope, [new.id], PERSON)
        assert ((await found(talk, COMMUTE)).unsure_since is None) == sure


@pytest.mark.requirement("LM13")
async def test_change_that_is_undone_makes_dependents_unsure_again(
    stack: Stack, clock: Hands
) -> None:
    talk = await moved(stack, clock)
    scope, records = (await stack.caller()).scope, stack.services.memory.records
    [new] = [each for each in await talk.known() if "부산" in each.content]
    await records.forget(scope, [new.id], PERSON)
    assert (await found(talk, COMMUTE)).unsure_since is None
    await records.undo(scope, new.id, PERSON)
    assert (await found(talk, COMMUTE)).unsure_since is not None


@pytest.mark.requirement("LM13")
async def test_change_taken_back_makes_dependents_sure(stack: Stack, clock: Hands) -> None:
    talk = Talk(stack)
    await talk.say(HOME)
    await talk.say(COMMUTE)
    clock.on(days=30)
    turn = await talk.say(MOVED)
    scope = (await stack.caller()).scope
    await stack.services.memory.turn_memories.take_back(scope, turn)
    assert (await found(talk, COMMUTE)).unsure_since is None


@pytest.mark.requirement("LM13")
async def test_deleting_a_record_deletes_what_rests_on_it_alone(stack: Stack) -> None:
    talk = Talk(stack)
    await talk.say(HOME)
    await talk.say(COMMUTE)
    home = await found(talk, HOME)
    scope = (await stack.caller()).scope
    records = stack.services.memory.records
    await records.forget_said(scope, [home.id], PERSON)
    assert await talk.contents() == []
    await records.undo(scope, home.id, PERSON)
    assert sorted(await talk.contents()) == sorted([HOME, COMMUTE])


@pytest.mark.requirement("LM13")
async def test_what_has_another_ground_stays(stack: Stack) -> None:
    talk = Talk(stack)
    await talk.say(HOME)
    await talk.say(WORK)
    await talk.say(COMMUTE)
    home, commute = await found(talk, HOME), await found(talk, COMMUTE)
    assert len(commute.rests_on) == 2
    scope = (await stack.caller()).scope
    await stack.services.memory.records.forget_said(scope, [home.id], PERSON)
    assert COMMUTE in await talk.contents()


@pytest.mark.requirement("LM13", "LM11")
async def test_record_of_turns_that_are_all_taken_back_is_forgotten(stack: Stack) -> None:
    one, two = Talk(stack, session="one"), Talk(stack, session="two")
    turns = [await one.say("땅콩 알레르기가 있어"), await two.say("땅콩 알레르기가 있어")]
    scope = (await stack.caller()).scope
    service = stack.services.memory.turn_memories
    assert await service.take_back(scope, turns[0]) == 0
    [record] = await one.known()
    assert record.sources == (turns[1],)
    assert await service.take_back(scope, turns[1]) == 1
    assert await one.known() == []


@pytest.mark.requirement("LM13", "LM11")
async def test_what_a_turn_added_to_a_record_goes_with_it(stack: Stack, clock: Hands) -> None:
    one, two = Talk(stack, session="one"), Talk(stack, session="two")
    await one.say("강아지를 키워")
    clock.on(days=1)
    turn = await two.say("강아지 초코를 키워")
    scope = (await stack.caller()).scope
    [refined] = await one.known()
    assert (refined.content, refined.version) == ("강아지 초코를 키워", 2)
    clock.on(days=1)
    await stack.services.memory.turn_memories.take_back(scope, turn)
    [record] = await one.known()
    assert record.content == "강아지를 키워"
    versions = await stack.services.memory.records.versions(scope, record.id)
    assert all("초코" not in each.statement.content for each in versions)


@pytest.mark.requirement("LM13")
async def test_api_shows_and_confirms_an_unsure_memory(stack: Stack, clock: Hands) -> None:
    talk = await moved(stack, clock)
    record = await found(talk, COMMUTE)
    headers = stack.headers("alice")
    path = f"/v1/memories/{record.id}"
    shown = (await stack.http.get(path, headers=headers)).json()
    assert shown["unsure_since"] is not None
    assert shown["rests_on"] == [str(each) for each in record.rests_on]
    confirmed = await stack.http.post(f"{path}/confirm", headers=headers)
    assert confirmed.json()["unsure_since"] is None
    others = await stack.http.post(f"{path}/confirm", headers=stack.headers("bob"))
    assert others.status_code == 404
