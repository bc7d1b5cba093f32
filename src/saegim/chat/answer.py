"""The answer: its task, its writer, the loop of a model with tools, checks, and fixed replies."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Literal

from saegim.chat.context.assembly import Context
from saegim.chat.context.evidence import RetrievedContext, unmarked
from saegim.chat.escalation import (
    DRAFT,
    LEAST_COVERAGE,
    Check,
    Decision,
    DraftAnswer,
    EscalationSignals,
    ModelChoice,
    SelfScore,
    check,
    conflicts,
    coverage,
    decide,
    rejection_reasons,
)
from saegim.chat.events import CitationEvent
from saegim.chat.fallback import (
    Fallback,
    FallbackInputs,
    FallbackReply,
    FallbackTask,
    no_documents,
)
from saegim.chat.grounding.attribution import Attribution, cited_place
from saegim.chat.grounding.support import EvidenceSupport, no_source
from saegim.chat.output.stream_sanitizer import StreamSanitizer
from saegim.chat.relay import TurnStream
from saegim.chat.routing import CHAT, FEW_WORDS, TurnRoute
from saegim.chat.turn_tools.memory import CHANGING
from saegim.chat.turn_tools.offer import OfferedTools
from saegim.chat.turn_tools.types import ToolAnswer, TurnTool, TurnWork
from saegim.chat.types import (
    MARKER,
    NO_CLIENT_TOOLS,
    NOTHING_READY,
    AssistantConfig,
    Evidence,
    EvidenceKind,
)
from saegim.conversations.types import ClientTools
from saegim.domain.scope import Locale
from saegim.llm.model_call import CallSource, ModelFault
from saegim.llm.ports import ModelRole
from saegim.llm.prompts import load
from saegim.llm.steps import TurnModelBudget
from saegim.llm.types import (
    FunctionCall,
    Message,
    StepEnd,
    StepPath,
    StepPrompt,
    TextDelta,
    TextStep,
)
from saegim.locales import N_, translate
from saegim.offline import texts
from saegim.text.analysis import language
from saegim.text.questions import LONGEST_QUESTION, is_question
from saegim.usage.trace import AnswerUse


@dataclass(frozen=True, slots=True)
class Task:
    route: TurnRoute
    context: Context
    gathered: RetrievedContext
    config: AssistantConfig
    inputs: FallbackInputs
    work: TurnWork
    """What the tools of the turn share."""
    offered: OfferedTools | None = None
    """What the model may use; None if it takes no tools."""
    doubts: tuple[str, ...] = ()
    """Why rules are unsure of the search; empty if the answer can start at once."""
    client: ClientTools = NO_CLIENT_TOOLS
    """The client's tools, and what was called for this message before."""

    @property
    def evidence(self) -> dict[str, Evidence]:
        """What may be cited, by marker; tools add to it."""
        return self.work.evidence

    @property
    def changes_memory(self) -> bool:
        """Whether tools have prepared changes of memory, or a question about one."""
        return bool(self.work.changes or self.work.proposal)

    @property
    def is_memory_request(self) -> bool:
        """Whether the message agrees to forget or asks to undo, which is done by rule."""
        return self.inputs.changed is not None

    @property
    def is_confident(self) -> bool:
        return self.gathered.findings.confidence >= self.config.thresholds.confidence

    @property
    def asks_documents(self) -> bool:
        """Whether documents that match the message were in the prompt."""
        if not self.route.searches:
            return False
        return bool(self.context.passages) and self.is_confident and not self.gathered.has_facts


@dataclass(slots=True)
class AnswerResult:
    """Whether the answer is complete, how it was made, and what it cites."""

    complete: bool
    use: AnswerUse
    task: Task
    cited: list[Evidence] = field(default_factory=list[Evidence])
    by_rule: bool = False
    for_client: tuple[FunctionCall, ...] = ()
    """Calls that the client is to run before the answer goes on."""
    rounds: tuple[Message, ...] = ()
    """The calls so far and their results, of an answer that goes on."""


