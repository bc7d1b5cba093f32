"""A turn's trace as tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table

from saegim.client import Trace, Turn
from saegim.entrypoints.cli import texts
from saegim.entrypoints.cli.console import out
from saegim.entrypoints.cli.language import Text

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
    calls: list[Mapping[str, Any]] = trace.get("calls", [])
    _table(texts.WHY_CALLS(), CALLS, [_call(call) for call in calls])
    blocks: list[Mapping[str, Any]] = trace.get("blocks", [])
    sizes = ("name", "tokens", "budget", "items", "dropped")
    _table(texts.WHY_BLOCKS(), BLOCKS, [_pick(block, *sizes) for block in blocks])
    spans: list[Mapping[str, Any]] = trace.get("spans", [])
    times = ("name", "began_ms", "took_ms")
    _table(texts.WHY_SPANS(), SPANS, [_pick(span, *times) for span in spans])


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
        table.add_column(column())
    for row in rows:
        table.add_row(*row)
    out.print(table)
