"""A worker that re-embeds, to be killed: prints how much it has embedded, and stops there."""

import asyncio
import sys
import time
from collections.abc import Sequence
from uuid import UUID

from benchmarks.doubles.embedders import HashEmbedder
from saegim.app.container import build
from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.llm.ports import EmbedKind
from tests.stack import patient

STOPS_AT = 3 * 64


class Stopping(HashEmbedder):
    """An embedder that does not answer once it has embedded three batches."""

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        print(len(self.embedded), flush=True)  # noqa: T201  the test reads it
        if len(self.embedded) >= STOPS_AT:
            await asyncio.sleep(3600)
        return await super().embed(texts, kind)


async def move(tenant: UUID) -> None:
    services = build(Settings(), patient(Fakes(embedders=(Stopping(32),))))
    await services.open()
    await services.governance.reembedding.advance(tenant, time.monotonic() + 600)


if __name__ == "__main__":
    asyncio.run(move(UUID(sys.argv[1])))
