"""Background job that reads the turns of a session and remembers what they tell. Idempotent.

A model reads several turns in one request: every five turns, or after ten idle minutes, as the
answering model remembers by tools what matters at once. Without a model a turn is only marked: it
may have notes already, and a model can read it later.
"""

import logging
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice
from uuid import UUID

from saegim.conversations.types import Turn
from saegim.domain.errors import ModelRefused, ModelUnavailable
from saegim.domain.ids import Clock
from saegim.domain.scope import Scope
from saegim.llm.model_call import ModelFault
from saegim.llm.ports import Embedder, ModelRole
from saegim.llm.steps import Steps
from saegim.memory.candidate import ContactMasking
from saegim.memory.confirmations import Confirmations
from saegim.memory.consents import PostgresConsents
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.extraction.changes import RelatedStatement, Relation, changes_of, same_in
from saegim.memory.extraction.extractor import (
    ExtractedStatement,
    ExtractionInput,
    QuotesNothing,
    extract,
)
from saegim.memory.extraction.repository import MOST_ATTEMPTS, ExtractionSourceStore, UnreadTurns
from saegim.memory.proposals import agrees
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import NewRecord, Origin, Record, Searchable, Statement, text_of
from saegim.offline.heads import tells_nothing
from saegim.text.own_words import own_words

log = logging.getLogger(__name__)

DUE_TURNS, MOST_AT_ONCE = 5, 10
IDLE_SECONDS = 600.0
_ANSWERING = (ModelRole.LITE, ModelRole.STRONG)
# Records near each message, and in all, that the model is shown; characters that find them.
_NEAREST, _MOST_KNOWN, _LONGEST_QUERY = 6, 24, 500
_SAME = 3
_FAILURES = (ModelFault.BROKEN_OUTPUT, ModelFault.EMPTY_OUTPUT, ModelFault.TIMEOUT)


