"""Background job that extracts memories from a turn. Idempotent."""

import logging
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from saegim.domain.errors import ModelRefused, ModelUnavailable
from saegim.domain.scope import Scope
from saegim.llm.model_call import CallSource, ModelFault
from saegim.llm.ports import ModelRole
from saegim.llm.steps import Steps
from saegim.memory.candidate import CandidateMemory, ContactMasking, Speaker
from saegim.memory.confirmations import Confirmations, says_yes
from saegim.memory.consents import PostgresConsents
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.extraction.extractor import ExtractionInput, QuotesNothing, extract
from saegim.memory.extraction.reconciliation import StatementMatches, StatementRelation, reconcile
from saegim.memory.extraction.repository import ExtractionSourceStore
from saegim.memory.repository import PostgresRecords
from saegim.memory.rules.grounds import follows_from, grounds_of, may_rest
from saegim.memory.rules.relations import Relation, may_repeat, rejected
from saegim.memory.trivial_turns import is_trivial
from saegim.memory.types import (
    Add,
    Change,
    Confirm,
    NewRecord,
    Origin,
    Record,
    RecordQuery,
    Revise,
    Statement,
    Supersede,
    TurnWindow,
    text_of,
)

log = logging.getLogger(__name__)

BEFORE = 4
NEAREST = 12
MOST_ATTEMPTS = 3
"""After this many invalid outputs of the model, a turn waits for a manual retry."""

# Records that are compared with a statement that may rest on them.
_MOST_GROUNDS = 300
_REPLACES = (Relation.SUPERSEDES, Relation.CONTRADICTS)


@dataclass(frozen=True, kw_only=True, eq=False)
class MemoryExtraction:
    sources: ExtractionSourceStore
    records: PostgresRecords
    consents: PostgresConsents
    steps: Steps
    embedder: MemoryEmbedder
    masking: ContactMasking
    confirmations: Confirmations

    async def extract(self, tenant: UUID, turn: UUID) -> int:
        """Extract memories from a turn; return the number of new or changed records.

        Raises ModelUnavailable for a retry. After the last one the rule-based fallback extracts,
        and a later extraction by a model replaces what it wrote.
        """
        return await self._extract(tenant, turn, await self.steps.for_tenant(tenant))

    async def extract_by_rule(self, tenant: UUID, turn: UUID) -> int:
        """Extract with the rule-based fallback; `extract_again` lets a model replace it."""
        return await self._extract(tenant, turn, self.steps.by_rule())

    async def _extract(self, tenant: UUID, turn: UUID, steps: Steps) -> int:
        window = await self.sources.window(tenant, turn, BEFORE + 1)
        if window is None or not await self._wanted(window, turn, steps):
            return 0
        message = window.turns[-1].message
        await self._take_answer(window.scope, turn, message)
        if is_trivial(message):
            await self.records.write(window.scope, turn, (), _origin(steps))
            return 0
        try:
            return await self._remember(window, turn, steps.charged_to(tenant))
        except ModelUnavailable as error:
            if _is_invalid_output(error) and await self._keep_failure(window.scope, turn, error):
                return await self.extract_by_rule(tenant, turn)
            if _fault(error) is ModelFault.TIMEOUT:
                # As slow the next time, so the attempts are counted.
                raise ModelRefused(error.detail) from error
            raise

    async def _remember(self, window: TurnWindow, turn: UUID, steps: Steps) -> int:
        scope, new = window.scope, window.turns[-1]
        time_zone = await self.sources.time_zone(scope)
        speaker = Speaker(new.at, time_zone, self.masking.contacts(scope.tenant))
        before = window.turns[:-1]
        reply = "" if new.by_rule else new.reply
        facts = None
        if not steps.has(ModelRole.EXTRACTOR):
            facts = await self.embedder.facts(scope.tenant, new.message)
        extraction_input = ExtractionInput(
            new.message, reply, speaker, before, bool(new.doc_ids), facts
        )
        candidates, call = await extract(steps, extraction_input)
        origin = Origin.MODEL if call.source is CallSource.MODEL else Origin.FALLBACK
        asserted = await self._asserted(scope.tenant, candidates, new.at, turn, origin)
        asserted = await self._grounded(scope, new.message, asserted)
        near = [await self.records.similar(scope, each.searchable, NEAREST) for each in asserted]
        verdicts, _ = await reconcile(
            steps, list(map(StatementMatches, candidates, near)), time_zone
        )
        stale = await self._of_fallback(scope, turn)
        changes = await self._changes(window, asserted, verdicts, stale)
        stale -= {change.record for change in changes if isinstance(change, Revise)}
        if steps.is_slow(ModelRole.EXTRACTOR) and len(stale) > len(candidates):
            # A small model overlooks statements: it must not undo what the rules remembered.
            stale = set[UUID]()
        written = await self.records.write(scope, turn, changes, origin, stale)
        if written:
            await self.sources.look_after(scope)
        log.info("extracted from turn %s: %s statements, by %s", turn, len(candidates), call.source)
        return len(written or ())

    async def _asserted(
        self,
        tenant: UUID,
        candidates: Sequence[CandidateMemory],
        said_at: datetime,
        turn: UUID,
        origin: Origin,
    ) -> list[NewRecord]:
        if not candidates:
            return []
        texts = [text_of(each.content, each.topic) for each in candidates]
        searchables = await self.embedder.searchables(tenant, texts)
        return [
            NewRecord(Statement.of(each), said_at, (turn,), each.quote, origin, searchable)
            for each, searchable in zip(candidates, searchables, strict=True)
        ]

    async def _grounded(
        self, scope: Scope, message: str, asserted: Sequence[NewRecord]
    ) -> list[NewRecord]:
        """Add to each statement the records that it rests on, and whether it follows another."""
        known: tuple[Record, ...] = ()
        if any(may_rest(each.statement.content) for each in asserted):
            known = await self.records.browse(scope, RecordQuery(count=_MOST_GROUNDS))
        return [
            replace(
                each,
                rests_on=tuple(grounds_of(each.statement.content, each.statement.topic, known)),
                follows=follows_from(message, each.quote),
            )
            for each in asserted
        ]

    async def _take_answer(self, scope: Scope, turn: UUID, message: str) -> None:
        """Confirm what the turn before asked about, if the message says yes."""
        if not says_yes(message):
            return
        before = await self.sources.before(scope, turn)
        if before is not None:
            await self.confirmations.take_answer(scope, before, message)

    async def _changes(
        self,
        window: TurnWindow,
        asserted: Sequence[NewRecord],
        verdicts: Sequence[StatementRelation],
        stale: Set[UUID],
    ) -> list[Change]:
        """Return what the statements change; one that is near a stale record takes its place."""
        changes: list[Change] = []
        replaced: set[UUID] = set()
        for each, verdict in zip(asserted, verdicts, strict=True):
            known, new = verdict.record, each.statement
            if known is not None and known.id in stale:
                taken = known.id in replaced
                replaced.add(known.id)
                revised = Revise(known.id, new, each.searchable, each.origin)
                changes.append(Add(each) if taken else revised)
            elif _outdated(each, verdict):
                continue
            elif verdict.relation is not Relation.DUPLICATE:
                changes.append(_change_of(each, verdict))
            elif known is None or not may_repeat(new.content, known.content):
                changes.append(Add(each))
            elif not await self._is_known(window, verdict, by_model=each.origin is Origin.MODEL):
                changes.append(_change_of(each, verdict))
        return changes

    async def _is_known(
        self, window: TurnWindow, verdict: StatementRelation, *, by_model: bool
    ) -> bool:
        """Return whether the duplicate is of the same conversation: then it is no new source.

        An unsure record is confirmed by whoever says it again. One of the fallback may be replaced,
        and stays only if the turn that a model read is a source, too.
        """
        assert verdict.record is not None, "a duplicate has its record"
        replaceable = by_model and verdict.record.origin is Origin.FALLBACK
        if verdict.record.unsure_since is not None or replaceable:
            return False
        sources = verdict.record.sources
        return await self.sources.said_in(window.scope, window.session, sources)

    async def _of_fallback(self, scope: Scope, turn: UUID) -> set[UUID]:
        """Return the records that only the fallback wrote, of this turn alone."""
        if await self.records.extracted(scope, turn) is not Origin.FALLBACK:
            return set()
        return {
            record.id
            for record in await self.sources.records_of_turn(scope, turn)
            if record.origin is Origin.FALLBACK and record.sources == (turn,)
        }

    async def _wanted(self, window: TurnWindow, turn: UUID, steps: Steps) -> bool:
        """Return whether memory is on, and the turn not yet extracted, or only by the fallback."""
        if not await self.consents.allows(window.scope, window.session):
            return False
        before = await self.records.extracted(window.scope, turn)
        return before is None or (before is Origin.FALLBACK and _origin(steps) is Origin.MODEL)

    async def _keep_failure(self, scope: Scope, turn: UUID, error: ModelUnavailable) -> bool:
        """Save the model's output; return whether the turn now waits for a manual retry."""
        name = type(error.__cause__ or error).__name__
        output = f"{error.__cause__ or error}\n{getattr(error.__cause__, '__cause__', '')}"
        failure = await self.records.save_failure(scope, turn, name, output[:20_000])
        if failure.attempts < MOST_ATTEMPTS:
            return False
        log.warning("extraction of turn %s failed: %s; saved for a retry", turn, name)
        return True