FROM_DOCUMENT = N_("Based on “{titles}”:")


class AnswerWriter:
    """Writes an answer to the stream through the sanitizer; `holds` keeps it back to be checked."""

    def __init__(
        self, task: Task, sink: TurnStream, *, has_model: bool = True, holds: bool = False
    ) -> None:
        config = task.config
        links = [link.url for link in config.menu_links]
        self._task = task
        self._sink = sink
        self._evidence = task.evidence
        self._sanitizer = StreamSanitizer(self._evidence, links, config.link_hosts)
        evidence = self._evidence.values()
        self._support = EvidenceSupport.of(task.context, evidence, task.client.rounds)
        self._attribution = Attribution(self._support)
        self._attributes = has_model
        self._holds = holds
        self._cited_count = 0
        self._lead = _lead(task)
        self._round: list[str] = []
        self._found: list[Evidence] = []
        self._gap = ""
        self.kept_text = ""
        self.outcome = "answered"
        self.has_text = False
        self.grounded: bool | None = None

    async def follow(self, stream: AsyncGenerator[TextDelta | StepEnd]) -> StepEnd:
        """Write the text of one request piece by piece as it arrives."""
        async with aclosing(stream):
            async for piece in stream:
                if isinstance(piece, StepEnd):
                    return piece
                self._round.append(piece.text)
                await self._write(self._sanitize(self._attributed(self._gap + piece.text)))
                self._gap = "" if piece.text else self._gap
        raise AssertionError("a step's stream ends with its StepEnd")

    def take_round(self) -> str:
        """Return what the model wrote since the last call of this; text that follows is a new
        paragraph."""
        written, self._round = "".join(self._round), []
        self._gap = "\n\n" if written else self._gap
        return written

    def add(self, answer: ToolAnswer) -> None:
        """Let the text that follows cite and use what a tool found."""
        self._evidence.update({each.marker: each for each in answer.evidence})
        self._found += answer.evidence
        self._support.add(answer.evidence, answer.text)

    async def finish(self, *, complete: bool = True) -> None:
        """Write what was kept back for the end of a model's text."""
        rest = self._attribution.close(complete=complete) if self._attributes else ""
        await self._write(self._sanitize(rest) + self._sanitizer.close())

    def by_rule(self) -> None:
        """Note that the text to follow is of the rules, which cite by themselves."""
        self._attributes = False

    def attribute(self, text: str) -> str:
        """Return a model's complete text with its sentences attributed to the evidence."""
        if not self._attributes:
            return text
        return self._attribution.feed(text) + self._attribution.close()

    async def show(self, text: str) -> None:
        """Write a complete text."""
        self._holds = False
        await self._write(self._sanitize(text) + self._sanitizer.close())

    async def check(self) -> None:
        """Note whether an answer from documents is grounded, and name below it what is not."""
        found = any(each.kind is EvidenceKind.PASSAGE for each in self._found)
        if self._support.is_about_text or not (self._task.asks_documents or found):
            return
        unknown = self._support.still_unknown(self._attribution.unknown)
        self.grounded = bool(self.cited) and not unknown
        if unknown:
            line = no_source(unknown, language(self._task.context.message))
            await self.show(f"\n\n{line}")

    @property
    def cited(self) -> list[Evidence]:
        return list(self._sanitizer.cited.values())

    def result(
        self,
        end: StepEnd | None,
        decision: Decision,
        draft: DraftAnswer | None,
        checked: Check | None,
    ) -> AnswerResult:
        used_fallback = end is not None and end.call.source is CallSource.FALLBACK
        quoted = used_fallback and self.outcome == "answered"
        use = AnswerUse(
            outcome="search_mode" if quoted else self.outcome,
            choice=decision.choice.value,
            reasons=decision.reasons,
            self_score=None if draft is None else draft.self_score.overall,
            check=None if checked is None else checked.as_json(),
            markers_removed=self._sanitizer.unknown,
            links_removed=self._sanitizer.defused,
            grounded=self.grounded,
            sentences=self._attribution.sentences,
            supported_sentences=self._attribution.supported,
        )
        complete = end is None or end.complete
        by_rule = used_fallback or self.outcome in ("search_mode", "nothing_found")
        return AnswerResult(complete, use, self._task, self.cited, by_rule)

    def _attributed(self, text: str) -> str:
        return self._attribution.feed(text) if self._attributes and not self._holds else text

    def _sanitize(self, text: str) -> str:
        if not text:
            return ""
        if self._holds:
            # It is attributed and sanitized once it is checked.
            self.kept_text += text
            return ""
        # The lead quotes titles of documents, so it is sanitized too.
        led, self._lead = f"{self._lead}{text}", ""
        return self._sanitizer.feed(led)

    async def _write(self, text: str) -> None:
        if not text:
            return
        self.has_text = self.has_text or bool(text.strip())
        await self._sink.write(text)
        for evidence in self.cited[self._cited_count :]:
            place = cited_place(evidence, self._sink.text)
            await self._sink.tell(CitationEvent(replace(evidence, locator=place)))
        self._cited_count = len(self.cited)


