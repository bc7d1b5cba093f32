"""Kinds of jobs and their arguments."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class JobKind(StrEnum):
    """Kinds of jobs; the value is the name of the task in the queue."""

    CLEAN_UP = "clean_up"
    EXTRACT = "extract"
    CONSOLIDATE = "consolidate"
    SYNTHESISE = "synthesise"
    SUMMARISE = "summarise"
    TITLE_SESSION = "title_session"
    DELETE_SESSION = "delete_session"
    INDEX_TURNS = "index_turns"
    INDEX_EPISODE = "index_episode"
    WATCH_TURN = "watch_turn"
    INGEST_FILE = "ingest_file"
    SYNC_INDEX = "sync_index"
    REBUILD_INDEX = "rebuild_index"
    RESEAL = "reseal"
    ERASE = "erase"
    SEAL_AUDIT = "seal_audit"
    REEMBED = "reembed"
    DROP_INDEX = "drop_index"
    MAINTAIN_INDEX = "maintain_index"
    SYNC_SOURCE = "sync_source"
    DELIVER = "deliver"
    SWEEP_UPLOADS = "sweep_uploads"
    IMPORT_MEMORIES = "import_memories"
    EVALUATE = "evaluate"


MODEL_JOBS = frozenset(
    {
        JobKind.EXTRACT,
        JobKind.CONSOLIDATE,
        JobKind.SYNTHESISE,
        JobKind.SUMMARISE,
        JobKind.TITLE_SESSION,
        JobKind.EVALUATE,
    }
)
"""Kinds that may wait for a model, a local one for minutes."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job to run after the commit, at least once. Its arguments are IDs, never content."""

    kind: JobKind
    tenant: UUID
    subject: UUID
    lock: str | None = None
    delay_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class WorkerTimes:
    """Timing of workers and retries.

    Jobs of a dead worker are recovered within `stalled_seconds` + `sweep_seconds`. A failing job
    runs `attempts` times with exponential backoff. During an outage it runs `outage_runs` times,
    about a day; a rule-based fallback replaces a model after `fallback_runs`, about ten minutes.
    A shutdown waits `grace_seconds` for running jobs and `hand_back_seconds` to return the rest."""

    connect_seconds: float = 1.5
    heartbeat_seconds: float = 2.0
    stalled_seconds: float = 8.0
    sweep_seconds: float = 1.0
    poll_seconds: float = 1.0
    grace_seconds: float = 5.0
    hand_back_seconds: float = 1.0
    longest_job_seconds: float = 900.0
    attempts: int = 5
    outage_runs: int = 300
    fallback_runs: int = 8
    first_pause_seconds: float = 2.0
    longest_pause_seconds: float = 300.0

    def pause(self, job: int, runs: int) -> float:
        """Returns the backoff after run number `runs` (from 0), with jitter by job: jobs that
        failed together with one that kills its worker are not retried together with it."""
        doubled = self.first_pause_seconds * 2 ** min(runs, 30)
        spread = 0.75 + (job * 0.618034 % 1) / 2
        return min(doubled, self.longest_pause_seconds) * spread
