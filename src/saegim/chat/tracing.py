"""Records each stage of a turn in its trace."""

from collections.abc import Sequence

from saegim.chat.answer import AnswerResult
from saegim.chat.context.assembly import Context
from saegim.chat.context.evidence import RetrievedContext, scores_of, turn_of
from saegim.chat.grounding.attribution import cited_place
from saegim.chat.routing import LOOKUP, TurnRoute
from saegim.chat.types import Evidence, EvidenceKind, excerpt
from saegim.conversations.types import Outcome, TurnState
from saegim.library.service import title_of
from saegim.memory.recall.types import RecallCandidate
from saegim.research.types import Findings, Hints
from saegim.tools.types import ToolResult
from saegim.usage.metrics import NOT_RANKED
from saegim.usage.trace import (
    CitationUse,
    FindingsUse,
    ItemUse,
    RouteUse,
    SearchUse,
    ToolUse,
    TurnTrace,
)

MOST_REFS = 3


def note_route(
    trace: TurnTrace, route: TurnRoute, hints: Hints, doubts: Sequence[str] = ()
) -> None:
    trace.route = LOOKUP if route.lookup else route.name
    trace.routing = RouteUse(
        route.reason,
        route.source,
        route.standalone,
        route.variants,
        hints.as_json(),
        tuple(doubts),
    )


def note_gathered(trace: TurnTrace, gathered: RetrievedContext) -> None:
    note_findings(trace, gathered.findings)
    note_tools(trace, gathered.tools)


def note_findings(trace: TurnTrace, findings: Findings, since: Findings | None = None) -> None:
    """Note the findings, and the searches and rejected ids that `since` does not have."""
    before = trace.findings
    calls = len(since.library_calls) if since else 0
    rejected = len(since.rejected) if since else 0
    trace.searches += [
        SearchUse(call.tool, call.queries, call.filters, call.found, call.took_ms)
        for call in findings.library_calls[calls:]
    ]
    trace.rejected_doc_ids = (*trace.rejected_doc_ids, *findings.rejected[rejected:])
    trace.findings = FindingsUse(
        round(findings.confidence, 4),
        findings.is_sufficient,
        findings.missing,
        findings.consulted,
        round(findings.confidence, 4) if since is None or before is None else before.by_rule,
    )


def note_tools(trace: TurnTrace, results: Sequence[ToolResult]) -> None:
    trace.tools += [
        ToolUse(each.tool, each.state, each.provider, each.reason, each.took_ms, each.added)
        for each in results
    ]


def note_context(trace: TurnTrace, context: Context, gathered: RetrievedContext) -> None:
    """Note included and dropped items with their scores, replacing an earlier context."""
    trace.items.clear()
    trace.blocks[:] = context.blocks
    trace.context = context.use
    trace.egress = context.egress
    ranked = {each.passage.id for each in gathered.findings.ranked}
    trace.items += context.items
    trace.items += [
        ItemUse(
            EvidenceKind.PASSAGE,
            str(each.passage.id),
            title_of(each.document, each.passage.text),
            NOT_RANKED,
            each.passage.tokens,
            dict(scores_of(each)),
        )
        for each in gathered.findings.considered
        if each.passage.id not in ranked
    ]
    trace.items += map(left_out, gathered.memory.dropped)


def note_answer(trace: TurnTrace, result: AnswerResult, text: str) -> None:
    """Note how the answer was made, and what its text cites."""
    gathered, context = result.task.gathered, result.task.context
    trace.answer = result.use
    trace.citations += [
        CitationUse(
            each.marker,
            each.kind,
            each.id,
            each.title,
            each.document,
            each.url,
            each.turn,
            each.section,
            _place(each, text),
            also_in=each.also_in,
            stale_since=each.stale_since.isoformat() if each.stale_since else None,
            team=each.team,
        )
        for each in result.cited
    ]
    trace.excerpts = {each.marker: excerpt(each.text) for each in result.cited}
    if result.use.choice == "none":
        return
    opened = {document.outside_id for document in gathered.findings.documents}
    used = _documents(result.cited) or [
        (title, document)
        for title, document in _documents([piece.evidence for piece in context.found.evidence])
        if not opened or document in opened
    ]
    trace.refs = list(dict.fromkeys(title for title, _ in used))[:MOST_REFS]
    trace.ref_doc_ids = list(dict.fromkeys(document for _, document in used))[:MOST_REFS]
    trace.related = [document.outside_id for document in gathered.findings.related]


def _place(evidence: Evidence, text: str) -> dict[str, int | str] | None:
    place = cited_place(evidence, text)
    if place is None:
        return None
    return place.parts() if place.last is None else {**place.parts(), "last": place.last}


def _documents(evidence: list[Evidence]) -> list[tuple[str, str]]:
    """Return title and id of the evidence's documents."""
    return [(each.title, each.document) for each in evidence if each.document is not None]


def left_out(memory: RecallCandidate) -> ItemUse:
    """Return the trace entry of a memory that recall considered and dropped."""
    return ItemUse(
        EvidenceKind.MEMORY,
        str(memory.id),
        f"{memory.said_at:%Y-%m-%d}",
        memory.fate,
        memory.tokens,
        {"score": round(memory.signals.score, 4)},
        turn_of(memory),
    )


def outcome_label(outcome: Outcome, trace: TurnTrace) -> str:
    """Return the label of a turn in metrics: its answer's outcome if it is done, else its state."""
    if outcome.state is not TurnState.DONE:
        return outcome.state.value
    return trace.answer.gap or trace.answer.outcome if trace.answer else "answered"
