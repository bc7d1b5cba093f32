"""Runs one turn: from a stored message to a recorded answer."""

import asyncio
import contextlib
import time
from collections.abc import Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from saegim.auth.repository import PostgresAccess
from saegim.chat import routing
from saegim.chat.answer import DraftTools, Task, answer, rule_task
from saegim.chat.context.assembly import Budgets, Context, Thread, assemble, thread_of
from saegim.chat.context.evidence import RetrievedContext
from saegim.chat.events import MemoriesEvent, Status
from saegim.chat.preparation import channel_block
from saegim.chat.relay import LeaseKeeper, Relay, TurnSignals, TurnSlots, TurnStream
from saegim.chat.retrieval import (
    Finders,
    Search,
    gather,
    in_conversation,
    search_instead,
    use_tools,
)
from saegim.chat.routing import TurnRoute, carry_over, from_entities, hints_in
from saegim.chat.rules import intents
from saegim.chat.rules.document_replies import asked_texts
from saegim.chat.rules.inputs import RuleServices, chosen_records
from saegim.chat.rules.intents import Interpretation
from saegim.chat.rules.replies import meanings
from saegim.chat.rules.types import RuleInputs
from saegim.chat.tracing import (
    note_answer,
    note_context,
    note_gathered,
    note_route,
    note_tools,
)
from saegim.chat.types import AssistantConfig, Reply, TurnTimes, configured, reply_of
from saegim.chat.understanding import PlannedTool, UnderstandingInput, allowed_requests
from saegim.conversations.service import Settlement, WorkingMemory
from saegim.conversations.stored_turns import Lease, OpenTurn, Outcome, ToolOutput
from saegim.conversations.types import RECENT_TURNS, SessionVersion, Turn, TurnState, WorkingState
from saegim.domain.errors import StoreUnavailable
from saegim.domain.ids import Clock
from saegim.domain.tenancy import Assistant
from saegim.jobs.types import Job
from saegim.library.rows import Vocabularies, Vocabulary
from saegim.llm.model_call import ModelCall, ModelFault
from saegim.llm.ports import ModelRole
from saegim.llm.steps import Steps, TurnModelBudget
from saegim.memory.jobs import extract_job, index_job
from saegim.memory.recall.types import RecallRequest
from saegim.quotas.service import RateLimiter
from saegim.research.types import Hints
from saegim.text.tokens import delimited
from saegim.tools.types import Fact, ToolResult
from saegim.usage.metrics import Metrics
from saegim.usage.trace import MemoryUse, TurnTrace, interaction

# How long recording an answer is retried while the store is down.
RECORD_SECONDS = 20.0
RECORD_PAUSE_SECONDS = 0.25
REPLY_ROLES = (ModelRole.LITE, ModelRole.STRONG, ModelRole.ASSESSOR)
CLIENT_ASKS = (
    "The application that sent the message asks for what stands between the tags, for this turn "
    "only. Follow it where it contradicts nothing above and none of the rules below."
)


@dataclass(frozen=True, slots=True)
class TurnContext:
    opened: OpenTurn
    assistant: Assistant
    config: AssistantConfig
    state: WorkingState
    thread: Thread
    vocabulary: Vocabulary

    @property
    def turn(self) -> Turn:
        return self.opened.turn


