"""The same key twice is the same turn."""

import asyncio

from benchmarks.doubles.models import Pieces, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.llm.ports import ModelRole
from tests.stack import Databases, Stack, new_stack, while_asking

KEY = {"Idempotency-Key": "k-1", "Saegim-Session": "s"}


async def test_a_repeated_request_gives_the_same_turn_and_answer(stack: Stack) -> None:
    first = await stack.say("한 번만", **KEY)
    second = await stack.say("한 번만", **KEY)

    assert first == second
    page = await stack.http.get(
        f"/v1/sessions/{first['session_id']}/turns", headers=stack.headers()
    )
    assert len(page.json()["turns"]) == 1


async def test_ten_at_once_are_one_turn_with_one_answer(databases: Databases) -> None:
    models = ScriptedModels({ModelRole.LITE: [Pieces(("천천히 ", "한 번"), 0.1)]})
    async with new_stack(databases, Fakes(models=models)) as stack:
        replies = await asyncio.gather(*[stack.say("동시에", **KEY) for _ in range(10)])

    assert {reply["turn_id"] for reply in replies} == {replies[0]["turn_id"]}
    assert {reply["answer"] for reply in replies} == {"천천히 한 번"}
    assert len(models.requests) == 1


async def test_the_key_of_another_message_is_a_conflict(stack: Stack) -> None:
    await stack.say("하나", **KEY)
    response = await stack.http.post(
        "/v1/chat", json={"message": "둘"}, headers=stack.headers(**KEY)
    )
    assert (response.status_code, response.json()["code"]) == (409, "conflict")


async def test_the_key_of_another_user_is_another_turn(stack: Stack) -> None:
    alice = await stack.say("하나", "alice", **KEY)
    bob = await stack.say("하나", "bob", **KEY)
    assert alice["turn_id"] != bob["turn_id"]


async def test_a_failed_turn_is_answered_under_its_key(databases: Databases) -> None:
    models = ScriptedModels({ModelRole.LITE: [Pieces(("…",), 3600), "이제 됩니다"]})
    async with new_stack(databases, Fakes(models=models)) as stack:
        asking = asyncio.create_task(stack.say("해줘", **KEY))
        await while_asking(asking, lambda: models.requests)
        [(_, turn)] = stack.services.chat.turns._running
        caller = await stack.caller()
        await stack.services.chat.turns.cancel(caller.scope, turn)
        failed = await asking
        again = await stack.say("해줘", **KEY)

    assert (failed["state"], failed["error"]) == ("failed", "cancelled")
    assert (again["state"], again["answer"]) == ("done", "이제 됩니다")
    assert again["turn_id"] == failed["turn_id"]