def _lead(task: Task) -> str:
    """Return the line before an answer that names the earlier document it is from."""
    findings = task.gathered.findings
    if task.route.source != "history" or not task.route.lookup or not findings.documents:
        return ""
    titles = dict.fromkeys(each.title or each.outside_id for each in findings.documents)
    named = unmarked(", ".join(titles))
    return f"{translate(FROM_DOCUMENT, language(task.context.message), titles=named)}\n\n"


# Requests of one answer; in the last no tool may be called. A slow model has one round of tools.
MOST_REQUESTS = 4
SLOW_REQUESTS = 2
# Calls of one answer; a model that asks for more does not know when to stop.
MOST_CALLS = 32
# Behind an answer, nothing has to be said about these if they are done.
ENDING = CHANGING | {"hand_off"}
TOO_MANY = "Not done: too many calls."
NOT_NOW = "Not done: no such tool, arguments that are no JSON object, or it must be called alone."


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """How a loop ended: the last request, and the calls that the client is to run."""

    end: StepEnd
    for_client: tuple[FunctionCall, ...] = ()
    rounds: tuple[Message, ...] = ()
    """The calls of this loop and their results, for a request that goes on."""


@dataclass(eq=False)
class AnswerLoop:
    """Answers with one model. `tools` run here, `client` are run by the client."""

    step: TextStep
    steps: TurnModelBudget
    writer: AnswerWriter
    tools: Mapping[str, TurnTool]
    client: ClientTools = NO_CLIENT_TOOLS

    async def run(self, prompt: StepPrompt) -> LoopEnd:
        """Ask until the model calls no tool, or has answered and what it called is done.

        The text of the last request may be missing: then its call says why.
        """
        offer = (*(each.offer for each in self.tools.values()), *self.client.offered)
        if not self.steps.steps.takes_tools(self.step.role):
            offer = ()
        most = SLOW_REQUESTS if self.steps.asks_once else MOST_REQUESTS
        rounds = list(self.client.rounds)
        calls = await self._repeat(rounds)
        number = 0
        answered = False
        while True:
            number += 1
            required = self.client.required and not rounds
            # Providers may refuse the results of tools that are no longer offered.
            choice = "none" if number == most else "required" if required else "auto"
            asked = replace(prompt.after(*rounds), tools=offer, tool_choice=choice)
            end = await self._ask(asked)
            if offer and not rounds and await self._refused(end):
                offer = ()
                end = await self._ask(replace(asked, tools=()))
            if not end.calls:
                return LoopEnd(end, (), tuple(rounds))
            theirs = tuple(each for each in end.calls if each.name not in self.tools)
            ours = [each for each in end.calls if each.name in self.tools]
            written = self.writer.take_round()
            rounds.append(Message("assistant", written, end.calls))
            answers: list[ToolAnswer] = []
            for call in ours:
                calls += 1
                answers.append(await self._run(call, calls))
                rounds.append(Message("tool", answers[-1].text, answers=call))
                self.writer.add(answers[-1])
            is_whole = bool(written.strip()) and all(each.name in ENDING for each in end.calls)
            answered = answered or is_whole
            if answered and not theirs and all(each.is_done for each in answers):
                return LoopEnd(end, (), tuple(rounds))
            known = {each.name for each in self.client.offered}
            for_client = [each for each in theirs if each.name in known and each.is_readable]
            if not self.client.parallel:
                for_client = for_client[:1]
            rest = [each for each in theirs if each not in for_client]
            rounds += [Message("tool", NOT_NOW, answers=each) for each in rest]
            if for_client:
                return LoopEnd(end, tuple(for_client), tuple(rounds))

    async def _repeat(self, rounds: list[Message]) -> int:
        """Prepare again what was called before the client ran its tools, and tell what came of it
        now; return how many of our calls there were."""
        ours = [call for each in rounds for call in each.calls if call.name in self.tools]
        for number, call in enumerate(ours, start=1):
            if call.name in ENDING:
                text = (await self._run(call, number)).text
                rounds[:] = [replace(e, text=text) if e.answers == call else e for e in rounds]
        return len(ours)

    async def _ask(self, prompt: StepPrompt) -> StepEnd:
        return await self.writer.follow(self.steps.stream(self.step, prompt, str))

    async def _refused(self, end: StepEnd) -> bool:
        """Return whether the model turned out to take no tools."""
        if end.call.source is not CallSource.FALLBACK or self.writer.has_text:
            return False
        return await self.steps.steps.refuses_tools(self.step.role, end.call)

    async def _run(self, call: FunctionCall, number: int) -> ToolAnswer:
        if number > MOST_CALLS:
            return ToolAnswer(TOO_MANY)
        return await self.tools[call.name].run(call.arguments, number)


