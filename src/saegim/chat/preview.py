"""Previews the context a model would get for a session or an unsent message."""

import asyncio
from dataclasses import dataclass, field, replace
from uuid import UUID
from zoneinfo import ZoneInfo

from saegim.auth.repository import PostgresAccess
from saegim.chat.context.assembly import Abilities, Budgets, Context, Thread, assemble, now_block
from saegim.chat.context.evidence import RetrievedContext
from saegim.chat.retrieval import Finders, in_conversation, with_team
from saegim.chat.tracing import left_out
from saegim.chat.types import configured
from saegim.conversations.repository import PostgresTurns
from saegim.conversations.service import WorkingMemory
from saegim.conversations.types import Controls, WorkingState
from saegim.domain.errors import StoreUnavailable
from saegim.domain.ids import Clock
from saegim.domain.scope import Caller, Scope
from saegim.domain.tenancy import Assistant
from saegim.llm.ports import ANSWER_ROLES, EgressPolicy
from saegim.llm.steps import Steps
from saegim.memory.recall.types import RecallRequest, Recollection
from saegim.research.lookup import look_up
from saegim.research.types import Findings


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session's state, its context, and the components that were unavailable."""

    session: UUID
    state: WorkingState
    context: Context
    degraded: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class PreviewRequest:
    message: str
    session: UUID | None = None
    documents: tuple[str, ...] = ()
    controls: Controls = field(default_factory=Controls)


@dataclass(frozen=True, eq=False)
class Preview:
    turns: PostgresTurns
    access: PostgresAccess
    working_memory: WorkingMemory
    finders: Finders
    budgets: Budgets
    clock: Clock
    steps: Steps

    async def show(self, scope: Scope, session: UUID) -> SessionView:
        """Return the context of the caller's session, without a message. Raises NotFound."""
        stored = await self.turns.session(scope, session)
        degraded: list[str] = []
        state, _ = await self.working_memory.open(scope, session, stored.mark, degraded.append)
        assistant = await self.access.assistant(scope.tenant, stored.assistant)
        thread = Thread(state.summary, state.entities, state.recent)
        context = assemble(assistant, thread, "", self.budgets)
        return SessionView(session, state, context, degraded)

    async def draft(self, caller: Caller, draft: PreviewRequest) -> tuple[Context, list[str]]:
        """Return the context an unsent message would have, and the unavailable components.

        Searches for the message as written, without a model. What must not leave to the model is
        not in the prompt. Raises NotFound.
        """
        scope = caller.scope
        thread, degraded = Thread(), list[str]()
        if draft.session is not None:
            view = await self.show(scope, draft.session)
            thread, degraded = view.context.thread, view.degraded
        assistant = await self.access.assistant(scope.tenant, caller.assistant)
        if not draft.message.strip():
            return assemble(assistant, thread, "", self.budgets), degraded
        memory, findings, name = await asyncio.gather(
            self._recall(caller, draft, thread),
            self._search(caller, draft),
            self.access.account_name(scope.tenant, scope.user),
        )
        now = self.clock.now().astimezone(ZoneInfo(caller.time_zone))
        nearby = now_block(now, caller.time_zone)
        gathered = RetrievedContext(memory, findings)
        roomy = configured(assistant.config, degraded.append).context == "roomy"
        budgets = self.budgets.roomy() if roomy else self.budgets
        budgets = budgets.with_pinned(draft.controls.pinned_tokens)
        egress = await self._egress(assistant, scope, degraded)
        context = assemble(
            assistant,
            thread,
            draft.message,
            budgets,
            gathered,
            nearby,
            egress,
            abilities=Abilities(user=name),
        )
        items = (*context.items, *map(left_out, memory.dropped))
        return replace(context, items=items), [*degraded, *findings.degraded]

    async def _egress(
        self, assistant: Assistant, scope: Scope, degraded: list[str]
    ) -> EgressPolicy:
        """Return what must not leave to the models that would answer. If it is unknown which they
        are, rules would answer."""
        model = configured(assistant.config, degraded.append).model
        try:
            steps = await self.steps.for_tenant(scope.tenant, model and model.chosen())
        except StoreUnavailable:
            degraded.append("model")
            steps = self.steps.by_rule()
        return steps.egress(ANSWER_ROLES)

    async def _recall(self, caller: Caller, draft: PreviewRequest, thread: Thread) -> Recollection:
        request = RecallRequest(
            scope=caller.scope,
            message=draft.message,
            now=self.clock.now(),
            time_zone=caller.time_zone,
            session=draft.session,
        )
        own = await self.finders.memory.recall(in_conversation(request, thread, draft.controls))
        if own.off or self.finders.team is None:
            return own
        return with_team(own, await self.finders.team.recall(caller, draft.message))

    async def _search(self, caller: Caller, draft: PreviewRequest) -> Findings:
        library = self.finders.library
        if draft.documents:
            documents = [[each] for each in draft.documents]
            return await look_up(library, caller, documents, draft.message)
        results = await library.search_all(caller, draft.message, None)
        return Findings(ranked=results.found, considered=results.found, degraded=results.degraded)
