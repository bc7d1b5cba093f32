"""Unanswered questions: in words with consent, else as clusters; an FAQ entry answers them."""

from typing import Any

from benchmarks.doubles.models import ScriptedModels
from saegim.app.infrastructure import Fakes
from tests.stack import Databases, Stack, new_stack

PATH = "/v1/assistant/unanswered"


async def read(stack: Stack) -> dict[str, Any]:
    response = await stack.http.get(PATH, headers=stack.headers("admin"))
    assert response.status_code == 200, response.text
    return response.json()


async def complain(stack: Stack, user: str, message: str, *, shared: bool = False) -> str:
    reply = await stack.say(message, user)
    body = {"thumb": "down", "for_evaluation": shared}
    path = f"/v1/turns/{reply['turn_id']}/feedback"
    given = await stack.http.put(path, json=body, headers=stack.headers(user))
    assert given.status_code == 200, given.text
    return reply["turn_id"]


async def test_questions_of_few_people_are_shown_only_with_consent(databases: Databases) -> None:
    async with new_stack(databases, Fakes(models=ScriptedModels({}))) as stack:
        await complain(stack, "ann", "주차권 할인은 김철수에게 물어봐야 해?")
        await complain(stack, "bob", "주차권 등록 방법 알려줘")
        few = await read(stack)
        await complain(stack, "cho", "주차권은 어디서 받아?")
        shared = await complain(stack, "dan", "식당 메뉴가 뭐야?", shared=True)
        enough = await read(stack)
        usage = await stack.http.get("/v1/usage", headers=stack.headers("admin"))
        [collection] = (
            await stack.http.get("/v1/collections", headers=stack.headers("admin"))
        ).json()
        entry = {
            "question": "주차권은 어떻게 받나요?",
            "answer": "안내 데스크에서 받습니다.",
            "collection_id": collection["collection_id"],
        }
        headers = stack.headers("admin")
        terms = {"terms": enough["clusters"][0]["terms"]}
        added = await stack.http.post("/v1/assistant/faq", json=entry | terms, headers=headers)
        of_turn = {"turn_id": shared}
        await stack.http.post("/v1/assistant/faq", json=entry | of_turn, headers=headers)
        answered = await read(stack)

    assert (few["questions"], few["clusters"], few["total"]) == ([], [], 2)
    [cluster] = enough["clusters"]
    assert cluster["terms"] == ["주차권"]
    assert (cluster["people"], cluster["questions"]) == (3, 3)
    assert [each["question"] for each in enough["questions"]] == ["식당 메뉴가 뭐야?"]
    assert "김철수" not in str(enough)
    days = usage.json()["days"]
    assert sum(each["unanswered"] for each in days) == enough["total"] == 4
    assert (added.status_code, added.json()["state"]) == (202, "waiting")
    assert (answered["questions"], answered["clusters"], answered["total"]) == ([], [], 0)
