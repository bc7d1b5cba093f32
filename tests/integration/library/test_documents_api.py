"""The list of documents and its filters, pages of passages, deletion, and collections."""

import logging
import time
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from saegim.domain.scope import Role
from tests.integration.library.conftest import GUIDE, bring_in, finished, idle, search
from tests.stack import Databases, Stack, new_stack

log = logging.getLogger("saegim.figures")

EDITOR = "editor"


@pytest.fixture(scope="module")
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases) as running:
        await running.services.warm_up()
        await bring_in(
            running,
            {"가격.md": GUIDE, "notes.txt": "짧은 메모입니다.", "표.csv": "이름,값\n가,1\n나,2\n"},
        )
        yield running


async def get(stack: Stack, path: str, user: str = EDITOR, **params: Any) -> dict[str, Any]:
    headers = stack.headers(user) | {"Accept-Language": "ko"}
    response = await stack.http.get(path, params=params, headers=headers)
    assert response.status_code == 200, response.text
    return response.json()


async def listed(stack: Stack, user: str = EDITOR, **params: Any) -> list[dict[str, Any]]:
    return (await get(stack, "/v1/documents", user, **params))["documents"]


async def names(stack: Stack, **params: Any) -> list[str]:
    return [each["document_id"] for each in await listed(stack, **params)]


async def attach(stack: Stack, name: str, content: str, user: str = EDITOR) -> None:
    headers = stack.headers(user)
    opened = await stack.http.post("/v1/ingests", json={"own": True}, headers=headers)
    ingest = opened.json()["ingest_id"]
    await stack.http.put(f"/v1/ingests/{ingest}/files/{name}", content=content, headers=headers)
    async with stack.working():
        await finished(stack, ingest, user=user)


async def test_documents_are_filtered_and_sorted(stack: Stack) -> None:
    [table] = await listed(stack, kind="table")
    by_title = await names(stack, sort="title", collection=table["collection_id"])
    by_size = await listed(stack, sort="size")
    first = await get(stack, "/v1/documents", sort="title", count=2)
    second = await get(stack, "/v1/documents", sort="title", before=first["next_before"])

    assert table["document_id"] == "표.csv"
    assert (table["state"], table["collection"], table["audience"]) == ("ready", "default", [])
    assert table["bytes"] == len("이름,값\n가,1\n나,2\n".encode())
    assert await names(stack, q="메모") == []
    assert await names(stack, q="note") == ["notes.txt"]
    assert await names(stack, kind="markdown") == ["가격.md"]
    assert await names(stack, kind="pdf") == []
    assert await names(stack, collection=uuid4()) == []
    assert by_title == ["가격.md", "notes.txt", "표.csv"] or by_title == [
        "notes.txt", "가격.md", "표.csv"
    ]  # fmt: skip
    assert [each["bytes"] for each in by_size] == sorted(
        (each["bytes"] for each in by_size), reverse=True
    )
    pages = [each["document_id"] for each in first["documents"] + second["documents"]]
    assert pages == by_title


async def test_a_failed_file_is_listed_with_its_error_in_words(stack: Stack) -> None:
    await bring_in(stack, {"설치.exe": b"MZ\x90\0\x03\0\0\0"})
    [failed] = await listed(stack, state="failed")
    first = (await listed(stack))[0]
    key = await stack.services.auth.tenants.create_key(
        stack.tenant.assistant.tenant, stack.tenant.assistant.id, "member", role=Role.MEMBER
    )
    member = {"Authorization": f"Bearer {key}", "Saegim-User": "member"}
    others = await stack.http.get("/v1/documents?state=failed", headers=member)
    headers = stack.headers(EDITOR)
    body = {"document_ids": [failed["id"]]}
    deleted = await stack.http.post("/v1/documents/delete", json=body, headers=headers)

    assert (failed["document_id"], failed["error"]) == ("설치.exe", "unsupported")
    assert failed["message"].startswith("읽을 수 없는 파일 형식")
    assert first["id"] == failed["id"]
    assert (others.status_code, others.json()["documents"]) == (200, [])
    assert deleted.json() == {"deleted": 1}
    assert await listed(stack, state="failed") == []


