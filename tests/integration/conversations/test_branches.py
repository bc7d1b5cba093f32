"""Variants of turns and the branch in use."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from pydantic_ai.exceptions import ModelHTTPError

from benchmarks.doubles.models import Pieces, RecordedRequest, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.llm.ports import ModelRole
from tests.stack import Databases, Stack, new_stack, read_events, served

pytestmark = pytest.mark.requirement("CH9")


def echo(request: RecordedRequest) -> str:
    return f"답: {request.messages[-1].text.splitlines()[-1]}"


def echoing() -> Fakes:
    return Fakes(models=ScriptedModels({ModelRole.LITE: echo}))


async def post(stack: Stack, path: str, body: object = None, **headers: str) -> Any:
    return await stack.http.post(path, json=body or {}, headers=stack.headers(**headers))


async def say(stack: Stack, *messages: str) -> list[dict[str, Any]]:
    first = await stack.say(messages[0])
    rest = [
        (await post(stack, "/v1/chat", {"message": each, "session_id": first["session_id"]})).json()
        for each in messages[1:]
    ]
    return [first, *rest]


async def turns(stack: Stack, session: str, after: int = 0) -> list[dict[str, Any]]:
    path = f"/v1/sessions/{session}/turns?after={after}"
    response = await stack.http.get(path, headers=stack.headers())
    assert response.status_code == 200, response.text
    return response.json()["turns"]


async def use(stack: Stack, session: str, turn: str) -> Any:
    return await stack.http.put(
        f"/v1/sessions/{session}/branch", json={"turn_id": turn}, headers=stack.headers()
    )


async def test_an_edited_message_starts_a_branch_and_both_can_be_used(
    databases: Databases,
) -> None:
    async with new_stack(databases, echoing()) as stack:
        one, two, three = await say(stack, "하나", "둘", "셋")
        session = one["session_id"]
        edited = (await post(stack, f"/v1/turns/{two['turn_id']}/edit", {"message": "두울"})).json()
        branch = await turns(stack, session)
        again = await turns(stack, session, after=branch[0]["number"])
        back = (await use(stack, session, two["turn_id"])).json()["turns"]
        forth = (await use(stack, session, edited["turn_id"])).json()["turns"]
        context = await stack.context(session)

    assert edited["answer"] == "답: 두울"
    assert [each["message"] for each in branch] == ["하나", "두울"]
    assert again == branch[1:]
    variants = [two["turn_id"], edited["turn_id"]]
    assert [each["variants"] for each in branch] == [[one["turn_id"]], variants]
    assert branch[1]["variant_of"] == two["turn_id"]
    assert branch[1]["parent_id"] == one["turn_id"]
    assert [each["turn_id"] for each in back] == [each["turn_id"] for each in (one, two, three)]
    assert back[1]["variants"] == variants
    assert forth == branch
    assert [each["message"] for each in context["recent"]] == ["하나", "두울"]


async def test_the_prompt_has_the_branch_in_use_alone(databases: Databases) -> None:
    models = ScriptedModels({ModelRole.LITE: echo})
    async with new_stack(databases, Fakes(models=models)) as stack:
        one, two = await say(stack, "사과가 좋아요", "바나나가 좋아요")
        session = one["session_id"]
        await post(stack, f"/v1/turns/{two['turn_id']}/edit", {"message": "체리가 좋아요"})
        edited = [message.text for message in models.requests[-1].messages]
        await post(stack, "/v1/chat", {"message": "무엇이 좋다고 했죠?", "session_id": session})
        followed = [message.text for message in models.requests[-1].messages]
        await use(stack, session, two["turn_id"])
        await post(stack, "/v1/chat", {"message": "다시 물을게요", "session_id": session})
        switched = [message.text for message in models.requests[-1].messages]

    assert not any("바나나" in text for text in edited + followed)
    assert any("체리" in text for text in followed)
    assert any("바나나" in text for text in switched)
    assert not any("체리" in text for text in switched)


async def test_a_repeated_answer_is_a_variant_of_the_first(databases: Databases) -> None:
    async with new_stack(databases, echoing()) as stack:
        [one] = await say(stack, "하나")
        first, session = one["turn_id"], one["session_id"]
        second = (await post(stack, f"/v1/turns/{first}/regenerate")).json()["turn_id"]
        third = (await post(stack, f"/v1/turns/{second}/regenerate")).json()["turn_id"]
        [turn] = await turns(stack, session)
        alone = (await stack.http.get(f"/v1/turns/{first}", headers=stack.headers())).json()

    assert (turn["turn_id"], turn["variant_of"], turn["parent_id"]) == (third, first, None)
    assert turn["variants"] == [first, second, third]
    assert turn["message"] == "하나"
    assert (alone["in_use"], alone["variants"]) == (False, turn["variants"])


async def test_answers_and_edits_are_counted_apart(databases: Databases) -> None:
    async with new_stack(databases, echoing()) as stack:
        [one] = await say(stack, "하나")
        first, session = one["turn_id"], one["session_id"]
        again = (await post(stack, f"/v1/turns/{first}/regenerate")).json()["turn_id"]
        body = {"message": "둘"}
        edited = (await post(stack, f"/v1/turns/{again}/edit", body)).json()["turn_id"]
        [turn] = await turns(stack, session)
        before = (await stack.http.get(f"/v1/turns/{first}", headers=stack.headers())).json()

    assert (turn["answers"], turn["edits"]) == ([edited], [again, edited])
    assert (before["answers"], before["edits"]) == ([first, again], [first, edited])


async def test_a_continuation_follows_its_turn_and_shows_no_message(databases: Databases) -> None:
    broken = Pieces(("앞부분 ",), death=ModelHTTPError(500, "fake"))
    models = ScriptedModels({ModelRole.LITE: [broken, "뒷부분", "다른 뒷부분"]})
    async with new_stack(databases, Fakes(models=models)) as stack:
        [one] = await say(stack, "길게 답해 주세요")
        first, session = one["turn_id"], one["session_id"]
        assert one["state"] == "incomplete"
        going_on = (await post(stack, f"/v1/turns/{first}/continue")).json()
        late = await post(stack, f"/v1/turns/{first}/continue")
        edited = await post(stack, f"/v1/turns/{going_on['turn_id']}/edit", {"message": "응"})
        other = (await post(stack, f"/v1/turns/{going_on['turn_id']}/regenerate")).json()
        page = await turns(stack, session)

    assert late.status_code == 409
    assert edited.status_code == 422
    assert [each["message"] for each in page] == ["길게 답해 주세요", ""]
    assert [each["continues"] for each in page] == [None, first]
    assert page[1]["variants"] == [going_on["turn_id"], other["turn_id"]]
    assert page[1]["parent_id"] == first
    assert page[1]["answer"] == "다른 뒷부분"


async def test_of_two_concurrent_edits_the_last_is_in_use(databases: Databases) -> None:
    async with new_stack(databases, echoing()) as stack:
        for _ in range(5):
            one, two, _ = await say(stack, "하나", "둘", "셋")
            session, path = one["session_id"], f"/v1/turns/{two['turn_id']}/edit"
            await asyncio.gather(
                *(post(stack, path, {"message": f"고침 {n}"}) for n in range(4)),
                post(stack, f"/v1/turns/{one['turn_id']}/regenerate"),
            )
            page = await turns(stack, session)
            newest = max(each["number"] for each in page)
            parents = [each["parent_id"] for each in page]

            assert parents == [None, *(each["turn_id"] for each in page[:-1])]
            assert len({each["variant_of"] or each["turn_id"] for each in page}) == len(page)
            assert newest == 8, "the edit that came last"


async def test_an_edit_sent_twice_with_one_key_is_one_turn(databases: Databases) -> None:
    async with new_stack(databases, echoing()) as stack:
        one, two = await say(stack, "하나", "둘")
        key, body = {"Idempotency-Key": uuid4().hex}, {"message": "두울"}
        path = f"/v1/turns/{two['turn_id']}/edit"
        first, second = [(await post(stack, path, body, **key)).json() for _ in range(2)]
        elsewhere = await post(stack, f"/v1/turns/{one['turn_id']}/edit", body, **key)

    assert first["turn_id"] == second["turn_id"]
    assert elsewhere.status_code == 409


async def test_a_summary_with_turns_of_another_branch_is_made_again(databases: Databases) -> None:
    async with new_stack(databases, echoing()) as stack, stack.working():
        said = await say(stack, *(f"{n}번 과일은 사과입니다" for n in range(1, 8)))
        session = said[0]["session_id"]
        before = await stack.folded(session, 5)
        path = f"/v1/turns/{said[1]['turn_id']}/edit"
        await post(stack, path, {"message": "2번 과일은 포도입니다"})
        after = await stack.context(session)
        await use(stack, session, said[6]["turn_id"])
        back = await stack.folded(session, 5)

    assert "사과" in before["summary"]
    assert (after["summary"], after["summarised_through"]) == ("", 0)
    assert [each["message"] for each in after["recent"]] == [
        "1번 과일은 사과입니다",
        "2번 과일은 포도입니다",
    ]
    assert "포도" not in back["summary"]


async def test_a_summary_of_deleted_turns_is_kept(databases: Databases) -> None:
    async with new_stack(databases, echoing()) as stack:
        said = await say(stack, *(f"{n}번 과일은 사과입니다" for n in range(1, 12)))
        session, tenant = said[0]["session_id"], stack.tenant.tenant.id
        await stack.services.conversations.summaries.summarise(tenant, UUID(session))
        before = await stack.context(session)
        later = stack.services.clock.now() + timedelta(days=1)
        removed = await stack.services.governance.retention.store.remove_old(tenant, later, 2)
        through: list[int] = []
        for edited in (said[3], said[2]):
            body = {"message": "그 과일은 포도입니다"}
            await post(stack, f"/v1/turns/{edited['turn_id']}/edit", body)
            context = await stack.context(session)
            assert context["summary"] == before["summary"]
            through.append(context["summarised_through"])

    assert removed.turns == 2
    assert before["summarised_through"] >= 5
    assert through == [3, 2], "the third turn, then the deleted ones"


async def test_a_branch_is_not_changed_while_a_turn_runs(databases: Databases) -> None:
    begin = asyncio.Event()
    models = ScriptedModels({ModelRole.LITE: ["하나", "둘", Pieces(("셋",), begin=begin)]})
    async with new_stack(databases, Fakes(models=models)) as stack:
        [one] = await say(stack, "하나")
        session = one["session_id"]
        edited = (await post(stack, f"/v1/turns/{one['turn_id']}/edit", {"message": "두울"})).json()
        asking = asyncio.create_task(
            post(stack, "/v1/chat", {"message": "셋", "session_id": session})
        )
        while len(await turns(stack, session)) < 2:
            await asyncio.sleep(0.01)
        refused = await use(stack, session, one["turn_id"])
        begin.set()
        await asking
        used = await use(stack, session, one["turn_id"])
        unknown = await use(stack, session, str(uuid4()))

    assert refused.status_code == 409
    assert [each["turn_id"] for each in used.json()["turns"]] == [one["turn_id"]]
    assert edited["turn_id"] in used.json()["turns"][0]["variants"]
    assert unknown.status_code == 404


async def test_an_edit_streams(databases: Databases) -> None:
    async with new_stack(databases, echoing()) as stack, served(stack.services) as http:
        [one] = await say(stack, "하나")
        path = f"/v1/turns/{one['turn_id']}/edit"
        headers = stack.headers(Accept="text/event-stream")
        async with http.stream("POST", path, json={"message": "둘"}, headers=headers) as response:
            events = [event async for event in read_events(response)]

    assert events[-1].name == "done"
    assert UUID(events[-1].data["turn_id"]) != UUID(one["turn_id"])
    assert events[-1].data["answer"] == "답: 둘"
