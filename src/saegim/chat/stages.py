"""The stages of a turn: budget, route, gather, assemble, review."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from saegim.chat import review, routing
from saegim.chat.answer import rule_task
from saegim.chat.answer_task import AnswerResult, Task
from saegim.chat.context.assembly import Budgets, Context, assemble
from saegim.chat.context.evidence import RetrievedContext
from saegim.chat.context.memory_notes import note_on_search, situation
from saegim.chat.context.thread import Thread
from saegim.chat.preparation import channel_block
from saegim.chat.retrieval import (
    ANSWER_ROLES,
    Finders,
    Search,
    follow,
    gather,
    in_conversation,
    search_instead,
    use_tools,
)
from saegim.chat.review import REVIEW, SearchSignals
from saegim.chat.routing import ChosenDocuments, TurnRoute, carry_over, from_entities, hints_in
from saegim.chat.rules.document_replies import asked_texts
from saegim.chat.rules.inputs import RuleServices, chosen_records
from saegim.chat.rules.intents import Interpretation
from saegim.chat.rules.quotes import remembers
from saegim.chat.rules.replies import meanings, still_true
from saegim.chat.rules.types import RuleInputs
from saegim.chat.tracing import (
    note_context,
    note_findings,
    note_gathered,
    note_route,
    note_tools,
)
from saegim.chat.types import AssistantConfig, TurnTimes
from saegim.chat.understanding import PlannedTool, UnderstandingInput, allowed_requests
from saegim.conversations.stored_turns import OpenTurn, ToolOutput
from saegim.conversations.types import RECENT_TURNS, Turn, WorkingState
from saegim.domain.errors import StoreUnavailable
from saegim.domain.ids import Clock
from saegim.domain.scope import Caller
from saegim.domain.tenancy import Assistant
from saegim.library.rows import Vocabulary
from saegim.llm.model_call import ModelCall, ModelFault
from saegim.llm.ports import ModelRole
from saegim.llm.steps import Steps
from saegim.llm.turn_budget import TurnModelBudget
from saegim.memory.names import names_in
from saegim.memory.proposals import Proposal, asks_to_undo, besides_request
from saegim.memory.recall.types import RecallRequest
from saegim.quotas.service import RateLimiter
from saegim.research.assessment import Assessment
from saegim.research.types import Hints
from saegim.text.analysis import sentences
from saegim.text.intents import Intent
from saegim.text.questions import LONGEST_QUESTION, is_question
from saegim.tools.types import Fact, ToolResult, ToolSpec
from saegim.usage.trace import TurnTrace

REPLY_ROLES = (ModelRole.LITE, ModelRole.STRONG, ModelRole.ASSESSOR)


@dataclass(frozen=True, slots=True)
class TurnContext:
    """What a turn is answered with."""

    opened: OpenTurn
    caller: Caller
    assistant: Assistant
    config: AssistantConfig
    state: WorkingState
    thread: Thread
    vocabulary: Vocabulary
    is_rehearsal: bool = False
    user_name: str = ""

    @property
    def turn(self) -> Turn:
        return self.opened.turn


@dataclass(frozen=True, kw_only=True, eq=False)
class TurnStages:
    """The stages of a turn, each with what it needs."""

    finders: Finders
    rules: RuleServices
    steps: Steps
    budgets: Budgets
    clock: Clock
    spending: RateLimiter
    times: TurnTimes

    async def with_meanings(self, task: Task) -> Task:
        """Compare the lines that may answer with the question by meaning."""
        by_rule = rule_task(task)
        similar = await self.rules.similarities(asked_texts(by_rule), meanings(by_rule))
        return replace(task, rules=replace(task.rules, similar=similar))

    async def model_budget(self, opening: TurnContext, trace: TurnTrace) -> TurnModelBudget:
        """Return the turn's model calls; without the strong model when the budget is low."""
        turn = opening.turn

        def note(call: ModelCall) -> None:
            trace.calls.append(call)
            if call.fault not in (None, ModelFault.NOT_CONFIGURED, ModelFault.STOPPED):
                trace.note_degraded("model")

        steps = await self._steps(opening, trace)
        if await self.spending.lite_only(turn.scope, turn.id):
            trace.note_degraded("budget")
            steps = steps.without_strong()
        times = self.times.at_least(steps.slowest_limits(REPLY_ROLES))
        return TurnModelBudget(
            steps,
            steps.now() + times.whole,
            note,
            answer_seconds=times.answer,
            step_seconds=times.step,
            first_token_seconds=times.first_token,
            sampling=opening.opened.inputs.sampling,
            asks_once=times.asks_once,
        )

    async def _steps(self, opening: TurnContext, trace: TurnTrace) -> Steps:
        """Return the steps with the models of the tenant and the assistant; by rule if it is
        unknown which they are."""
        tenant, model = opening.turn.scope.tenant, opening.config.model
        try:
            return await self.steps.for_tenant(tenant, model and model.chosen())
        except StoreUnavailable:
            trace.note_degraded("model")
            return self.steps.by_rule()

    async def rule_inputs(self, opening: TurnContext, steps: TurnModelBudget) -> RuleInputs:
        """Read the message by rule. With a quick model, the rules only carry out memory
        requests."""
        turn, inputs = opening.turn, opening.opened.inputs
        now = self.clock.now().astimezone(ZoneInfo(inputs.time_zone))
        proposal = changed = None
        if not opening.is_rehearsal:
            changed = await self.rules.agreed(opening.opened, opening.thread)
            if changed is not None:
                return RuleInputs(Interpretation(Intent.FORGET), now, changed=changed)
            proposal = await self.rules.propose(opening.opened, opening.thread)
        if steps.prefers_rules:
            reading = await self.rules.interpret(turn.message)
        elif not asks_to_undo(turn.message):
            return RuleInputs(None, now, proposal=proposal)
        else:
            reading = Interpretation(Intent.UNDO)
        if proposal is not None and not _says_more(turn.message, proposal, reading):
            reading = Interpretation(Intent.FORGET)
        if opening.is_rehearsal:
            # Nobody asks, so there is no memory to read or change.
            return replace(RuleInputs(reading, now), name=opening.assistant.name)
        caller = opening.caller
        given = await self.rules.inputs(caller, turn, reading, now)
        if not (steps.prefers_rules or given.changed):
            return RuleInputs(None, now, proposal=proposal)
        return replace(given, name=opening.assistant.name, proposal=proposal)

    def route(
        self,
        opening: TurnContext,
        rules: RuleInputs,
        tools: tuple[ToolSpec, ...],
        steps: TurnModelBudget,
        trace: TurnTrace,
    ) -> tuple[TurnRoute, Hints]:
        """Route by rules: by what the message names, else by its words."""
        message, config = opening.turn.message, opening.config
        inputs = opening.opened.inputs
        chosen = ChosenDocuments(inputs.chosen_doc_ids, inputs.kept_doc_ids)
        without_model = None if steps.has(ModelRole.LITE) else rules.interpretation
        route = routing.by_rule(message, chosen, config.document_ids, without_model)
        if route is None:
            reading = _reading(opening, tools)
            route = routing.by_reading(replace(reading, message=message[:LONGEST_QUESTION]))
        before = [hints_in(t.message, opening.vocabulary, config) for t in opening.thread.recent]
        entities = {entity.key: entity.value for entity in opening.thread.entities}
        hints = carry_over(
            hints_in(message[:LONGEST_QUESTION], opening.vocabulary, config),
            [from_entities(entities), *before],
        )
        note_route(trace, route, hints)
        return route, hints

    def search(
        self, opening: TurnContext, route: TurnRoute, hints: Hints, rules: RuleInputs
    ) -> Search:
        turn = opening.turn
        request = RecallRequest(
            scope=turn.scope,
            message=turn.message,
            now=self.clock.now(),
            time_zone=opening.opened.inputs.time_zone,
            session=turn.session,
        )
        return Search(
            caller=opening.caller,
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

    async def gather(
        self,
        opening: TurnContext,
        search: Search,
        tools: tuple[ToolSpec, ...],
        steps: TurnModelBudget,
        trace: TurnTrace,
    ) -> tuple[Search, RetrievedContext]:
        """Retrieve context; if none of the documents to look up exists, search instead."""
        gathered = await gather(self.finders, search, steps, trace)
        if search.route.lookup and not gathered.findings.ranked:
            route = routing.general(search.route, _reading(opening, tools))
            note_route(trace, route, search.hints)
            search = replace(search, route=route)
            gathered = await search_instead(self.finders, search, gathered, steps, trace)
        results = tuple(map(_result, opening.opened.inputs.tool_results))
        gathered = replace(gathered, tools=(*gathered.tools, *results))
        note_gathered(trace, gathered)
        return search, gathered

    def task(
        self,
        opening: TurnContext,
        search: Search,
        gathered: RetrievedContext,
        rules: RuleInputs,
        steps: TurnModelBudget,
        trace: TurnTrace,
    ) -> Task:
        with trace.span("assemble"):
            context = self._assemble(opening, gathered, steps, trace)
        return Task(search.route, context, gathered, opening.config, rules)

    async def reviewed(
        self,
        opening: TurnContext,
        search: Search,
        task: Task,
        tools: tuple[ToolSpec, ...],
        steps: TurnModelBudget,
        trace: TurnTrace,
    ) -> Task:
        """Let a model review the search, and do what it asks for."""
        found = task.gathered.findings
        reading = _reading(opening, tools)
        reviewed = await steps.structured(
            REVIEW, review.prompt(reading, found.considered), lambda: review.by_rule(found)
        )
        route = routing.by_review(search.route, reviewed, reading)
        note_route(trace, route, search.hints, task.doubts)
        search = replace(search, route=route)
        findings, results = await asyncio.gather(
            follow(self.finders, search, found, reviewed, steps, trace),
            self._use_tools(opening, reviewed.tools, steps, trace),
        )
        note_findings(trace, findings, since=found)
        gathered = replace(task.gathered, findings=findings, tools=(*task.gathered.tools, *results))
        again = self.task(opening, search, gathered, task.rules, steps, trace)
        return replace(again, doubts=task.doubts)

    async def search_more(
        self,
        opening: TurnContext,
        search: Search,
        task: Task,
        query: str,
        steps: TurnModelBudget,
        trace: TurnTrace,
    ) -> Task:
        """Search for what the answering model asks for, once."""
        found = task.gathered.findings
        asked = Assessment(
            ranked_indices=[],
            is_sufficient=False,
            next_action="search_again",
            refined_query=query,
            confidence=found.confidence,
        )
        findings = await follow(self.finders, search, found, asked, steps, trace)
        note_findings(trace, findings, since=found)
        gathered = replace(task.gathered, findings=findings)
        context = self._assemble(opening, gathered, steps, trace, searched_for=query)
        return replace(task, context=context, gathered=gathered)

    async def with_tools(
        self,
        opening: TurnContext,
        task: Task,
        plan: Sequence[PlannedTool],
        steps: TurnModelBudget,
        trace: TurnTrace,
    ) -> Task | None:
        """Run a draft's tools and assemble the context again; None if they returned nothing."""
        results = await self._use_tools(opening, plan, steps, trace)
        if not any(result.facts for result in results):
            return None
        gathered = replace(task.gathered, tools=(*task.gathered.tools, *results))
        return replace(
            task, context=self._assemble(opening, gathered, steps, trace), gathered=gathered
        )

    async def note_asked(self, opening: TurnContext, result: AnswerResult, text: str) -> None:
        """Note that the answer asks whether an unsure memory still holds: it is asked once."""
        unsure = result.task.gathered.memory.to_ask
        if unsure is None or opening.is_rehearsal or not result.complete:
            return
        if not _asks(result, text):
            return
        with suppress(StoreUnavailable):
            turn = opening.turn
            await self.rules.requests.confirmations.note_asked(turn.scope, unsure.id, turn.id)

    async def _use_tools(
        self,
        opening: TurnContext,
        plan: Sequence[PlannedTool],
        steps: TurnModelBudget,
        trace: TurnTrace,
    ) -> list[ToolResult]:
        """Run the tools that a model planned, with parameters of the user's messages only."""
        message = opening.turn.message
        messages = [message, *(turn.message for turn in opening.thread.recent)]
        requests = allowed_requests(plan, messages)
        results = await use_tools(
            self.finders.tools, requests, message, opening.config, steps=steps, trace=trace
        )
        note_tools(trace, results)
        return results

    def _assemble(
        self,
        opening: TurnContext,
        gathered: RetrievedContext,
        steps: TurnModelBudget,
        trace: TurnTrace,
        searched_for: str = "",
    ) -> Context:
        message, inputs = opening.turn.message, opening.opened.inputs
        budgets = self.budgets.reduced() if steps.asks_once else self.budgets
        budgets = budgets.with_pinned(inputs.controls.pinned_tokens)
        now = self.clock.now().astimezone(ZoneInfo(inputs.time_zone))
        before = (
            channel_block(inputs.channel_messages),
            note_on_search(gathered, opening.config.thresholds.confidence, searched_for),
            situation(now, inputs.time_zone, opening.assistant.name, opening.user_name),
        )
        nearby = "\n\n".join(filter(None, before))
        egress = steps.steps.egress(ANSWER_ROLES)
        context = assemble(
            opening.assistant, opening.thread, message, budgets, gathered, nearby, egress
        )
        if egress.uses_pseudonyms:
            # Also those of memories that do not leave: the message may name them.
            memory = gathered.memory
            known = (*memory.pinned, *memory.profile, *memory.recalled, *memory.dropped)
            names = [name for each in known for name in names_in(each.text)]
            steps.steps = steps.steps.naming(filter(None, [*names, opening.user_name]))
        note_context(trace, context, gathered)
        return context


def _says_more(message: str, proposal: Proposal, reading: Interpretation) -> bool:
    """Return whether a message with a request to memory also asks or tells something."""
    rest = besides_request(message)
    tells = not proposal.alone and reading.intent is Intent.STATEMENT
    return tells or any(map(is_question, sentences(rest)))


def _reading(opening: TurnContext, tools: tuple[ToolSpec, ...]) -> UnderstandingInput:
    config, thread = opening.config, opening.thread
    recent = thread.recent[-RECENT_TURNS:]
    return UnderstandingInput(
        opening.turn.message, recent, config, tools, thread.summary, thread.entities
    )


def _asks(result: AnswerResult, text: str) -> bool:
    """Return whether an answer asks about the unsure memory. Rules ask where it fits; a model is
    told to, unless the memory must not leave."""
    if result.by_rule:
        return (still_true(rule_task(result.task)) or "") in text
    return result.task.context.to_ask is not None and ("?" in text or "？" in text)


def doubts_of(task: Task, has_tools: bool) -> tuple[str, ...]:
    """Return why the search should be reviewed before the answer."""
    if not task.route.searches:
        return ()
    findings = task.gathered.findings
    # To read the memories takes time, and matters only if the search is unsure.
    is_unsure = findings.confidence < task.config.thresholds.review
    is_known = task.gathered.has_facts or (is_unsure and remembers(task.context))
    signals = SearchSignals(findings, has_tools=has_tools, is_known=is_known)
    return review.doubts(task.context.message, signals, task.config)


def _result(output: ToolOutput) -> ToolResult:
    """Return the result of a client's tool as that of one of ours."""
    return ToolResult(output.tool, "ok", (Fact(output.text, output.tool),), provider="client")
