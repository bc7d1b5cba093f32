"""The page of evaluation results."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from saegim.evaluation.results import Figure, Run, ScenarioResult, before, changes, load
from saegim.web.rendering import PageDep

router = APIRouter()

MOST_RUNS = 12


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure of the last run and its change since the run before, if that had it."""

    name: str
    figure: Figure
    change: float | None

    @property
    def worse(self) -> bool:
        """Whether it got worse by more than its noise."""
        if self.change is None:
            return False
        fall = -self.change if self.figure.better == "higher" else self.change
        return fall > max(self.figure.noise, 1e-9)


@router.get("/evaluation")
async def show_evaluation(page: PageDep) -> HTMLResponse:
    """Show the last run, and the runs before it."""
    settings = page.services.settings
    folder = settings.evaluations or settings.data / "evaluations"
    runs = await asyncio.to_thread(_runs, folder)
    last = runs[-1] if runs else None
    return page.render(
        "evaluation.html",
        last=last,
        rows=_rows(last, runs) if last else [],
        missed=[_missed(each) for each in last.played if not each.passed] if last else [],
        runs=runs[::-1][:MOST_RUNS],
    )


def _runs(folder: Path) -> list[Run]:
    return load(folder) if folder.is_dir() else []


def _rows(last: Run, runs: list[Run]) -> list[FigureRow]:
    earlier = before(last, runs)
    changed: Mapping[str, float] = changes(last, earlier) if earlier else {}
    return [FigureRow(name, figure, changed.get(name)) for name, figure in last.figures.items()]


def _missed(played: ScenarioResult) -> tuple[ScenarioResult, list[str]]:
    """Return a failed scenario and its failed queries."""
    return played, [query.query for query in played.asked if not query.passed]
