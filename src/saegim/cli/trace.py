"""A turn's trace as tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from saegim.cli.console import out
from saegim.cli.language import Text
from saegim.cli.texts import common as texts
from saegim.client import Trace, Turn

CALLS = (
    texts.COLUMN_STEP,
    texts.COLUMN_BY,
    texts.COLUMN_FAULT,
    texts.COLUMN_TOKENS,
    texts.COLUMN_COST,
    texts.COLUMN_SECONDS,
)
BLOCKS = (
    texts.COLUMN_BLOCK,
    texts.COLUMN_TOKENS,
    texts.COLUMN_BUDGET,
    texts.COLUMN_ITEMS,
    texts.COLUMN_DROPPED,
)
SPANS = (texts.COLUMN_STEP, texts.COLUMN_BEGAN, texts.COLUMN_TOOK)


SEARCHES = (
    texts.COLUMN_TOOL,
    texts.COLUMN_QUERIES,
    texts.COLUMN_FILTERS,
    texts.COLUMN_FOUND,
    texts.COLUMN_TOOK,
)
ITEMS = (
    texts.COLUMN_KIND,
    texts.COLUMN_TITLE,
    texts.COLUMN_FATE,
    texts.COLUMN_TOKENS,
    texts.COLUMN_SIGNALS,
)
TOOLS = (
    texts.COLUMN_TOOL,
    texts.COLUMN_STATE,
    texts.COLUMN_PROVIDER,
    texts.COLUMN_FAULT,
    texts.COLUMN_TOOK,
)
CITATIONS = (texts.COLUMN_MARKER, texts.COLUMN_KIND, texts.COLUMN_TITLE, texts.COLUMN_DOCUMENT)
Rows = list[Mapping[str, Any]]


def show_trace(turn: Turn, found: Trace) -> None:
    """What was done for a turn: who answered, what the context held, where the time went."""
    trace = found.trace
    route, attempt = _pick(trace, "route", "attempt")
    out.print(
        texts.WHY_TURN(turn=turn.turn_id, state=turn.state, route=route, attempt=attempt),
        soft_wrap=True,
    )
    if trace.get("masked"):
        out.print(texts.WHY_MASKED(kinds=", ".join(trace["masked"])))
    if trace.get("degraded"):
        out.print(texts.WITHOUT(parts=", ".join(trace["degraded"])), style="yellow")
    _decisions(trace)
    _found(trace)
    calls: Rows = trace.get("calls", [])
    _table(texts.WHY_CALLS(), CALLS, [_call(call) for call in calls])
    if trace.get("cost_usd"):
        out.print(texts.WHY_COST(cost=trace["cost_usd"]))
    blocks: Rows = trace.get("blocks", [])
    sizes = ("name", "tokens", "budget", "items", "dropped")
    _table(texts.WHY_BLOCKS(), BLOCKS, [_pick(block, *sizes) for block in blocks])
    spans: Rows = trace.get("spans", [])
    times = ("name", "began_ms", "took_ms")
    _table(texts.WHY_SPANS(), SPANS, [_pick(span, *times) for span in spans])


def _decisions(trace: Mapping[str, Any]) -> None:
    """Why this way was taken, and who answered."""
    routing: Mapping[str, Any] = trace.get("routing") or {}
    answer: Mapping[str, Any] = trace.get("answer") or {}
    findings: Mapping[str, Any] = trace.get("findings") or {}
    if routing:
        asked = [routing.get("standalone"), *routing.get("variants", [])]
        hints = ", ".join(f"{key}={value}" for key, value in routing.get("hints", {}).items())
        out.print(
            texts.WHY_ROUTE(
                reason=routing.get("reason"),
                asked=" | ".join(" ".join(text.split()) for text in asked if text) or "-",
                hints=hints or "-",
            ),
            markup=False,
        )
    if trace.get("rejected_doc_ids"):
        out.print(texts.WHY_REJECTED(ids=", ".join(trace["rejected_doc_ids"])), markup=False)
    if answer:
        outcome, choice, score = _pick(answer, "outcome", "choice", "self_score")
        [confidence] = _pick(findings, "confidence")
        reasons = ", ".join(answer.get("reasons", [])) or "-"
        out.print(
            texts.WHY_ANSWER(
                outcome=outcome,
                choice=choice,
                reasons=reasons,
                confidence=confidence,
                score=score,
            )
        )


def _found(trace: Mapping[str, Any]) -> None:
    """What was searched, what came in and what was left out, what tools said, what was cited."""
    searches: Rows = trace.get("searches", [])
    _table(texts.WHY_SEARCHES(), SEARCHES, [_search(one) for one in searches])
    items: Rows = trace.get("items", [])
    _table(texts.WHY_ITEMS(), ITEMS, [_item(one) for one in items])
    tools: Rows = trace.get("tools", [])
    _table(
        texts.WHY_TOOLS(),
        TOOLS,
        [_pick(one, "tool", "state", "provider", "reason", "took_ms") for one in tools],
    )
    cited: Rows = trace.get("citations", [])
    _table(
        texts.WHY_CITATIONS(),
        CITATIONS,
        [_pick(one, "marker", "kind", "title", "document") for one in cited],
    )


def _search(search: Mapping[str, Any]) -> list[str]:
    queries = " | ".join(" ".join(query.split()) for query in search.get("queries", []))
    tool, found, took = _pick(search, "tool", "found", "took_ms")
    return [tool, queries, ", ".join(search.get("filters", [])) or "-", found, took]


def _item(item: Mapping[str, Any]) -> list[str]:
    kind, title, fate, tokens = _pick(item, "kind", "title", "fate", "tokens")
    signals: Mapping[str, float] = item.get("signals", {})
    scores = ", ".join(f"{name} {value:.2f}" for name, value in signals.items())
    return [kind, title, fate, tokens, scores or "-"]


def _call(call: Mapping[str, Any]) -> list[str]:
    tokens = f"{call.get('input_tokens', 0)} + {call.get('output_tokens', 0)}"
    by = f"{call.get('source', '-')} ({call.get('model', '-')})"
    seconds = f"{call.get('seconds', 0.0):.2f}"
    step, fault, cost = _pick(call, "step", "fault", "cost_usd")
    return [step, by, fault, tokens, cost, seconds]


def _pick(row: Mapping[str, Any], *names: str) -> list[str]:
    return ["-" if row.get(name) is None else str(row[name]) for name in names]


def _table(title: str, columns: Sequence[Text], rows: Sequence[Sequence[str]]) -> None:
    if not rows:
        return
    table = Table(title=title, title_justify="left", box=box.SIMPLE)
    for column in columns:
        table.add_column(column(), overflow="fold")
    for row in rows:
        # What documents and people wrote is not markup.
        table.add_row(*map(escape, row))
    out.print(table)
