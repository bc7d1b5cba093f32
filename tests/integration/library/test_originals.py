"""Originals: kept with their documents, streamed to those who may read them, removed with them."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx2
import psycopg
import pytest

from saegim.encryption.rotation import KeyRotation
from saegim.governance.reencryption import Reencryption
from saegim.library.originals import PART_BYTES, Originals
from tests.integration.library.conftest import bring_in, finished
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("OP5")

EDITOR = "editor"
# Large, and quick to parse and to embed.
BIG = f"<p>휴가는 한 해에 열닷새입니다.</p><!-- {'0123456789' * 120_000} -->".encode()


@pytest.fixture(scope="module")
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases) as running:
        await running.services.warm_up()
        yield running


async def listed(stack: Stack, name: str, user: str = EDITOR) -> dict[str, Any]:
    found = await stack.http.get("/v1/documents", params={"q": name}, headers=stack.headers(user))
    return found.json()["documents"][0]


async def download(
    stack: Stack, document: str, user: str = EDITOR, **params: str
) -> httpx2.Response:
    path = f"/v1/documents/{document}/original"
    return await stack.http.get(path, params=params, headers=stack.headers(user))


async def attach(stack: Stack, name: str, content: bytes, user: str) -> dict[str, Any]:
    headers = stack.headers(user)
    opened = await stack.http.post("/v1/ingests", json={"own": True}, headers=headers)
    ingest = opened.json()["ingest_id"]
    await stack.http.put(f"/v1/ingests/{ingest}/files/{name}", content=content, headers=headers)
    async with stack.working():
        await finished(stack, ingest, user=user)
    return await listed(stack, name, user)


def kept(databases: Databases, stack: Stack, name: str) -> list[bytes]:
    """The stored parts of the files of a name, read with the owner's rights."""
    with psycopg.connect(databases.admin_url) as connection:
        rows = connection.execute(
            "select p.content from saegim.original o join saegim.original_part p "
            "using (tenant_id, original_id) where tenant_id = %s and name = %s order by p.part",
            (stack.tenant.tenant.id, name),
        ).fetchall()
    return [content for (content,) in rows]


async def test_an_upload_is_downloaded_as_it_was(stack: Stack, databases: Databases) -> None:
    await bring_in(stack, {"보고서 1.html": BIG})
    document = await listed(stack, "보고서 1")
    response = await download(stack, document["id"])
    parts = kept(databases, stack, "보고서 1.html")

    assert document["has_original"]
    assert response.content == BIG
    assert response.headers["content-length"] == str(len(BIG))
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["x-content-type-options"] == "nosniff"
    shown = response.headers["content-disposition"]
    assert shown.startswith("attachment; ")
    assert "filename*=UTF-8''%EB%B3%B4%EA%B3%A0%EC%84%9C%201.html" in shown
    assert len(BIG) > 1 << 20
    assert [len(part) for part in parts[:-1]] <= [PART_BYTES] * len(parts)
    assert b"".join(parts) == BIG


async def test_only_a_pdf_is_shown_inline(stack: Stack) -> None:
    await bring_in(stack, {"page.html": "<h1>제목</h1><p>본문입니다.</p>"})
    page = await listed(stack, "page.html")
    response = await download(stack, page["id"], inline="true")

    assert response.headers["content-disposition"].startswith("attachment; ")
    assert response.headers["content-security-policy"] == "sandbox"


async def test_a_new_version_replaces_the_original(stack: Stack, databases: Databases) -> None:
    await bring_in(stack, {"규정.md": "# 규정\n\n첫째 판"})
    await bring_in(stack, {"규정.md": "# 규정\n\n둘째 판"})
    document = await listed(stack, "규정")
    again = await bring_in(stack, {"규정.md": "# 규정\n\n둘째 판"})

    assert again["files"][0]["embedded"] == 0
    assert (await download(stack, document["id"])).text == "# 규정\n\n둘째 판"
    assert kept(databases, stack, "규정.md") == ["# 규정\n\n둘째 판".encode()]


async def test_documents_of_one_file_share_it_to_the_last(
    stack: Stack, databases: Databases
) -> None:
    lines = '{"id": "q-one", "text": "하나"}\n{"id": "q-two", "text": "둘"}\n'
    await bring_in(stack, {"목록.jsonl": lines})
    first, second = await listed(stack, "q-one"), await listed(stack, "q-two")
    headers = stack.headers(EDITOR)
    await stack.http.delete(f"/v1/documents/{first['id']}", headers=headers)

    assert (await download(stack, second["id"])).text == lines
    await stack.http.delete(f"/v1/documents/{second['id']}", headers=headers)
    assert (await download(stack, second["id"])).status_code == 404
    assert kept(databases, stack, "목록.jsonl") == []


