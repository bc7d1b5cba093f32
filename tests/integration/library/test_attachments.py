"""Attachments are private: no other user finds, opens or removes them."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest

from saegim.app.infrastructure import Fakes, KeyTimes
from saegim.domain.scope import Role
from saegim.library.rows import Vocabularies, Vocabulary
from tests.integration.library.conftest import finished, search
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("LB11", "OP5")

SECRET = "노을계획"
TEXT = f"# {SECRET} 개요\n\n{SECRET}의 예산은 3억이고 책임자는 한지민입니다."


# No dictionary has it, so that its bytes can be looked for.
WORD = "zoeprivatedocument"


@pytest.fixture(scope="module")
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases, Fakes(key_times=KeyTimes(remember=0.2, margin=0.1))) as running:
        await running.services.warm_up()
        yield running


async def attach(stack: Stack, user: str, name: str, text: str = TEXT) -> None:
    headers = stack.headers(user)
    opened = await stack.http.post("/v1/ingests", json={"own": True}, headers=headers)
    assert opened.status_code == 201, opened.text
    path = f"/v1/ingests/{opened.json()['ingest_id']}/files/{name}"
    assert (await stack.http.put(path, content=text, headers=headers)).status_code == 202
    async with stack.working():
        await finished(stack, opened.json()["ingest_id"], user=user)


async def seen_by(stack: Stack, user: str, name: str) -> dict[str, Any]:
    """Returns what a user finds of a document through every route."""
    headers = stack.headers(user)
    documents = (await stack.http.get("/v1/documents", headers=headers)).json()["documents"]
    opened = await stack.http.get(f"/v1/documents/{name}", headers=headers)
    body = {"message": f"{SECRET} 책임자가 누구야?", "selected_doc_ids": [name]}
    answered = (await stack.http.post("/v1/chat", json=body, headers=headers)).json()
    return {
        "searched": SECRET in str((await search(stack, SECRET, user))["found"]),
        "listed": [each["document_id"] for each in documents],
        "opened": opened.status_code,
        "answered": "한지민" in answered["answer"],
    }


async def test_nobody_else_finds_an_attachment(stack: Stack, databases: Databases) -> None:
    await attach(stack, "alice", "plan.md")
    own = await seen_by(stack, "alice", "plan.md")
    other = await seen_by(stack, "bob", "plan.md")
    removed = await stack.http.delete("/v1/documents/plan.md", headers=stack.headers("bob"))
    collections = await stack.http.get("/v1/collections", headers=stack.headers("admin"))
    with psycopg.connect(databases.admin_url) as connection:
        row = connection.execute(
            "select collection_id, name from saegim.collection where owner_id is not null"
        ).fetchone()
    assert row is not None
    headers = stack.headers("admin")
    named = await stack.http.post("/v1/ingests", json={"collection": row[1]}, headers=headers)
    shared = await stack.http.patch(
        f"/v1/collections/{row[0]}", json={"audience": []}, headers=headers
    )
    vocabulary = await Vocabularies(stack.services.db.cells).of(stack.tenant.tenant.id)

    assert own == {
        "searched": True,
        "listed": ["plan.md"],
        "opened": 200,
        "answered": True,
    }
    assert other == {"searched": False, "listed": [], "opened": 404, "answered": False}
    assert removed.status_code == 404
    assert str(row[0]) not in collections.text
    assert (named.status_code, shared.status_code) == (404, 404)
    assert vocabulary == Vocabulary(), "its words are no words of the tenant's library"


async def test_a_member_attaches_and_removes_only_private_documents(stack: Stack) -> None:
    headers = await member_headers(stack, "mia")
    shared = await stack.http.post("/v1/ingests", json={}, headers=headers)
    file = await imported(stack, headers, "notes.md", "---\nid: own-7\n---\n# 회의\n\n금요일 10시")
    other = await imported(stack, stack.headers("alice"), "hers.md", "# 다른 문서\n\n앨리스의 글")
    listed = (await stack.http.get("/v1/documents", headers=headers)).json()["documents"]
    asked = {"message": "회의가 언제야?", "attached_doc_ids": [file["document_id"]]}
    answered = await stack.http.post("/v1/chat", json=asked, headers=headers)
    both = {"document_ids": [file["document_id"], other["document_id"]]}
    removed = await stack.http.post("/v1/documents/delete", json=both, headers=headers)
    again = await stack.http.delete(f"/v1/documents/{other['document_id']}", headers=headers)
    kept = await stack.http.get("/v1/documents/hers.md", headers=stack.headers("alice"))

    assert shared.status_code == 403
    assert [(each["id"], each["document_id"]) for each in listed] == [
        (file["document_id"], "own-7")
    ]
    assert "10시" in answered.json()["answer"]
    assert removed.json() == {"deleted": 1}
    assert (again.status_code, kept.status_code) == (404, 200)


async def test_a_member_removes_a_shared_document_by_no_route(stack: Stack) -> None:
    headers = await member_headers(stack, "max")
    file = await imported(stack, stack.headers("ed"), "shared.md", "# 공용\n\n모두의 글", own=False)
    document = file["document_id"]
    single = await stack.http.delete(f"/v1/documents/{document}", headers=headers)
    several = await stack.http.post(
        "/v1/documents/delete", json={"document_ids": [document]}, headers=headers
    )
    seen = await stack.http.get(f"/v1/documents/{document}", headers=headers)
    await stack.http.delete(f"/v1/documents/{document}", headers=stack.headers("ed"))

    assert (single.status_code, several.json(), seen.status_code) == (404, {"deleted": 0}, 200)


async def test_a_file_of_several_documents_names_none(stack: Stack) -> None:
    text = '[{"id": "a1", "text": "첫째"}, {"id": "a2", "text": "둘째"}]'
    several = await imported(stack, stack.headers("sam"), "several.json", text)

    assert (several["documents"], several["document_id"]) == (2, None)


async def test_a_deleted_document_is_not_named_by_its_ingest(stack: Stack) -> None:
    headers = stack.headers("dan")
    opened = await stack.http.post("/v1/ingests", json={"own": True}, headers=headers)
    ingest = opened.json()["ingest_id"]
    await stack.http.put(
        f"/v1/ingests/{ingest}/files/x.md", content="# 글\n\n내용", headers=headers
    )
    async with stack.working():
        await finished(stack, ingest, user="dan")
    await stack.http.delete("/v1/documents/x.md", headers=headers)
    [file] = (await stack.http.get(f"/v1/ingests/{ingest}", headers=headers)).json()["files"]

    assert (file["state"], file["document_id"]) == ("done", None)


async def member_headers(stack: Stack, user: str) -> dict[str, str]:
    tenant = stack.tenant
    key = await stack.services.auth.tenants.create_key(
        tenant.tenant.id, tenant.assistant.id, "k", user=user, role=Role.MEMBER
    )
    return {"Authorization": f"Bearer {key}"}


async def imported(
    stack: Stack, headers: dict[str, str], name: str, text: str, *, own: bool = True
) -> dict[str, Any]:
    """Imports a file, and returns its state when it is finished."""
    opened = await stack.http.post("/v1/ingests", json={"own": own}, headers=headers)
    assert opened.status_code == 201, opened.text
    path = f"/v1/ingests/{opened.json()['ingest_id']}"
    sent = await stack.http.put(f"{path}/files/{name}", content=text, headers=headers)
    assert sent.status_code == 202
    async with stack.working(), asyncio.timeout(60):
        while not (found := (await stack.http.get(path, headers=headers)).json())["over"]:
            await asyncio.sleep(0.1)
    [file] = found["files"]
    return file


@pytest.mark.parametrize("others", [True, False], ids=["others stay", "the index becomes empty"])
async def test_an_attachment_goes_with_the_person(
    stack: Stack, databases: Databases, others: bool
) -> None:
    if others:
        await attach(stack, "stayer", "staying.md")
    else:
        for person, name in (("alice", "plan.md"), ("stayer", "staying.md")):
            await stack.http.delete(f"/v1/documents/{name}", headers=stack.headers(person))
    await attach(stack, "leaver", "leaving.md", f"# 떠남\n\n떠나는 사람의 문서입니다. {WORD}")
    headers = stack.headers("leaver")
    assert words_on_disk(databases), "the word is in the index before"
    exported = await stack.http.get("/v1/export", headers=headers)
    body = {"member_id": str((await stack.caller("leaver")).scope.user), "reason": "asked by mail"}
    asked = await stack.http.post("/v1/erasures", json=body, headers=stack.headers("admin"))
    async with stack.working():
        erasure = await _done(stack, asked.json()["erasure_id"])
    with psycopg.connect(databases.admin_url) as connection:
        left = connection.execute(
            "select count(*) from saegim.document where outside_id = 'leaving.md'"
        ).fetchone()

    assert "떠나는 사람의 문서입니다." in exported.text
    assert left == (0,)
    counts = erasure["receipt"]["removed"]["postgres"]
    assert (counts["document"], counts["collection"], counts["ingest"]) == (1, 1, 1)
    assert erasure["receipt"]["removed"]["index"] == {"passages": 1}
    assert erasure["signature"]
    assert words_on_disk(databases) == []


def words_on_disk(databases: Databases) -> list[str]:
    """Returns the index files that contain a word of the attachment."""
    assert databases.index is not None
    return [
        path.name
        for path in databases.index.rglob("*")
        if path.is_file() and WORD.encode() in path.read_bytes()
    ]


async def _done(stack: Stack, erasure: str) -> dict[str, Any]:
    async with asyncio.timeout(180):
        while True:
            found = await stack.http.get(f"/v1/erasures/{erasure}", headers=stack.headers("admin"))
            if found.json().get("state") == "done":
                return found.json()
            await asyncio.sleep(0.1)
