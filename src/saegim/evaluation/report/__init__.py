"""Write evaluation runs as one self-contained HTML page and as Markdown."""

from collections.abc import Sequence
from pathlib import Path

from saegim.domain.scope import Locale
from saegim.evaluation.report.page import render
from saegim.evaluation.results import Run


def write(runs: Sequence[Run], folder: Path, language: Locale = "en") -> list[Path]:
    """Write the newest run, compared with the earlier ones, to `report.html` and `report.md`."""
    folder.mkdir(parents=True, exist_ok=True)
    html, text = folder / "report.html", folder / "report.md"
    html.write_text(render("page.html", runs, language), "utf-8")
    text.write_text(render("report.md", runs, language), "utf-8")
    return [html, text]
