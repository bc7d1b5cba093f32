import sys
from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from benchmarks.doubles.patience import PATIENT_INDEX
from saegim.library.index.lance.handles import IndexLocation, Root, load, table_of
from saegim.library.index.lance.index import LanceIndex
from tests.contract.passage_rows import ANYWHERE, DIMENSIONS, corpus, passage_id, row
from tests.sizes import sized

TENANTS = sized(120, 300)
LIMITS = replace(PATIENT_INDEX, open_indexes=30)


@pytest.mark.sized
@pytest.mark.skipif(sys.platform != "linux", reason="counts files in /proc")
async def test_open_files_are_bounded_however_many_tenants_are_searched(tmp_path: Path) -> None:
    index = LanceIndex(str(tmp_path), limits=LIMITS)
    await index.warm_up()
    tenants = await many(tmp_path)
    before = open_files()
    opened = [0]
    for tenant in tenants:
        assert len(await index.lexical(tenant, 1, ["w2"], ANYWHERE, 5)) == 5
        opened.append(open_files() - before)
    assert opened[LIMITS.open_indexes] >= LIMITS.open_indexes, "an open index holds no file"
    assert max(opened) < 2 * LIMITS.open_indexes + 20
    # A tenant whose handle went long ago is written and found like any other.
    await index.put(tenants[0], 1, [row(999, "new")])
    hits = await index.lexical(tenants[0], 1, ["new"], ANYWHERE, 5)
    assert [hit.passage for hit in hits] == [passage_id(999)]
    await index.close()
    assert open_files() - before < 20


def test_tenants_are_spread_over_folders(tmp_path: Path) -> None:
    root = Root.parse(str(tmp_path))
    # Ids made in the same moment begin alike.
    tenants = [UUID(int=(0x0190F000 << 96) | (uuid4().int >> 32)) for _ in range(5_000)]
    assert len({Path(root.of_tenant(tenant)).parent for tenant in tenants}) == 256


async def many(folder: Path) -> list[UUID]:
    """Many small tenants, made with as little as can be opened: it is the opening that counts."""
    root = Root.parse(str(folder))
    connection = await load().lancedb.connect_async(root.url)
    terms = load().index.FTS(base_tokenizer="whitespace")
    rows = table_of(corpus(60), DIMENSIONS)
    tenants = [uuid4() for _ in range(TENANTS)]
    for tenant in tenants:
        place = root.of_index(IndexLocation(tenant, 1))
        table = await connection.create_table("g1", data=rows, location=place)
        await table.create_index("terms", config=terms)
    return tenants


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
