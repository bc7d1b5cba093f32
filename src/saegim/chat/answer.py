"""The answer: model choice, streaming, checks, and the fixed replies when nothing answers."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
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
from saegim.chat.extractive_answer import find_quotes, quote
from saegim.chat.output.stream_sanitizer import StreamSanitizer
from saegim.chat.relay import TurnStream
from saegim.chat.routing import CHAT, TurnRoute
from saegim.chat.types import (
    CLOSEST,
    MARKER,
    NOTHING_FOUND,
    NOTHING_READY,
    AssistantConfig,
    Evidence,
    EvidenceKind,
)
from saegim.chat.understanding import (
    PlannedTool,
    depends_on_thread,
    is_statement_about_self,
    tool_list,
)
from saegim.domain.scope import Locale
from saegim.llm.model_call import CallSource
from saegim.llm.ports import ModelRole
from saegim.llm.steps import TurnModelBudget, load
from saegim.llm.types import StepEnd, StepPath, StepPrompt, TextDelta, TextStep
from saegim.locales import N_, translate
from saegim.research.types import MOST_CALLS
from saegim.text.analysis import language
from saegim.tools.types import ToolSpec
from saegim.usage.trace import AnswerUse

Kind = Literal["nothing_ready", "nothing_found", "tools_failed", "abstained"]

TOOLS_FAILED = N_("The search service is unavailable.")
ABSTAINED = N_("I couldn't find an answer to that in the documents.")
PARTIAL = N_("The documents only answer part of this. Here is what they say.")
MOST_CLOSEST = 3
# Below this share of the threshold a document is unrelated rather than close.
CLOSE_SHARE = 0.5
MENU = N_("These pages may help:")


@dataclass(frozen=True, slots=True)
class Fallback:
    """A fixed answer, and why it is given."""

    kind: Kind
    text: str


def fallback(
    route: TurnRoute, context: Context, gathered: RetrievedContext, config: AssistantConfig
) -> Fallback | None:
    """The fixed answer where documents, memory, history and tools all have none."""
    if not route.searches:
        return None
    # What was said before is read only where documents and tools have nothing.
    fixed = _nothing_in_documents(language(context.message), gathered, config)
    return None if fixed is None or answers_elsewhere(context, gathered) else fixed


def _nothing_in_documents(
    locale: Locale, gathered: RetrievedContext, config: AssistantConfig
) -> Fallback | None:
    findings = gathered.findings
    if gathered.tools and all(result.state != "ok" for result in gathered.tools):
        if not findings.ranked or findings.confidence < config.thresholds.confidence:
            return Fallback("tools_failed", translate(TOOLS_FAILED, locale))
        return None
    if not findings.consulted:
        return Fallback("abstained", translate(ABSTAINED, locale)) if config.strict else None
    if not findings.ranked:
        return Fallback("nothing_ready", translate(NOTHING_READY, locale))
    if findings.confidence < config.thresholds.confidence:
        return Fallback("nothing_found", nothing_found(locale, config))
    return None


def answers_elsewhere(context: Context, gathered: RetrievedContext) -> bool:
    """Whether memory, history or tools have something on the message, or it asks for nothing."""
    if gathered.has_facts or is_statement_about_self(context.message):
        return True
    thread = context.thread
    if depends_on_thread(context.message) and (thread.recent or thread.summary):
        return True
    return bool(find_quotes(context))


def nothing_found(locale: Locale, config: AssistantConfig) -> str:
    """That no document was found, with the menu to look in."""
    if not config.menu_links:
        return translate(NOTHING_FOUND, locale)
    links = "\n".join(f"- [{link.label}]({link.url})" for link in config.menu_links)
    return f"{translate(NOTHING_FOUND, locale)} {translate(MENU, locale)}\n\n{links}"


def closest_documents(
    context: Context, gathered: RetrievedContext, config: AssistantConfig
) -> str | None:
    """Name the documents that are close to the question, cited; None if none is close."""
    if gathered.findings.confidence < CLOSE_SHARE * config.thresholds.confidence:
        return None
    cited: dict[str, str] = {}
    for piece in context.found.evidence:
        one = piece.evidence
        if one.kind is EvidenceKind.PASSAGE and one.document is not None:
            cited.setdefault(one.document, f"- {unmarked(one.title)} [{one.marker}]")
    if not cited:
        return None
    head = translate(CLOSEST, language(context.message))
    return "\n".join([head, "", *list(cited.values())[:MOST_CLOSEST]])


def is_partial(gathered: RetrievedContext, library_calls: int) -> bool:
    """Whether all calls were used and what was found still does not suffice."""
    findings = gathered.findings
    used_up = len(findings.library_calls) >= library_calls
    return used_up and bool(findings.ranked) and not findings.is_sufficient


STEPS = {
    ModelChoice.LITE: TextStep("answer", ModelRole.LITE, StepPath.REPLY),
    ModelChoice.STRONG: TextStep("answer", ModelRole.STRONG, StepPath.REPLY),
}
FROM_DOCUMENT = N_("Based on “{titles}”:")


@dataclass(frozen=True, slots=True)
class Task:
    """All that an answer is made from."""

    route: TurnRoute
    context: Context
    gathered: RetrievedContext
    config: AssistantConfig


@dataclass(frozen=True, slots=True)
class DraftTools:
    """The tools that a draft may plan, and what runs its plan.

    `run` returns the task with what the tools brought, or None if they brought nothing.
    """

    offered: Callable[[], Awaitable[list[ToolSpec]]]
    run: Callable[[Sequence[PlannedTool]], Awaitable[Task | None]]


@dataclass(slots=True)
class AnswerResult:
    """What was shown, whether it is whole, and how it came about."""

    complete: bool
    use: AnswerUse
    task: Task
    """What it was made from: not what was asked first, where a draft's tools ran."""
    cited: list[Evidence] = field(default_factory=list[Evidence])


