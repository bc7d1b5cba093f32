"""Evaluations as one self-contained HTML page and as Markdown."""

from collections.abc import Sequence
from pathlib import Path

from saegim.domain.scope import Locale
from saegim.evaluation.report.page import markdown, page
from saegim.evaluation.results import Run

__all__ = ["write"]


def write(runs: Sequence[Run], folder: Path, language: Locale = "en") -> list[Path]:
    """The newest run, compared with those before: `report.html` and `report.md`."""
    folder.mkdir(parents=True, exist_ok=True)
    html, text = folder / "report.html", folder / "report.md"
    html.write_text(page(runs, language), "utf-8")
    text.write_text(markdown(runs, language), "utf-8")
    return [html, text]
