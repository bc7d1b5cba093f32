import asyncio
import os
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from benchmarks.doubles.patience import PATIENT_INDEX
from saegim.library.index.lance.index import LanceIndex
from tests.contract.passage_rows import (
    ANYWHERE,
    DIMENSIONS,
    axis,
    best,
    bm25,
    corpus,
    passage_id,
)
from tests.integration.library.index.writer import BATCH

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize("mode", ["put", "optimise"])
async def test_a_killed_writer_leaves_whole_batches_and_an_index_that_goes_on(
    index: LanceIndex, tmp_path: Path, mode: str
) -> None:
    tenant = uuid4()
    await index.create(tenant, 1, DIMENSIONS)
    writer = await asyncio.create_subprocess_exec(
        *(
            sys.executable,
            "-m",
            "tests.integration.library.index.writer",
            str(tmp_path),
            str(tenant),
            mode,
        ),
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
    )
    assert writer.stdout is not None
    said = [int(await writer.stdout.readline()) for _ in range(7)]
    # In the middle of a batch or of an optimise; neither waits for us.
    await asyncio.sleep(0.013)
    writer.kill()
    said += [int(line) for line in (await writer.stdout.read()).splitlines()]
    await writer.wait()

    there = await LanceIndex(str(tmp_path), limits=PATIENT_INDEX).passages(tenant, 1)
    batches = len(there) // BATCH
    assert batches in (said[-1], said[-1] + 1)
    assert there == {passage_id(number) for number in range(batches * BATCH)}
    await index.put(tenant, 1, corpus(BATCH, first=batches * BATCH))
    await index.optimise(tenant, 1)
    rows = [row for number in range(batches + 1) for row in corpus(BATCH, first=number * BATCH)]
    hits = await index.lexical(tenant, 1, ["w5", "w12"], ANYWHERE, 10)
    assert [hit.passage for hit in hits] == best(bm25(rows, ["w5", "w12"]), 10)
    assert len(await index.dense(tenant, 1, axis(0), ANYWHERE, 10_000)) == len(rows)
