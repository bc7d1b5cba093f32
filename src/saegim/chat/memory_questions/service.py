"""Answer a question about the user from memory: look, then write or quote, cite and check."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from saegim.chat.grounding.attribution import Attribution
from saegim.chat.grounding.support import EvidenceSupport, EvidenceText
from saegim.chat.memory_questions.quotes import listed_records, quote
from saegim.chat.memory_questions.types import (
    AskOutcome,
    CitedMemory,
    Markers,
    MemoryAnswer,
    MemoryFindings,
    MemoryQuestion,
    MemorySource,
    SourceChange,
    day_of,
)
from saegim.chat.output.stream_sanitizer import StreamSanitizer
from saegim.domain.ids import Clock, new_id
from saegim.domain.scope import Caller, Scope
from saegim.llm.model_call import CallSource, ModelCall
from saegim.llm.ports import EPISODE, ModelRole
from saegim.llm.prompts import load
from saegim.llm.steps import Steps
from saegim.llm.types import Message, StepEnd, StepPath, StepPrompt, TextDelta, TextStep
from saegim.locales import N_, translate
from saegim.memory.history import RecordHistory
from saegim.memory.recall.service import Recall
from saegim.memory.recall.types import CandidateKind, RecallCandidate, RecallRequest, Recollection
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import RecordQuery
from saegim.quotas.service import RateLimiter
from saegim.text.masking_pool import MaskWorkers
from saegim.text.names import names_in
from saegim.text.tokens import delimited

ASK = TextStep("ask_memory", ModelRole.LITE, StepPath.REPLY, max_output_tokens=800)
SECONDS = 30.0
NOTHING = "NOTHING"
MEMORY_IS_OFF = N_("Memory is off, so I can't look into it. You can turn it on on the memory page.")
NOT_REMEMBERED = N_("I found nothing about that in your memory.")
WITHHELD = N_(
    "What your memory has on that may not be given to the model, and I found no answer in it"
    " without one."
)
_MOST_CHARACTERS = 800
_MOST_READ = 300
_MOST_CHANGES = 20
# What recall says of a question to whose answer no earlier turn is near.
_LEAST_KNOWN = 0.5
_EVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, eq=False)
class MemoryQuestions:
    """Answers by one call of a model; without one, or if it fails, by quotes."""

    recall: Recall
    records: PostgresRecords
    history: RecordHistory
    steps: Steps
    spending: RateLimiter
    masking: MaskWorkers
    clock: Clock

    async def ask(self, caller: Caller, text: str) -> MemoryAnswer:
        """Answer a question of the caller about themselves.

        Raises LimitReached, and OptionalServiceDown if memory cannot be read.
        """
        [masked] = await self.masking.mask([text])
        question = MemoryQuestion(masked.text, self.clock.now(), caller.time_zone)
        findings = await self._find(caller.scope, question)
        if findings.off:
            return MemoryAnswer(translate(MEMORY_IS_OFF, question.locale), AskOutcome.OFF)
        markers = Markers(findings.everything, question.time_zone)
        steps = await self.steps.for_tenant(caller.scope.tenant)
        found = list(markers.by_marker().values())
        shown = _allowed(found, steps) if steps.has(ASK.role) else []
        if shown:
            prompt = prompt_of(question, findings, shown, markers)
            written = await self._written(caller, _naming(steps, found), prompt)
            answer = _attributed(written, question, findings, markers)
            if answer is not None:
                return answer
        quoted = quote(question, findings, markers)
        if quoted is not None:
            return _checked(*quoted, markers)
        is_withheld = bool(found) and not shown and steps.has(ASK.role)
        unknown = translate(WITHHELD if is_withheld else NOT_REMEMBERED, question.locale)
        listed = listed_records(question, findings, markers)
        answer = _checked(f"{unknown}\n\n{listed}".rstrip(), 0.0, markers)
        return replace(answer, outcome=AskOutcome.UNKNOWN)

    async def _find(self, scope: Scope, question: MemoryQuestion) -> MemoryFindings:
        """Look three times: recall, the valid records, and what changed last."""
        recollection = await self.recall.recall(
            RecallRequest(scope, question.text, question.now, question.time_zone)
        )
        if recollection.off:
            return MemoryFindings(off=True)
        listed = await self.records.browse(scope, RecordQuery(count=_MOST_READ))
        records = [record for record in listed if not record.is_digest]
        records.sort(key=lambda record: (not record.core, -record.importance))
        until = question.now + timedelta(days=1)
        changes = await self.history.changes(scope, _EVER, until, _MOST_CHANGES)
        return MemoryFindings(
            recalled=tuple(await self._recalled(scope, recollection)),
            records=tuple(map(MemorySource.of, records)),
            changes=tuple(
                SourceChange(MemorySource.of(each.old), MemorySource.of(each.new))
                for each in changes
            ),
            known=recollection.known,
            is_unknown=recollection.is_unknown,
        )

    async def _recalled(self, scope: Scope, recollection: Recollection) -> list[MemorySource]:
        candidates = (*recollection.recalled, *recollection.pinned)
        ids = [each.id for each in candidates if each.kind is not CandidateKind.EPISODE]
        records = await self.history.find(scope, ids)
        sources: list[MemorySource] = []
        for each in candidates:
            if each.kind is CandidateKind.EPISODE:
                sources.append(_episode(each))
            elif each.id in records and not records[each.id].is_digest:
                sources.append(MemorySource.of(records[each.id]))
        return sources

    async def _written(self, caller: Caller, steps: Steps, prompt: StepPrompt) -> str:
        """Return what the model writes; nothing if it fails."""
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
            return ""
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
        quoted = f" — “{source.quote}”" if source.quote and source.quote != source.text else ""
        text = f"{source.text[:_MOST_CHARACTERS]}{quoted[:_MOST_CHARACTERS]}"
        lines.append(f"[{each.marker}] ({', '.join(notes)}) {text}")
    data = [delimited("memories", "\n".join(lines)), delimited("question", question.text)]
    return load("saegim.chat", "ask_memory").step(
        (Message("user", "\n\n".join(data)),), today=day_of(question.now, zone)
    )


def _episode(candidate: RecallCandidate) -> MemorySource:
    turn = candidate.sources[0] if candidate.sources else candidate.id
    return MemorySource(
        "turn",
        turn,
        candidate.text,
        candidate.said_at,
        turn=turn,
        message=candidate.message,
    )


def _allowed(found: Sequence[CitedMemory], steps: Steps) -> list[CitedMemory]:
    """Return what may leave to the provider of the model."""
    policy = steps.egress((ASK.role,))
    return [
        each
        for each in found
        if policy.allows(str(each.source.type or EPISODE), pinned=each.source.pinned)
    ]


def _naming(steps: Steps, found: Sequence[CitedMemory]) -> Steps:
    """Return steps that hide the names in the memories, if the provider gets pseudonyms."""
    if not steps.egress((ASK.role,)).uses_pseudonyms:
        return steps
    return steps.naming(name for each in found for name in names_in(each.source.text))


def _attributed(
    text: str, question: MemoryQuestion, findings: MemoryFindings, markers: Markers
) -> MemoryAnswer | None:
    """Return a model's answer with its sentences attributed; None if no source supports it."""
    if NOTHING in text.split("\n", 1)[0]:
        unknown = translate(NOT_REMEMBERED, question.locale)
        return MemoryAnswer(unknown, AskOutcome.UNKNOWN, by=CallSource.MODEL)
    evidence = [EvidenceText.of(each) for each in markers.evidence().values()]
    today = day_of(question.now, question.time_zone)
    attribution = Attribution(EvidenceSupport(evidence, question.text, [today], cites_turns=True))
    cited = attribution.feed(text) + attribution.close()
    share = attribution.supported / attribution.sentences if attribution.sentences else 0.0
    known = max(findings.known, _LEAST_KNOWN)
    answer = _checked(cited, share * known, markers, CallSource.MODEL)
    return answer if answer.citations else None


def _checked(
    text: str, confidence: float, markers: Markers, by: CallSource = CallSource.FALLBACK
) -> MemoryAnswer:
    """Return an answer without foreign markers and links, with the sources that it cites."""
    sanitizer = StreamSanitizer(markers.evidence())
    shown = sanitizer.feed(text) + sanitizer.close()
    cited = markers.by_marker()
    return MemoryAnswer(
        text=shown,
        outcome=AskOutcome.ANSWERED,
        confidence=round(min(1.0, confidence), 3),
        citations=tuple(cited[name] for name in sanitizer.cited),
        by=by,
    )