@dataclass(frozen=True, kw_only=True, eq=False)
class TurnRunner:
    settlement: Settlement
    access: PostgresAccess
    working_memory: WorkingMemory
    finders: Finders
    rules: RuleServices
    vocabularies: Vocabularies
    steps: Steps
    relay: Relay
    leases: LeaseKeeper
    slots: TurnSlots
    budgets: Budgets
    clock: Clock
    spending: RateLimiter
    times: TurnTimes
    observer: Metrics

    async def run(
        self, opened: OpenTurn, lease: Lease, channel: TurnStream, stop_signals: TurnSignals
    ) -> Reply | None:
        """Answer a leased turn and record it; None if the lease was lost."""
        trace = TurnTrace(attempt=lease.attempt, masked=opened.inputs.masked)
        async with (
            self.leases.holding(opened.turn, lease, stop_signals),
            self.relay.carrying(channel),
            self._slot(opened.turn, lease, stop_signals),
        ):
            with trace.span("open"):
                opening = await self._open(opened, trace)
            try:
                outcome = await _run_until_cancelled(
                    self._think(opening, channel, trace), stop_signals, channel
                )
            finally:
                await self.spending.settle(opened.turn.scope, opened.turn.id, trace.calls)
            if outcome is None:
                return None
            reply = await self._record(opening, lease, outcome, trace)
            if reply is not None:
                await channel.finish(reply)
            return reply

    def _slot(
        self, turn: Turn, lease: Lease, stop_signals: TurnSignals
    ) -> AbstractAsyncContextManager[None]:
        # A turn that was taken over does not wait: its job already occupies a worker.
        if lease.attempt > 1:
            return contextlib.nullcontext()
        return self.slots.holding(turn.scope, stop_signals)

    async def _think(self, opening: TurnContext, channel: TurnStream, trace: TurnTrace) -> Outcome:
        """Route, gather, assemble and answer within the deadline."""
        steps = await self._model_budget(opening.turn, trace)
        await channel.tell(Status("routing"))
        with trace.span("route"):
            rules = await self._rule_inputs(opening, steps)
            route, hints = await self._route(opening, rules, steps, trace)
        await channel.tell(Status("searching"))
        with trace.span("gather"):
            route, gathered = await self._gather(opening, route, hints, rules, steps, trace)
        with trace.span("assemble"):
            context = self._assemble(opening, gathered, steps, trace)
        await channel.tell(MemoriesEvent(tuple(context.memories)))
        await channel.tell(Status("answering"))
        with trace.span("answer"):
            task = Task(route, context, gathered, opening.config, rules)
            if steps.prefers_rules:
                task = await self._with_meanings(task)
            tools = DraftTools(
                lambda: self.finders.tools.offered(opening.config.tools),
                lambda plan: self._with_tools(opening, task, plan, steps, trace),
            )
            result = await answer(task, steps, channel, tools)
        note_answer(trace, result)
        if result.complete:
            return Outcome(TurnState.DONE, channel.text, by_rule=result.by_rule)
        return Outcome(TurnState.INCOMPLETE, channel.text, "model_interrupted")

    async def _with_meanings(self, task: Task) -> Task:
        """Compare the lines that may answer with the question by meaning."""
        by_rule = rule_task(task)
        similar = await self.rules.similarities(asked_texts(by_rule), meanings(by_rule))
        return replace(task, rules=replace(task.rules, similar=similar))

    async def _model_budget(self, turn: Turn, trace: TurnTrace) -> TurnModelBudget:
        """Return the turn's model calls; without the strong model when the budget is low."""

        def note(call: ModelCall) -> None:
            trace.calls.append(call)
            if call.fault not in (None, ModelFault.NOT_CONFIGURED, ModelFault.STOPPED):
                trace.note_degraded("model")

        steps = await self._steps(turn, trace)
        if await self.spending.lite_only(turn.scope, turn.id):
            trace.note_degraded("budget")
            steps = steps.without_strong()
        times = self.times.at_least(steps.slowest_limits(REPLY_ROLES))
        if times.asks_once and not intents.read(turn.message).intent.searches:
            # Nobody waits for a slow model to greet, to add or to say that it remembers.
            steps = steps.by_rule()
        return TurnModelBudget(
            steps,
            steps.now() + times.whole,
            note,
            answer_seconds=times.answer,
            step_seconds=times.step,
            first_token_seconds=times.first_token,
            asks_once=times.asks_once,
        )

    async def _steps(self, turn: Turn, trace: TurnTrace) -> Steps:
        """Return the steps with the tenant's models; by rule if it is unknown which they are."""
        try:
            return await self.steps.for_tenant(turn.scope.tenant)
        except StoreUnavailable:
            trace.note_degraded("model")
            return self.steps.by_rule()

    async def _open(self, opened: OpenTurn, trace: TurnTrace) -> TurnContext:
        turn = opened.turn
        (state, source), assistant, vocabulary = await asyncio.gather(
            self.working_memory.open(turn.scope, turn.session, opened.mark, trace.note_degraded),
            self.access.assistant(turn.scope.tenant, turn.assistant),
            self.vocabularies.of(turn.scope.tenant),
        )
        trace.working_memory = MemoryUse(
            source, state.completed_turns, state.summary_version, state.summarised_through
        )
        thread = thread_of(state, turn, opened.inputs, self.budgets.turns)
        config = configured(assistant.config, trace.note_degraded)
        assistant = with_instructions(assistant, opened.inputs.instructions)
        return TurnContext(opened, assistant, config, state, thread, vocabulary)

    async def _rule_inputs(self, opening: TurnContext, steps: TurnModelBudget) -> RuleInputs:
        """Read the message by rule. With a quick model, the rules only carry out memory
        requests."""
        turn, inputs = opening.turn, opening.opened.inputs
        now = self.clock.now().astimezone(ZoneInfo(inputs.time_zone))
        if not steps.prefers_rules:
            recent = opening.thread.recent
            previous = recent[-1].message if recent else ""
            request = intents.request_of(turn.message, previous)
            if request is None:
                return RuleInputs(None, now)
            reading = Interpretation(request)
        else:
            reading = await self.rules.interpret(turn.message)
        caller = opening.opened.caller
        given = await self.rules.inputs(caller, turn, opening.thread, reading, now)
        return replace(given, name=opening.assistant.name)

    async def _route(
        self, opening: TurnContext, rules: RuleInputs, steps: TurnModelBudget, trace: TurnTrace
    ) -> tuple[TurnRoute, Hints]:
        """Route by rule if one applies, else by reading the message, which may call a model."""
        message, config = opening.turn.message, opening.config
        selected = opening.opened.inputs.selected_doc_ids
        without_model = None if steps.has(ModelRole.LITE) else rules.interpretation
        route = routing.by_rule(message, selected, config.document_ids, without_model)
        if route is None:
            reading = await self._reading(opening)
            ask = bool(opening.vocabulary.types or reading.tools)
            route = await routing.by_reading(reading, steps, ask)
        before = [hints_in(t.message, opening.vocabulary, config) for t in opening.thread.recent]
        entities = {entity.key: entity.value for entity in opening.thread.entities}
        hints = carry_over(
            hints_in(message, opening.vocabulary, config), [from_entities(entities), *before]
        )
        note_route(trace, route, hints)
        return route, hints

    async def _reading(self, opening: TurnContext) -> UnderstandingInput:
        config, thread = opening.config, opening.thread
        tools = tuple(await self.finders.tools.offered(config.tools))
        recent = thread.recent[-RECENT_TURNS:]
        return UnderstandingInput(
            opening.turn.message, recent, config, tools, thread.summary, thread.entities
        )

    async def _gather(
        self,
        opening: TurnContext,
        route: TurnRoute,
        hints: Hints,
        rules: RuleInputs,
        steps: TurnModelBudget,
        trace: TurnTrace,
    ) -> tuple[TurnRoute, RetrievedContext]:
        """Retrieve context; if none of the documents to look up exists, search instead."""
        turn = opening.turn
        request = RecallRequest(
            scope=turn.scope,
            message=turn.message,
            now=self.clock.now(),
            time_zone=opening.opened.inputs.time_zone,
            session=turn.session,
        )
        search = Search(
            caller=opening.opened.caller,
            message=turn.message,
            route=route,
            hints=hints,
            config=opening.config,
            recall=in_conversation(
                request,
                opening.thread,
                opening.opened.inputs.controls,
                chosen_records(rules, turn.message),
            ),
        )
        gathered = await gather(self.finders, search, steps, trace)
        if route.lookup and not gathered.findings.ranked:
            route = routing.general(route, await self._reading(opening))
            note_route(trace, route, hints)
            search = replace(search, route=route)
            gathered = await search_instead(self.finders, search, gathered, steps, trace)
        results = tuple(map(_result, opening.opened.inputs.tool_results))
        gathered = replace(gathered, tools=(*gathered.tools, *results))
        note_gathered(trace, gathered)
        return route, gathered

    async def _with_tools(
        self,
        opening: TurnContext,
        task: Task,
        plan: Sequence[PlannedTool],
        steps: TurnModelBudget,
        trace: TurnTrace,
    ) -> Task | None:
        """Run a draft's tools and assemble the context again; None if they returned nothing."""
        message, tools = opening.turn.message, self.finders.tools
        messages = [message, *(turn.message for turn in opening.thread.recent)]
        requests = allowed_requests(plan, messages)
        results = await use_tools(
            tools, requests, message, opening.config, steps=steps, trace=trace
        )
        note_tools(trace, results)
        if not any(result.facts for result in results):
            return None
        gathered = replace(task.gathered, tools=(*task.gathered.tools, *results))
        return replace(
            task, context=self._assemble(opening, gathered, steps, trace), gathered=gathered
        )

    def _assemble(
        self,
        opening: TurnContext,
        gathered: RetrievedContext,
        steps: TurnModelBudget,
        trace: TurnTrace,
    ) -> Context:
        message, inputs = opening.turn.message, opening.opened.inputs
        budgets = self.budgets.reduced() if steps.asks_once else self.budgets
        budgets = budgets.with_pinned(inputs.controls.pinned_tokens)
        channel = channel_block(inputs.channel_messages)
        context = assemble(opening.assistant, opening.thread, message, budgets, gathered, channel)
        note_context(trace, context, gathered)
        return context

    async def _record(
        self, opening: TurnContext, lease: Lease, outcome: Outcome, trace: TurnTrace
    ) -> Reply | None:
        turn = replace(
            opening.turn,
            state=outcome.state,
            reply=outcome.reply,
            error=outcome.error,
            doc_ids=tuple(trace.ref_doc_ids),
            by_rule=outcome.by_rule,
        )
        with trace.span("record"):
            mark = await self._settle(opening.turn, lease, outcome, trace)
        if mark is None:
            return None
        self.observer.turn(interaction(trace, outcome_label(outcome, trace)), trace)
        if outcome.state is not TurnState.FAILED:
            await self.working_memory.keep(
                turn.scope, turn.session, opening.state, turn.exchange(), mark, trace.note_degraded
            )
        return reply_of(turn, trace.as_json(), trace.excerpts)

    async def _settle(
        self, turn: Turn, lease: Lease, outcome: Outcome, trace: TurnTrace
    ) -> SessionVersion | None:
        jobs = [] if outcome.state is TurnState.FAILED else jobs_after(turn)
        give_up_at = time.monotonic() + RECORD_SECONDS
        while True:
            try:
                traced = replace(
                    outcome,
                    trace=trace.as_json(),
                    doc_ids=tuple(trace.ref_doc_ids),
                    interaction=interaction(trace, outcome_label(outcome, trace)),
                )
                return await self.settlement.settle(turn, lease, traced, jobs)
            except StoreUnavailable:
                if time.monotonic() > give_up_at:
                    raise
                await asyncio.sleep(RECORD_PAUSE_SECONDS)


