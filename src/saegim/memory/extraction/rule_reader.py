"""Read a turn by rules, where the tenant has no model for it."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from saegim.conversations.types import Exchange, Turn
from saegim.domain.scope import Scope
from saegim.memory.candidate import CandidateMemory, Speaker, normalise, verbatim
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.extraction.changes import RelatedStatement, same_in
from saegim.memory.repository import PostgresRecords
from saegim.memory.rules.extractor import extract_statements
from saegim.memory.rules.grounds import follows_from, grounds_of, may_rest
from saegim.memory.rules.relations import Relation, by_rule
from saegim.memory.small_talk import is_small_talk
from saegim.memory.types import NewRecord, Origin, Record, RecordQuery, Statement, text_of

_NEAREST = 12
# Records that are compared with a statement that may rest on them.
_MOST_GROUNDS = 300


@dataclass(frozen=True, eq=False)
class RuleReader:
    records: PostgresRecords
    embedder: MemoryEmbedder

    async def read(
        self, turn: Turn, before: Sequence[Turn], speaker: Speaker
    ) -> list[RelatedStatement]:
        """Return what the message of a turn tells. Raises ModelUnavailable for the embedder."""
        message, scope = turn.exchange().message, turn.scope
        if is_small_talk(message):
            return []
        facts = await self.embedder.facts(scope.tenant, message)
        candidates = statements_of(message, [each.exchange() for each in before], facts, speaker)
        if not candidates:
            return []
        texts = [text_of(each.content, each.topic) for each in candidates]
        searchables = await self.embedder.searchables(scope.tenant, texts)
        new = [
            NewRecord(
                Statement.of(each), turn.created_at, (turn.id,), each.quote, Origin.FALLBACK, found
            )
            for each, found in zip(candidates, searchables, strict=True)
        ]
        grounded = await self._grounded(scope, message, new)
        return [await self._related(scope, each) for each in grounded]

    async def _related(self, scope: Scope, new: NewRecord) -> RelatedStatement:
        near = await self.records.similar(scope, new.searchable, _NEAREST)
        if (same := same_in(new, near)) is not None:
            return RelatedStatement(new, Relation.DUPLICATE, same)
        relation, index = by_rule(new.statement.content, [record.content for record in near])
        return RelatedStatement(new, relation, None if index is None else near[index])

    async def _grounded(
        self, scope: Scope, message: str, new: Sequence[NewRecord]
    ) -> list[NewRecord]:
        """Add to each statement the records that it rests on, and whether it follows another."""
        known: tuple[Record, ...] = ()
        if any(may_rest(each.statement.content) for each in new):
            known = await self.records.browse(scope, RecordQuery(count=_MOST_GROUNDS))
        return [
            replace(
                each,
                rests_on=tuple(grounds_of(each.statement.content, each.statement.topic, known)),
                follows=follows_from(message, each.quote),
            )
            for each in new
        ]


def statements_of(
    message: str, before: Sequence[Exchange], facts: Set[str] | None, speaker: Speaker
) -> list[CandidateMemory]:
    """Return the normalised statements of a message that quote it; `facts` are what it tells by its
    meaning."""
    distinct: dict[str, CandidateMemory] = {}
    for each in extract_statements(message, before, facts):
        quote = verbatim(each.quote, message)
        if quote is not None:
            candidate = normalise(replace(each, quote=quote), speaker)
            distinct.setdefault(candidate.content, candidate)
    return list(distinct.values())
