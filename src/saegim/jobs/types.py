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
