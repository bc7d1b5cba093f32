"""The audit event of the current change, stored in the same transaction as the change."""

from contextvars import ContextVar
from typing import Any, Protocol
from uuid import UUID


class AuditRecording(Protocol):
    """An audit event that waits for its transaction."""

    @property
    def tenant(self) -> UUID:
        """The tenant whose transactions it joins."""
        ...

    @property
    def ready(self) -> bool:
        """Whether it has a subject and is not stored yet."""
        ...

    def about(self, subject: UUID, person: UUID | None = None) -> None:
        """Sets the subject of the event, and the person concerned if it is not the caller."""
        ...

    async def join(self, connection: Any) -> None:
        """Adds the event to a transaction."""
        ...

    def undo(self) -> None:
        """Makes the event pending again after a rollback."""
        ...


RECORDING: ContextVar[AuditRecording | None] = ContextVar("recording", default=None)


def about(subject: UUID, person: UUID | None = None) -> None:
    """Sets the subject of the pending event. Call it right before the change is stored: the next
    transaction that writes stores the event, too."""
    recording = RECORDING.get()
    if recording is not None:
        recording.about(subject, person)
