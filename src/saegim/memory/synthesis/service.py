"""Keep what follows from the records of a user, and explain it."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from pydantic import BaseModel

from saegim.domain.errors import NotFound
from saegim.domain.scope import Scope
from saegim.llm.model_call import CallSource
from saegim.llm.ports import ModelRole
from saegim.llm.prompts import load
from saegim.llm.steps import Steps
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.memory.consents import PostgresConsents
from saegim.memory.egress import steps_for
from saegim.memory.synthesis.profile import fit_profile
from saegim.memory.synthesis.repository import ALL_KINDS, PostgresDerived
from saegim.memory.synthesis.types import DerivedKind, DerivedMemory, ExplainedMemory
from saegim.text import analysis, function_words
from saegim.text.tokens import cut, delimited

log = logging.getLogger(__name__)
# Observations that are worded in one call, and tokens of a sentence.
_MOST_WORDED, _TOKENS = 8, 60


class WordingForm(BaseModel):
    """A sentence for the observation of a number."""

    number: int
    sentence: str


class WordingsForm(BaseModel):
    observations: list[WordingForm]


WORD = StructuredStep(
    "observe", ModelRole.SUMMARIZER, StepPath.BACKGROUND, WordingsForm, max_output_tokens=1_500
)


def wording_prompt(observations: Sequence[ExplainedMemory]) -> StepPrompt:
    """Build the prompt with numbered observations and the records of each."""
    blocks: list[str] = []
    for number, each in enumerate(observations):
        lines = "\n".join(
            f"- {record.said_at.date().isoformat()}: {record.content}" for record in each.evidence
        )
        blocks.append(f"observation {number}:\n{lines}")
    data = delimited("observations", "\n\n".join(blocks))
    return load("saegim.memory", "observe").step((Message("user", data),))


def checked(sentence: str, observation: ExplainedMemory) -> str | None:
    """Return a sentence that has only words of the records behind it; else None."""
    texts = [text for record in observation.evidence for text in (record.content, record.quote)]
    allowed = analysis.word_keys(" ".join(texts)) | function_words.KOREAN | function_words.ENGLISH
    text = cut(" ".join(sentence.split()), _TOKENS)
    return text if text and analysis.word_keys(text) <= allowed else None


@dataclass(frozen=True, eq=False)
class Synthesis:
    derived: PostgresDerived
    consents: PostgresConsents
    steps: Steps
    enabled: bool = True

    async def synthesise(self, tenant: UUID, profile: UUID) -> int:
        """Derive the memory of a profile again, and return how many rows changed. Idempotent.

        If synthesis is off, what was derived before is removed.
        """
        scope = await self.derived.owner(tenant, profile)
        if scope is None:
            return 0
        if not self.enabled:
            return await self.derived.remove_all(scope)
        rebuilt = await self.derived.rebuild(scope)
        if rebuilt.next_change is not None:
            await self.derived.rebuild_at(scope, rebuilt.next_change)
        if await self.consents.allows(scope, None):
            await self._word(scope)
        log.info("synthesised memory %s: %s changes", profile, len(rebuilt))
        return len(rebuilt)

    async def known(
        self, scope: Scope, kinds: Sequence[DerivedKind] = ALL_KINDS, *, whole: bool = False
    ) -> tuple[ExplainedMemory, ...]:
        """List what follows from the records, with the records behind it; undone ones too.

        Of the profile only the lines that fit it, unless the `whole` is asked for.
        """
        stored = await self.derived.browse(scope, kinds)
        lines = [each for each in stored if each.kind is DerivedKind.PROFILE]
        shown = {each.id for each in fit_profile(lines, self.derived.clock.now())}
        listed = [
            each
            for each in stored
            if whole or each.kind is not DerivedKind.PROFILE or each.undone or each.id in shown
        ]
        explained = await self._explain(scope, listed)
        order = list(DerivedKind)
        return tuple(
            sorted(explained, key=lambda one: (order.index(one.memory.kind), one.memory.order))
        )

    async def undo(self, scope: Scope, derived: UUID) -> ExplainedMemory:
        """Take back a derived record until its sources change. Raises NotFound."""
        return await self._marked(scope, derived, undone=True)

    async def restore(self, scope: Scope, derived: UUID) -> ExplainedMemory:
        """Restore a derived record. Raises NotFound."""
        return await self._marked(scope, derived, undone=False)

    async def _marked(self, scope: Scope, derived: UUID, *, undone: bool) -> ExplainedMemory:
        memory = await self.derived.mark(scope, derived, undone=undone)
        explained = await self._explain(scope, [memory])
        if not explained:
            raise NotFound("derived memory")
        return explained[0]

    async def _explain(
        self, scope: Scope, memories: Sequence[DerivedMemory]
    ) -> list[ExplainedMemory]:
        """Add the records; what has lost one waits for its job and is left out."""
        ids = {record for each in memories for record in (*each.sources, *each.against)}
        records = await self.derived.records(scope, sorted(ids))
        return [
            ExplainedMemory(
                each,
                tuple(records[source] for source in each.sources),
                tuple(records[other] for other in each.against if other in records),
            )
            for each in memories
            if all(source in records for source in each.sources)
        ]

    async def _word(self, scope: Scope) -> None:
        """Let a model word observations of several records. No transaction spans the call."""
        stored = await self.derived.browse(scope, (DerivedKind.OBSERVATION,))
        open_ = [each for each in stored if each.wording is None and len(each.sources) > 1]
        observations = await self._explain(scope, open_[:_MOST_WORDED])
        if not observations:
            return
        steps = (await self.steps.for_tenant(scope.tenant)).charged_to(scope.tenant)
        shown = (
            record for each in observations for record in (*each.evidence, *each.counter_evidence)
        )
        steps = steps_for(steps, WORD.role, shown)
        result = await steps.structured(
            WORD, wording_prompt(observations), lambda: WordingsForm(observations=[]), None
        )
        if result.call.source is not CallSource.MODEL:
            return
        sentences = {each.number: each.sentence for each in result.value.observations}
        for number, each in enumerate(observations):
            wording = checked(sentences.get(number, ""), each) or each.memory.text
            await self.derived.word(scope, each.memory, wording)