async def test_a_private_file_is_sealed_and_its_owners_alone(
    stack: Stack, databases: Databases
) -> None:
    secret = "나만의 비밀 계획".encode() * 40_000
    document = await attach(stack, "mine.txt", secret, "kim")
    parts = kept(databases, stack, "mine.txt")
    nobodys = await download(stack, str(uuid4()), "lee")
    others = await download(stack, document["id"], "lee")

    assert (await download(stack, document["id"], "kim")).content == secret
    assert (others.status_code, others.json()["code"]) == (404, nobodys.json()["code"])
    assert len(parts) > 1
    assert not any("비밀".encode() in part for part in parts)


async def test_a_rotated_key_still_opens_a_private_file(stack: Stack, databases: Databases) -> None:
    document = await attach(stack, "rotated.txt", b"rotated word " * 90, "choi")
    before = kept(databases, stack, "rotated.txt")
    member = (await stack.caller("choi")).scope.user
    services, tenant = stack.services, stack.tenant.tenant.id
    keyring = services.encryption.keyring
    rotation = KeyRotation(keyring, margin=-keyring.remember_seconds)
    resealing = Reencryption(services.db.cells, keyring, rotation, services.jobs.queue)
    await resealing.begin(tenant, member)

    assert await resealing.reseal(tenant, member) > 0
    assert await resealing.reseal(tenant, member) == 0
    assert kept(databases, stack, "rotated.txt") != before
    assert (await download(stack, document["id"], "choi")).content == b"rotated word " * 90


async def test_erasure_removes_private_files_and_export_names_them(
    stack: Stack, databases: Databases
) -> None:
    await attach(stack, "erased.txt", b"to be erased", "park")
    exported = await stack.http.get("/v1/export", headers=stack.headers("park"))
    member = (await stack.caller("park")).scope.user
    body = {"member_id": str(member), "reason": "asked by mail"}
    asked = await stack.http.post("/v1/erasures", json=body, headers=stack.headers("admin"))
    erasures, erasure = stack.services.governance.erasures, asked.json()["erasure_id"]
    for _ in range(2):
        await erasures.erase(stack.tenant.tenant.id, erasure)

    [file] = exported.json()["tables"]["original"]
    assert (file["name"], file["size"]) == ("erased.txt", 12)
    assert kept(databases, stack, "erased.txt") == []


async def test_files_over_the_limit_and_typed_entries_are_not_kept(databases: Databases) -> None:
    async with new_stack(databases, settings={"original_mb": 1}) as small:
        await small.services.warm_up()
        await bring_in(small, {"small.html": "작은 글입니다."})
        document = await listed(small, "small.html")
        assert document["has_original"]
        await bring_in(small, {"small.html": BIG})
        document = await listed(small, "small.html")

        assert not document["has_original"], "the old file is not that of the new text"
        assert (await download(small, document["id"])).status_code == 404
        assert kept(databases, small, "small.html") == []


async def test_clean_up_removes_what_a_dead_job_left(stack: Stack, databases: Databases) -> None:
    services, tenant = stack.services, stack.tenant.tenant.id
    document = await attach(stack, "used.txt", b"in use", "jung")
    with psycopg.connect(databases.admin_url, autocommit=True) as connection:
        connection.execute(
            "insert into saegim.original (tenant_id, original_id, collection_id, file_hash, name, "
            "media_type, size, created_at) select tenant_id, gen_random_uuid(), collection_id, "
            "'x', 'stray', 'text/plain', 5, created_at from saegim.original "
            "where tenant_id = %s and name = 'used.txt'",
            (tenant,),
        )
        count = "select count(*) from saegim.original where tenant_id = %s and name = 'stray'"

        assert await services.library.originals.remove_unused(tenant, 10) == 0, "it is new"
        connection.execute(
            "update saegim.original set created_at = created_at - %s", (timedelta(days=2),)
        )
        assert await services.library.originals.remove_unused(tenant, 10) == 1
        assert connection.execute(count, (tenant,)).fetchall() == [(0,)]
    assert (await download(stack, document["id"], "jung")).content == b"in use"


async def test_a_download_holds_one_part_at_a_time(stack: Stack) -> None:
    await bring_in(stack, {"long.html": BIG})
    document = await listed(stack, "long.html")
    originals: Originals = stack.services.library.originals
    original = await originals.find(await stack.caller(EDITOR), document["id"])

    assert {len(part) <= PART_BYTES async for part in originals.read(original)} == {True}
