"""The index is compared with the record, and what was deleted leaves the disk."""

import asyncio
import shutil
from array import array
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from benchmarks.doubles.patience import PATIENT_INDEX, PATIENT_WORKER
from saegim.cli.doctor import index_checks
from saegim.jobs.types import JobKind
from saegim.library.active_index import ActiveIndex
from saegim.library.index.lance.index import LanceIndex
from saegim.library.index.maintenance import IndexMaintenance, IndexState
from saegim.library.index.repository import PostgresIndexState
from saegim.library.index.sync import MOST_FAULTS, IndexSync
from saegim.library.index_ports import IndexRow
from saegim.library.jobs import EVERY_SECONDS
from saegim.library.repository import PostgresLibrary
from tests.integration.library.conftest import bring_in, idle, search
from tests.stack import Stack

SECRET = "기밀문서"
TEND = b"""
    select scheduled_at, args ->> 'tenant' as tenant from procrastinate_jobs
    where task_name = 'maintain_index' and status = 'todo' and args ->> 'tenant' = %s
"""
VECTORS = b"""
    select v.passage_id, v.embedding::real[] as vector from passage_vector v
    join passage p using (tenant_id, passage_id) join document d using (tenant_id, document_id)
    where v.tenant_id = %s and d.outside_id = %s
"""


def upkeep_of(stack: Stack) -> tuple[IndexMaintenance, LanceIndex]:
    """The stack's own upkeep, with no patience for readers of older versions."""
    services = stack.services
    limits = replace(PATIENT_INDEX, keep_versions=timedelta(milliseconds=1))
    index = LanceIndex(str(stack.databases.index), limits=limits)
    pointing = ActiveIndex(services.jobs.queue, services.clock, timedelta(0))
    cells, queue = services.db.cells, services.jobs.queue
    documents = PostgresLibrary(cells, queue, services.clock)
    state = PostgresIndexState(cells, queue, services.clock, pointing)
    return IndexMaintenance(state, index, IndexSync(documents, state, index)), index


def files(folder: Path) -> Iterator[bytes]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield path.read_bytes()


async def waiting(stack: Stack) -> list[datetime]:
    async with stack.services.db.cells.home.connection() as connection:
        cursor = await connection.execute(TEND, (str(stack.tenant.tenant.id),))
        return [row["scheduled_at"] for row in await cursor.fetchall()]


async def work_off(stack: Stack) -> None:
    async with stack.working(), asyncio.timeout(180):
        while not await idle(stack):
            await asyncio.sleep(0.05)


@pytest.mark.requirement("LB1")
async def test_the_bytes_of_a_deleted_document_leave_the_disk_with_the_second_round(
    stack: Stack,
) -> None:
    tenant, folder = stack.tenant.tenant.id, stack.databases.index
    assert folder is not None
    others = {f"g{n}.md": f"# 안내 {n}\n\n비용을 줄이는 방법 {n}번." for n in range(5)}
    await bring_in(stack, {"secret.md": f"# {SECRET}\n\n{SECRET} 내용", **others})
    async with stack.services.db.cells.home.transaction(tenant) as connection:
        cursor = await connection.execute(VECTORS, (tenant, "secret.md"))
        [row] = await cursor.fetchall()
    signs = {array("f", row["vector"]).tobytes(), row["passage_id"].hex.encode()}
    assert all(any(sign in content for content in files(folder)) for sign in signs)

    removed = await stack.http.delete("/v1/documents/secret.md", headers=stack.headers())
    assert removed.status_code == 204
    await work_off(stack)
    assert all(any(sign in content for content in files(folder)) for sign in signs), (
        "hiding alone now removes the bytes: simplify"
    )

    upkeep, index = upkeep_of(stack)
    for _ in ("rewrite", "let older versions go"):
        await upkeep.maintain(tenant, tenant)
        await asyncio.sleep(0.02)
    await index.close()
    assert not [sign for sign in signs for content in files(folder) if sign in content]
    shown = {hit["document"]["document_id"] for hit in (await search(stack, "비용"))["found"]}
    assert shown == set(others)


