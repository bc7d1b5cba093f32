"""The audit event of the change at hand, which joins the transaction that stores the change."""

from contextvars import ContextVar
from typing import Any, Protocol
from uuid import UUID


class AuditRecording(Protocol):
    """An event that waits for its change."""

    @property
    def tenant(self) -> UUID:
        """Whose transactions it joins."""
        ...

    @property
    def ready(self) -> bool:
        """Whether it has a subject and is not stored yet."""
        ...

    def about(self, subject: UUID, person: UUID | None = None) -> None:
        """Names what the change is about, and for whom it is where that is somebody else."""
        ...

    async def join(self, connection: Any) -> None:
        """Adds the event to a transaction."""
        ...

    def undo(self) -> None:
        """Waits again: that transaction was not committed."""
        ...


RECORDING: ContextVar[AuditRecording | None] = ContextVar("recording", default=None)


def about(subject: UUID, person: UUID | None = None) -> None:
    """Names what the change at hand is about. Call it right before the change is stored: the next
    transaction that writes carries the event."""
    recording = RECORDING.get()
    if recording is not None:
        recording.about(subject, person)
