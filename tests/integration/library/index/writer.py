"""A writer to be killed: writes numbered batches and prints each after it is stored."""

import asyncio
import sys
from itertools import count
from uuid import UUID

from saegim.library.index.lance.index import LanceIndex
from tests.contract.passage_rows import corpus

BATCH = 50


async def write(root: str, tenant: UUID, mode: str) -> None:
    index = LanceIndex(root)
    for number in count():
        await index.put(tenant, 1, corpus(BATCH, first=number * BATCH))
        print(number + 1, flush=True)  # noqa: T201  the test reads it
        if mode == "optimise" and number >= 3:
            await index.optimise(tenant, 1)


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1], UUID(sys.argv[2]), sys.argv[3]))