async def test_rounds_go_on_by_themselves_and_two_of_them_fit_in_a_day(stack: Stack) -> None:
    tenant = stack.tenant.tenant.id
    assert await waiting(stack) == []
    await bring_in(stack, {"a.md": "# 하나\n\n첫 문서."})
    await bring_in(stack, {"b.md": "# 둘\n\n둘째 문서."})
    [due] = await waiting(stack)
    assert timedelta(0) < due - datetime.now(UTC) <= timedelta(seconds=EVERY_SECONDS)
    assert 2 * EVERY_SECONDS < 24 * 60 * 60
    upkeep, _ = upkeep_of(stack)
    await upkeep.maintain(tenant, tenant)
    assert await waiting(stack) == [due]
    assert JobKind.MAINTAIN_INDEX == "maintain_index"


async def test_a_round_puts_back_what_the_index_lost_and_takes_out_what_it_should_not_have(
    stack: Stack,
) -> None:
    tenant = stack.tenant.tenant.id
    await bring_in(stack, {"a.md": "# 결제\n\n결제 취소 안내.", "b.md": "# 배송\n\n배송 조회."})
    index = stack.services.library.index
    generation = 1
    [lost, kept] = sorted(await index.passages(tenant, generation))
    stray = IndexRow(
        uuid4(), uuid4(), uuid4(), "guide", "결제", [0.1] * 64, False, False, False, "ko"
    )
    await index.remove(tenant, generation, {lost})
    await index.put(tenant, generation, [stray])

    upkeep, _ = upkeep_of(stack)
    await upkeep.maintain(tenant, tenant)
    await work_off(stack)
    assert await index.passages(tenant, generation) == {lost, kept}


async def test_a_round_makes_an_index_that_is_gone_again(stack: Stack) -> None:
    tenant = stack.tenant.tenant.id
    await bring_in(stack, {"a.md": "# 결제\n\n결제 취소 안내."})
    before = await search(stack, "결제 취소")
    [folder] = stack.databases.index.glob(f"*/{tenant.hex}")  # pyright: ignore[reportOptionalMemberAccess]
    shutil.rmtree(folder)
    assert (await search(stack, "결제 취소"))["degraded"] == ["index"]

    await stack.services.library.index_maintenance.maintain(tenant, tenant)
    after = await search(stack, "결제 취소")
    assert [hit["passage_id"] for hit in after["found"]] == [
        hit["passage_id"] for hit in before["found"]
    ]


async def test_a_damaged_index_is_told_by_doctor_and_made_again_by_itself(stack: Stack) -> None:
    tenant, folder = stack.tenant.tenant.id, stack.databases.index
    assert folder is not None
    await bring_in(stack, {"a.md": "# 결제\n\n결제 취소 안내.", "b.md": "# 배송\n\n배송 조회."})
    before = await search(stack, "결제 취소")
    data = [each for each in folder.glob(f"*/{tenant.hex}/*/data/*") if each.is_file()]
    for each in data:
        content = each.read_bytes()
        each.write_bytes(bytes(len(content)))
    await stack.services.library.index.close()  # as a new process, which holds nothing in memory

    assert await stack.services.library.index_maintenance.check(tenant) is IndexState.BROKEN
    [finding] = await index_checks.read_indexes(stack.services, [tenant])
    assert (finding.part, finding.level) == ("index", "broken")
    for _ in range(MOST_FAULTS):
        assert (await search(stack, "결제 취소"))["degraded"] == ["index"]
    times = replace(PATIENT_WORKER, first_pause_seconds=0.05, sweep_seconds=0.1)
    async with stack.working(times), asyncio.timeout(180):
        while (after := await search(stack, "결제 취소"))["degraded"]:
            await asyncio.sleep(0.1)
    assert data
    assert [hit["passage_id"] for hit in after["found"]] == [
        hit["passage_id"] for hit in before["found"]
    ]
    assert await stack.services.library.index_maintenance.check(tenant) is IndexState.OK


async def test_a_tenant_without_documents_has_nothing_to_tend(stack: Stack) -> None:
    tenant = stack.tenant.tenant.id
    await stack.services.library.index_maintenance.maintain(tenant, tenant)
    assert (await search(stack, "결제"))["found"] == []
