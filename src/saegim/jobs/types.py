from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class JobKind(StrEnum):
    """What a worker can do; the value is the task's name in the queue."""

    CLEAN_UP = "clean_up"
    EXTRACT = "extract"
    CONSOLIDATE = "consolidate"
    SUMMARISE = "summarise"
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


@dataclass(frozen=True, slots=True)
class Job:
    """Work to be done after a commit. Arguments are ids, never content; it may run twice."""

    kind: JobKind
    tenant: UUID
    subject: UUID
    lock: str | None = None
    delay_seconds: float = 0.0
