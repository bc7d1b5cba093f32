"""Answer a question about the user from memory: look, then write, cite and check."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from saegim.chat.grounding.attribution import Attribution
from saegim.chat.grounding.support import EvidenceSupport, EvidenceText
from saegim.chat.memory_questions.looks import MOST_SOURCES, MemoryLooks
from saegim.chat.memory_questions.question import read_question
from saegim.chat.memory_questions.replies import (
    RuleAnswer,
    memory_is_off,
    nothing_known,
    only_withheld,
    reply,
)
from saegim.chat.memory_questions.types import (
    AskOutcome,
    CitedMemory,
    Markers,
    MemoryAnswer,
    MemoryFindings,
    MemoryQuestion,
    QuestionKind,
    day_of,
)
from saegim.chat.output.stream_sanitizer import StreamSanitizer
from saegim.domain.ids import Clock, new_id
from saegim.domain.scope import Caller
from saegim.llm.egress_policy import EPISODE
from saegim.llm.model_call import CallSource, ModelCall
from saegim.llm.ports import ModelRole
from saegim.llm.prompts import load
from saegim.llm.steps import Steps
from saegim.llm.types import Message, StepEnd, StepPath, StepPrompt, TextDelta, TextStep
from saegim.memory.names import names_in
from saegim.quotas.service import RateLimiter
from saegim.text.masking_pool import MaskWorkers
from saegim.text.tokens import delimited

ASK = TextStep("ask_memory", ModelRole.LITE, StepPath.REPLY, max_output_tokens=800)
SECONDS = 30.0
NOTHING = "NOTHING"
# Rules this sure are kept where a model finds no answer.
_SURE = 0.8
_MOST_CHARACTERS = 800
# What the rules did not find fits as well as not.
_NO_FIT = 0.5


@dataclass(frozen=True, eq=False)
class MemoryQuestions:
    """Answers without a model by rules, and with one by one call after at most three looks."""

    looks: MemoryLooks
    steps: Steps
    spending: RateLimiter
    masking: MaskWorkers
    clock: Clock

    async def ask(self, caller: Caller, text: str) -> MemoryAnswer:
        """Answer a question of the caller about themselves.

        Raises LimitReached, and OptionalServiceDown if memory cannot be read.
        """
        [masked] = await self.masking.mask([text])
        question = read_question(masked.text, self.clock.now(), caller.time_zone)
        findings = await self.looks.find(caller.scope, question)
        if findings.off:
            return MemoryAnswer(memory_is_off(question), AskOutcome.OFF, question.kind)
        markers = Markers(findings.everything, question.time_zone)
        by_rule = reply(question, findings, markers)
        unknown = MemoryAnswer(
            text=nothing_known(question),
            outcome=AskOutcome.UNKNOWN,
            kind=question.kind,
            looks=tuple(findings.looks),
        )
        if by_rule is None and (findings.is_unknown or not findings.everything):
            return unknown
        written = await self._by_model(caller, question, findings, markers, by_rule)
        if written is None and by_rule is not None:
            written = _checked(by_rule.text, markers, by_rule.confidence, CallSource.FALLBACK)
        if written is None:
            return unknown
        return replace(written, kind=question.kind, looks=tuple(findings.looks))

    async def _by_model(
        self,
        caller: Caller,
        question: MemoryQuestion,
        findings: MemoryFindings,
        markers: Markers,
        by_rule: RuleAnswer | None,
    ) -> MemoryAnswer | None:
        """Return the model's answer; None if the rules are to answer, or nobody."""
        steps = await self.steps.for_tenant(caller.scope.tenant)
        if not steps.has(ASK.role):
            return None
        policy = steps.egress((ASK.role,))
        shown = [
            each
            for each in _shown(findings, markers)
            if policy.allows(str(each.source.type or EPISODE), pinned=each.source.pinned)
        ]
        if not shown and by_rule is None:
            return MemoryAnswer(only_withheld(question), AskOutcome.UNKNOWN, question.kind)
        if not shown:
            return None
        if policy.uses_pseudonyms:
            texts = (each.source.text for each in _shown(findings, markers))
            steps = steps.naming(name for text in texts for name in names_in(text))
        text = await self._text(caller, steps, prompt_of(question, findings, shown, markers))
        if text is None:
            return None
        if not text or NOTHING in text.split("\n", 1)[0]:
            if by_rule is None or by_rule.confidence >= _SURE:
                return None
            return MemoryAnswer(
                nothing_known(question), AskOutcome.UNKNOWN, question.kind, by=CallSource.MODEL
            )
        return _attributed(text, question, findings, markers, by_rule)

    async def _text(self, caller: Caller, steps: Steps, prompt: StepPrompt) -> str | None:
        """Return what the model writes; None if it fails."""
        reserved, used = new_id(self.clock.now()), list[ModelCall]()
        await self.spending.reserve(caller, reserved)
        pieces: list[str] = []
        end: StepEnd | None = None
        try:
            deadline = steps.now() + SECONDS
            async for piece in steps.stream(ASK, prompt, str, deadline, used.append):
                if isinstance(piece, TextDelta):
                    pieces.append(piece.text)
                else:
                    end = piece
                    used.append(piece.call)
        finally:
            await self.spending.settle(caller.scope, reserved, used)
        if end is None or not end.complete or end.call.source is CallSource.FALLBACK:
            return None
        return "".join(pieces).strip()