@dataclass(frozen=True, kw_only=True, eq=False)
class MemoryExtraction:
    sources: ExtractionSourceStore
    records: PostgresRecords
    consents: PostgresConsents
    steps: Steps
    embedder: MemoryEmbedder
    masking: ContactMasking
    confirmations: Confirmations
    heads_embedder: Embedder
    """The embedder by which small talk is told apart."""
    clock: Clock

    async def extract(self, tenant: UUID, turn: UUID, *, at_once: bool = False) -> int:
        """Read the turns up to one that were not read, if it is time; return the number of new or
        changed records. Raises ModelUnavailable for a retry."""
        steps = (await self.steps.for_tenant(tenant)).charged_to(tenant)
        written = 0
        while (unread := await self._unread(tenant, turn, steps)) is not None:
            wait = 0.0 if at_once else self._wait(unread, steps)
            if wait > 0:
                # A newer turn has a job of its own.
                if unread.is_newest:
                    await self.sources.read_later(unread.turns[-1], wait)
                return written
            try:
                written += await self._read(unread, steps)
            except ModelUnavailable as error:
                if not _is_failure(error) or not await self._keep_failure(unread, error):
                    raise
                return written
        return written

    async def _unread(self, tenant: UUID, turn: UUID, steps: Steps) -> UnreadTurns | None:
        """Return what is to be read; nothing that was said while memory was off."""
        unread = await self.sources.unread(tenant, turn)
        if unread is None:
            return None
        last = unread.turns[-1]
        await self._take_answer(unread.scope, last)
        since = await self.consents.learning_since(unread.scope, unread.session)
        if since is None or (unread.by_rule and not steps.has(ModelRole.EXTRACTOR)):
            return None
        turns = tuple(each for each in unread.turns if each.created_at >= since)
        return replace(unread, turns=turns) if turns else None

    def _wait(self, unread: UnreadTurns, steps: Steps) -> float:
        """Return in how many seconds the turns are read. Each is read at once if the answering
        model cannot remember by a tool."""
        if unread.again or len(unread.turns) >= DUE_TURNS:
            return 0.0
        if not steps.has(ModelRole.EXTRACTOR) or not any(map(steps.takes_tools, _ANSWERING)):
            return 0.0
        if not unread.is_newest:
            return IDLE_SECONDS
        last = unread.turns[-1]
        idle = self.clock.now() - (last.settled_at or last.created_at)
        return IDLE_SECONDS - idle.total_seconds()

    async def _read(self, unread: UnreadTurns, steps: Steps) -> int:
        """Read the oldest turns."""
        scope, zone = unread.scope, await self.sources.time_zone(unread.scope)
        by_model = steps.has(ModelRole.EXTRACTOR)
        unread = replace(unread, turns=unread.turns[: MOST_AT_ONCE if by_model else 1])
        stale = await self._of_fallback(unread) if by_model else set[UUID]()
        statements = await self._by_model(unread, steps, zone, stale) if by_model else []
        changes = await changes_of(scope, unread.session, statements, self.sources)
        origin = Origin.MODEL if by_model else Origin.FALLBACK
        records = await self.records.write(scope, unread.turns, changes, origin, stale)
        if records:
            await self.sources.look_after(scope)
        log.info("read %s turns by %s: %s statements", len(unread.turns), origin, len(statements))
        return len(records or ())

    async def _by_model(
        self, unread: UnreadTurns, steps: Steps, time_zone: str, stale: Set[UUID]
    ) -> list[RelatedStatement]:
        remembered = await self.sources.records_of(unread.scope, [turn.id for turn in unread.turns])
        remembered = [record for record in remembered if record.id not in stale]
        for turn in unread.turns:
            if not await tells_nothing(self.heads_embedder, _rest(turn, remembered)):
                break
        else:
            return []
        known = await self._known(unread, remembered, steps, stale)
        contacts = self.masking.contacts(unread.scope.tenant)
        given = ExtractionInput(unread.turns, unread.before, known, time_zone, contacts)
        found = await extract(steps, given)
        texts = [text_of(each.candidate.content, each.candidate.topic) for each in found]
        searchables = await self.embedder.searchables(unread.scope.tenant, texts) if texts else []
        return [
            await self._related(each, searchable, stale)
            for each, searchable in zip(found, searchables, strict=True)
        ]

    async def _known(
        self, unread: UnreadTurns, remembered: Sequence[Record], steps: Steps, stale: Set[UUID]
    ) -> list[Record]:
        """Return what the turns remembered by tools, and the records near them that may leave."""
        said = (own_words(turn.exchange().message) for turn in unread.turns)
        texts = [text[:_LONGEST_QUERY] for text in said if text]
        near = {record.id: record for record in remembered}
        for searchable in await self.embedder.searchables(unread.scope.tenant, texts):
            found = await self.records.similar(unread.scope, searchable, _NEAREST)
            near |= {record.id: record for record in found if record.id not in stale}
        policy = steps.egress((ModelRole.EXTRACTOR,))
        leaving = (
            each for each in near.values() if policy.allows(each.type.value, pinned=each.pinned)
        )
        return list(islice(leaving, _MOST_KNOWN))

    async def _related(
        self, each: ExtractedStatement, searchable: Searchable, stale: Set[UUID]
    ) -> RelatedStatement:
        new = NewRecord(
            Statement.of(each.candidate),
            each.turn.created_at,
            (each.turn.id,),
            each.candidate.quote,
            Origin.MODEL,
            searchable,
            rests_on=tuple(record.id for record in each.rests_on),
        )
        near = await self.records.similar(each.turn.scope, searchable, _SAME)
        same = same_in(new, [record for record in near if record.id not in stale])
        if same is not None:
            return RelatedStatement(new, Relation.DUPLICATE, same)
        # A note in the same words has the same natural key.
        if (note := same_in(new, near)) is not None:
            return RelatedStatement(new, Relation.REFINES, note)
        return RelatedStatement(new, each.relation, each.known)

    async def _take_answer(self, scope: Scope, turn: Turn) -> None:
        """Confirm what the turn before asked about, if the message says yes."""
        message = turn.exchange().message
        if not agrees(message):
            return
        before = await self.sources.before(scope, turn.id)
        if before is not None:
            await self.confirmations.take_answer(scope, before, message)

    async def _of_fallback(self, unread: UnreadTurns) -> set[UUID]:
        """Return the notes of the turns, which a model replaces."""
        turns = {turn.id for turn in unread.turns}
        return {
            record.id
            for record in await self.sources.records_of(unread.scope, sorted(turns))
            if record.origin is Origin.FALLBACK and turns.issuperset(record.sources)
        }

    async def _keep_failure(self, unread: UnreadTurns, error: ModelUnavailable) -> bool:
        """Save the model's output; return whether the turns now wait for a retry by hand."""
        name = type(error.__cause__ or error).__name__
        output = f"{error.__cause__ or error}\n{getattr(error.__cause__, '__cause__', '')}"
        attempts = 0
        for turn in unread.turns[:MOST_AT_ONCE]:
            failure = await self.records.save_failure(unread.scope, turn.id, name, output[:20_000])
            attempts = max(attempts, failure.attempts)
        if attempts < MOST_ATTEMPTS:
            return False
        log.warning(
            "extraction of turn %s failed: %s; saved for a retry", unread.turns[-1].id, name
        )
        return True


def _rest(turn: Turn, remembered: Sequence[Record]) -> str:
    """Return the own words of a message without what tools remembered of it."""
    rest = own_words(turn.exchange().message)
    for record in remembered if turn.effects else ():
        rest = rest.replace(record.quote, " ") if turn.id in record.sources else rest
    return rest


def _is_failure(error: ModelUnavailable) -> bool:
    """Return whether the model answered wrongly or too slowly, and likely will again."""
    if isinstance(error, ModelRefused | QuotesNothing):
        return True
    from saegim.llm.faults import fault_of  # noqa: PLC0415 - loaded once a model was asked

    return error.__cause__ is not None and fault_of(error.__cause__) in _FAILURES
