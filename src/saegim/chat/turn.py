"""Answers a message: gathers without a model, lets the model answer with tools, notes the rest."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter, ValidationError

from saegim.chat import review, routing
from saegim.chat.agreement import agreed
from saegim.chat.answer import KNOWN, AnswerResult, Task, answer
from saegim.chat.context.assembly import (
    Abilities,
    Budgets,
    Context,
    Thread,
    assemble,
    channel_block,
    now_block,
)
from saegim.chat.context.evidence import Refs, RetrievedContext
from saegim.chat.events import MemoriesEvent, Status
from saegim.chat.fallback import Fallback, FallbackInputs, help_links
from saegim.chat.relay import TurnStream
from saegim.chat.retrieval import (
    Finders,
    Search,
    follow,
    gather,
    in_conversation,
    near_enough,
    search_instead,
)
from saegim.chat.review import REVIEW, ConversationReading, SearchSignals
from saegim.chat.routing import ChosenDocuments, TurnRoute, carry_over, from_entities, hints_in
from saegim.chat.tracing import (
    note_answer,
    note_context,
    note_findings,
    note_gathered,
    note_route,
)
from saegim.chat.turn_tools.offer import OfferedTools, TurnToolbox
from saegim.chat.turn_tools.types import TurnWork
from saegim.chat.types import NO_CLIENT_TOOLS, AssistantConfig, Effect, Evidence, TurnTimes
from saegim.conversations.types import (
    RECENT_TURNS,
    OpenTurn,
    Outcome,
    Turn,
    TurnState,
    WorkingState,
)
from saegim.domain.errors import StoreUnavailable
from saegim.domain.ids import Clock
from saegim.domain.scope import Caller
from saegim.domain.tenancy import Assistant
from saegim.library.rows import Vocabulary
from saegim.llm.model_call import ModelCall, ModelFault
from saegim.llm.ports import ANSWER_ROLES, ModelRole
from saegim.llm.steps import Steps, TurnModelBudget
from saegim.llm.types import FunctionCall, Message
from saegim.locales import N_, translate
from saegim.memory.proposals import Proposal
from saegim.memory.recall.types import RecallRequest
from saegim.memory.turn_changes import TurnChange
from saegim.offline.heads import MessageKind
from saegim.quotas.service import RateLimiter
from saegim.research.types import Hints
from saegim.text.analysis import language
from saegim.text.names import names_in
from saegim.text.questions import LONGEST_QUESTION
from saegim.tools.types import Fact, ToolResult, ToolSpec
from saegim.usage.trace import TurnTrace


@dataclass(frozen=True, slots=True)
class PausedTurn:
    """The calls of a turn with our results, the numbers of its markers, and what they stand for."""

    rounds: tuple[Message, ...] = ()
    refs: dict[str, int] = field(default_factory=dict[str, int])
    evidence: tuple[Evidence, ...] = ()

    @classmethod
    def read(cls, written: str) -> "PausedTurn":
        """Read what `written` returned; nothing if it is none."""
        try:
            return _PAUSED.validate_json(written) if written else cls()
        except ValidationError:
            return cls()

    def written(self) -> str:
        return _PAUSED.dump_json(self).decode()

    def before(self, rounds: Sequence[Message]) -> tuple[Message, ...]:
        """Return the rounds of the turn with the results that the client sends for its last calls;
        without our own part, those that the client sends."""
        if not self.rounds:
            return tuple(rounds)
        last = max((at for at, each in enumerate(self.rounds) if each.calls), default=0)
        known = {each.answers.id for each in self.rounds[last:] if each.answers is not None}
        asked = {call.id for call in self.rounds[last].calls} - known
        # Providers may give the calls of two rounds one id: the last result is the new one.
        new = {each.answers.id: each for each in rounds if each.answers is not None}
        return (*self.rounds, *(each for call, each in new.items() if call in asked))


_PAUSED = TypeAdapter(PausedTurn)


REPLY_ROLES = (ModelRole.LITE, ModelRole.STRONG, ModelRole.ASSESSOR)
NOT_CHANGED = N_("(The answer broke off, so memory was not changed.)")


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
    learns: bool = False
    """Whether the turn may change what is remembered."""

    @property
    def turn(self) -> Turn:
        return self.opened.turn


@dataclass(frozen=True, slots=True)
class TurnAnswer:
    """How a turn ends: what it changes in memory, and the new numbers of its markers."""

    outcome: Outcome
    changes: Sequence[TurnChange] = ()
    effects: Sequence[Effect] = ()
    refs: Mapping[str, int] = field(default_factory=dict[str, int])
    for_client: Sequence[FunctionCall] = ()
    """Calls that the client is to run before the turn can settle."""
    waiting: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class TurnPipeline:
    """The stages of a turn, each with what it needs."""

    finders: Finders
    fallback: Fallback
    toolbox: TurnToolbox
    steps: Steps
    budgets: Budgets
    clock: Clock
    spending: RateLimiter
    times: TurnTimes

    async def think(
        self, opening: TurnContext, channel: TurnStream, trace: TurnTrace
    ) -> TurnAnswer:
        """Answer within the deadline: gather without a model, then one loop of the model."""
        steps = await self.model_budget(opening, trace)
        await channel.tell(Status("routing"))
        with trace.span("route"):
            inputs = await self.fallback_inputs(opening, steps)
            trace.prepared = len(inputs.changes)
            tools = tuple(await self.finders.tools.offered(opening.config.tools))
            route, hints = self.route(opening, inputs, trace)
        await channel.tell(Status("searching"))
        with trace.span("gather"):
            search = self.search(opening, route, hints, inputs)
            search = replace(search, tools=tools)
            search, gathered = await self.gather(opening, search, steps, trace)
        task = self.task(opening, search, gathered, inputs, steps, trace)
        if opening.config.review or opening.config.two_stage:
            task = replace(task, doubts=doubts_of(task, bool(tools)))
        if opening.config.review and task.doubts and steps.may_ask(ModelRole.ASSESSOR):
            with trace.span("review"):
                task = await self.reviewed(opening, search, task, steps, trace)
        await channel.tell(MemoriesEvent(tuple(task.context.memories)))
        await channel.tell(Status("answering"))
        with trace.span("answer"):
            usable = self.toolbox.tools(task.offered, opening.config, task.work)
            result = await answer(task, steps, channel, usable, self.fallback)
        note_answer(trace, result, channel.text)
        return await self._ended(opening, task, result, channel, trace)

    async def _ended(
        self,
        opening: TurnContext,
        task: Task,
        result: AnswerResult,
        channel: TurnStream,
        trace: TurnTrace,
    ) -> TurnAnswer:
        """Write what stands below an answer, and return its outcome."""
        work = task.work
        if result.for_client:
            waiting = PausedTurn(result.rounds, work.refs.numbers, tuple(work.evidence.values()))
            outcome = Outcome(TurnState.DONE, channel.text)
            return TurnAnswer(outcome, for_client=result.for_client, waiting=waiting.written())
        if work.changes and (result.by_rule or not result.complete):
            work.drop_changes()
            await channel.write(f"\n\n{translate(NOT_CHANGED, language(opening.turn.message))}")
        if trace.handed_off and result.complete:
            await channel.write(f"\n\n{help_links(opening.config)}")
        proposal = task.inputs.proposal or work.proposal
        if proposal is not None and result.complete:
            await propose(proposal, channel, trace)
        else:
            await self.note_asked(opening, result, channel.text)
        effects = (*task.inputs.effects, *work.effects)
        trace.effects = [each.as_json() for each in effects]
        outcome = Outcome(TurnState.DONE, channel.text, by_rule=result.by_rule)
        if not result.complete:
            outcome = Outcome(TurnState.INCOMPLETE, channel.text, "model_interrupted")
        return TurnAnswer(outcome, (*task.inputs.changes, *work.changes), effects, work.refs.new)

    def offered(
        self,
        opening: TurnContext,
        gathered: RetrievedContext,
        tools: Sequence[ToolSpec],
        steps: TurnModelBudget,
    ) -> OfferedTools | None:
        """Return what the model may use; None if it takes no tools."""
        if not steps.has_tools:
            return None
        recalls = not (gathered.memory.off or opening.is_rehearsal)
        inputs = opening.opened.inputs
        # Whoever chooses documents is answered from these.
        searches = not inputs.selected_doc_ids
        remembers = recalls and opening.learns
        return OfferedTools(searches, recalls, remembers, tools, inputs.client_tools.offered)

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

    async def fallback_inputs(self, opening: TurnContext, steps: TurnModelBudget) -> FallbackInputs:
        """Prepare what the message agrees to, of what the turn before proposed. Without a model,
        also read what kind of message it is."""
        turn, given = opening.turn, opening.opened.inputs
        now = self.clock.now().astimezone(ZoneInfo(given.time_zone))
        is_first = turn.parent is None and not opening.thread.recent
        fallback = self.fallback
        if not (opening.is_rehearsal or is_first):
            change = await agreed(fallback.requests, fallback.turns, opening.opened, opening.thread)
            if change is not None:
                return fallback.of_agreement(change, turn.message, now)
        if steps.has(ModelRole.LITE):
            return FallbackInputs(None, now, name=opening.assistant.name)
        inputs = FallbackInputs(await fallback.read(turn.message), now)
        # In a rehearsal nobody asks, so there is no memory to read or change.
        if not opening.is_rehearsal:
            inputs = await fallback.inputs(
                opening.caller, opening.opened, opening.thread, inputs, learns=opening.learns
            )
        return replace(inputs, name=opening.assistant.name)

    def route(
        self, opening: TurnContext, inputs: FallbackInputs, trace: TurnTrace
    ) -> tuple[TurnRoute, Hints]:
        """Route by what the message names; else search for it."""
        message, config = opening.turn.message, opening.config
        given = opening.opened.inputs
        chosen = ChosenDocuments(given.chosen_doc_ids, given.kept_doc_ids)
        kind = inputs.reading and inputs.reading.kind
        searches = kind is None or kind.searches or kind.may_name_document
        route = routing.by_rule(message, chosen, config.document_ids, searches=searches)
        reading = replace(_reading(opening), message=message[:LONGEST_QUESTION])
        if route is None and kind is MessageKind.EARLIER_DOCUMENT:
            route = routing.to_earlier(reading, None)
        route = route or routing.plain(reading)
        before = [hints_in(t.message, opening.vocabulary, config) for t in opening.thread.recent]
        entities = {entity.key: entity.value for entity in opening.thread.entities}
        hints = carry_over(
            hints_in(message[:LONGEST_QUESTION], opening.vocabulary, config),
            [from_entities(entities), *before],
        )
        note_route(trace, route, hints)
        return route, hints

    def search(
        self, opening: TurnContext, route: TurnRoute, hints: Hints, inputs: FallbackInputs
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
                inputs.chosen,
            ),
        )

    async def gather(
        self,
        opening: TurnContext,
        search: Search,
        steps: TurnModelBudget,
        trace: TurnTrace,
    ) -> tuple[Search, RetrievedContext]:
        """Retrieve context; if none of the documents to look up exists, search instead."""
        if steps.has_tools:
            # The prompt has the summary of this conversation; the model can recall its turns.
            search = replace(search, recall=replace(search.recall, recent_from=0))
        gathered = await gather(self.finders, search, steps, trace)
        if search.route.lookup and not gathered.findings.ranked:
            route = routing.general(search.route, _reading(opening))
            note_route(trace, route, search.hints)
            search = replace(search, route=route)
            gathered = await search_instead(self.finders, search, gathered, steps, trace)
        if not steps.steps.takes_tools(ModelRole.LITE):
            results = tuple(map(_result, opening.opened.inputs.client_tools.results))
            gathered = replace(gathered, tools=results)
        note_gathered(trace, gathered)
        if steps.has(ModelRole.LITE):
            gathered = near_enough(gathered, opening.config, recalls=steps.has_tools)
        return search, gathered

    def task(
        self,
        opening: TurnContext,
        search: Search,
        gathered: RetrievedContext,
        inputs: FallbackInputs,
        steps: TurnModelBudget,
        trace: TurnTrace,
    ) -> Task:
        offered = self.offered(opening, gathered, search.tools, steps)
        with trace.span("assemble"):
            context = self._assemble(opening, gathered, offered, steps, trace)
        given, turn = opening.opened.inputs, opening.turn
        work = TurnWork(
            turn,
            opening.caller,
            self.clock.now(),
            given.time_zone,
            context.refs,
            steps.steps.egress(ANSWER_ROLES),
            trace,
            dict(context.evidence),
            tuple(each.message for each in opening.thread.recent),
            tuple(_texts_of_others(opening)),
        )
        waiting = PausedTurn.read(given.client_tools.waiting)
        work.evidence |= {each.marker: each for each in waiting.evidence}
        client = given.client_tools if offered else NO_CLIENT_TOOLS
        rounds = waiting.before(client.rounds)
        client = replace(client, rounds=rounds)
        return Task(
            search.route, context, gathered, opening.config, inputs, work, offered, client=client
        )

    async def reviewed(
        self,
        opening: TurnContext,
        search: Search,
        task: Task,
        steps: TurnModelBudget,
        trace: TurnTrace,
    ) -> Task:
        """Let a model review the search, and do what it asks for."""
        found = task.gathered.findings
        reading = _reading(opening)
        reviewed = await steps.structured(
            REVIEW, review.prompt(reading, found.considered), lambda: review.by_rule(found)
        )
        route = routing.by_review(search.route, reviewed, reading)
        note_route(trace, route, search.hints, task.doubts)
        search = replace(search, route=route)
        findings = await follow(self.finders, search, found, reviewed, steps, trace)
        note_findings(trace, findings, since=found)
        gathered = replace(task.gathered, findings=findings)
        again = self.task(opening, search, gathered, task.inputs, steps, trace)
        return replace(again, doubts=task.doubts)

    async def note_asked(self, opening: TurnContext, result: AnswerResult, text: str) -> None:
        """Note that the answer asks whether an unsure memory still holds: it is asked once."""
        unsure = result.task.gathered.memory.to_ask
        if unsure is None or opening.is_rehearsal or not result.complete:
            return
        if not _asks(result, text):
            return
        with suppress(StoreUnavailable):
            turn = opening.turn
            confirmations = self.fallback.requests.confirmations
            await confirmations.note_asked(turn.scope, unsure.id, turn.id)

    def _assemble(
        self,
        opening: TurnContext,
        gathered: RetrievedContext,
        offered: OfferedTools | None,
        steps: TurnModelBudget,
        trace: TurnTrace,
    ) -> Context:
        message, inputs = opening.turn.message, opening.opened.inputs
        budgets = self.budgets.roomy() if opening.config.context == "roomy" else self.budgets
        budgets = budgets.reduced() if steps.asks_once else budgets
        budgets = budgets.with_pinned(inputs.controls.pinned_tokens)
        now = self.clock.now().astimezone(ZoneInfo(inputs.time_zone))
        waiting = PausedTurn.read(inputs.client_tools.waiting)
        before = (channel_block(inputs.channel_messages), now_block(now, inputs.time_zone))
        egress = steps.steps.egress(ANSWER_ROLES)
        context = assemble(
            opening.assistant,
            opening.thread,
            message,
            budgets,
            gathered,
            "\n\n".join(filter(None, before)),
            egress,
            # With the client's own history, markers are those of the request.
            Refs({**(opening.opened.refs if inputs.history is None else {}), **waiting.refs}),
            abilities_of(opening, offered),
        )
        if egress.uses_pseudonyms:
            # Also those of memories that do not leave: the message may name them.
            memory = gathered.memory
            known = (*memory.pinned, *memory.profile, *memory.recalled, *memory.dropped)
            names = [name for each in known for name in names_in(each.text)]
            steps.steps = steps.steps.naming(filter(None, [*names, opening.user_name]))
        note_context(trace, context, gathered)
        return context


def _texts_of_others(opening: TurnContext) -> Iterator[str]:
    """Yield what a prompt has of the conversation besides the user's messages and evidence."""
    thread, inputs = opening.thread, opening.opened.inputs
    yield thread.summary
    yield from (each.value for each in thread.entities)
    yield from (each.reply for each in thread.recent)
    yield from (each.text for each in inputs.channel_messages)
    yield from (each.text for each in inputs.client_tools.rounds)


