"""Guarantees of the library under faults and changes."""

import shutil
from collections.abc import AsyncIterator
from typing import Any

import pytest

from benchmarks.doubles.embedders import HashEmbedder
from saegim.cli.library import documents
from saegim.library.types import SearchFilter
from saegim.text.analysis import query_terms
from tests.integration.library.conftest import bring_in, finished, idle, search
from tests.stack import Databases, Stack, new_stack

QUESTIONS = ("3번 창구 서류", "접수 층", "17번", "아홉 시", "창구는 어디에서 서류를 접수합니까")


@pytest.fixture
async def neighbour(databases: Databases) -> AsyncIterator[Stack]:
    """Another tenant of the same cell."""
    async with new_stack(databases, name="이웃 상사") as running:
        yield running


def desks(count: int) -> dict[str, str]:
    sections = "\n\n".join(
        f"## {n}번 창구\n\n{n}번 창구는 {n % 7}층에서 {n}번 서류를 접수합니다."
        for n in range(count)
    )
    return {"desks.md": f"# 창구 안내\n\n접수 시간은 아홉 시부터입니다.\n\n{sections}"}


async def arms(stack: Stack) -> tuple[list[Any], list[list[Any]]]:
    """Returns keyword results with their scores, and the ten nearest of each question."""
    services, tenant = stack.services, stack.tenant.tenant.id
    async with services.db.cells.home.transaction(tenant) as connection:
        rows = await (await connection.execute("select collection_id from collection")).fetchall()
        state = await connection.execute("select * from index_state where subject = 'library'")
        pointer = await state.fetchone()
    assert pointer is not None
    where = SearchFilter(frozenset(row["collection_id"] for row in rows))
    build, index = pointer["index_version"], services.library.index
    vectors = await HashEmbedder().embed(QUESTIONS, "query")
    words = [
        await index.lexical(tenant, build, query_terms(question), where, 50)
        for question in QUESTIONS
    ]
    near = [await index.dense(tenant, build, vector, where, 10) for vector in vectors]
    return words, [[hit.passage for hit in hits] for hits in near]


async def test_a_lost_index_is_made_again_the_same_from_the_vectors_in_the_record(
    stack: Stack,
) -> None:
    await bring_in(stack, desks(150))
    await stack.services.library.index_sync.rebuild(stack.tenant.tenant.id)
    words, near = await arms(stack)
    folder = stack.databases.index
    assert folder is not None
    for path in folder.rglob(stack.tenant.tenant.id.hex):
        shutil.rmtree(path)
    lost = await search(stack, QUESTIONS[0])
    embedder = stack.services.llm.embedder
    assert isinstance(embedder, HashEmbedder)
    embedded = len(embedder.embedded)
    await documents.reindex(stack.services, stack.tenant.tenant.id)
    async with stack.working():
        await until_idle(stack)
    again = len(embedder.embedded)
    words_after, near_after = await arms(stack)

    assert (lost["found"], lost["degraded"]) == ([], ["index"])
    assert again == embedded, "nothing is embedded"
    assert words_after == words
    shared = [len({*one} & {*other}) / 10 for one, other in zip(near, near_after, strict=True)]
    assert sum(shared) / len(shared) >= 0.99
    assert (await search(stack, QUESTIONS[0]))["degraded"] == []


async def until_idle(stack: Stack) -> None:
    opened = await stack.http.post("/v1/ingests", json={}, headers=stack.headers("editor"))
    await finished(stack, opened.json()["ingest_id"])
    assert await idle(stack)


async def test_a_lost_index_is_made_again_by_the_next_change(stack: Stack) -> None:
    await bring_in(stack, desks(5))
    folder = stack.databases.index
    assert folder is not None
    for path in folder.rglob(stack.tenant.tenant.id.hex):
        shutil.rmtree(path)
    await bring_in(stack, {"new.md": "# 새 문서\n\n보라색 기린은 춤을 춥니다."})
    assert (await search(stack, "보라색 기린"))["found"][0]["document"]["title"] == "새 문서"
    assert (await search(stack, "3번 창구"))["found"][0]["path"][-1] == "3번 창구"


async def test_other_tenants_documents_never_change_a_tenants_ranking(
    stack: Stack, neighbour: Stack
) -> None:
    await bring_in(stack, desks(20))
    before = [await search(stack, question) for question in QUESTIONS]
    await bring_in(neighbour, desks(60) | {"more.md": "# 창구\n\n" + "3번 창구 서류 접수. " * 200})
    await stack.services.library.index_sync.rebuild(neighbour.tenant.tenant.id)
    assert [await search(stack, question) for question in QUESTIONS] == before
    assert before[0]["found"]


async def test_a_document_that_is_gone_from_the_record_is_never_shown(stack: Stack) -> None:
    """Even if the index was not updated: here the row is deleted without a change event."""
    await bring_in(stack, {"secret.md": "# 비밀 문서\n\n보라색 기린은 춤을 춥니다."})
    assert (await search(stack, "보라색 기린"))["found"]
    tenant = stack.tenant.tenant.id
    async with stack.services.db.cells.home.transaction(tenant) as connection:
        await connection.execute("delete from document where outside_id = 'secret.md'")
    index = stack.services.library.index
    assert len(await index.passages(tenant, 1)) == 1, "the index does not know"
    assert (await search(stack, "보라색 기린"))["found"] == []
    gone = await stack.http.get("/v1/documents/secret.md", headers=stack.headers())
    assert gone.status_code == 404


@pytest.mark.requirement("LB4", "LB11")
async def test_wrong_foreign_and_forbidden_ids_look_alike(stack: Stack, neighbour: Stack) -> None:
    await bring_in(stack, {"forbidden.md": "# 급여 규정\n\n연봉 협상은 3월에 합니다."})
    await bring_in(neighbour, {"foreign.md": "# 이웃의 규정\n\n연봉 협상은 5월에 합니다."})
    forbidden = (await search(stack, "연봉 협상"))["found"][0]["passage_id"]
    foreign = (await search(neighbour, "연봉 협상"))["found"][0]["passage_id"]
    tenant = stack.tenant.tenant.id
    async with stack.services.db.cells.home.transaction(tenant) as connection:
        await connection.execute("update collection set audience = '{hr}'")
    wrong = "01a1ddbe-590b-7de2-b616-171f676aa776"
    paths = [
        *(f"/v1/documents/{name}.md" for name in ("forbidden", "foreign", "wrong")),
        *(f"/v1/passages/{passage}/section" for passage in (forbidden, foreign, wrong)),
    ]
    told = [
        await stack.http.request(method, path, headers=stack.headers())
        for path in paths
        for method in (("GET", "DELETE") if "documents" in path else ("GET",))
    ]
    seen = {
        (each.status_code, *sorted((k, v) for k, v in each.json().items() if k != "request_id"))
        for each in told
    }
    by_kind = {one[:1] + tuple(pair for pair in one[1:] if pair[0] != "detail") for one in seen}
    assert {one[0] for one in seen} == {404}
    assert len(by_kind) == 1
    assert {dict(one[1:])["detail"] for one in seen} == {"no such document", "no such passage"}
    sizes = {(each.request.url.path.split("/")[2], len(each.content)) for each in told}
    assert len(sizes) == 2, "not even by their length"
