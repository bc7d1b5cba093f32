import asyncio
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import pytest

from benchmarks.doubles.patience import PATIENT_INDEX
from saegim.domain.errors import IndexBroken, IndexMissing, OptionalServiceDown
from saegim.library.index.lance.handles import IndexLocation, LanceLimits, Root, load, schema
from saegim.library.index.lance.index import LanceIndex
from tests.contract.passage_index import filled, found
from tests.contract.passage_rows import ANYWHERE, DIMENSIONS, axis, corpus, row
from tests.integration.library.index.object_store import running


def entries(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def test_a_deleted_folder_is_a_missing_index_and_can_be_built_again(
    index: LanceIndex, tmp_path: Path
) -> None:
    rows = corpus(100)
    tenant = await filled(index, rows)
    await index.optimise(tenant, 1)
    before = await index.lexical(tenant, 1, ["w2", "w5"], ANYWHERE, 20)
    shutil.rmtree(Root.parse(str(tmp_path)).of_tenant(tenant))
    for _ in range(2):
        with pytest.raises(IndexMissing):
            await index.lexical(tenant, 1, ["w2"], ANYWHERE, 20)
    with pytest.raises(IndexMissing):
        await index.put(tenant, 1, rows)
    await index.create(tenant, 2, DIMENSIONS)
    await index.put(tenant, 2, rows)
    await index.optimise(tenant, 2)
    assert await index.lexical(tenant, 2, ["w2", "w5"], ANYWHERE, 20) == before


async def test_searching_a_tenant_without_an_index_makes_no_folder(
    index: LanceIndex, tmp_path: Path
) -> None:
    with pytest.raises(IndexMissing):
        await index.dense(uuid4(), 1, axis(0), ANYWHERE, 5)
    assert entries(tmp_path) == []


async def test_lost_files_are_a_missing_index_and_broken_ones_degrade(tmp_path: Path) -> None:
    index = LanceIndex(str(tmp_path), limits=PATIENT_INDEX)
    tenant = await filled(index, corpus(30))
    folder = Path(Root.parse(str(tmp_path)).of_index(IndexLocation(tenant, 1)))
    for lost in (folder / "data").iterdir():
        lost.unlink()
    with pytest.raises(IndexMissing):
        await LanceIndex(str(tmp_path), limits=PATIENT_INDEX).dense(tenant, 1, axis(0), ANYWHERE, 5)
    for broken in (folder / "_versions").iterdir():
        broken.write_bytes(b"nothing of sense")
    with pytest.raises(IndexBroken) as degraded:
        await LanceIndex(str(tmp_path), limits=PATIENT_INDEX).dense(tenant, 1, axis(0), ANYWHERE, 5)
    assert degraded.value.part == "index"
    await index.drop(tenant)
    assert entries(tmp_path) == []


async def test_an_index_whose_making_was_interrupted_is_missing(
    index: LanceIndex, tmp_path: Path
) -> None:
    tenant = uuid4()
    await index.warm_up()
    connection = await load().lancedb.connect_async(str(tmp_path))
    place = Root.parse(str(tmp_path)).of_index(IndexLocation(tenant, 1))
    await connection.create_table("g1", schema=schema(DIMENSIONS), location=place)
    with pytest.raises(IndexMissing):
        await index.put(tenant, 1, [row(1, "a")])
    await index.create(tenant, 1, DIMENSIONS)
    await index.put(tenant, 1, [row(1, "a")])
    assert len(await index.lexical(tenant, 1, ["a"], ANYWHERE, 5)) == 1


async def test_an_index_in_an_object_store_is_like_one_in_a_folder() -> None:
    with running() as bucket:
        index = LanceIndex("s3://bucket/index/", bucket.options, PATIENT_INDEX)
        rows = corpus(60)
        tenant = await filled(index, rows)
        await index.create(tenant, 2, DIMENSIONS)
        await index.remove(tenant, 1, {rows[0].passage})
        await index.purge(tenant, 1)
        assert await index.passages(tenant, 1) == {each.passage for each in rows[1:]}
        hits = await index.dense(tenant, 1, rows[7].vector, ANYWHERE, 1)
        assert found(hits) == [rows[7].passage]
        reader = LanceIndex("s3://bucket/index", bucket.options, PATIENT_INDEX)
        assert await reader.lexical(tenant, 1, ["w1"], ANYWHERE, 9) == await index.lexical(
            tenant, 1, ["w1"], ANYWHERE, 9
        )
        prefix = f"index/{tenant.hex[-2:]}/{tenant.hex}/"
        assert all(key.startswith(prefix) for key in bucket.objects)
        await index.drop(tenant, 1)
        assert all(key.startswith(f"{prefix}g2.lance/") for key in bucket.objects)
        await index.drop(tenant)
        assert bucket.objects == {}
        with pytest.raises(IndexMissing):
            await index.size(tenant, 2)


async def test_an_object_store_that_goes_away_degrades() -> None:
    with running() as bucket:
        limits = LanceLimits(read_seconds=3)
        index = LanceIndex("s3://bucket/index", bucket.options, limits)
        tenant = await filled(index, corpus(20))
        options = bucket.options
    with pytest.raises(OptionalServiceDown):
        await index.dense(tenant, 1, axis(0), ANYWHERE, 5)
    with pytest.raises(OptionalServiceDown):
        await LanceIndex("s3://bucket/index", options, limits).warm_up()


async def test_an_object_store_that_never_answers_degrades_in_time() -> None:
    limits = LanceLimits(read_seconds=0.3, write_seconds=0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        options = {
            "aws_endpoint": f"http://127.0.0.1:{silent.getsockname()[1]}",
            "aws_access_key_id": "test",
            "aws_secret_access_key": "test",
            "aws_region": "us-east-1",
            "allow_http": "true",
        }
        index = LanceIndex("s3://bucket/index", options, limits)
        await asyncio.to_thread(load)
        began = time.monotonic()
        with pytest.raises(OptionalServiceDown) as late:
            await index.lexical(uuid4(), 1, ["a"], ANYWHERE, 5)
        assert not isinstance(late.value, IndexBroken)
        with pytest.raises(OptionalServiceDown):
            await index.create(uuid4(), 1, DIMENSIONS)
        # The client of the object store alone would try for minutes.
        assert time.monotonic() - began < 60


@pytest.mark.parametrize("root", ["db://cloud", "http://somewhere/index", "file:///tmp/index"])
def test_a_root_is_a_folder_or_an_object_store(root: str) -> None:
    with pytest.raises(ValueError, match="index root"):
        LanceIndex(root)


def test_the_engine_is_imported_when_it_is_first_used() -> None:
    check = (
        "import sys, saegim.library.index.lance.index as adapter; adapter.LanceIndex('index'); "
        "sys.exit(any(name in sys.modules for name in ('lancedb', 'pyarrow', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
