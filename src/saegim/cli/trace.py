"""Prints the trace of a turn as tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.markup import escape
from rich.table import Table

from saegim.cli.console import out, say
from saegim.cli.language import _
from saegim.client import Trace, Turn

CALLS = (_("step"), _("by"), _("error"), _("tokens"), _("cost (USD)"), _("seconds"))
# Columns of a table, and the fields of the trace in them.
BLOCKS = {
    _("block"): "name",
    _("tokens"): "tokens",
    _("budget"): "budget",
    _("items"): "items",
    _("dropped"): "dropped",
}
SPANS = {_("step"): "name", _("start (ms)"): "began_ms", _("duration (ms)"): "took_ms"}
SEARCHES = (_("tool"), _("queries"), _("filters"), _("results"), _("duration (ms)"))
ITEMS = (_("kind"), _("title"), _("result"), _("tokens"), _("scores"))
TOOLS = {
    _("tool"): "tool",
    _("state"): "state",
    _("provider"): "provider",
    _("error"): "reason",
    _("duration (ms)"): "took_ms",
}
CITATIONS = {
    _("marker"): "marker",
    _("kind"): "kind",
    _("title"): "title",
    _("document"): "document",
}


def show_trace(turn: Turn, recorded: Trace) -> None:
    """Print why a turn was answered as it was: decisions, searches, calls, context, times."""
    trace = recorded.trace
    route, attempt = _pick(trace, "route", "attempt")
    say(
        "turn {turn}: {state}, route {route}, attempt {attempt}",
        turn=turn.turn_id,
        state=turn.state,
        route=route,
        attempt=attempt,
    )
    if trace.get("masked"):
        say("masked: {kinds}", kinds=", ".join(trace["masked"]))
    if trace.get("degraded"):
        parts = ", ".join(trace["degraded"])
        say("(unavailable components: {parts})", style="yellow", parts=parts)
    _decisions(trace)
    _table(_("library searches"), SEARCHES, map(_search, trace.get("searches", [])))
    _table(_("candidates"), ITEMS, map(_item, trace.get("items", [])))
    _fields(_("tools"), TOOLS, trace.get("tools", []))
    _fields(_("citations"), CITATIONS, trace.get("citations", []))
    _table(_("model calls"), CALLS, map(_call, trace.get("calls", [])))
    if trace.get("cost_usd"):
        say("total cost (USD): {cost}", cost=trace["cost_usd"])
    _fields(_("context"), BLOCKS, trace.get("blocks", []))
    _fields(_("time"), SPANS, trace.get("spans", []))


def _decisions(trace: Mapping[str, Any]) -> None:
    """Print why this route was taken, and which answer was chosen."""
    routing: Mapping[str, Any] = trace.get("routing") or {}
    answer: Mapping[str, Any] = trace.get("answer") or {}
    if routing:
        queries = [routing.get("standalone"), *routing.get("variants", [])]
        hints = ", ".join(f"{key}={value}" for key, value in routing.get("hints", {}).items())
        say(
            "reason: {reason} · query: {query} · tags: {hints}",
            reason=routing.get("reason"),
            query=" | ".join(" ".join(text.split()) for text in queries if text) or "-",
            hints=hints or "-",
        )
    if trace.get("rejected_doc_ids"):
        say("unknown documents: {ids}", ids=", ".join(trace["rejected_doc_ids"]))
    if answer:
        outcome, choice, score = _pick(answer, "outcome", "choice", "self_score")
        [confidence] = _pick(trace.get("findings") or {}, "confidence")
        say(
            "answer: {outcome} · {choice} ({reasons}) · confidence {confidence} · "
            "self-score {score}",
            outcome=outcome,
            choice=choice,
            reasons=", ".join(answer.get("reasons", [])) or "-",
            confidence=confidence,
            score=score,
        )
        if answer.get("sentences"):
            supported, sentences = _pick(answer, "supported_sentences", "sentences")
            say("sentences with evidence: {supported} of {all}", supported=supported, all=sentences)


def _search(search: Mapping[str, Any]) -> list[str]:
    queries = " | ".join(" ".join(query.split()) for query in search.get("queries", []))
    tool, results, duration = _pick(search, "tool", "found", "took_ms")
    return [tool, queries, ", ".join(search.get("filters", [])) or "-", results, duration]


def _item(item: Mapping[str, Any]) -> list[str]:
    signals: Mapping[str, float] = item.get("signals", {})
    scores = ", ".join(f"{name} {value:.2f}" for name, value in signals.items())
    return [*_pick(item, "kind", "title", "fate", "tokens"), scores or "-"]


def _call(call: Mapping[str, Any]) -> list[str]:
    tokens = f"{call.get('input_tokens', 0)} + {call.get('output_tokens', 0)}"
    by = f"{call.get('source', '-')} ({call.get('model', '-')})"
    seconds = f"{call.get('seconds', 0.0):.2f}"
    step, cost = _pick(call, "step", "cost_usd")
    said = (call.get("fault"), call.get("status"), call.get("message"))
    fault = " ".join(str(each) for each in said if each) or "-"
    return [step, by, fault, tokens, cost, seconds]


def _pick(row: Mapping[str, Any], *names: str) -> list[str]:
    return ["-" if row.get(name) is None else str(row[name]) for name in names]


def _fields(title: str, columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> None:
    _table(title, columns, (_pick(row, *columns.values()) for row in rows))


def _table(title: str, columns: Iterable[str], rows: Iterable[Sequence[str]]) -> None:
    table = Table(title=title, title_justify="left", box=box.SIMPLE)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        # Texts of documents and users are not markup.
        table.add_row(*map(escape, row))
    if table.rows:
        out.print(table)