def _outdated(new: NewRecord, verdict: StatementRelation) -> bool:
    """Return whether the record is newer: turns are not always extracted in order."""
    if verdict.record is None or verdict.relation in (Relation.NEW, Relation.DUPLICATE):
        return False
    return verdict.record.said_at > new.said_at


def _change_of(new: NewRecord, verdict: StatementRelation) -> Change:
    known, statement, [turn] = verdict.record, new.statement, new.sources
    if known is None or verdict.relation is Relation.NEW:
        return Add(new)
    if verdict.relation is Relation.DUPLICATE:
        return Confirm(known.id, turn, statement.importance)
    if verdict.relation in _REPLACES:
        ends_at = max(statement.valid_from or new.said_at, known.said_at)
        new = _filed_with(known, new)
        return Supersede(known.id, new, ends_at, verdict.relation is Relation.CONTRADICTS)
    return Revise(known.id, statement, new.searchable, new.origin, turn)


def _filed_with(known: Record, new: NewRecord) -> NewRecord:
    """Return a correction with the type and topic of what it corrects.

    By its own words, "라떼 말고 아메리카노로 바꿨어" is a decision, and no drink.
    """
    if new.origin is not Origin.FALLBACK or not rejected(new.statement.content):
        return new
    return replace(new, statement=replace(new.statement, type=known.type, topic=known.topic))


def _origin(steps: Steps) -> Origin:
    return Origin.MODEL if steps.has(ModelRole.EXTRACTOR) else Origin.FALLBACK


def _is_invalid_output(error: ModelUnavailable) -> bool:
    """Return whether the output of the model was invalid."""
    if isinstance(error, QuotesNothing):
        return True
    return _fault(error) in (ModelFault.BROKEN_OUTPUT, ModelFault.EMPTY_OUTPUT)


def _fault(error: ModelUnavailable) -> ModelFault | None:
    from saegim.llm.faults import fault_of  # noqa: PLC0415 - loaded once a model was asked

    return None if error.__cause__ is None else fault_of(error.__cause__)
