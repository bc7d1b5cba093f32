import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from benchmarks.doubles.patience import PATIENT_INDEX
from saegim.library.index.lance.handles import LanceLimits
from saegim.library.index.lance.index import LanceIndex
from tests.contract.passage_index import filled, found
from tests.contract.passage_rows import ANYWHERE, axis, corpus, passage_id, row

AT_ONCE = replace(PATIENT_INDEX, keep_versions=timedelta(milliseconds=1))


def index_in(folder: Path, limits: LanceLimits = PATIENT_INDEX) -> LanceIndex:
    return LanceIndex(str(folder), limits=limits)


async def test_what_another_process_writes_is_found_within_a_second(tmp_path: Path) -> None:
    writer, reader = index_in(tmp_path), index_in(tmp_path)
    tenant = await filled(writer, [row(1, "first")])
    assert found(await reader.lexical(tenant, 1, ["first"], ANYWHERE, 5)) == [passage_id(1)]
    await writer.put(tenant, 1, [row(2, "second")])
    await asyncio.sleep(1.1)
    assert found(await reader.lexical(tenant, 1, ["second"], ANYWHERE, 5)) == [passage_id(2)]


async def test_a_reader_whose_version_was_cleaned_up_opens_the_new_one(tmp_path: Path) -> None:
    writer, reader = index_in(tmp_path, AT_ONCE), index_in(tmp_path)
    tenant = await filled(writer, corpus(50))
    assert len(await reader.dense(tenant, 1, axis(0), ANYWHERE, 100)) == 50
    await writer.put(tenant, 1, corpus(50, first=50))
    for _ in range(2):
        await writer.optimise(tenant, 1)
        await asyncio.sleep(0.01)
    assert len(await reader.dense(tenant, 1, axis(0), ANYWHERE, 100)) == 100


async def test_a_reader_follows_an_index_that_was_made_again(tmp_path: Path) -> None:
    writer, reader = index_in(tmp_path), index_in(tmp_path)
    tenant = await filled(writer, corpus(50))
    assert len(await reader.passages(tenant, 1)) == 50
    await writer.create(tenant, 1, 2)
    await writer.put(tenant, 1, [row(1, "a", vector=[1.0, 0.0])])
    await asyncio.sleep(1.1)
    assert await reader.passages(tenant, 1) == {passage_id(1)}


async def test_readers_of_many_tenants_do_not_wait_for_a_tenant_that_is_written(
    index: LanceIndex,
) -> None:
    tenants: list[UUID] = [await filled(index, [row(1, "a")]) for _ in range(3)]
    answered = 0

    async def write() -> None:
        """Writes until the others were answered, or for long."""
        for number in range(100):
            await index.put(tenants[0], 1, corpus(200, first=200 * number))
            if number >= 4 and answered > 2:
                break
        await index.optimise(tenants[0], 1)

    busy = asyncio.create_task(write())
    while not busy.done():
        for tenant in tenants[1:]:
            assert len(await index.lexical(tenant, 1, ["a"], ANYWHERE, 5)) == 1
            await index.put(tenant, 1, [row(1, "a")])
            answered += 1
    await busy
    assert answered > 2