Kind = Literal["nothing_ready", "nothing_found", "tools_failed", "abstained"]

# From this chance on memory has the answer, as recall judges.
KNOWN = 0.5
TOOLS_FAILED = N_("The search service is unavailable.")
ABSTAINED = N_("I couldn't find an answer to that in the documents.")
STEPS = {
    ModelChoice.LITE: TextStep("answer", ModelRole.LITE, StepPath.REPLY),
    ModelChoice.STRONG: TextStep("answer", ModelRole.STRONG, StepPath.REPLY),
}


def fixed_answer(task: Task) -> tuple[Kind, str] | None:
    """Return a fixed answer and its kind if documents, memory, history and tools have none.

    It is shown without a model and by strict assistants; otherwise the model answers.
    """
    if not task.route.searches:
        return None
    fixed = _nothing_in_documents(task, language(task.context.message))
    return None if fixed is None or _answers_elsewhere(task) else fixed


def _nothing_in_documents(task: Task, locale: Locale) -> tuple[Kind, str] | None:
    findings, tools = task.gathered.findings, task.gathered.tools
    if tools and all(result.state != "ok" for result in tools):
        if not findings.ranked or not task.is_confident:
            return "tools_failed", translate(TOOLS_FAILED, locale)
        return None
    if not findings.consulted:
        return ("abstained", translate(ABSTAINED, locale)) if task.config.strict else None
    if not findings.ranked:
        return "nothing_ready", translate(NOTHING_READY, locale)
    if not task.is_confident:
        return "nothing_found", no_documents(locale, task.config)
    return None


def _answers_elsewhere(task: Task) -> bool:
    """Return whether memory, the conversation or tools may answer."""
    context, memory = task.context, task.gathered.memory
    goes_on = context.thread.recent and len(context.message.split()) < FEW_WORDS
    return task.gathered.has_facts or bool(goes_on) or memory.known >= KNOWN