async def _run_until_cancelled(
    thinking: Coroutine[None, None, Outcome], stop_signals: TurnSignals, channel: TurnStream
) -> Outcome | None:
    """Return the outcome of a turn; None if the lease is lost."""
    work = asyncio.create_task(thinking)
    stopping = asyncio.create_task(stop_signals.any())
    try:
        await asyncio.wait({work, stopping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
        if not work.done():
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await work
    if not work.cancelled():
        return work.result()
    if stop_signals.lost.is_set():
        return None
    if channel.text:
        return Outcome(TurnState.INCOMPLETE, channel.text, "cancelled")
    return Outcome(TurnState.FAILED, None, "cancelled")


def _result(output: ToolOutput) -> ToolResult:
    """Return the result of a client's tool as that of one of ours."""
    return ToolResult(output.tool, "ok", (Fact(output.text, output.tool),), provider="client")


def with_instructions(assistant: Assistant, instructions: str) -> Assistant:
    """Append the client's instructions to the assistant's policy, marked as the client's."""
    if not instructions:
        return assistant
    instruction_block = f"{CLIENT_ASKS}\n{delimited('client_instructions', instructions)}"
    return replace(assistant, policy=f"{assistant.policy}\n\n{instruction_block}".strip())


def jobs_after(turn: Turn) -> list[Job]:
    """Return the jobs after a recorded turn. Each checks the user's consent when it runs."""
    tenant, user = turn.scope.tenant, turn.scope.user
    return [index_job(tenant, turn.session, turn.id), extract_job(tenant, user, turn.id)]


def outcome_label(outcome: Outcome, trace: TurnTrace) -> str:
    """Return the label of a turn in metrics: its answer's outcome if it is done, else its state."""
    if outcome.state is not TurnState.DONE:
        return outcome.state.value
    return trace.answer.outcome if trace.answer else "answered"
