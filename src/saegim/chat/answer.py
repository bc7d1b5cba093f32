"""The answer: model choice, streaming, checks, and the fixed replies when nothing answers."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from saegim.chat.answer_task import AnswerResult, Task
from saegim.chat.answer_writer import AnswerWriter
from saegim.chat.context.assembly import Context
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
from saegim.chat.relay import TurnStream
from saegim.chat.routing import CHAT
from saegim.chat.rules.document_replies import no_documents
from saegim.chat.rules.intents import read
from saegim.chat.rules.quotes import find_quotes
from saegim.chat.rules.replies import reply
from saegim.chat.rules.types import RuleReply, RuleTask
from saegim.chat.types import (
    MARKER,
    NOTHING_READY,
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
from saegim.llm.prompts import load
from saegim.llm.turn_budget import TurnModelBudget
from saegim.llm.types import StepEnd, StepPath, StepPrompt, TextDelta, TextStep
from saegim.locales import N_, translate
from saegim.text.analysis import language
from saegim.text.questions import LONGEST_QUESTION
from saegim.tools.types import ToolSpec
from saegim.usage.trace import AnswerUse

Kind = Literal["nothing_ready", "nothing_found", "tools_failed", "abstained"]

TOOLS_FAILED = N_("The search service is unavailable.")
ABSTAINED = N_("I couldn't find an answer to that in the documents.")
NOT_GROUNDED = N_(
    "(The documents do not support this answer. Please check it before you rely on it.)"
)
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
    """Return whether memory, history or tools cover the message, or it asks for nothing."""
    context, thread = task.context, task.context.thread
    if task.gathered.has_facts or is_statement_about_self(context.message):
        return True
    if depends_on_thread(context.message) and (thread.recent or thread.summary):
        return True
    return bool(find_quotes(context))


@dataclass(frozen=True, slots=True)
class MoreEvidence:
    """What a model may ask for while it answers: tools that a draft plans, and another search.

    `run` returns the task with what the tools returned, or None if that is nothing; `search` the
    task with what was found, and a prompt that says that no other search follows.
    """

    offered: tuple[ToolSpec, ...]
    run: Callable[[Task, Sequence[PlannedTool]], Awaitable[Task | None]]
    search: Callable[[Task, str], Awaitable[Task]]


async def answer(
    task: Task, steps: TurnModelBudget, sink: TurnStream, more: MoreEvidence
) -> AnswerResult:
    """Write a fixed answer, a model's answer, or the extractive one if no model is available."""
    if task.is_memory_request or not steps.has(ModelRole.LITE):
        return await _write_by_rule(task, steps, sink)
    fixed = fixed_answer(task)
    if fixed is not None and task.config.strict:
        kind, text = fixed
        await sink.write(text)
        return AnswerResult(True, AnswerUse(kind, "none", (kind,)), task, by_rule=True)
    decision = _decide(task, steps)
    draft: DraftAnswer | None = None
    checked: Check | None = None
    if decision.choice is ModelChoice.DRAFT:
        draft, checked, decision = await _draft(task, steps, more.offered)
        if draft.tool_plan and (with_tools := await more.run(task, draft.tool_plan)) is not None:
            task, draft = with_tools, None
    writer = AnswerWriter(task, sink)
    end = await _write(task, steps, writer, decision, draft)
    if writer.query is not None:
        task = await more.search(task, writer.query)
        writer = AnswerWriter(task, sink)
        end = await _write(task, steps, writer, decision, None)
    if writer.query is not None:
        # It would search once more instead of answering: the rules quote what there is.
        writer = AnswerWriter(task, sink, has_model=False)
    await _finish(task, writer, end)
    result = writer.result(end, decision, draft, checked)
    gap = fixed_answer(task)
    return replace(result, use=replace(result.use, gap=gap and gap[0]))


async def _write(
    task: Task,
    steps: TurnModelBudget,
    writer: AnswerWriter,
    decision: Decision,
    draft: DraftAnswer | None,
) -> StepEnd | None:
    """Write a model's answer, or nothing if the model asks for another search."""
    if task.config.strict:
        return await _write_strict(task, steps, writer, decision, draft)
    if draft is not None and decision.choice is ModelChoice.DRAFT:
        return await writer.show(writer.attribute(draft.draft))
    return await writer.follow(_stream(task, steps, decision, draft, writer.by_rule))


async def _write_by_rule(task: Task, steps: TurnModelBudget, sink: TurnStream) -> AnswerResult:
    """Write the reply of the rules, without a model."""
    fixed = None if task.is_memory_request else fixed_answer(task)
    if fixed is not None and fixed[0] in ("tools_failed", "abstained"):
        kind, text = fixed
        await sink.write(text)
        return AnswerResult(True, AnswerUse(kind, "none", (kind,)), task, by_rule=True)
    by_rule = rule_reply(task)
    if by_rule.outcome != "answered" or task.is_memory_request:
        writer = AnswerWriter(task, sink)
        await writer.show(by_rule.text)
        reason = "memory_request" if task.is_memory_request else by_rule.outcome
        use = AnswerUse(by_rule.outcome, "none", (reason,))
        return AnswerResult(True, use, task, writer.cited, by_rule=True)
    writer = AnswerWriter(task, sink, has_model=False)
    decision = _decide(task, steps)
    end = await writer.follow(_stream(task, steps, decision, None))
    return writer.result(end, decision, None, None)


