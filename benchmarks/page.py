"""Write figures into the documentation: each command has its own section of a page."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.results import ROOT

PAGE = ROOT / "docs" / "reference" / "benchmarks.md"


def publish(part: str, text: str, place: Path = PAGE) -> None:
    """Replaces the text between the markers of a section. Raises ValueError if there are none."""
    begin, end = f"<!-- {part}: begin -->", f"<!-- {part}: end -->"
    page = place.read_text("utf-8")
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{place.name} has no markers for {part}")
    place.write_text(f"{before}{begin}\n{text}\n{end}{after}", "utf-8")


def everything(figures: Mapping[str, float]) -> str:
    """One row per figure."""
    rows = [(f"`{name}`", number(value)) for name, value in figures.items()]
    return table(("figure", "value"), rows, "<>")


def number(value: float) -> str:
    """Formats whole numbers as such, others with four significant digits."""
    return f"{value:,.0f}" if value >= 1_000 else f"{value:.4g}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], sides: str) -> str:
    """Formats a Markdown table; `sides` aligns each column to the left (<) or right (>)."""
    rule = ["---" if side == "<" else "---:" for side in sides]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))