async def test_a_private_and_a_shared_document_of_one_name_are_told_apart(stack: Stack) -> None:
    await bring_in(stack, {"plan.md": "# 공유 계획\n\n모두의 계획입니다."})
    await attach(stack, "plan.md", "# 내 계획\n\n나만의 계획입니다.")
    rows = await listed(stack, q="plan.md")
    opened = {
        each["mine"]: await get(stack, f"/v1/documents/{each['id']}", passages=1) for each in rows
    }
    mine = next(each for each in rows if each["mine"])
    headers = stack.headers(EDITOR)
    removed = await stack.http.delete(f"/v1/documents/{mine['id']}", headers=headers)
    left = await listed(stack, q="plan.md")

    assert {each["document_id"] for each in rows} == {"plan.md"}
    assert len({each["id"] for each in rows}) == 2
    assert opened[True]["document"]["title"] == "내 계획"
    assert opened[False]["document"]["title"] == "공유 계획"
    assert removed.status_code == 204
    assert [each["mine"] for each in left] == [False]


async def test_passages_come_in_pages_and_around_a_passage(stack: Stack) -> None:
    [document] = await listed(stack, kind="markdown", q="가격")
    path = f"/v1/documents/{document['id']}/passages"
    everything = await get(stack, path)
    first = await get(stack, path, count=2)
    rest = await get(stack, path, count=500, after=first["next_after"])
    middle = everything["passages"][2]
    around = await get(stack, path, count=3, around=middle["passage_id"])
    foreign = await stack.http.get(
        path, params={"around": str(uuid4())}, headers=stack.headers(EDITOR)
    )
    missing = await stack.http.get(
        f"/v1/documents/{uuid4()}/passages", headers=stack.headers(EDITOR)
    )

    assert everything["total"] == document["passages"] == len(everything["passages"])
    assert everything["next_after"] is None
    assert first["passages"] + rest["passages"] == everything["passages"]
    assert [each["position"] for each in around["passages"]] == [1, 2, 3]
    assert middle["path"]
    assert (foreign.status_code, missing.status_code) == (404, 404)


async def test_the_sections_of_a_document_lead_to_its_passages(stack: Stack) -> None:
    [document] = await listed(stack, "reader", q="가격", kind="markdown")
    path = f"/v1/documents/{document['id']}"
    sections: Any = await get(stack, f"{path}/sections")
    passages = (await get(stack, f"{path}/passages"))["passages"]

    assert len(sections) > 1
    assert sum(section["passages"] for section in sections) == len(passages)
    for section in sections:
        first = passages[section["position"]]
        assert (first["position"], first["path"]) == (section["position"], section["path"])
    missing = await stack.http.get(
        f"/v1/documents/{uuid4()}/sections", headers=stack.headers(EDITOR)
    )
    assert missing.status_code == 404


async def test_a_search_in_one_collection_finds_nothing_of_others(stack: Stack) -> None:
    await attach(stack, "비밀.md", "# 비밀\n\n가격 협상 내용은 나만 읽는다.", "searcher")
    [own] = [each for each in await listed(stack, "searcher") if each["mine"]]
    [shared] = await listed(stack, "stranger", q="가격", kind="markdown")

    async def found(user: str, collection: str) -> set[str]:
        body = {"query": "가격", "collection_id": collection}
        response = await stack.http.post("/v1/search", json=body, headers=stack.headers(user))
        assert response.status_code == 200, response.text
        return {each["document"]["id"] for each in response.json()["found"]}

    assert await found("searcher", own["collection_id"]) == {own["id"]}
    assert own["id"] not in await found("searcher", shared["collection_id"])
    assert shared["id"] in await found("searcher", shared["collection_id"])
    assert await found("stranger", own["collection_id"]) == set()


@pytest.fixture(scope="module")
async def large(stack: Stack, databases: Databases) -> str:
    """The path to the passages of a document of 20,000."""
    [document] = await listed(stack, kind="text")
    _enlarge(databases, UUID(document["id"]), 20_000)
    return f"/v1/documents/{document['id']}/passages"


async def seconds_to_read(stack: Stack, path: str, *after: int) -> list[float]:
    """Returns the shortest time of several requests for each of some pages of 100, by turns."""
    times = [list[float]() for _ in after]
    for _ in range(8):
        for page, took in zip(after, times, strict=True):
            start = time.perf_counter()
            read = await get(stack, path, after=page, count=100)
            took.append(time.perf_counter() - start)
            assert len(read["passages"]) == 100
    return [min(took) for took in times]


async def test_the_last_page_of_a_large_document_is_read_like_the_first(
    stack: Stack, large: str
) -> None:
    first, last = await seconds_to_read(stack, large, -1, 19_899)
    assert last < 3 * first


@pytest.mark.alone
async def test_a_page_of_a_large_document_is_read_in_a_tenth_of_a_second(
    stack: Stack, large: str
) -> None:
    [took] = await seconds_to_read(stack, large, 19_899)
    log.info("100 of 20,000 passages: %.0f ms", took * 1_000)
    assert took < 0.1