async def answer(
    task: Task, steps: TurnModelBudget, sink: TurnStream, tools: DraftTools
) -> AnswerResult:
    """Write a fixed answer where nothing answers, else a model's or the rule-based one."""
    fixed = fallback(task.route, task.context, task.gathered, task.config)
    if fixed is not None:
        return await _fixed(task, fixed, steps, sink)
    decision = _decide(task, steps)
    draft: DraftAnswer | None = None
    checked: Check | None = None
    if decision.choice is ModelChoice.DRAFT:
        draft, checked, decision = await _draft(task, steps, await tools.offered())
        if draft.tool_plan and (with_tools := await tools.run(draft.tool_plan)) is not None:
            task, draft = with_tools, None
    writer = _Writer(task, sink)
    if task.config.strict:
        end = await _strictly(task, steps, writer, decision, draft)
    elif draft is not None and decision.choice is ModelChoice.DRAFT:
        end = await writer.show(draft.draft)
    else:
        end = await writer.follow(_spoken(task, steps, decision, draft))
    return writer.written(end, decision, draft, checked)


async def _fixed(
    task: Task, fixed: Fallback, steps: TurnModelBudget, sink: TurnStream
) -> AnswerResult:
    """Write a fixed answer; without a model, close documents are named instead of none."""
    use, cited = AnswerUse(fixed.kind, "none", (fixed.kind,)), list[Evidence]()
    text = None
    if fixed.kind == "nothing_found" and not steps.has(ModelRole.LITE):
        text = closest_documents(task.context, task.gathered, task.config)
    if text is None:
        await sink.write(fixed.text)
    else:
        writer = _Writer(task, sink)
        await writer.show(text)
        cited = writer.cited
    return AnswerResult(True, use, task, cited)


def _decide(task: Task, steps: TurnModelBudget) -> Decision:
    findings = task.gathered.findings
    passages = _passages(task.context)
    signals = EscalationSignals(
        message=task.context.message,
        confidence=findings.confidence,
        is_sufficient=findings.is_sufficient,
        has_evidence=bool(passages),
        conflict=conflicts(passages, task.context.message),
    )
    return decide(signals, task.config, steps.has(ModelRole.STRONG))


def draft_prompt(answer: StepPrompt, tools: Sequence[ToolSpec]) -> StepPrompt:
    """The answer's own prompt, with how to write a draft of it and score it."""
    prompt = load("saegim.chat", "draft")
    return prompt.step(answer.messages, answer=answer.system, tools=tool_list(tools))


async def _draft(
    task: Task, steps: TurnModelBudget, tools: Sequence[ToolSpec]
) -> tuple[DraftAnswer, Check, Decision]:
    """Ask the lite model for a draft and check it by code; a good one is the answer."""
    context = task.context
    prompt = draft_prompt(context.prompt, tools)
    draft = await steps.structured(
        DRAFT, prompt, lambda: DraftAnswer(draft="", self_score=SelfScore())
    )
    checked = check(draft.draft, context.evidence, context.message)
    reasons = rejection_reasons(draft, checked, task.config.thresholds)
    return draft, checked, Decision(ModelChoice.STRONG if reasons else ModelChoice.DRAFT, reasons)


def _spoken(
    task: Task, steps: TurnModelBudget, decision: Decision, draft: DraftAnswer | None
) -> AsyncGenerator[TextDelta | StepEnd]:
    limit = task.config.thresholds.confidence
    findings = task.gathered.findings
    trusted = findings.confidence >= limit or not task.route.searches

    def fallback() -> str:
        if draft is not None and draft.draft.strip():
            return draft.draft
        return quote(task.context, trusted)

    return steps.stream(STEPS[decision.choice], task.context.prompt, fallback)


