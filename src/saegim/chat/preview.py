"""What a model would see of a session if a message came now."""

from dataclasses import dataclass, field
from uuid import UUID

from saegim.access.ports import AccessStore
from saegim.chat.assemble import Context, Thread, assemble
from saegim.chat.ports import TurnStore
from saegim.chat.room import Budgets
from saegim.domain.scope import Scope
from saegim.working_memory.service import WorkingMemory
from saegim.working_memory.types import WorkingState


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session's state, the context that it makes, and the parts that did not answer."""

    session: UUID
    state: WorkingState
    context: Context
    degraded: list[str] = field(default_factory=list[str])


class Preview:
    def __init__(
        self,
        turns: TurnStore,
        access: AccessStore,
        working_memory: WorkingMemory,
        budgets: Budgets,
    ) -> None:
        self._turns = turns
        self._access = access
        self._working_memory = working_memory
        self._budgets = budgets

    async def show(self, scope: Scope, session: UUID) -> SessionView:
        """The context of a session of the caller's, without a message. Raises NotFound."""
        found = await self._turns.session(scope, session)
        degraded: list[str] = []
        opened = await self._working_memory.open(scope, session, found.mark, degraded.append)
        assistant = await self._access.assistant(scope.tenant, found.assistant)
        state = opened.state
        thread = Thread(state.summary, state.entities, state.recent)
        context = assemble(assistant, thread, "", self._budgets)
        return SessionView(session, state, context, degraded)