def _gap(task: Task, result: AnswerResult) -> Kind | None:
    """Return why the documents have no answer to a question that the answer cites nothing for."""
    if not task.route.searches or task.gathered.has_facts or result.cited:
        return None
    if not is_question(task.context.message[:LONGEST_QUESTION]):
        return None
    fixed = _nothing_in_documents(task, language(task.context.message))
    return fixed and fixed[0]


async def answer(
    task: Task,
    steps: TurnModelBudget,
    sink: TurnStream,
    tools: Mapping[str, TurnTool],
    fallback: Fallback,
) -> AnswerResult:
    """Write a model's answer, or that of the fallback if no model is available."""
    if task.is_memory_request or not steps.has(ModelRole.LITE):
        return await _write_by_fallback(task, steps, sink, fallback)
    fixed = fixed_answer(task)
    if fixed is not None and task.config.strict:
        kind, text = fixed
        await sink.write(text)
        return AnswerResult(True, AnswerUse(kind, "none", (kind,)), task, by_rule=True)
    decision = _decide(task, steps)
    draft: DraftAnswer | None = None
    checked: Check | None = None
    if decision.choice is ModelChoice.DRAFT:
        draft, checked, decision = await _draft(task, steps)
    writer = AnswerWriter(task, sink, holds=task.config.strict)
    end: StepEnd | None = None
    looped: LoopEnd | None = None
    if draft is not None and decision.choice is ModelChoice.DRAFT:
        writer.kept_text = draft.draft
        await _show_draft(task, writer)
    else:
        loop = AnswerLoop(STEPS[decision.choice], steps, writer, tools, task.client)
        looped = await loop.run(task.context.prompt)
        end = await _end(task, writer, looped, fallback)
    if looped is None or not looped.for_client:
        await _finish(task, writer, end, fallback)
    result = writer.result(end, decision, draft, checked)
    gap = _gap(task, result)
    result = replace(result, use=replace(result.use, gap=gap))
    if looped is None:
        return result
    return replace(
        result,
        for_client=looped.for_client,
        rounds=looped.rounds,
    )


async def _end(task: Task, writer: AnswerWriter, loop: LoopEnd, fallback: Fallback) -> StepEnd:
    """Write what a loop kept back, or the fallback's reply if the model did not answer."""
    end = loop.end
    if end.call.fault is ModelFault.EMPTY_OUTPUT and (writer.has_text or task.changes_memory):
        # A model that has called a tool may have nothing to add.
        if not writer.has_text:
            await writer.show(translate(texts.HEARD, language(task.context.message)))
        await writer.finish()
        return replace(end, call=replace(end.call, source=CallSource.MODEL))
    if end.call.source is CallSource.FALLBACK:
        if writer.has_text or task.work.turn.continues:
            # Words of an earlier request are shown: nothing can replace them.
            await writer.finish(complete=False)
            return replace(end, complete=False)
        writer.by_rule()
        await writer.show((await _fallback_reply(task, fallback)).text)
        return end
    if task.config.strict and not loop.for_client:
        await _show_if_supported(task, writer)
    elif not loop.for_client:
        await writer.finish(complete=end.complete)
    return end


async def _write_by_fallback(
    task: Task, steps: TurnModelBudget, sink: TurnStream, fallback: Fallback
) -> AnswerResult:
    """Write the reply of the fallback, without a model."""
    reading = task.inputs.reading
    asks = reading is not None and reading.kind.searches
    fixed = fixed_answer(task) if asks and not task.is_memory_request else None
    if fixed is not None and fixed[0] in ("tools_failed", "abstained"):
        kind, text = fixed
        await sink.write(text)
        return AnswerResult(True, AnswerUse(kind, "none", (kind,)), task, by_rule=True)
    written = await _fallback_reply(task, fallback)
    if written.outcome != "answered" or task.is_memory_request:
        writer = AnswerWriter(task, sink)
        await writer.show(written.text)
        reason = "memory_request" if task.is_memory_request else written.outcome
        use = AnswerUse(written.outcome, "none", (reason,))
        return AnswerResult(True, use, task, writer.cited, by_rule=True)
    writer = AnswerWriter(task, sink, has_model=False)
    decision = Decision(ModelChoice.LITE, ("no_model",))
    prompt = task.context.prompt
    stream = steps.stream(STEPS[ModelChoice.LITE], prompt, lambda: written.text)
    end = await writer.follow(stream)
    await writer.finish()
    return writer.result(end, decision, None, None)


