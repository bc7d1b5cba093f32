import asyncio
import random
from array import array
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.doubles.patience import PATIENT_INDEX
from saegim.library.index.lance.handles import Root
from saegim.library.index.lance.index import LanceIndex
from tests.contract.passage_index import filled
from tests.contract.passage_rows import corpus, passage_id, row

AT_ONCE = replace(PATIENT_INDEX, keep_versions=timedelta(milliseconds=1))
# Words that nothing else has: in the engine's dictionary they take room that can be seen to go.
SECRET = " ".join(f"{random.Random(n).getrandbits(120):030x}" for n in range(200))


def files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield path.name, path.read_bytes()


def traces(folder: Path, number: int, vector: list[float]) -> set[str]:
    """In which kinds of bytes a passage is still on disk."""
    signs = {
        "vector": array("f", vector).tobytes(),
        "terms": SECRET[:60].encode(),
        "id": passage_id(number).hex.encode(),
    }
    return {sign for _, content in files(folder) for sign in signs if signs[sign] in content}


def dictionary_bytes(folder: Path) -> int:
    return sum(len(content) for name, content in files(folder) if name.endswith("_tokens.lance"))


async def test_a_purge_takes_a_removed_passage_off_the_disk(tmp_path: Path) -> None:
    index = LanceIndex(str(tmp_path), limits=AT_ONCE)
    vector = [0.123456, 0.654321, 0.111213, 0.141516, 0.171819, 0.202122, 0.232425, 0.262728]
    # Few enough that the engine does not pack the text, so that looking for its bytes means much.
    tenant = await filled(index, [*corpus(20, first=1), row(0, SECRET, vector=vector)])
    await index.optimise(tenant, 1)
    await settle(index, tenant)
    assert traces(tmp_path, 0, vector) == {"vector", "terms", "id"}
    with_secret = dictionary_bytes(tmp_path)

    await index.remove(tenant, 1, {passage_id(0)})
    await index.optimise(tenant, 1)
    await settle(index, tenant)
    assert "vector" in traces(tmp_path, 0, vector), "the engine alone now removes it: simplify"

    await index.purge(tenant, 1)
    await settle(index, tenant)
    assert traces(tmp_path, 0, vector) == set()
    assert dictionary_bytes(tmp_path) < with_secret - len(SECRET) / 2
    assert await index.passages(tenant, 1) == {passage_id(number) for number in range(1, 21)}


@pytest.mark.parametrize("others", [20, 0], ids=["others stay", "the index becomes empty"])
async def test_a_purge_at_once_leaves_no_term_and_no_older_version(
    tmp_path: Path, others: int
) -> None:
    index = LanceIndex(
        str(tmp_path), limits=replace(PATIENT_INDEX, keep_versions=timedelta(hours=1))
    )
    tenant = await filled(index, corpus(others, first=1))
    await index.put(tenant, 1, [row(0, SECRET)])
    await index.optimise(tenant, 1)
    word = SECRET.split()[0].encode()
    assert any(word in content for _, content in files(tmp_path))

    await index.remove(tenant, 1, {passage_id(0)})
    await index.purge(tenant, 1, at_once=True)
    assert [name for name, content in files(tmp_path) if word in content] == []
    assert len(await index.passages(tenant, 1)) == others


async def test_older_versions_are_kept_for_readers_until_they_are_old_enough(
    tmp_path: Path,
) -> None:
    index = LanceIndex(
        str(tmp_path), limits=replace(PATIENT_INDEX, keep_versions=timedelta(hours=1))
    )
    later = LanceIndex(str(tmp_path), limits=AT_ONCE)
    vector = [0.123456, 0.654321, 0.111213, 0.141516, 0.171819, 0.202122, 0.232425, 0.262728]
    tenant = await filled(index, [*corpus(20, first=1), row(0, SECRET, vector=vector)])
    await index.remove(tenant, 1, {passage_id(0)})
    await index.purge(tenant, 1)
    assert "vector" in traces(tmp_path, 0, vector)
    await settle(later, tenant)
    assert traces(tmp_path, 0, vector) == set()


async def test_dropping_a_tenant_leaves_no_file(tmp_path: Path) -> None:
    index = LanceIndex(str(tmp_path), limits=PATIENT_INDEX)
    kept = await filled(index, corpus(10))
    tenant = await filled(index, corpus(10))
    await index.create(tenant, 2, 8)
    await index.drop(tenant)
    assert not list(Path(Root.parse(str(tmp_path)).of_tenant(tenant)).parent.glob(tenant.hex))
    assert len(await index.passages(kept, 1)) == 10


async def settle(index: LanceIndex, tenant) -> None:
    """Versions age, and the next upkeep deletes them."""
    await asyncio.sleep(0.01)
    await index.optimise(tenant, 1)
