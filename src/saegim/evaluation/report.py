"""Write evaluation runs as a report in Markdown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from saegim.domain.scope import Locale
from saegim.evaluation.results import Comparison, Figure, QueryResult, ResultTable, Run, before
from saegim.evaluation.retrieval import ALL
from saegim.evaluation.types import Judgement
from saegim.locales import N_, translate

_KINDS = {
    "offline": N_("offline: without models"),
    "live": N_("live: with the configured models"),
}


def write(runs: Sequence[Run], folder: Path, language: Locale = "en") -> Path:
    """Write the newest run, compared with the one of its kind before, to `report.md`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "report.md"
    path.write_text(_render(runs, language), "utf-8")
    return path


def _render(runs: Sequence[Run], language: Locale) -> str:
    run = runs[-1]

    def gettext(message: str) -> str:
        return translate(message, language)

    environment = Environment(
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - Markdown, not HTML
    )
    environment.filters["cell"] = _cell  # pyright: ignore[reportUnknownMemberType] - as below
    environment.globals.update(  # pyright: ignore[reportUnknownMemberType] - jinja2 types it as a plain dict
        ALL=ALL, figure_in=figure_in, outcome=_outcome, score=_score, why=_why
    )
    template = (files("saegim.evaluation") / "report.md").read_text("utf-8")
    return environment.from_string(template).render(
        _=gettext,
        language=language,
        run=run,
        heading=_heading(run, language),
        verdicts=_verdicts(run, language),
        lines=_compare_figures(runs),
    )


def _cell(text: str) -> str:
    """Escape text for a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")


def _heading(run: Run, language: Locale) -> str:
    """Return the time, version, commit and kind of a run."""
    return translate(
        "{at} · version {version} · commit {commit} · {kind}",
        language,
        at=f"{run.at:%Y-%m-%d %H:%M} UTC",
        version=run.version,
        commit=run.commit or "–",
        kind=translate(_KINDS[run.kind], language),
    )


@dataclass(frozen=True, slots=True)
class FigureComparison:
    """A figure beside its value in the previous run."""

    name: str
    figure: Figure
    previous: float | None

    @property
    def interval(self) -> str:
        low, high = self.figure.low, self.figure.high
        return "" if low is None or high is None else f"{low:.3f} – {high:.3f}"

    @property
    def change(self) -> float | None:
        return None if self.previous is None else self.figure.value - self.previous


def _compare_figures(runs: Sequence[Run]) -> list[FigureComparison]:
    """Compare the figures of the newest run with the previous run of its kind."""
    run = runs[-1]
    earlier = before(run, runs)
    previous = {} if earlier is None else earlier.figures
    return [
        FigureComparison(name, figure, previous[name].value if name in previous else None)
        for name, figure in run.figures.items()
    ]


def _verdicts(run: Run, language: Locale) -> Iterator[str]:
    """Yield the main results as sentences."""
    if run.played:
        passed = sum(each.passed for each in run.played)
        message = N_("{passed} of {all} scenarios passed")
        yield translate(message, language, all=len(run.played), passed=passed)
    if "scenarios.answered" in run.figures:
        answered = sum(each.answered for each in run.played)
        message = N_("The answers are right in {answered} of {all} scenarios")
        yield translate(message, language, all=len(run.played), answered=answered)
    good, wrong = run.figures.get("judge.accepts.good"), run.figures.get("judge.accepts.wrong")
    if good is not None and wrong is not None:
        message = N_("The judge accepts {good:.0%} of good memories and {wrong:.1%} of wrong ones")
        yield translate(message, language, good=good.value, wrong=wrong.value)


def _outcome(comparison: Comparison, language: Locale) -> str:
    if comparison.low > 0:
        return translate("better", language)
    return translate(N_("worse") if comparison.high < 0 else N_("no difference"), language)


def _score(judgement: Judgement | None) -> str:
    """Return the overall score and the four criteria."""
    if judgement is None:
        return "–"
    scores = judgement.scores
    four = (scores.relevance, scores.completeness, scores.accuracy, scores.noise)
    return f"{judgement.overall_score:.1f} ({'/'.join(str(each.score) for each in four)})"


def _why(result: QueryResult, language: Locale) -> str:
    """Return why a query failed; empty when it passed."""
    parts: list[str] = []
    if result.leaked:
        label = translate("found in memory but must not be", language)
        parts.append(f"{label}: {', '.join(result.leaked)}")
    if result.believed:
        label = translate("remembered as true but must not be", language)
        parts.append(f"{label}: {', '.join(result.believed)}")
    if not result.passed and (judgement := result.with_recall):
        parts.append(judgement.summary)
        if judgement.missing_info:
            label = translate("missing", language)
            parts.append(f"{label}: {', '.join(judgement.missing_info)}")
    if answer := result.answer:
        for text, words in (
            (N_("missing in the answer: {words}"), answer.missing),
            (N_("must not be in the answer: {words}"), answer.forbidden),
        ):
            if words:
                parts.append(translate(text, language, words=", ".join(words)))
    return "; ".join(parts)


def figure_in(table: ResultTable, configuration: str, kind: str, name: str) -> str:
    """Return a figure with half of its interval."""
    figure = table.rows[configuration].get(kind, {}).get(name)
    return "–" if figure is None else f"{figure.value:.3f} ± {figure.noise:.3f}"