def _enlarge(databases: Databases, document: UUID, count: int) -> None:
    """Gives a document many passages, without the time that their vectors would take."""
    with psycopg.connect(databases.admin_url) as connection:
        connection.execute("set search_path to saegim, public")
        connection.execute(
            "insert into passage select p.tenant_id, gen_random_uuid(), p.document_id, "
            "p.section_id, i, p.text, p.content_hash, p.tokens, p.has_steps, p.has_conditions, "
            "p.has_table, p.language, p.names "
            "from passage p, generate_series(1, %s - 1) as i where p.document_id = %s",
            (count, document),
        )
        connection.execute(
            "update document set passages = %s where document_id = %s", (count, document)
        )


async def test_a_document_is_indexed_again(stack: Stack, databases: Databases) -> None:
    [document] = await listed(stack, kind="markdown", q="가격")
    path = f"/v1/documents/{document['id']}/reindex"
    queued = await stack.http.post(path, headers=stack.headers(EDITOR))
    with psycopg.connect(databases.admin_url) as connection:
        row = connection.execute("select count(*) from saegim.index_change").fetchone()
    async with stack.working():
        while not await idle(stack):
            pass
    found = await search(stack, "스팟 인스턴스 요청")

    assert queued.status_code == 202, queued.text
    assert row is not None
    assert row[0] >= document["passages"]
    assert any(each["document"]["document_id"] == "가격.md" for each in found["found"])


async def test_starters_come_from_documents(stack: Stack) -> None:
    faq = '[{"question": "환불은 언제 되나요?", "answer": "7일 안에 됩니다."}]'
    await bring_in(stack, {"faq.json": faq}, kind="faq")
    found = await get(stack, "/v1/assistant/starters", "alice")

    assert found["starters"][0] == "환불은 언제 되나요?"
    assert 1 < len(found["starters"]) <= 4
    assert all("에 대해 알려 주세요" in each for each in found["starters"][1:])


async def test_starters_are_in_the_callers_language(stack: Stack) -> None:
    faq = '[{"question": "Where is the office?", "answer": "In Pangyo."}]'
    await bring_in(stack, {"faq-en.json": faq}, kind="faq")
    headers = stack.headers("alice")
    path = "/v1/assistant/starters"
    first = {
        locale: (await stack.http.get(path, headers=headers | {"Accept-Language": locale})).json()[
            "starters"
        ][0]
        for locale in ("ko", "en")
    }

    assert first["en"] == "Where is the office?"
    assert first["ko"] != "Where is the office?"


async def test_documents_of_one_title_are_one_starter(stack: Stack) -> None:
    same = "# 출장 여비 안내\n\n"
    await bring_in(stack, {"여비-1.md": f"{same}하루 2만 원", "여비-2.md": f"{same}하루 3만 원"})
    found = await get(stack, "/v1/assistant/starters", "alice")

    assert any("출장 여비 안내" in each for each in found["starters"])
    assert len(set(found["starters"])) == len(found["starters"])


async def test_documents_are_deleted_together(stack: Stack) -> None:
    await bring_in(stack, {"하나.md": "# 하나\n\n첫째", "둘.md": "# 둘\n\n둘째"})
    ids = [each["id"] for name in ("하나", "둘") for each in await listed(stack, q=name)]
    headers = stack.headers(EDITOR)
    body = {"document_ids": [*ids, str(uuid4())]}
    deleted = await stack.http.post("/v1/documents/delete", json=body, headers=headers)

    assert deleted.json() == {"deleted": 2}
    assert await names(stack, q="하나") == []


async def test_a_collection_is_renamed_and_deleted(stack: Stack) -> None:
    headers = stack.headers("admin")

    async def call(method: str, path: str, **more: Any) -> Any:
        return await stack.http.request(method, path, headers=headers, **more)

    made = (await call("POST", "/v1/collections", json={"name": "규정"})).json()
    path = f"/v1/collections/{made['collection_id']}"
    taken = await call("PATCH", path, json={"name": "default"})
    renamed = await call("PATCH", path, json={"name": "사내 규정"})
    read = (await call("GET", path)).json()
    await bring_in(stack, {"rule.md": "# 규정\n\n지각하지 않는다."}, collection="사내 규정")
    full = await call("DELETE", path)
    deleted = await call("DELETE", path, params={"with_documents": True})

    assert (taken.status_code, taken.json()["code"]) == (409, "name_taken")
    assert renamed.status_code == 204
    assert (read["name"], read["audience"]) == ("사내 규정", [])
    assert (full.status_code, full.json()["code"]) == (409, "not_empty")
    assert deleted.status_code == 204
    assert (await call("GET", path)).status_code == 404
    assert await names(stack, q="rule") == []
