from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from saegim.chat.types import Lease, LeaseTimes, OpenSession, OpenTurn, Outcome, TurnInputs
from saegim.domain.jobs import Job
from saegim.domain.scope import Caller, Scope
from saegim.domain.turn import Turn
from saegim.memory.types import RecallRequest, Recollection
from saegim.usage.calls import ModelCall
from saegim.working_memory.types import Mark


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A masked message that is about to be stored."""

    id: UUID
    message: str
    inputs: TurnInputs
    session: str | None
    idempotency_key: str | None
    lease: Lease
    times: LeaseTimes
    now: datetime
    temporary: bool = False


class Spending(Protocol):
    """Keeps what turns use within the limits of key, user and tenant."""

    async def reserve(self, caller: Caller, turn: UUID) -> None:
        """Sets aside what a turn may use. Raises LimitReached."""
        ...

    async def lite_only(self, scope: Scope, turn: UUID) -> bool:
        """Whether a budget is so far used that this turn does with the lite model."""
        ...

    async def settle(self, scope: Scope, turn: UUID, calls: Sequence[ModelCall]) -> None:
        """Counts what an attempt at a turn used, in place of what is still set aside for it.

        A further attempt is counted whole; without calls, what is set aside is given back."""
        ...

    async def move(self, scope: Scope, reserved: UUID, turn: UUID) -> None:
        """Lets what was set aside under one id count for the turn that is answered with it."""
        ...


class TurnStore(Protocol):
    """The record of sessions and turns. All methods raise StoreUnavailable when it is down."""

    async def receive(self, caller: Caller, new: NewTurn) -> OpenTurn:
        """Stores the message as the session's next turn, leased, with the job that watches it.

        The same idempotency key gives the turn that is there already: leased to the caller if it
        failed, else without a lease. Raises NotFound for a session of someone else, and Conflict
        for the key of another message."""
        ...

    async def known(self, caller: Caller, new: NewTurn) -> OpenTurn | None:
        """The turn that the message's idempotency key stands for, not leased; None without one.

        Raises Conflict for the key of another message."""
        ...

    async def take(self, tenant: UUID, turn: UUID, lease: Lease, seconds: float) -> OpenTurn | None:
        """Leases an unsettled turn whose lease ran out; None if there is nothing to take."""
        ...

    async def watch_again(self, tenant: UUID, turn: UUID, delay_seconds: float) -> None:
        """Queues another look at a turn that is still at work; nothing for a settled one."""
        ...

    async def renew(self, turn: Turn, lease: Lease, seconds: float) -> bool | None:
        """Prolongs a lease. Tells whether cancelling was asked for; None if the lease is lost."""
        ...

    async def note_shown(self, turn: Turn, lease: Lease) -> None:
        """Records that readers saw text of the turn which no buffer keeps."""
        ...

    async def hand_back(self, turn: Turn, lease: Lease) -> None:
        """Gives up a lease, so that a worker takes the turn at once."""
        ...

    async def settle(
        self, turn: Turn, lease: Lease, outcome: Outcome, jobs: Sequence[Job]
    ) -> Mark | None:
        """Records the outcome, its trace and its jobs in one transaction, with a fold where the
        turn makes one due.

        Returns how far the session is now; None if the lease was lost."""
        ...

    async def ask_cancel(self, scope: Scope, turn: UUID) -> None:
        """Marks a turn for cancelling, wherever it runs. Raises NotFound."""
        ...

    async def find(self, scope: Scope, turn: UUID) -> Turn:
        """A turn of the caller's. Raises NotFound."""
        ...

    async def turns(self, scope: Scope, session: UUID, after: int, count: int) -> list[Turn]:
        """Turns of a session of the caller's, in order. Raises NotFound."""
        ...

    async def session(self, scope: Scope, session: UUID) -> OpenSession:
        """A session of the caller's. Raises NotFound."""
        ...

    async def trace(self, scope: Scope, turn: UUID) -> Mapping[str, Any]:
        """The stored trace of a settled turn. Raises NotFound."""
        ...


class Recaller(Protocol):
    """Long-term memory, before a turn."""

    async def recall(self, request: RecallRequest) -> Recollection:
        """What is remembered that bears on a message. Raises Degraded."""
        ...


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a streamed answer: it stands at `offset` of the attempt's text."""

    attempt: int
    offset: int
    text: str


class StreamBuffer(Protocol):
    """Keeps what was streamed for a while, for clients that reconnect. Raises Degraded."""

    async def append(self, scope: Scope, turn: UUID, chunk: Chunk) -> None:
        """Adds a piece."""
        ...

    async def read(self, scope: Scope, turn: UUID, skip: int) -> list[Chunk]:
        """All pieces after the first `skip`, oldest first."""
        ...
