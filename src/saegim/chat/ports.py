from typing import Protocol
from uuid import UUID

from saegim.conversations.stream_buffer import Chunk
from saegim.domain.scope import Scope
from saegim.memory.types import RecallRequest, Recollection


class Recaller(Protocol):
    """Long-term memory, before a turn."""

    async def recall(self, request: RecallRequest) -> Recollection:
        """What is remembered that bears on a message. Raises Degraded."""
        ...


class StreamBuffer(Protocol):
    """Keeps what was streamed for a while, for clients that reconnect. Raises Degraded."""

    async def append(self, scope: Scope, turn: UUID, chunk: Chunk) -> None:
        """Adds a piece."""
        ...

    async def read(self, scope: Scope, turn: UUID, skip: int) -> list[Chunk]:
        """All pieces after the first `skip`, oldest first."""
        ...
