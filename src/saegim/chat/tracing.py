"""What each stage of a turn leaves in its trace (TN9)."""

from collections.abc import Sequence

from saegim.chat.answer import AnswerResult
from saegim.chat.context.assembly import Context
from saegim.chat.context.evidence import RetrievedContext, scores_of, turn_of
from saegim.chat.routing import LOOKUP, TurnRoute
from saegim.chat.types import Evidence, EvidenceKind
from saegim.library.service import title_of
from saegim.memory.recall.types import RecallCandidate
from saegim.research.types import Hints
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


def note_route(trace: TurnTrace, way: TurnRoute, hints: Hints) -> None:
    trace.route = LOOKUP if way.lookup else way.name
    trace.routing = RouteUse(way.reason, way.source, way.standalone, way.variants, hints.as_json())


def note_gathered(trace: TurnTrace, gathered: RetrievedContext) -> None:
    findings = gathered.findings
    trace.searches += [
        SearchUse(call.tool, call.queries, call.filters, call.found, call.took_ms)
        for call in findings.library_calls
    ]
    trace.rejected_doc_ids = (*trace.rejected_doc_ids, *findings.rejected)
    trace.findings = FindingsUse(
        round(findings.confidence, 4),
        findings.is_sufficient,
        findings.missing,
        findings.consulted,
    )
    note_tools(trace, gathered.tools)


def note_tools(trace: TurnTrace, results: Sequence[ToolResult]) -> None:
    trace.tools += [
        ToolUse(one.tool, one.state, one.provider, one.reason, one.took_ms, one.added)
        for one in results
    ]


def note_context(trace: TurnTrace, context: Context, gathered: RetrievedContext) -> None:
    """Note what came in and what was left out, each with its scores; the last context counts."""
    trace.items.clear()
    trace.blocks[:] = context.blocks
    trace.context = context.use
    ranked = {one.passage.id for one in gathered.findings.ranked}
    trace.items += context.items
    trace.items += [
        ItemUse(
            EvidenceKind.PASSAGE,
            str(one.passage.id),
            title_of(one.document, one.passage.text),
            NOT_RANKED,
            one.passage.tokens,
            dict(scores_of(one)),
        )
        for one in gathered.findings.considered
        if one.passage.id not in ranked
    ]
    trace.items += [left_out(one) for one in gathered.memory.dropped]


def note_answer(trace: TurnTrace, written: AnswerResult) -> None:
    gathered, context = written.task.gathered, written.task.context
    trace.answer = written.use
    trace.citations += [
        CitationUse(one.marker, one.kind, one.id, one.title, one.document, one.url, one.turn)
        for one in written.cited
    ]
    if written.use.choice == "none":
        return
    opened = {document.outside_id for document in gathered.findings.documents}
    used = _documents(written.cited) or [
        one
        for one in _documents([piece.evidence for piece in context.found.evidence])
        if not opened or one[1] in opened
    ]
    trace.refs = list(dict.fromkeys(title for title, _ in used))[:MOST_REFS]
    trace.ref_doc_ids = list(dict.fromkeys(document for _, document in used))[:MOST_REFS]
    trace.related = [document.outside_id for document in gathered.findings.related]


def _documents(evidence: list[Evidence]) -> list[tuple[str, str]]:
    """Title and id of the documents, the one that was used first first."""
    return [(one.title, one.document) for one in evidence if one.document is not None]


def left_out(one: RecallCandidate) -> ItemUse:
    """A memory that recall considered and did not bring."""
    return ItemUse(
        EvidenceKind.MEMORY,
        str(one.id),
        f"{one.said_at:%Y-%m-%d}",
        one.fate,
        one.tokens,
        {"score": round(one.signals.score, 4)},
        turn_of(one),
    )
