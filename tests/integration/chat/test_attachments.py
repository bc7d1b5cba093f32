"""Documents that are attached to a message stay selected in its conversation."""

from typing import Any

from benchmarks.doubles.models import ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.ports import ModelRole
from tests.integration.library.conftest import finished
from tests.stack import Databases, Stack, new_stack

LEASE = "# 사무실 임대\n\n보증금은 3억 원이고 계약은 2028년 5월에 끝납니다."
PARKING = "# 주차 안내\n\n주차장은 지하 2층이며 한 달에 12만 원입니다."


def scripted() -> ScriptedModels:
    return ScriptedModels({ModelRole.LITE: lambda _: "확인했습니다 [1]."})


def last_prompt(models: ScriptedModels) -> str:
    request = models.requests[-1]
    return "\n".join([request.system, *(message.text for message in request.messages)])


async def upload(stack: Stack, files: dict[str, str], user: str = "alice") -> str:
    """Sends private files of a user; returns the id of their ingest."""
    headers = stack.headers(user)
    opened = await stack.http.post("/v1/ingests", json={"own": True}, headers=headers)
    ingest = opened.json()["ingest_id"]
    for name, text in files.items():
        path = f"/v1/ingests/{ingest}/files/{name}"
        sent = await stack.http.put(path, content=text.encode(), headers=headers)
        assert sent.status_code == 202, sent.text
    return ingest


async def ask(stack: Stack, message: str, user: str = "alice", **body: Any) -> Any:
    return await stack.http.post(
        "/v1/chat", json={"message": message, **body}, headers=stack.headers(user)
    )


async def test_an_attached_file_is_used_now_and_later_and_survives_a_reload(
    databases: Databases,
) -> None:
    models = scripted()
    async with new_stack(databases, Fakes(models=models)) as stack:
        ingest = await upload(stack, {"lease.md": LEASE, "parking.md": PARKING})
        early = await ask(stack, "보증금이 얼마죠?", attached_doc_ids=["lease.md"])
        async with stack.working():
            report = await finished(stack, ingest, user="alice")
        documents = {each["name"]: each["document_id"] for each in report["files"]}
        lease, parking = documents["lease.md"], documents["parking.md"]

        first = (await ask(stack, "보증금이 얼마죠?", attached_doc_ids=[lease])).json()
        session = first["session_id"]
        said = [last_prompt(models)]
        await ask(stack, "계약은 언제 끝나요?", session_id=session)
        said.append(last_prompt(models))
        path = f"/v1/turns/{first['turn_id']}/regenerate"
        again = (await stack.http.post(path, json={}, headers=stack.headers())).json()
        path = f"/v1/turns/{again['turn_id']}/edit"
        body = {"message": "주차비가 얼마죠?", "attached_doc_ids": [parking]}
        edited = (await stack.http.post(path, json=body, headers=stack.headers())).json()
        said.append(last_prompt(models))

        async def attached(turn: str) -> list[dict[str, str]]:
            response = await stack.http.get(f"/v1/turns/{turn}", headers=stack.headers())
            return response.json()["attachments"]

        shown = [await attached(each["turn_id"]) for each in (first, again, edited)]
        foreign = await ask(stack, "보증금?", "bob", attached_doc_ids=[lease])

    assert (early.status_code, early.json()["code"]) == (409, "still_importing")
    assert first["ref_doc_ids"] == ["lease.md"]
    assert ["2028년 5월" in prompt for prompt in said] == [True, True, False]
    assert ["지하 2층" in prompt for prompt in said] == [False, False, True]
    titles = [[each["title"] for each in attachments] for attachments in shown]
    assert titles == [["사무실 임대"], ["사무실 임대"], ["주차 안내"]]
    assert shown[0][0]["document_id"] == lease
    assert foreign.status_code == 404


async def test_greeting_is_no_question_about_the_attached_file(databases: Databases) -> None:
    async with new_stack(databases, Fakes(embedder=BundledEmbedder())) as stack:
        ingest = await upload(stack, {"lease.md": LEASE})
        async with stack.working():
            report = await finished(stack, ingest, user="alice")
        document = report["files"][0]["document_id"]
        first = (await ask(stack, "보증금이 얼마죠?", attached_doc_ids=[document])).json()
        later = (await ask(stack, "계약은 언제 끝나요?", session_id=first["session_id"])).json()
        thanks = (await ask(stack, "안녕하세요", session_id=first["session_id"])).json()

    assert "3억" in first["answer"]
    assert later["ref_doc_ids"] == ["lease.md"]
    assert thanks["citations"] == []
