"""A worker process to be killed, which prints `folding` when it calls its summarizer.

`python -m benchmarks.working_memory.summary_worker`, with settings from the environment.
"""

import asyncio
import re
import sys
import time
from uuid import UUID

from benchmarks.doubles.embedders import HashEmbedder
from benchmarks.doubles.models import RecordedRequest, ScriptedModels
from benchmarks.doubles.patience import patient
from saegim.app.container import build
from saegim.app.from_settings import required
from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.conversations.summary.summariser import SummaryForm
from saegim.jobs.types import JobKind, WorkerTimes
from saegim.jobs.worker import Handlers, Worker
from saegim.llm.ports import ModelRole

THINKING_SECONDS = 0.15
# Detects dead workers quickly, and does not give up jobs because of them.
TIMES = WorkerTimes(
    connect_seconds=30.0,
    heartbeat_seconds=0.2,
    stalled_seconds=0.8,
    sweep_seconds=0.1,
    poll_seconds=0.2,
    grace_seconds=0.1,
    attempts=10_000,
    first_pause_seconds=0.02,
    longest_pause_seconds=0.1,
)


def summarise(shown: RecordedRequest) -> SummaryForm:
    """Returns a summary that depends on state and turns, in their order."""
    turns = re.findall(r"^\[(\d+)\]", shown.blocks("turns")[0], re.MULTILINE)
    before = shown.blocks("summary")[0].strip()
    kept = before.splitlines()[-10:]
    return SummaryForm(summary="\n".join([*kept, f"{len(before)}: {' '.join(turns)}"]))


def announced(shown: RecordedRequest) -> SummaryForm:
    sys.stdout.write("folding\n")
    sys.stdout.flush()
    # Blocks the process, so that a kill now happens during the summary.
    time.sleep(THINKING_SECONDS)
    return summarise(shown)


async def passed(tenant: UUID, subject: UUID) -> None:
    """Does nothing."""


async def main() -> None:
    models = ScriptedModels({ModelRole.SUMMARIZER: announced}, timeout_seconds=60)
    services = build(Settings(), patient(Fakes(models=models, embedder=HashEmbedder())))
    await services.open()
    # Other kinds of jobs are not tested here.
    handlers = Handlers(
        {
            **dict.fromkeys(JobKind, passed),
            JobKind.SUMMARISE: services.conversations.summaries.summarise,
        }
    )
    url = required(services.settings.postgres_url, "SAEGIM_POSTGRES_URL")
    await Worker(url, services.db.cells.home, services.jobs.queue, handlers, times=TIMES).run()


if __name__ == "__main__":
    asyncio.run(main())
