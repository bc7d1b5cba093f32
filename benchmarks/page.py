"""Figures in the documentation: each command writes its own part of a page."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.results import ROOT

PAGE = ROOT / "docs" / "reference" / "benchmarks.md"


def publish(part: str, text: str, place: Path = PAGE) -> None:
    """Puts the text between the marks of a part, which the page has to have."""
    begin, end = f"<!-- {part}: begin -->", f"<!-- {part}: end -->"
    page = place.read_text("utf-8")
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{place.name} has no place for {part}")
    place.write_text(f"{before}{begin}\n{text}\n{end}{after}", "utf-8")


def everything(figures: Mapping[str, float]) -> str:
    """One row per figure."""
    rows = [(f"`{name}`", number(value)) for name, value in figures.items()]
    return table(("figure", "value"), rows, "<>")


def number(value: float) -> str:
    """Whole numbers whole, others with four digits that count."""
    return f"{value:,.0f}" if value >= 1_000 else f"{value:.4g}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], sides: str) -> str:
    """Rows under a head, each column to the left (<) or to the right (>)."""
    rule = ["---" if side == "<" else "---:" for side in sides]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))
