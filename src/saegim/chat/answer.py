"""The answer: the loop of a model, checks, and the fixed replies when nothing answers."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from typing import Literal

from saegim.chat.answer_task import AnswerResult, Task
from saegim.chat.answer_writer import AnswerWriter
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
from saegim.chat.loop import AnswerLoop, LoopEnd
from saegim.chat.relay import TurnStream
from saegim.chat.routing import CHAT
from saegim.chat.rules.document_replies import no_documents
from saegim.chat.rules.intents import read
from saegim.chat.rules.quotes import find_quotes
from saegim.chat.rules.replies import HEARD, reply
from saegim.chat.rules.types import RuleReply, RuleTask
from saegim.chat.turn_tools.types import TurnTool
from saegim.chat.types import MARKER, NOTHING_READY, Evidence
from saegim.chat.understanding import depends_on_thread, is_statement_about_self
from saegim.domain.scope import Locale
from saegim.llm.model_call import CallSource, ModelFault
from saegim.llm.ports import ModelRole
from saegim.llm.prompts import load
from saegim.llm.turn_budget import TurnModelBudget
from saegim.llm.types import StepEnd, StepPath, StepPrompt, TextDelta, TextStep
from saegim.locales import N_, translate
from saegim.text.analysis import language
from saegim.text.questions import LONGEST_QUESTION
from saegim.usage.trace import AnswerUse

Kind = Literal["nothing_ready", "nothing_found", "tools_failed", "abstained"]

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
    """Return whether memory, history or tools cover the message, or it asks for nothing."""
    context, thread = task.context, task.context.thread
    if task.gathered.has_facts or is_statement_about_self(context.message):
        return True
    if depends_on_thread(context.message) and (thread.recent or thread.summary):
        return True
    return bool(find_quotes(context))


async def answer(
    task: Task, steps: TurnModelBudget, sink: TurnStream, tools: Mapping[str, TurnTool]
) -> AnswerResult:
    """Write a model's answer, or the rules' if no model is available."""
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
        end = await _end(task, writer, looped)
    if looped is None or not looped.for_client:
        await _finish(task, writer, end)
    result = writer.result(end, decision, draft, checked)
    gap = fixed_answer(task)
    result = replace(result, use=replace(result.use, gap=gap and gap[0]))
    if looped is None:
        return result
    return replace(
        result,
        for_client=looped.for_client,
        rounds=looped.rounds,
    )


async def _end(task: Task, writer: AnswerWriter, loop: LoopEnd) -> StepEnd:
    """Write what a loop kept back, or the rules' reply if the model did not answer."""
    end = loop.end
    if end.call.fault is ModelFault.EMPTY_OUTPUT and (writer.has_text or task.changes_memory):
        # A model that has called a tool may have nothing to add.
        if not writer.has_text:
            await writer.show(translate(HEARD, language(task.context.message)))
        await writer.finish()
        return replace(end, call=replace(end.call, source=CallSource.MODEL))
    if end.call.source is CallSource.FALLBACK:
        if writer.has_text:
            # Words of an earlier request are shown: nothing can replace them.
            await writer.finish(complete=False)
            return replace(end, complete=False)
        writer.by_rule()
        await writer.show(rule_reply(task).text)
        return end
    if task.config.strict and not loop.for_client:
        await _show_if_supported(task, writer)
    elif not loop.for_client:
        await writer.finish(complete=end.complete)
    return end


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
    decision = Decision(ModelChoice.LITE, ("no_model",))
    end = await writer.follow(_stream(task, steps))
    await writer.finish()
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
    """Quote if a model wrote nothing readable, and check what a model wrote."""
    if not writer.has_text:
        writer.outcome = "search_mode"
        await writer.show(rule_reply(task).text)
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


def _stream(task: Task, steps: TurnModelBudget) -> AsyncGenerator[TextDelta | StepEnd]:
    """Stream the rules' reply, as no model is configured."""
    prompt = task.context.prompt
    return steps.stream(STEPS[ModelChoice.LITE], prompt, lambda: rule_reply(task).text)


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
