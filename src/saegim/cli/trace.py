"""A turn's trace as tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from saegim.cli.console import out
from saegim.cli.language import _
from saegim.client import Trace, Turn

CALLS = (
    _("step"),
    _("by"),
    _("error"),
    _("tokens"),
    _("cost (USD)"),
    _("seconds"),
)
BLOCKS = (
    _("block"),
    _("tokens"),
    _("budget"),
    _("items"),
    _("dropped"),
)
SPANS = (_("step"), _("start (ms)"), _("duration (ms)"))


SEARCHES = (
    _("tool"),
    _("queries"),
    _("filters"),
    _("results"),
    _("duration (ms)"),
)
ITEMS = (
    _("kind"),
    _("title"),
    _("result"),
    _("tokens"),
    _("scores"),
)
TOOLS = (
    _("tool"),
    _("state"),
    _("provider"),
    _("error"),
    _("duration (ms)"),
)
CITATIONS = (_("marker"), _("kind"), _("title"), _("document"))
Rows = list[Mapping[str, Any]]


def show_trace(turn: Turn, found: Trace) -> None:
    """What was done for a turn: who answered, what the context held, where the time went."""
    trace = found.trace
    route, attempt = _pick(trace, "route", "attempt")
    out.print(
        _(
            "turn {turn}: {state}, route {route}, attempt {attempt}",
            turn=turn.turn_id,
            state=turn.state,
            route=route,
            attempt=attempt,
        ),
        soft_wrap=True,
    )
    if trace.get("masked"):
        out.print(_("masked: {kinds}", kinds=", ".join(trace["masked"])))
    if trace.get("degraded"):
        out.print(
            _("(unavailable components: {parts})", parts=", ".join(trace["degraded"])),
            style="yellow",
        )
    _decisions(trace)
    _found(trace)
    calls: Rows = trace.get("calls", [])
    _table(_("model calls"), CALLS, [_call(call) for call in calls])
    if trace.get("cost_usd"):
        out.print(_("total cost (USD): {cost}", cost=trace["cost_usd"]))
    blocks: Rows = trace.get("blocks", [])
    sizes = ("name", "tokens", "budget", "items", "dropped")
    _table(_("context"), BLOCKS, [_pick(block, *sizes) for block in blocks])
    spans: Rows = trace.get("spans", [])
    times = ("name", "began_ms", "took_ms")
    _table(_("time"), SPANS, [_pick(span, *times) for span in spans])


def _decisions(trace: Mapping[str, Any]) -> None:
    """Why this way was taken, and who answered."""
    routing: Mapping[str, Any] = trace.get("routing") or {}
    answer: Mapping[str, Any] = trace.get("answer") or {}
    findings: Mapping[str, Any] = trace.get("findings") or {}
    if routing:
        asked = [routing.get("standalone"), *routing.get("variants", [])]
        hints = ", ".join(f"{key}={value}" for key, value in routing.get("hints", {}).items())
        out.print(
            _(
                "reason: {reason} · query: {asked} · tags: {hints}",
                reason=routing.get("reason"),
                asked=" | ".join(" ".join(text.split()) for text in asked if text) or "-",
                hints=hints or "-",
            ),
            markup=False,
        )
    if trace.get("rejected_doc_ids"):
        out.print(
            _("unknown documents: {ids}", ids=", ".join(trace["rejected_doc_ids"])), markup=False
        )
    if answer:
        outcome, choice, score = _pick(answer, "outcome", "choice", "self_score")
        [confidence] = _pick(findings, "confidence")
        reasons = ", ".join(answer.get("reasons", [])) or "-"
        out.print(
            _(
                "answer: {outcome} · {choice} ({reasons}) · confidence {confidence} · "
                "self-score {score}",
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
    _table(_("library searches"), SEARCHES, [_search(one) for one in searches])
    items: Rows = trace.get("items", [])
    _table(_("candidates"), ITEMS, [_item(one) for one in items])
    tools: Rows = trace.get("tools", [])
    _table(
        _("tools"),
        TOOLS,
        [_pick(one, "tool", "state", "provider", "reason", "took_ms") for one in tools],
    )
    cited: Rows = trace.get("citations", [])
    _table(
        _("citations"),
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


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if not rows:
        return
    table = Table(title=title, title_justify="left", box=box.SIMPLE)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        # What documents and people wrote is not markup.
        table.add_row(*map(escape, row))
    out.print(table)
