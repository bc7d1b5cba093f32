"""Without a model, statements become notes in the person's words, until a model reads the turn."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from saegim.app.infrastructure import Fakes
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.memory.types import Action, Actor, MemoryType, Origin, Record
from tests.integration.memory.turns import Hands, Talk
from tests.integration.memory.verbatim_extractor import reading
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("LM1", "LM2")

# Loaded once for all tests.
EMBEDDER = BundledEmbedder()
ALLERGY, HOME = "I'm allergic to peanuts.", "I live in Daejeon."


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
async def stack(databases: Databases, clock: Hands) -> AsyncIterator[Stack]:
    async with new_stack(databases, Fakes(clock=clock, embedder=EMBEDDER)) as running:
        yield running


async def call(stack: Stack, method: str, path: str, **more: Any) -> Any:
    user = more.pop("user", "alice")
    response = await stack.http.request(method, path, headers=stack.headers(user), **more)
    assert response.is_success, response.text
    return response.json() if response.content else None


async def read_by_model(stack: Stack, databases: Databases, *turns: UUID) -> list[str]:
    """Read the turns again with a model; return what it was shown of them."""
    models = reading()
    fakes = Fakes(models=models, embedder=EMBEDDER)
    tenant = stack.tenant.tenant.id
    async with new_stack(databases, fakes, tenant=stack.tenant) as connected:
        memory = connected.services.memory
        await memory.turn_memories.extract_again(tenant)
        for turn in turns:
            await memory.extraction.extract(tenant, turn, at_once=True)
    return [block for each in models.requests for block in each.blocks("turns")]


async def test_statement_becomes_a_note_with_its_source(stack: Stack, clock: Hands) -> None:
    talk = Talk(stack, times=2)
    turn = await talk.say(HOME)
    [note] = await talk.known()
    assert (note.type, note.content, note.quote) == (MemoryType.NOTE, HOME, HOME)
    assert (note.origin, note.sources, note.said_at) == (Origin.FALLBACK, (turn,), clock.now())
    [effect] = talk.last["effects"]
    assert (effect["kind"], effect["text"]) == ("remembered", HOME)
    scope = (await stack.caller()).scope
    [event] = await stack.services.memory.records.trail(scope, note.id, 10)
    assert (event.action, event.actor) == (Action.ADD, Actor.FALLBACK)


async def test_notes_neither_replace_nor_repeat_each_other(stack: Stack, clock: Hands) -> None:
    talk = Talk(stack)
    for message in (HOME, "I live in Seoul now.", "i live in daejeon"):
        await talk.say(message)
        clock.on(days=1)
    assert await talk.contents() == [HOME, "I live in Seoul now."]


@pytest.mark.parametrize("message", ["How are you?", "Thanks a lot!", "Which city is it?", "undo"])
async def test_what_tells_nothing_leaves_no_note(stack: Stack, message: str) -> None:
    talk = Talk(stack)
    turn = await talk.say(message)
    assert await talk.known() == []
    assert (await call(stack, "GET", f"/v1/turns/{turn}/memories"))["reading"] == "read"


async def test_contacts_are_masked_in_notes(stack: Stack) -> None:
    talk = Talk(stack)
    await talk.say("내 비서 번호는 010-1234-5678이고 메일은 lee@example.com이야")
    [note] = await talk.known()
    assert "1234" not in note.content + note.quote
    assert "example.com" not in note.content + note.quote
    assert {"phone", "email"} <= note.pii


@pytest.mark.requirement("LM11")
@pytest.mark.parametrize("off", ["consent", "temporary"])
async def test_nothing_is_noted_while_memory_is_off(
    stack: Stack, databases: Databases, off: str
) -> None:
    if off == "consent":
        await call(stack, "PUT", "/v1/consent", json={"learning": False, "using": True})
    body = {"message": HOME, "temporary": off == "temporary"}
    reply = await call(stack, "POST", "/v1/chat", json=body)
    assert reply["effects"] == []
    talk = Talk(stack)
    assert await talk.known() == []
    assert await read_by_model(stack, databases, UUID(reply["turn_id"])) == []
    assert await talk.known() == []


@pytest.mark.requirement("LM11")
async def test_turn_left_out_of_memory_stays_out_when_a_model_reads(
    stack: Stack, databases: Databases
) -> None:
    talk = Talk(stack)
    turn = await talk.say(HOME)
    assert await call(stack, "DELETE", f"/v1/turns/{turn}/memories") == {"forgotten": 1}
    assert await talk.known() == []
    assert await read_by_model(stack, databases, turn) == []
    assert await talk.known() == []


@pytest.mark.parametrize("is_marked", [True, False], ids=["after the job", "before the job"])
async def test_model_replaces_the_note_of_a_turn(
    stack: Stack, databases: Databases, is_marked: bool
) -> None:
    talk = Talk(stack, times=int(is_marked))
    turn = await talk.say(HOME)
    [note] = await talk.known()
    assert note.origin is Origin.FALLBACK
    [shown] = await read_by_model(stack, databases, turn)
    assert HOME in shown
    [record] = await talk.known()
    assert (record.content, record.origin) == (HOME, Origin.MODEL)


@pytest.mark.requirement("LM7")
async def test_undone_note_is_not_remembered_again_by_a_model(
    stack: Stack, databases: Databases
) -> None:
    talk = Talk(stack)
    turn = await talk.say(HOME)
    await talk.say("undo")
    assert await talk.known() == []
    await read_by_model(stack, databases, turn)
    assert await talk.known() == []


async def test_notes_belong_to_user_profile_and_tenant(stack: Stack, databases: Databases) -> None:
    await Talk(stack).say(HOME)
    profiles = {"Saegim-Profile": "work"}
    await stack.say(ALLERGY, **profiles)
    async with new_stack(databases, Fakes(embedder=EMBEDDER)) as other:
        await Talk(other).say("I keep kosher.")
        assert await Talk(other).contents() == ["I keep kosher."]
    assert await Talk(stack, user="bob").known() == []
    assert await Talk(stack).contents() == [HOME]
    scope = (await stack.caller(profile="work")).scope
    records = await stack.services.memory.records.browse_all(scope)
    assert [each.content for each in records] == [ALLERGY]
    assert ALLERGY not in (await stack.say("Where do I live?"))["answer"]


async def test_concurrent_turns_note_a_statement_each(stack: Stack) -> None:
    talks = Talk(stack, session="one"), Talk(stack, session="two")
    turns = await asyncio.gather(talks[0].say(HOME), talks[1].say(ALLERGY))
    known: dict[str, Record] = {each.content: each for each in await talks[0].known()}
    assert {each: known[each].sources for each in known} == {
        HOME: (turns[0],),
        ALLERGY: (turns[1],),
    }


@pytest.mark.requirement("LM7")
async def test_forgotten_note_is_told_nowhere_until_it_is_restored(stack: Stack) -> None:
    talk = Talk(stack)
    turn = await talk.say(f"{HOME} {ALLERGY}")
    await stack.services.memory.episodes.index(stack.tenant.tenant.id, turn)
    question = {"message": "Where do I live?"}
    assert "Daejeon" in (await call(stack, "POST", "/v1/chat", json=question))["answer"]
    [home] = [each for each in await talk.known() if each.content == HOME]
    await call(stack, "DELETE", f"/v1/memories/{home.id}")
    assert "Daejeon" not in (await call(stack, "POST", "/v1/chat", json=question))["answer"]
    assert "Daejeon" not in str(await call(stack, "POST", "/v1/recall", json=question))
    await call(stack, "POST", f"/v1/memories/{home.id}/undo")
    assert "Daejeon" in (await call(stack, "POST", "/v1/chat", json=question))["answer"]


@pytest.mark.requirement("LM9")
async def test_exported_note_is_imported_into_another_profile_once(stack: Stack) -> None:
    await Talk(stack).say(HOME)
    exported = await call(stack, "GET", "/v1/memories/export")
    [note] = exported["memories"]
    assert (note["content"], note["type"]) == (HOME, "note")
    scope = (await stack.caller(profile="moved")).scope
    headers = {**stack.headers(), "Saegim-Profile": "moved"}
    for _ in range(2):
        begun = await stack.http.post("/v1/memories/import", json=exported, headers=headers)
        assert begun.status_code == 202, begun.text
        identifier = UUID(begun.json()["import_id"])
        await stack.services.memory.imports.run(stack.tenant.tenant.id, identifier)
    records = await stack.services.memory.records.browse_all(scope)
    assert [each.content for each in records] == [HOME]