def prompt_of(
    question: MemoryQuestion,
    findings: MemoryFindings,
    shown: Sequence[CitedMemory],
    markers: Markers,
) -> StepPrompt:
    """Return the prompt: the memories with markers and days, and the question."""
    successors = {
        (change.old.id, change.old.text): markers.of(change.new) for change in findings.changes
    }
    zone = question.time_zone
    lines: list[str] = []
    for each in shown:
        source = each.source
        notes = [day_of(source.said_at, zone), *([source.type] if source.type else [])]
        successor = successors.get((source.id, source.text))
        if successor is not None:
            notes.append(f"replaced by {successor}")
        elif source.superseded_by is not None and source.valid_to is not None:
            notes.append(f"until {day_of(source.valid_to, zone)}")
        if source.unsure_since is not None:
            notes.append(f"unsure since {day_of(source.unsure_since, zone)}")
        quote = f" — “{source.quote}”" if source.quote and source.quote != source.text else ""
        text = f"{source.text[:_MOST_CHARACTERS]}{quote[:_MOST_CHARACTERS]}"
        lines.append(f"[{each.marker}] ({', '.join(notes)}) {text}")
    data = [delimited("memories", "\n".join(lines)), delimited("question", question.text)]
    return load("saegim.chat", "ask_memory").step(
        (Message("user", "\n\n".join(data)),), today=day_of(question.now, zone)
    )


def _shown(findings: MemoryFindings, markers: Markers) -> list[CitedMemory]:
    """Return the sources that the model sees: changes, the best sources, and reasons."""
    cited = markers.by_marker()
    changed = [side for change in findings.changes for side in (change.new, change.old)]
    best = (*changed[:MOST_SOURCES], *findings.sources[:MOST_SOURCES], *findings.reasons.values())
    return [cited[name] for name in dict.fromkeys(map(markers.of, best))]


def _attributed(
    text: str,
    question: MemoryQuestion,
    findings: MemoryFindings,
    markers: Markers,
    by_rule: RuleAnswer | None,
) -> MemoryAnswer | None:
    """Return a model's answer with its sentences attributed; None if no source supports it."""
    evidence = [EvidenceText.of(each) for each in markers.evidence().values()]
    today = day_of(question.now, question.time_zone)
    attribution = Attribution(EvidenceSupport(evidence, question.text, [today]))
    cited = attribution.feed(text) + attribution.close()
    share = attribution.supported / attribution.sentences if attribution.sentences else 0.0
    known = by_rule.confidence if by_rule is not None else findings.chance(_NO_FIT)
    answer = _checked(cited, markers, share * known, CallSource.MODEL)
    return answer if answer.citations else None


def _checked(text: str, markers: Markers, confidence: float, by: CallSource) -> MemoryAnswer:
    """Return an answer without foreign markers and links, with the sources that it cites."""
    sanitizer = StreamSanitizer(markers.evidence())
    shown = sanitizer.feed(text) + sanitizer.close()
    cited = markers.by_marker()
    return MemoryAnswer(
        text=shown,
        outcome=AskOutcome.ANSWERED,
        kind=QuestionKind.OPEN,
        confidence=round(min(1.0, confidence), 3),
        citations=tuple(cited[name] for name in sanitizer.cited),
        by=by,
    )