async def _fallback_reply(task: Task, fallback: Fallback) -> FallbackReply:
    context = task.context
    if len(context.message) > LONGEST_QUESTION:
        context = replace(context, message=context.message[:LONGEST_QUESTION])
    opened = task.route.name != CHAT and bool(task.route.lookup)
    return await fallback.reply(
        FallbackTask(task.inputs, context, task.gathered, task.config, task.route.searches, opened)
    )


async def _finish(
    task: Task, writer: AnswerWriter, end: StepEnd | None, fallback: Fallback
) -> None:
    """Quote if a model wrote nothing readable, and check what a model wrote."""
    if not (writer.has_text or task.work.turn.continues):
        writer.outcome = "search_mode"
        await writer.show((await _fallback_reply(task, fallback)).text)
    by_model = end is None or (end.complete and end.call.source is CallSource.MODEL)
    if by_model and writer.outcome == "answered":
        await writer.check()


def _decide(task: Task, steps: TurnModelBudget) -> Decision:
    if not task.config.two_stage or steps.asks_once:
        return Decision(ModelChoice.LITE, ("one_stage",))
    findings, passages = task.gathered.findings, task.context.passages
    signals = EscalationSignals(
        message=task.context.message,
        confidence=findings.confidence,
        is_sufficient=findings.is_sufficient,
        has_evidence=bool(passages),
        conflict=conflicts(passages, task.context.message),
        has_doubts=bool(task.doubts),
    )
    decision = decide(signals, task.config, steps.has(ModelRole.STRONG))
    if steps.sampling.is_set and decision.choice is ModelChoice.DRAFT:
        return replace(decision, choice=ModelChoice.LITE)
    return decision


def draft_prompt(answer: StepPrompt) -> StepPrompt:
    """Return the answer's prompt with instructions to write a draft and score it."""
    draft = load("saegim.chat", "draft").step(answer.messages, answer=answer.system)
    return replace(draft, tags=answer.tags, key=answer.key)


async def _draft(task: Task, steps: TurnModelBudget) -> tuple[DraftAnswer, Check, Decision]:
    """Ask the lite model for a draft, check it, and decide whether to show it."""
    context = task.context
    draft = await steps.structured(
        DRAFT, draft_prompt(context.prompt), lambda: DraftAnswer(draft="", self_score=SelfScore())
    )
    checked = check(draft.draft, context.evidence, context.message)
    reasons = rejection_reasons(draft, checked, task.config.thresholds)
    return draft, checked, Decision(ModelChoice.STRONG if reasons else ModelChoice.DRAFT, reasons)


async def _show_draft(task: Task, writer: AnswerWriter) -> None:
    if task.config.strict:
        await _show_if_supported(task, writer)
    else:
        await writer.show(writer.attribute(writer.kept_text))


async def _show_if_supported(task: Task, writer: AnswerWriter) -> None:
    """Show the whole answer if the evidence supports it, else say that nothing was found."""
    text, message = writer.attribute(writer.kept_text), task.context.message
    if task.route.name != CHAT and not _is_supported(text, task.evidence, message):
        writer.outcome = "abstained"
        text = translate(ABSTAINED, language(task.context.message))
    await writer.show(text)


def _is_supported(text: str, known: Mapping[str, Evidence], message: str) -> bool:
    """Return whether the cited evidence supports the text without the question's own words."""
    cited = {marker: known[marker] for marker in MARKER.findall(text) if marker in known}
    checked = check(text, cited, message)
    covered = coverage(MARKER.sub("", text), [evidence.text for evidence in cited.values()])
    return checked.cites and checked.passed and covered >= LEAST_COVERAGE
