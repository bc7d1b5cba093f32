"""Values of a memory import."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from saegim.domain.scope import Scope


class ImportState(StrEnum):
    WAITING = "waiting"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class MemoryImport:
    """Progress of an import: `done` of `total` records are stored."""

    id: UUID
    state: ImportState
    total: int
    done: int


@dataclass(frozen=True, slots=True)
class PendingImport:
    """A pending import, for the job."""

    scope: Scope
    records: Sequence[Mapping[str, Any]]
    done: int
