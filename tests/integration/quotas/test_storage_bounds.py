"""Storage is limited: incomplete uploads are removed, quotas refuse, old rows are deleted."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from saegim.app.setting_groups import QuotaSettings
from tests.stack import Databases, Stack, new_stack

QUOTAS = {"profiles": 2, "collections": 2, "sources": 1, "members": 4, "documents": 2}

TWO_DOCUMENTS = b"""
    insert into document (
        tenant_id, document_id, collection_id, outside_id, lookup_key, type, version, metadata,
        created_at, updated_at
    )
    select c.tenant_id, gen_random_uuid(), c.collection_id, n::text, n::text, 'guide', '1', '{}',
        now(), now()
    from collection c, generate_series(1, 2) n where c.name = 'default'
"""


@pytest.fixture(scope="module")
async def small(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases, settings={"quotas": QuotaSettings(**QUOTAS)}) as stack:
        await stack.caller("editor")
        yield stack


async def query(stack: Stack, text: bytes) -> list[dict[str, Any]]:
    tenant = stack.tenant.tenant.id
    async with stack.services.db.cells.home.transaction(tenant) as connection:
        cursor = await connection.execute(text)
        return await cursor.fetchall() if cursor.description else []


async def begun_upload(stack: Stack) -> tuple[str, Any]:
    """An upload of which one part came."""
    opened = await stack.http.post("/v1/ingests", json={}, headers=stack.headers("editor"))
    ingest = opened.json()["ingest_id"]
    caller = await stack.caller("editor")
    file = await stack.services.library.ingests.add_file(caller, ingest, "a.md")
    await stack.services.library.ingests.add_part(caller, file, 0, b"x" * 1_000)
    return ingest, file


async def parts(stack: Stack) -> int:
    [row] = await query(stack, b"select count(*) as parts from file_part")
    return row["parts"]


async def test_an_upload_that_broke_off_is_swept_after_an_hour(stack: Stack) -> None:
    tenant = stack.tenant.tenant.id
    ingest, _ = await begun_upload(stack)
    assert await stack.services.library.ingests.sweep(tenant, tenant) == 0, "it may still go on"
    assert await parts(stack) == 1
    await query(stack, b"update ingest_file set updated_at = updated_at - interval '61 minutes'")
    assert await stack.services.library.ingests.sweep(tenant, tenant) == 1
    assert await parts(stack) == 0
    shown = await stack.http.get(f"/v1/ingests/{ingest}", headers=stack.headers("editor"))
    [file] = shown.json()["files"]
    assert (file["state"], file["error"]) == ("failed", "upload_broke_off")


async def test_cancel_removes_parts_and_takes_no_more(stack: Stack) -> None:
    ingest, file = await begun_upload(stack)
    headers = stack.headers("editor")
    cancelled = await stack.http.post(f"/v1/ingests/{ingest}/cancel", headers=headers)
    assert cancelled.json()["over"]
    assert await parts(stack) == 0
    again = await stack.http.put(f"/v1/ingests/{ingest}/files/b.md", content=b"x", headers=headers)
    assert again.status_code == 409
    caller = await stack.caller("editor")
    with pytest.raises(Exception, match="cancelled"):
        await stack.services.library.ingests.add_part(caller, file, 1, b"x")


async def test_a_client_that_hangs_up_leaves_no_parts(stack: Stack) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield b"x" * (3 << 20)
        raise ConnectionError

    opened = await stack.http.post("/v1/ingests", json={}, headers=stack.headers("editor"))
    ingest = opened.json()["ingest_id"]
    with pytest.raises(ConnectionError):
        await stack.http.put(
            f"/v1/ingests/{ingest}/files/a.md", content=broken(), headers=stack.headers("editor")
        )
    assert await parts(stack) == 0


@pytest.mark.parametrize("quota", ["profiles", "members", "collections", "sources"])
async def test_one_too_many_is_refused_as_a_quota(small: Stack, quota: str) -> None:
    async def add(n: int) -> Any:
        headers = small.headers("editor")
        match quota:
            case "profiles":
                return await small.http.get(
                    "/v1/me", headers=small.headers("bob", **{"Saegim-Profile": f"p{n}"})
                )
            case "members":
                return await small.http.get("/v1/me", headers=small.headers(f"user-{n}"))
            case "collections":
                body = {"name": f"c{n}", "audience": []}
                return await small.http.post("/v1/collections", json=body, headers=headers)
            case _:
                source = {"kind": "urls", "urls": [f"https://example.com/{n}"]}
                body = {"collection": "default", "every_hours": 24, "source": source}
                return await small.http.post("/v1/sources", json=body, headers=headers)

    answers = [await add(n) for n in range(6)]
    assert answers[0].status_code in (200, 201), answers[0].text
    assert answers[-1].status_code == 403, answers[-1].text
    problem = answers[-1].json()
    assert problem["code"] == "quota_exceeded"
    assert problem["detail"] == f"{quota}: {QUOTAS[quota]}"


async def test_uploads_are_refused_when_the_tenant_has_its_documents(small: Stack) -> None:
    await query(small, TWO_DOCUMENTS)
    headers = small.headers("editor")
    opened = await small.http.post("/v1/ingests", json={}, headers=headers)
    sent = await small.http.put(
        f"/v1/ingests/{opened.json()['ingest_id']}/files/c.md", content=b"# c", headers=headers
    )
    assert (sent.status_code, sent.json()["code"]) == (403, "quota_exceeded")


async def test_old_ingests_and_usage_are_removed_by_the_clean_up(stack: Stack) -> None:
    tenant = stack.tenant.tenant.id
    ingest, _ = await begun_upload(stack)
    await stack.say("안녕하세요")
    await query(stack, b"update ingest set created_at = created_at - interval '91 days'")
    await query(stack, b"update usage_event set occurred_at = occurred_at - interval '801 days'")
    await stack.services.governance.retention.clean_up(tenant, tenant)
    assert await query(stack, b"select 1 from ingest"), "an upload is under way"
    assert not await query(stack, b"select 1 from usage_event")
    caller = await stack.caller("editor")
    await stack.services.library.ingests.cancel(caller, ingest)  # pyright: ignore[reportArgumentType] - as text
    await stack.services.governance.retention.clean_up(tenant, tenant)
    assert not await query(stack, b"select 1 from ingest")
