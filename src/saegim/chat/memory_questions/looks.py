"""Look into memory for a question, at most three times."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from saegim.chat.memory_questions.matching import (
    about,
    coverage,
    decides,
    gives_reason,
    is_sure,
)
from saegim.chat.memory_questions.types import (
    MemoryFindings,
    MemoryQuestion,
    MemorySource,
    QuestionKind,
    SourceChange,
)
from saegim.conversations.repository import PostgresTurns
from saegim.conversations.types import Turn
from saegim.domain.errors import NotFound
from saegim.domain.scope import Scope
from saegim.memory.consents import PostgresConsents
from saegim.memory.history import RecordHistory
from saegim.memory.recall.service import Recall
from saegim.memory.recall.types import CandidateKind, RecallCandidate, RecallRequest, Recollection
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import Filters, MemoryType, Origin, RecordQuery
from saegim.text.analysis import index_terms, query_terms, sentences

MOST_SOURCES = 24
MOST_DECISIONS = 3
_MOST_LISTED = 300
_MOST_CHANGES = 20
_MOST_TOPICS = 3
# A decision that shares no word with the question must be this similar to it.
_SIMILAR = 0.5
_EVER = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, eq=False)
class MemoryLooks:
    recall: Recall
    records: PostgresRecords
    history: RecordHistory
    consents: PostgresConsents
    turns: PostgresTurns

    async def find(self, scope: Scope, question: MemoryQuestion) -> MemoryFindings:
        """Return what memory has for a question. Raises OptionalServiceDown."""
        findings = MemoryFindings()
        if not (await self.consents.of(scope, None)).using:
            findings.off = True
            return findings
        match question.kind:
            case QuestionKind.PROFILE:
                await self._list(scope, findings)
            case QuestionKind.CHANGES:
                await self._changes(scope, question, findings)
            case QuestionKind.DECISION:
                await self._decisions(scope, question, findings)
            case QuestionKind.WHEN | QuestionKind.OPEN:
                await self._search(scope, question, findings)
        return findings

    async def _list(self, scope: Scope, findings: MemoryFindings) -> None:
        """Add the valid records, the most important first."""
        findings.looks.append("records")
        listed = await self.records.browse(scope, RecordQuery(count=_MOST_LISTED))
        records = [record for record in listed if not record.is_digest]
        records.sort(key=lambda record: (not record.core, -record.importance))
        findings.add(*map(MemorySource.of, records))
        findings.known = float(bool(records))

    async def _changes(
        self, scope: Scope, question: MemoryQuestion, findings: MemoryFindings
    ) -> None:
        """Add what was replaced or corrected, and what is new."""
        since, until = _EVER, question.now + timedelta(days=1)
        if question.span is not None:
            since, until = question.span.first, question.span.past
        findings.looks.append("changes")
        await self._add_changes(scope, question.topic, since, until, findings)
        findings.looks.append("new")
        filters = Filters(said_from=since, said_until=until)
        listed = await self.records.browse(scope, RecordQuery(filters=filters, count=_MOST_LISTED))
        changed = {change.new.id for change in findings.changes}
        new = [MemorySource.of(each) for each in listed if not each.is_digest]
        findings.add(*(each for each in about(question.topic, new) if each.id not in changed))
        findings.known = float(bool(findings.changes or findings.sources))

    async def _add_changes(
        self, scope: Scope, topic: str, since: datetime, until: datetime, findings: MemoryFindings
    ) -> None:
        for change in await self.history.changes(scope, since, until, _MOST_LISTED):
            pair = SourceChange(MemorySource.of(change.old), MemorySource.of(change.new), change.at)
            if len(findings.changes) < _MOST_CHANGES and about(topic, (pair.old, pair.new)):
                findings.changes.append(pair)

    async def _decisions(
        self, scope: Scope, question: MemoryQuestion, findings: MemoryFindings
    ) -> None:
        """Add the decisions on the topic, why they were made, and what they changed."""
        found = MemoryFindings()
        request, decisions = _request(scope, question), Filters(frozenset({MemoryType.DECISION}))
        await self._recall(replace(request, filters=decisions), found, "recall")
        listed = await self.records.browse(
            scope, RecordQuery(filters=decisions, count=_MOST_LISTED)
        )
        found.add(*(MemorySource.of(each) for each in listed if not each.is_digest))
        if not _chosen(question, found.sources):
            message = question.topic or question.text
            await self._recall(replace(request, message=message), found, "topic")
        findings.looks, findings.known = found.looks, found.known
        findings.is_unknown = found.is_unknown
        chosen = _chosen(question, found.sources)
        findings.add(*chosen[:MOST_DECISIONS])
        if not chosen:
            findings.add(*found.sources)
            return
        findings.looks.append("history")
        after = question.now + timedelta(days=1)
        await self._add_changes(scope, question.topic, _EVER, after, findings)
        ids = {each.id for each in findings.sources}
        findings.changes = [each for each in findings.changes if each.new.id in ids]
        for decision in findings.sources:
            reason = await self._reason(scope, question, decision)
            if reason is not None:
                findings.reasons[decision.id] = reason

    async def _reason(
        self, scope: Scope, question: MemoryQuestion, decision: MemorySource
    ) -> MemorySource | None:
        """Return the sentence of the decision's turn, or of the ones beside it, that says why."""
        if decision.turn is None or gives_reason(decision.text) or gives_reason(decision.quote):
            return None
        try:
            turn = await self.turns.find(scope, decision.turn)
            before = await self.turns.turns_before(scope, turn.session, turn.number, 1)
            after = await self.turns.turns(scope, turn.session, turn.number, 1)
        except NotFound:
            return None
        subject = set(query_terms(f"{question.topic} {decision.text}"))
        for each in sorted([*before, turn, *after], key=lambda each: each.id != turn.id):
            if await self.records.extracted(scope, each.id) is Origin.PERSON:
                continue  # The user left it out of memory.
            for sentence in sentences(each.exchange().message):
                if not gives_reason(sentence) or sentence in (decision.text, decision.quote):
                    continue
                if each.id == turn.id or subject & set(index_terms(sentence)):
                    return _said(each, sentence)
        return None

    async def _search(
        self, scope: Scope, question: MemoryQuestion, findings: MemoryFindings
    ) -> None:
        """Recall; then by the topics that were found; then in the named time, or what changed."""
        request = _request(scope, question)
        await self._recall(request, findings, "recall")
        if findings.off or is_sure(question, findings):
            return
        topics = [each.topic for each in findings.sources if each.topic][:_MOST_TOPICS]
        if question.topic and topics:
            entities = tuple(dict.fromkeys(topics))
            by_topic = replace(request, message=question.topic, entities=entities)
            await self._recall(by_topic, findings, "topics")
            if is_sure(question, findings):
                return
        if question.span is not None:
            filters = Filters(said_from=question.span.first, said_until=question.span.past)
            await self._recall(replace(request, filters=filters), findings, "time")
        elif question.topic:
            findings.looks.append("history")
            after = question.now + timedelta(days=1)
            await self._add_changes(scope, question.topic, _EVER, after, findings)

    async def _recall(self, request: RecallRequest, findings: MemoryFindings, look: str) -> None:
        """Recall once and add what was found."""
        recollection = await self.recall.recall(request)
        findings.off = recollection.off
        first_look = not findings.looks
        findings.looks.append(look)
        findings.known = max(findings.known, recollection.known)
        findings.is_unknown = recollection.is_unknown and (first_look or findings.is_unknown)
        findings.add(*await self._sources(request.scope, recollection))

    async def _sources(self, scope: Scope, recollection: Recollection) -> list[MemorySource]:
        candidates = (*recollection.recalled, *recollection.pinned)
        ids = [each.id for each in candidates if each.kind is not CandidateKind.EPISODE]
        records = await self.history.find(scope, ids)
        sources: list[MemorySource] = []
        for each in candidates:
            if each.kind is CandidateKind.EPISODE:
                sources.append(_episode(each))
            elif each.id in records and not records[each.id].is_digest:
                sources.append(MemorySource.of(records[each.id], each.signals.dense))
        return sources


def _request(scope: Scope, question: MemoryQuestion) -> RecallRequest:
    return RecallRequest(scope, question.text, question.now, question.time_zone)


def _chosen(question: MemoryQuestion, sources: Sequence[MemorySource]) -> list[MemorySource]:
    """Return the decisions that a question is about: those with its words, best first."""
    span = question.span
    decisions = [
        each
        for each in sources
        if each.kind == "record"
        and decides(each)
        and (span is None or span.first <= each.said_at < span.past)
    ]
    named = about(question.topic, decisions)
    if named:
        return sorted(
            named, key=lambda each: (coverage(question.topic, each), each.said_at), reverse=True
        )
    return [each for each in decisions if each.similarity >= _SIMILAR]


def _said(turn: Turn, sentence: str) -> MemorySource:
    return MemorySource("turn", turn.id, sentence, turn.created_at, quote=sentence, turn=turn.id)


def _episode(candidate: RecallCandidate) -> MemorySource:
    turn: UUID = candidate.sources[0] if candidate.sources else candidate.id
    return MemorySource(
        "turn",
        turn,
        candidate.text,
        candidate.said_at,
        turn=turn,
        similarity=candidate.signals.dense,
        message=candidate.message,
    )