def abilities_of(opening: TurnContext, offered: OfferedTools | None) -> Abilities:
    """Return what the prompt says that the model can do."""
    config = opening.config
    return Abilities(
        searches=offered is not None and offered.searches,
        recalls=offered is not None and offered.recalls,
        remembers=offered is not None and offered.remembers,
        acts=offered.acting if offered else (),
        strict=config.strict,
        subject=config.description,
        user=opening.user_name,
    )


async def propose(proposal: Proposal, channel: TurnStream, trace: TurnTrace) -> None:
    """Ask below the answer, unless it asks already, and keep with the turn what a yes would do."""
    if proposal.text not in channel.text:
        await channel.write(f"\n\n{proposal.text}" if channel.text else proposal.text)
    trace.proposal = proposal.as_json()


def _reading(opening: TurnContext) -> ConversationReading:
    config, thread = opening.config, opening.thread
    recent = thread.recent[-RECENT_TURNS:]
    return ConversationReading(
        opening.turn.message, recent, config, thread.summary, thread.entities
    )


def _asks(result: AnswerResult, text: str) -> bool:
    """Return whether an answer asks about the unsure memory: a model is told to, unless the memory
    must not leave."""
    if result.by_rule:
        return False
    return result.task.context.to_ask is not None and ("?" in text or "？" in text)


def doubts_of(task: Task, has_tools: bool) -> tuple[str, ...]:
    """Return why the search should be reviewed before the answer."""
    if not task.route.searches:
        return ()
    is_known = task.gathered.has_facts or task.gathered.memory.known >= KNOWN
    signals = SearchSignals(task.gathered.findings, has_tools=has_tools, is_known=is_known)
    return review.doubts(task.context.message, signals, task.config)


def _result(result: Message) -> ToolResult:
    """Return the result of a client's tool as that of one of ours."""
    name = result.answers.name if result.answers else "tool"
    return ToolResult(name, "ok", (Fact(result.text, name),), provider="client")
