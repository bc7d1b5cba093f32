"""`python -m benchmarks.memory.peers`: compare recall with mem0; writes peers.json.

The same Postgres server, vectors, words and embedder, alternately in one run; mem0 as shipped, on
pgvector, without a model and without telemetry.
"""

import asyncio
import hashlib
import json
import os
import sys
import time
from datetime import UTC, datetime
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

os.environ["MEM0_TELEMETRY"] = "False"

import psycopg
from mem0 import Memory  # pyright: ignore[reportMissingImports] - of the group "peers"
from psycopg.conninfo import make_conninfo

from benchmarks import results
from benchmarks.memory import speed
from benchmarks.memory.bench_stack import BenchStack, bench_stack
from benchmarks.memory.locomo import Hands
from benchmarks.page import everything, publish
from saegim.db.migrate import ensure_database
from saegim.llm.e5.encoder import DIMENSIONS, E5Encoder

SIZES = {"1k": 1_000, "10k": 10_000}
USER = "alice"
TEMPLATES = b"select number, embedding::text, record::text from saegim.bench_template order by 1"


class SameEmbedder:
    """The bundled embedder with mem0's interface."""

    def __init__(self) -> None:
        self._encoder = E5Encoder()
        self.embed("새김")

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:  # noqa: ARG002 - mem0's signature
        return self._encoder.encode([text], "query")[0]


def mem0(home: BenchStack, folder: str, name: str, embedder: SameEmbedder) -> Memory:
    """Starts mem0 in its own database on the same server."""
    ensure_database(home.admin_url, "mem0")
    url = make_conninfo(home.admin_url, dbname="mem0")
    memory = Memory.from_config(
        {
            "vector_store": {
                "provider": "pgvector",
                "config": {
                    "connection_string": url,
                    "collection_name": f"memories_{name}",
                    "embedding_model_dims": DIMENSIONS,
                },
            },
            "embedder": {"provider": "openai", "config": {"api_key": "none"}},
            "llm": {"provider": "openai", "config": {"api_key": "none"}},
            "history_db_path": f"{folder}/history-{name}.db",
        }
    )
    memory.embedding_model = embedder
    return memory


def fill(memory: Memory, home: BenchStack, size: int) -> None:
    """Inserts the vectors and words of our memory of this size."""
    with psycopg.connect(home.admin_url) as connection:
        templates = connection.execute(TEMPLATES).fetchall()
    words = speed.vocabulary()
    said = datetime.now(UTC).isoformat()
    for first in range(0, size, 1_000):
        vectors: list[list[float]] = []
        payloads: list[dict[str, Any]] = []
        for at in range(first, min(size, first + 1_000)):
            number, vector, _ = templates[at % len(templates)]
            text = words(number, at)
            vectors.append(json.loads(vector))
            payloads.append(
                {
                    "data": text,
                    "hash": hashlib.md5(text.encode()).hexdigest(),  # noqa: S324 - mem0's own
                    "user_id": USER,
                    "created_at": said,
                    "updated_at": said,
                    "text_lemmatized": text,
                }
            )
        memory.vector_store.insert(vectors, payloads, [str(uuid4()) for _ in vectors])


async def compare(home: BenchStack, folder: str, name: str, size: int) -> dict[str, float]:
    """Runs both alternately, question by question."""
    whose = await speed.person(home, size)
    peer = mem0(home, folder, name, SameEmbedder())
    fill(peer, home, size)
    talk = speed.Talk(home, whose)
    ours: list[float] = []
    theirs: list[float] = []
    for request in [*speed.asking(whose)[: speed.WARM], *speed.asking(whose)]:
        talk.go_on()
        await asyncio.sleep(0.0 if len(ours) > speed.WARM else speed.LOADED_SECONDS)
        start = time.perf_counter()
        await home.services.memory.recall.recall(request)
        between = time.perf_counter()
        peer.search(request.message, top_k=8, filters={"user_id": USER})
        theirs.append(1000 * (time.perf_counter() - between))
        ours.append(1000 * (between - start))
    one, other = median(ours[speed.WARM :]), median(theirs[speed.WARM :])
    return {
        f"recall.p50_ms.{name}": round(one, 1),
        f"recall.mem0_p50_ms.{name}": round(other, 1),
        f"recall.p50_vs_mem0.{name}": round(one / other, 2),
    }


async def main() -> None:
    figures: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        async with bench_stack(Hands()) as home:
            for name, size in SIZES.items():
                figures |= await compare(home, folder, name, size)
    results.write("peers", figures, {"mem0": "mem0ai on pgvector, its own defaults, no model"})
    publish("peers", everything(figures))
    sys.stdout.write(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    asyncio.run(main())
