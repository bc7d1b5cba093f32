"""Old records of one topic and time become one digest, and matter less themselves (LM6)."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Protocol
from uuid import UUID

from pydantic import BaseModel

from saegim.domain.clock import Clock
from saegim.domain.errors import ModelRefused
from saegim.domain.ids import new_id
from saegim.domain.jobs import Job, JobKind
from saegim.domain.scope import Scope
from saegim.memory.ports import ConsentStore, RecordStore
from saegim.memory.types import Actor, Because, Digest, Filters, Listing, Record
from saegim.search.delimit import delimited
from saegim.search.tokens import cut
from saegim.steps.ports import ModelRole
from saegim.steps.prompts import load
from saegim.steps.run import Steps
from saegim.steps.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.usage.calls import Source

log = logging.getLogger(__name__)

EVERY_SECONDS = 7 * 24 * 60 * 60.0
_PAGE = 500
_SENTENCES = 6
_TWIN_TOKENS = 400


def consolidate_job(tenant: UUID, profile: UUID) -> Job:
    """A memory's next consolidation: it begins with the first record and goes on by itself."""
    return Job(
        JobKind.CONSOLIDATE,
        tenant,
        profile,
        lock=f"{JobKind.CONSOLIDATE}:{tenant}:{profile}",
        delay_seconds=EVERY_SECONDS,
    )


@dataclass(frozen=True, slots=True)
class ConsolidationRule:
    """Which records are old enough, how many make a digest, and what is left of their weight."""

    after: timedelta = timedelta(days=90)
    least: int = 4
    most: int = 40
    importance_below: float = 0.75
    factor: float = 0.5


class Told(BaseModel):
    """What the summarizer fills in."""

    summary: str


CONSOLIDATE = StructuredStep(
    "consolidate", ModelRole.SUMMARIZER, StepPath.BACKGROUND, Told, max_output_tokens=1_500
)


class ProfileStore(Protocol):
    """Who owns a memory, and when it is looked after next."""

    async def owner(self, tenant: UUID, profile: UUID) -> Scope | None:
        """The scope that a profile is; None if it is gone."""
        ...

    async def look_after(self, scope: Scope) -> None:
        """Queues the memory's next consolidation, unless it waits already."""
        ...


@dataclass(frozen=True, slots=True)
class ConsolidationParts:
    """What digests are made with."""

    profiles: ProfileStore
    records: RecordStore
    consents: ConsentStore
    steps: Steps
    clock: Clock
    rule: ConsolidationRule = ConsolidationRule()


class Consolidation:
    def __init__(self, parts: ConsolidationParts) -> None:
        self._parts = parts

    async def consolidate(self, tenant: UUID, profile: UUID) -> int:
        """Makes the digests that are due; how many. Running twice makes none twice."""
        scope = await self._parts.profiles.owner(tenant, profile)
        if scope is None:
            return 0
        made = 0
        if await self._parts.consents.allows(scope, None):
            for group in groups(await self._old(scope), self._parts.rule):
                made += await self._digest(scope, group)
        await self._parts.profiles.look_after(scope)
        log.info("consolidated memory %s: %s digests", profile, made)
        return made

    async def _old(self, scope: Scope) -> list[Record]:
        """The records that are old enough and in no digest yet."""
        told = {
            source for each in await self._parts.records.digests(scope) for source in each.sources
        }
        until = self._parts.clock.now() - self._parts.rule.after
        found: list[Record] = []
        before: UUID | None = None
        while True:
            listing = Listing(filters=Filters(said_until=until), before=before, count=_PAGE)
            page = await self._parts.records.browse(scope, listing)
            found += [record for record in page if record.id not in told]
            if len(page) < _PAGE:
                return found
            before = page[-1].id

    async def _digest(self, scope: Scope, group: Sequence[Record]) -> bool:
        def twin() -> Told:
            return Told(summary=listed(group))

        steps = self._parts.steps.charged_to(scope.tenant)
        result = await steps.structured(CONSOLIDATE, prompt_of(group), twin, None)
        if not result.value.summary.strip():
            raise ModelRefused("consolidate: the digest is empty")
        actor = Actor.MODEL if result.call.source is Source.MODEL else Actor.TWIN
        digest = Digest(
            id=new_id(self._parts.clock.now()),
            scope=scope,
            first=group[0].said_at,
            last=group[-1].said_at,
            topics=tuple(dict.fromkeys(record.topic for record in group)),
            summary=result.value.summary.strip(),
            sources=tuple(record.id for record in group),
        )
        because = Because(actor, f"{len(group)} records of one topic and time")
        return await self._parts.records.keep_digest(digest, self._parts.rule.factor, because)


def groups(records: Sequence[Record], rule: ConsolidationRule) -> list[tuple[Record, ...]]:
    """Records of one topic and quarter of a year, oldest first, where there are enough of them.

    What is core or pinned stands in every context anyway and stays as it is."""

    def key(record: Record) -> tuple[str, int, int]:
        return record.topic, record.said_at.year, (record.said_at.month - 1) // 3

    plain = [
        record
        for record in records
        if record.topic and not record.core and record.importance < rule.importance_below
    ]
    ordered = sorted(plain, key=lambda record: (*key(record), record.said_at, record.id))
    gathered = [tuple(group) for _, group in groupby(ordered, key)]
    return [group[: rule.most] for group in gathered if len(group) >= rule.least]


def listed(group: Sequence[Record]) -> str:
    """The twin's digest: what the records say, each once, with its day, as far as it fits."""
    lines: dict[str, datetime] = {}
    for record in group:
        lines.setdefault(record.content.rstrip(" ."), record.said_at)
    text = "\n".join(f"{at.date().isoformat()}: {content}" for content, at in lines.items())
    return cut(text, _TWIN_TOKENS)


def prompt_of(group: Sequence[Record]) -> StepPrompt:
    """The records as the summarizer is shown them."""
    lines = "\n".join(f"{record.said_at.date().isoformat()}: {record.content}" for record in group)
    prompt = load("saegim.memory", "consolidate")
    data = delimited("records", lines)
    return prompt.step((Message("user", data),), sentences=str(_SENTENCES))
