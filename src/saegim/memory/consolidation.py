"""Consolidate old records of one topic, type and quarter into a digest."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from uuid import UUID

from pydantic import BaseModel

from saegim.domain.errors import ModelRefused
from saegim.domain.ids import Clock, new_id
from saegim.domain.scope import Scope
from saegim.llm.model_call import CallSource
from saegim.llm.ports import ModelRole
from saegim.llm.prompts import load
from saegim.llm.steps import Steps
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.memory.consents import PostgresConsents
from saegim.memory.egress import steps_for
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.extraction.repository import ExtractionSourceStore
from saegim.memory.repository import PostgresRecords
from saegim.memory.types import (
    DIGEST,
    Actor,
    ChangeReason,
    Digest,
    Filters,
    NewRecord,
    Origin,
    Record,
    Statement,
)
from saegim.text.tokens import count, cut, delimited

log = logging.getLogger(__name__)

_SENTENCES = 4
# High enough that a digest does not expire as unimportant.
_LEAST_IMPORTANCE = 0.5


@dataclass(frozen=True, slots=True)
class ConsolidationRule:
    """Which records are old enough, how many make a digest, and how long it is."""

    after: timedelta = timedelta(days=90)
    least: int = 4
    most: int = 40
    importance_below: float = 0.75
    tokens: int = 150


class DigestForm(BaseModel):
    summary: str


CONSOLIDATE = StructuredStep(
    "consolidate", ModelRole.SUMMARIZER, StepPath.BACKGROUND, DigestForm, max_output_tokens=1_500
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Consolidation:
    profiles: ExtractionSourceStore
    records: PostgresRecords
    consents: PostgresConsents
    steps: Steps
    embedder: MemoryEmbedder
    clock: Clock
    rule: ConsolidationRule = ConsolidationRule()

    async def consolidate(self, tenant: UUID, profile: UUID, most: int | None = None) -> int:
        """Make at most `most` due digests and return their number. Idempotent."""
        scope = await self.profiles.owner(tenant, profile)
        if scope is None:
            return 0
        made = 0
        if await self.consents.allows(scope, None):
            for group in groups(await self._old(scope), self.rule)[:most]:
                made += await self._digest(scope, group)
        await self.profiles.look_after(scope)
        await self.profiles.synthesise(scope)
        log.info("consolidated memory %s: %s digests", profile, made)
        return made

    async def _old(self, scope: Scope) -> list[Record]:
        """Return the records that are old enough and in no digest."""
        digests = await self.records.digests(scope)
        digested = {source for each in digests for source in each.sources}
        until = self.clock.now() - self.rule.after
        records = await self.records.browse_all(scope, Filters(said_until=until))
        return [record for record in records if record.id not in digested]

    async def _digest(self, scope: Scope, group: Sequence[Record]) -> bool:
        tokens = self.rule.tokens
        listed = listing(group, tokens)

        def by_rule() -> DigestForm:
            return DigestForm(summary="\n".join(listed.values()))

        steps = (await self.steps.for_tenant(scope.tenant)).charged_to(scope.tenant)
        steps = steps_for(steps, CONSOLIDATE.role, group)
        result = await steps.structured(CONSOLIDATE, prompt_of(group), by_rule, None)
        if not result.value.summary.strip():
            raise ModelRefused("consolidate: the digest is empty")
        by_model = result.call.source is CallSource.MODEL
        # The rule-based list contains only the records that fit; the others are not consolidated.
        group_records = group if by_model else [record for record in group if record.id in listed]
        digest = Digest(
            id=new_id(group_records[-1].said_at),
            scope=scope,
            first=group_records[0].said_at,
            last=group_records[-1].said_at,
            topics=tuple(dict.fromkeys(record.topic for record in group_records)),
            summary=cut(result.value.summary.strip(), tokens),
            sources=tuple(record.id for record in group_records),
        )
        origin = Origin.MODEL if by_model else Origin.FALLBACK
        because = ChangeReason(
            Actor(origin.value), f"{len(group_records)} records of one topic and time"
        )
        new = await self._record(digest, group_records, origin)
        return await self.records.keep_digest(digest, new, because)

    async def _record(
        self, digest: Digest, group_records: Sequence[Record], origin: Origin
    ) -> NewRecord:
        """Build the record of a digest."""
        statement = Statement(
            type=group_records[0].type,
            content=digest.summary,
            importance=max(_LEAST_IMPORTANCE, *(record.importance for record in group_records)),
            valid_from=digest.first,
            topic=", ".join(digest.topics),
            tags=frozenset({DIGEST}),
            pii=frozenset(kind for record in group_records for kind in record.pii),
        )
        [searchable] = await self.embedder.searchables_of(digest.scope.tenant, [statement])
        return NewRecord(statement, digest.last, (), "", origin, searchable)


def groups(records: Sequence[Record], rule: ConsolidationRule) -> list[tuple[Record, ...]]:
    """Group records by topic, type and quarter, oldest first, if there are enough.

    Core and pinned records are left out: they are in every context.
    """

    def key(record: Record) -> tuple[str, str, int, int]:
        quarter = (record.said_at.month - 1) // 3
        return record.topic, record.type, record.said_at.year, quarter

    plain = [
        record
        for record in records
        if record.topic and not record.core and record.importance < rule.importance_below
    ]
    ordered = sorted(plain, key=lambda record: (*key(record), record.said_at, record.id))
    grouped = [tuple(group) for _, group in groupby(ordered, key)]
    return [group[: rule.most] for group in grouped if len(group) >= rule.least]


def listing(group: Sequence[Record], tokens: int) -> dict[UUID, str]:
    """Return the rule-based digest: a dated line per record, as many as fit, at least one."""
    lines: dict[UUID, str] = {}
    left = tokens
    for record in group:
        line = f"{record.said_at.date().isoformat()}: {record.content.rstrip(' .')}"
        size = count(line) + 1
        if size > left and lines:
            break
        lines[record.id] = line
        left -= size
    return lines


def prompt_of(group: Sequence[Record]) -> StepPrompt:
    lines = "\n".join(f"{record.said_at.date().isoformat()}: {record.content}" for record in group)
    prompt = load("saegim.memory", "consolidate")
    data = delimited("records", lines)
    return prompt.step((Message("user", data),), sentences=str(_SENTENCES))
