"""Verify imports under kills: `python -m benchmarks.library.verify_ingest`.

Workers import documents and are killed (SIGKILL). Nothing may be lost or duplicated, and no
committed passage may be embedded again. Then the same files are imported again, unchanged, and once
with one changed paragraph. Passages have two sentences, so that 100,000 are embedded in minutes.
Exit code 1 if a check fails.
"""

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from benchmarks import results
from benchmarks.library import corpus, throughput
from benchmarks.library.bench_stack import BenchStack, Stores, bench_stack, stores
from benchmarks.library.ingest_worker import chosen_embedder
from benchmarks.library.sets import folder
from benchmarks.page import everything, publish
from saegim.library.types import FileState, Ingest

HASHES = "select encode(content_hash, 'hex') from saegim.passage where tenant_id = %s"
COUNT = "select count(*) from saegim.passage where tenant_id = %s"
# Every row with its xmin, which changes when the row is written again.
# A file that comes again unchanged renews when its document was last seen, and nothing else.
WRITTEN = """
    select coalesce(sum(hashtextextended(t.id || ' ' || t.x, 0)), 0)::text from (
        select passage_id::text as id, xmin::text as x from saegim.passage
        union all select passage_id::text, xmin::text from saegim.passage_vector
        union all select section_id::text, xmin::text from saegim.section
        union all select document_id::text, (to_jsonb(d) - 'seen_at')::text
            from saegim.document d
    ) t
"""
TOLD = "select last_value from saegim.index_change_change_id_seq"
POLL_SECONDS = 0.05
PASSAGES = 100_000


@dataclass
class Proof:
    """Observations while workers are killed."""

    bench_stack: BenchStack
    log: Path
    embedder: str
    worker: subprocess.Popen[bytes] | None = None
    again: set[str] = field(default_factory=set[str])

    def spawn(self) -> None:
        command = [sys.executable, "-m", "benchmarks.library.ingest_worker", str(self.log)]
        environment = os.environ | self.bench_stack.stores.environment()
        with self.log.with_suffix(".err").open("ab") as errors:
            self.worker = subprocess.Popen(
                [*command, "--embedder", self.embedder], env=environment, stderr=errors
            )

    def end(self, how: signal.Signals) -> None:
        assert self.worker is not None, "it was spawned"
        self.worker.send_signal(how)
        self.worker.wait()

    async def kill(self) -> None:
        """Sends SIGKILL; committed passages must not be embedded again."""
        await asyncio.to_thread(self.end, signal.SIGKILL)
        self.again |= self.committed()
        self.log.rename(self.log.with_suffix(f".{len(list(self.log.parent.iterdir()))}"))
        self.log.touch()
        self.spawn()

    def committed(self) -> set[str]:
        return {row[0] for row in self._rows(HASHES, self.bench_stack.tenant)}

    async def reach(self, passages: int) -> None:
        """Waits until so many passages are committed."""
        while self.count() < passages:  # noqa: ASYNC110 - another process commits them
            await asyncio.sleep(POLL_SECONDS)

    def count(self) -> int:
        return int(self._rows(COUNT, self.bench_stack.tenant)[0][0])

    def written(self) -> tuple[str, int]:
        return self._rows(WRITTEN)[0][0], int(self._rows(TOLD)[0][0])

    def embedded(self) -> list[str]:
        """Returns the hashes of passages embedded since the last kill."""
        return self.log.read_text().split()

    def _rows(self, query: str, *values: object) -> list[tuple[str, ...]]:
        with psycopg.connect(self.bench_stack.stores.servers.postgres.url("saegim")) as owner:
            return owner.execute(query.encode(), values).fetchall()