def rule_task(task: Task) -> RuleTask:
    """Return the part of a task that the rules answer."""
    findings, searched = task.gathered.findings, task.route.searches
    rules, context = task.rules, task.context
    if len(context.message) > LONGEST_QUESTION:
        context = replace(context, message=context.message[:LONGEST_QUESTION])
    if rules.interpretation is None:
        rules = replace(rules, interpretation=read(context.message))
    memory = task.gathered.memory
    return RuleTask(
        inputs=rules,
        context=context,
        findings=findings,
        config=task.config,
        searched=searched,
        nothing_known=memory.is_unknown,
        unsure=memory.to_ask.text if memory.to_ask else None,
    )


def rule_reply(task: Task) -> RuleReply:
    """Return the reply that the rules write to a message."""
    return reply(rule_task(task))


async def _finish(task: Task, writer: AnswerWriter, end: StepEnd | None) -> None:
    """Quote if a model wrote nothing readable, and mark an answer that cites no document."""
    if not writer.has_text:
        writer.outcome = "search_mode"
        await writer.show(rule_reply(task).text)
    by_model = end is None or (end.complete and end.call.source is CallSource.MODEL)
    if not by_model or writer.outcome != "answered" or not task.asks_documents:
        return
    writer.grounded = bool(writer.cited) and not writer.has_unsupported
    if not writer.cited:
        note = translate(NOT_GROUNDED, language(task.context.message))
        await writer.show(f"\n\n{note}")


def _decide(task: Task, steps: TurnModelBudget) -> Decision:
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
    if (steps.asks_once or steps.sampling.is_set) and decision.choice is ModelChoice.DRAFT:
        return replace(decision, choice=ModelChoice.LITE)
    return decision


def draft_prompt(answer: StepPrompt, tools: Sequence[ToolSpec]) -> StepPrompt:
    """Return the answer's prompt with instructions to write a draft and score it."""
    prompt = load("saegim.chat", "draft")
    return prompt.step(answer.messages, answer=answer.system, tools=tool_list(tools))


async def _draft(
    task: Task, steps: TurnModelBudget, tools: Sequence[ToolSpec]
) -> tuple[DraftAnswer, Check, Decision]:
    """Ask the lite model for a draft, check it, and decide whether to show it."""
    context = task.context
    prompt = draft_prompt(context.prompt, tools)
    draft = await steps.structured(
        DRAFT, prompt, lambda: DraftAnswer(draft="", self_score=SelfScore())
    )
    checked = check(draft.draft, context.evidence, context.message)
    reasons = rejection_reasons(draft, checked, task.config.thresholds)
    return draft, checked, Decision(ModelChoice.STRONG if reasons else ModelChoice.DRAFT, reasons)


def _stream(
    task: Task,
    steps: TurnModelBudget,
    decision: Decision,
    draft: DraftAnswer | None,
    by_rule: Callable[[], None] = lambda: None,
) -> AsyncGenerator[TextDelta | StepEnd]:
    """Stream the model's answer; `by_rule` is called before the rules' reply instead of it."""

    def fallback() -> str:
        if draft is not None and draft.draft.strip():
            return draft.draft
        by_rule()
        return rule_reply(task).text

    return steps.stream(STEPS[decision.choice], task.context.prompt, fallback)


async def _write_strict(
    task: Task,
    steps: TurnModelBudget,
    writer: AnswerWriter,
    decision: Decision,
    draft: DraftAnswer | None,
) -> StepEnd | None:
    """Write the whole answer after checking it, or abstain if the evidence does not support it."""
    if draft is not None and decision.choice is ModelChoice.DRAFT:
        text, end = draft.draft, None
    else:
        # A rejected draft must not be the fallback in strict mode.
        text, end = await writer.collect(_stream(task, steps, decision, None))
        if writer.query is not None:
            return end
    quotes = end is not None and end.call.source is CallSource.FALLBACK
    if not quotes:
        text = writer.attribute(text)
    if not quotes and task.route.name != CHAT and not _is_supported(text, task.context):
        writer.outcome = "abstained"
        text = translate(ABSTAINED, language(task.context.message))
    await writer.show(text)
    return end


def _is_supported(text: str, context: Context) -> bool:
    """Return whether the cited evidence supports the text without the question's own words."""
    known = context.evidence
    cited = {marker: known[marker] for marker in MARKER.findall(text) if marker in known}
    checked = check(text, cited, context.message)
    covered = coverage(MARKER.sub("", text), [evidence.text for evidence in cited.values()])
    return checked.cites and checked.passed and covered >= LEAST_COVERAGE