async def _strictly(
    task: Task,
    steps: TurnModelBudget,
    writer: "_Writer",
    decision: Decision,
    draft: DraftAnswer | None,
) -> StepEnd | None:
    """An answer is kept back until it is checked; one without support is not given at all, be it
    a draft that its model and the thresholds are content with."""
    if draft is not None and decision.choice is ModelChoice.DRAFT:
        text, end = draft.draft, None
    else:
        # Without the draft: what was not good enough to be shown is no stand-in here.
        text, end = await _whole(_spoken(task, steps, decision, None))
    quotes = end is not None and end.call.source is CallSource.FALLBACK
    if not quotes and task.route.name != CHAT and not _borne_out(text, task.context):
        writer.outcome = "abstained"
        text = translate(ABSTAINED, language(task.context.message))
    await writer.show(text)
    return end


async def _whole(spoken: AsyncGenerator[TextDelta | StepEnd]) -> tuple[str, StepEnd | None]:
    pieces: list[str] = []
    end: StepEnd | None = None
    async with aclosing(spoken) as stream:
        async for piece in stream:
            if isinstance(piece, TextDelta):
                pieces.append(piece.text)
            else:
                end = piece
    return "".join(pieces), end


def _borne_out(text: str, context: Context) -> bool:
    """Whether what the text cites, and not the question alone, bears it out."""
    cited = {one: context.evidence[one] for one in MARKER.findall(text) if one in context.evidence}
    checked = check(text, cited, context.message)
    covered = coverage(MARKER.sub("", text), [one.text for one in cited.values()])
    return checked.cites and checked.passed and covered >= LEAST_COVERAGE


class _Writer:
    """Shows an answer through what may be shown of it."""

    def __init__(self, task: Task, sink: TurnStream) -> None:
        config = task.config
        links = [link.url for link in config.menu_links]
        self._task = task
        self._sink = sink
        self._sanitizer = StreamSanitizer(task.context.evidence, links, config.link_hosts)
        self._cited_count = 0
        self._lead = lead(task)
        self.outcome = "answered"

    async def follow(self, spoken: AsyncGenerator[TextDelta | StepEnd]) -> StepEnd:
        """Shows a text as it comes."""
        async with aclosing(spoken) as pieces:
            async for piece in pieces:
                if isinstance(piece, StepEnd):
                    await self._write(self._sanitizer.close())
                    return piece
                await self._write(self._seen(piece.text))
        raise AssertionError("a step's stream ends with its StepEnd")

    async def show(self, text: str) -> None:
        """Shows a text that is whole."""
        await self._write(self._seen(text) + self._sanitizer.close())

    @property
    def cited(self) -> list[Evidence]:
        return list(self._sanitizer.cited.values())

    def written(
        self,
        end: StepEnd | None,
        decision: Decision,
        draft: DraftAnswer | None,
        checked: Check | None,
    ) -> AnswerResult:
        use = AnswerUse(
            outcome=self.outcome,
            choice=decision.choice.value,
            reasons=decision.reasons,
            self_score=None if draft is None else draft.self_score.overall,
            check=None if checked is None else checked.as_json(),
            markers_removed=self._sanitizer.unknown,
            links_removed=self._sanitizer.defused,
        )
        if (
            end is not None
            and end.call.source is CallSource.FALLBACK
            and self.outcome == "answered"
        ):
            use = replace(use, outcome="search_mode")
        complete = end is None or end.complete
        return AnswerResult(complete, use, self._task, self.cited)

    def _seen(self, text: str) -> str:
        """What is shown of a text; the lead before it names documents, so it is looked at too."""
        led, self._lead = f"{self._lead}{text}", ""
        return self._sanitizer.feed(led)

    async def _write(self, text: str) -> None:
        if not text:
            return
        await self._sink.write(text)
        cited = list(self._sanitizer.cited.values())
        for evidence in cited[self._cited_count :]:
            await self._sink.cite(evidence)
        self._cited_count = len(cited)


def lead(task: Task) -> str:
    """What stands before an answer: the document that an earlier one meant, or what is missing."""
    locale = language(task.context.message)
    documents = task.gathered.findings.documents
    if task.route.source == "history" and task.route.lookup and documents:
        titles = ", ".join(dict.fromkeys(one.title or one.outside_id for one in documents))
        return f"{translate(FROM_DOCUMENT, locale, titles=unmarked(titles))}\n\n"
    if is_partial(task.gathered, MOST_CALLS):
        return f"{translate(PARTIAL, locale)}\n\n"
    return ""


def _passages(context: Context) -> list[Evidence]:
    return [
        piece.evidence
        for piece in context.found.evidence
        if piece.evidence.kind is EvidenceKind.PASSAGE
    ]
