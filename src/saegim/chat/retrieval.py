"""Retrieves context for a message from memory and library concurrently."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from saegim.chat.context.assembly import Thread
from saegim.chat.context.evidence import RetrievedContext
from saegim.chat.routing import TurnRoute
from saegim.chat.types import AssistantConfig
from saegim.conversations.types import Controls
from saegim.domain.errors import ModelUnavailable, OptionalServiceDown
from saegim.domain.scope import Caller
from saegim.library.service import Library
from saegim.llm.ports import ModelRole
from saegim.llm.steps import TurnModelBudget
from saegim.memory.recall.service import Recall
from saegim.memory.recall.types import (
    RecallCandidate,
    RecallLimits,
    RecallRequest,
    Recollection,
)
from saegim.research.lookup import look_up
from saegim.research.loop import Assessment, Research
from saegim.research.types import MOST_CALLS, Findings, Hints, ResearchQuestion
from saegim.team_memory.service import TeamMemory
from saegim.tools.service import Tools
from saegim.tools.types import ToolSpec
from saegim.usage.trace import TurnTrace

# Of the time of one step.
RECALL_SHARE = 0.5
# The similarity of memories that a model gets without asking. Of the questions to memory of the
# copilot and the Korean set, up to 4 of 100 lose their evidence.
NEAR = 0.35
RELATED_SHARE = 0.25
MEMORY_PART = "memory"
LIBRARY_PART = "index"


@dataclass(frozen=True, slots=True)
class Finders:
    memory: Recall
    library: Library
    research: Research
    tools: Tools
    team: TeamMemory | None = None


@dataclass(frozen=True, slots=True)
class Search:
    caller: Caller
    message: str
    route: TurnRoute
    hints: Hints
    config: AssistantConfig
    recall: RecallRequest
    tools: tuple[ToolSpec, ...] = ()
    """The assistant's tools."""


async def gather(
    finders: Finders, search: Search, steps: TurnModelBudget, trace: TurnTrace
) -> RetrievedContext:
    """Retrieve from memory and library; an unavailable one is left out and noted in the trace."""
    memory, findings = await asyncio.gather(
        _recall(finders, search, steps, trace), _find(finders, search, steps, trace)
    )
    return RetrievedContext(memory, findings)


def near_enough(
    gathered: RetrievedContext, config: AssistantConfig, *, recalls: bool = False
) -> RetrievedContext:
    """Leave out passages that are not near the message, and memories if the model `recalls` by
    itself."""
    if recalls:
        gathered = replace(gathered, memory=gathered.memory.near(NEAR))
    findings = gathered.findings
    if findings.documents or findings.confidence >= config.thresholds.evidence:
        return gathered
    return replace(gathered, findings=replace(findings, ranked=()))


async def search_instead(
    finders: Finders,
    search: Search,
    first: RetrievedContext,
    steps: TurnModelBudget,
    trace: TurnTrace,
) -> RetrievedContext:
    """Search because no document could be opened; the look-up counts as a library call."""
    opened = first.findings
    findings = await _find(finders, search, steps, trace, MOST_CALLS - len(opened.library_calls))
    together = replace(
        findings,
        library_calls=(*opened.library_calls, *findings.library_calls),
        rejected=(*opened.rejected, *findings.rejected),
    )
    return replace(first, findings=together)


async def _recall(
    finders: Finders, search: Search, steps: TurnModelBudget, trace: TurnTrace
) -> Recollection:
    seconds = min(RECALL_SHARE * steps.step_seconds, steps.left())
    recollection = Recollection()
    with trace.span("recall"):
        try:
            async with asyncio.timeout(seconds):
                recollection = await finders.memory.recall(search.recall)
                trace.memory_off = recollection.off
                if recollection.off or finders.team is None:
                    return recollection
                shared = await finders.team.recall(search.caller, search.recall.message)
                return with_team(recollection, shared)
        except (TimeoutError, OptionalServiceDown, ModelUnavailable):
            trace.note_degraded(MEMORY_PART)
            # The user's own memories, if it was the team's that failed.
            return recollection


# A shared record with this share of the question's words comes before the user's own memories.
_SURE_SHARE = 0.6


def with_team(own: Recollection, shared: Sequence[RecallCandidate]) -> Recollection:
    """Add shared records: those that fit surely first, the others last."""
    if not shared:
        return own
    sure = [each for each in shared if each.signals.score >= _SURE_SHARE]
    others = [each for each in shared if each.signals.score < _SURE_SHARE]
    return replace(own, ranked=(*sure, *own.recalled, *others))


async def _find(
    finders: Finders,
    search: Search,
    steps: TurnModelBudget,
    trace: TurnTrace,
    calls: int = MOST_CALLS,
) -> Findings:
    route = search.route
    if route.lookup:
        try:
            async with asyncio.timeout(steps.step_left()):
                # Documents that the user chose are the only allowed source.
                expand = route.reason != "chosen_documents" and calls > 1
                return await look_up(
                    finders.library,
                    search.caller,
                    route.lookup,
                    search.message,
                    related_seconds=RELATED_SHARE * steps.step_seconds if expand else 0.0,
                )
        except TimeoutError:
            trace.note_degraded(LIBRARY_PART)
            return Findings()
    if not route.searches:
        return Findings()
    # A model searches again by itself; one call is left for what a review asks for.
    most = 1 if steps.has_tools else calls - 1 if steps.may_ask(ModelRole.ASSESSOR) else calls
    with trace.span("research"):
        findings = await finders.research.find(search.caller, _question(search, most), steps)
    for part in findings.degraded:
        trace.note_degraded(part)
    return findings


async def follow(
    finders: Finders,
    search: Search,
    found: Findings,
    assessment: Assessment,
    steps: TurnModelBudget,
    trace: TurnTrace,
) -> Findings:
    """Do what a model asks for after it has seen the findings."""
    left = MOST_CALLS - len(found.library_calls)
    if search.route.lookup and left:
        opened = await _find(finders, search, steps, trace, left)
        if opened.ranked:
            calls = (*found.library_calls, *opened.library_calls)
            return replace(opened, library_calls=calls)
    findings = await finders.research.follow(
        search.caller, _question(search), found, assessment, steps
    )
    for part in findings.degraded:
        trace.note_degraded(part)
    return findings


def _question(search: Search, calls: int = MOST_CALLS) -> ResearchQuestion:
    route = search.route
    return ResearchQuestion(
        message=search.message,
        standalone=route.standalone,
        variants=route.variants,
        hints=search.hints,
        prefers=route.prefers,
        calls=calls,
    )


def in_conversation(
    request: RecallRequest, thread: Thread, controls: Controls, chosen: Sequence[UUID] = ()
) -> RecallRequest:
    """Add the topic of the conversation and the user's memory controls for this message.

    Turns already in the context are not recalled.
    """
    return replace(
        request,
        entities=tuple(f"{entity.key}: {entity.value}" for entity in thread.entities),
        summary=thread.summary,
        recent_from=min((turn.number for turn in thread.recent), default=None),
        chosen=(*(UUID(each) for each in controls.chosen), *chosen),
        limits=RecallLimits(controls.memory_tokens, controls.item_tokens),
        memory=controls.memory,
        pinned=controls.pinned,
    )