async def under_kills(proof: Proof, sent: dict[str, str], kills: int) -> dict[str, float]:
    """Imports all files with kills in between; counts lost, duplicate and repeated passages."""
    expected = sum(text.count("\n## ") for text in sent.values())
    ingest = await proof.bench_stack.send(sent)
    repeated = 0
    began = time.perf_counter()
    proof.spawn()
    for kill in range(1, kills + 1):
        await proof.reach(expected * kill // (kills + 1))
        repeated += len(proof.again & set(proof.embedded()))
        await proof.kill()
    done = await proof.bench_stack.finished(ingest.id)
    took = time.perf_counter() - began
    repeated += len(proof.again & set(proof.embedded()))
    stored = proof.committed()
    indexed, recorded = await _indexed(proof.bench_stack)
    return {
        "kills": float(kills),
        "passages": float(expected),
        "lost": float(expected - len(stored)),
        "twice": float(proof.count() - len(stored)),
        "not_in_index": float(len(recorded - indexed)),
        "only_in_index": float(len(indexed - recorded)),
        "committed_embedded_again": float(repeated),
        "files_failed": float(_failed(done)),
        "passages_per_second": expected / took,
    }


async def _indexed(home: BenchStack) -> tuple[set[object], set[object]]:
    state = (
        "select index_version from saegim.index_state where tenant_id = %s and subject = 'library'"
    )
    ids = "select passage_id from saegim.passage where tenant_id = %s"
    with psycopg.connect(home.stores.servers.postgres.url("saegim")) as owner:
        [generation] = owner.execute(state, (home.tenant,)).fetchone() or (0,)
        recorded = {row[0] for row in owner.execute(ids, (home.tenant,))}
    return set(await home.services.library.index.passages(home.tenant, generation)), recorded


def _failed(done: Ingest) -> int:
    return sum(file.state is not FileState.DONE for file in done.files)


async def unchanged(proof: Proof, sent: dict[str, str]) -> dict[str, float]:
    """Imports the same files again."""
    before, embedded = proof.written(), len(proof.embedded())
    done = await proof.bench_stack.finished((await proof.bench_stack.send(sent)).id)
    after = proof.written()
    return {
        "unchanged.files_failed": float(_failed(done)),
        "unchanged.rows_written": float(before[0] != after[0]),
        "unchanged.index_changes": float(after[1] - before[1]),
        "unchanged.embedded": float(len(proof.embedded()) - embedded),
    }


async def one_paragraph(proof: Proof, sent: dict[str, str]) -> dict[str, float]:
    """Imports one file again with one changed paragraph."""
    name, text = next(iter(sent.items()))
    head, _, rest = text.partition("\n## 7\n\n")
    changed = f"{head}\n## 7\n\n고친 단락입니다.\n\n## {rest.partition(chr(10) + '## ')[2]}"
    before, embedded = proof.committed(), len(proof.embedded())
    done = await proof.bench_stack.finished((await proof.bench_stack.send({name: changed})).id)
    after = proof.committed()
    return {
        "changed.files_failed": float(_failed(done)),
        "changed.embedded": float(len(proof.embedded()) - embedded),
        "changed.added": float(len(after - before)),
        "changed.removed": float(len(before - after)),
    }


async def verify(
    at: Stores, sentences: list[str], passages: int, kills: int, embedder: str
) -> dict[str, float]:
    """Runs everything on new stores; returns figures by name."""
    sent = throughput.files(sentences, passages)
    async with bench_stack(at, chosen_embedder(embedder)) as home:
        folder_of_logs = at.folder / "embedded"
        folder_of_logs.mkdir()
        proof = Proof(home, folder_of_logs / "log", embedder)
        proof.log.touch()
        try:
            figures = await under_kills(proof, sent, kills)
            figures |= await unchanged(proof, sent)
            figures |= await one_paragraph(proof, sent)
        finally:
            await asyncio.to_thread(proof.end, signal.SIGKILL)
    return figures


EXPECTED = {
    "lost": 0,
    "twice": 0,
    "not_in_index": 0,
    "only_in_index": 0,
    "committed_embedded_again": 0,
    "files_failed": 0,
    "unchanged.files_failed": 0,
    "unchanged.rows_written": 0,
    "unchanged.index_changes": 0,
    "unchanged.embedded": 0,
    "changed.files_failed": 0,
    "changed.embedded": 1,
    "changed.added": 1,
    "changed.removed": 1,
}


def broken_promises(figures: dict[str, float]) -> list[str]:
    return [
        f"{name} is {figures[name]:g}, not {wanted}"
        for name, wanted in EXPECTED.items()
        if figures[name] != wanted
    ]


async def run(root: Path, passages: int, kills: int) -> dict[str, float]:
    async with stores() as at:
        figures = await verify(at, corpus.pool(root), passages, kills, "bundled")
    return figures | await throughput.measure(root)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=PASSAGES)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--only-throughput", action="store_true", help="the last three figures")
    asked = parser.parse_args()
    root = folder()
    if root is None:
        print("SAEGIM_BENCH_DATA is not a folder with the data sets: docs/reference/benchmarks.md")
        return 1
    if asked.only_throughput:
        print(results.merge("ingest", asyncio.run(throughput.measure(root)), vars(asked)))
        publish("ingest", everything(results.known("ingest")))
        return 0
    figures = asyncio.run(run(root, asked.passages, asked.kills))
    for name, value in figures.items():
        print(f"{name:34} {value:g}")
    if asked.passages == PASSAGES:
        print(results.write("ingest", figures, vars(asked)))
        publish("ingest", everything(figures))
    broken = broken_promises(figures)
    for promise in broken:
        print(f"failed: {promise}", file=sys.stderr)
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
