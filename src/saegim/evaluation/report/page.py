"""The report as one HTML page that needs nothing else, and as Markdown."""

from collections.abc import Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from saegim.domain.scope import Locale
from saegim.evaluation.report import charts
from saegim.evaluation.report.summary import (
    classes_of,
    figure_in,
    lines_of,
    made,
    outcome,
    score,
    verdicts,
    why,
)
from saegim.evaluation.report.words import words_of
from saegim.evaluation.results import RecalledItem, ResultTable, Run
from saegim.evaluation.retrieval import ALL

BY_CLASS = ("recall@10", "recall@1000tokens")
BAR_MEASURE = "recall@10"
SHOWN = ("recall@5", "recall@10", "all_gold@10", "mrr", "ndcg@10", "recall@1000tokens")
ASIDE = ("freshness", "abstention_auroc")
_OLD_RUNS = 20


def page(runs: Sequence[Run], language: Locale) -> str:
    """The newest run, compared with those before, as one HTML page."""
    return _render("page.html", runs, language)


def markdown(runs: Sequence[Run], language: Locale) -> str:
    """The newest run, compared with those before, as Markdown."""
    return _render("report.md", runs, language)


def _render(template: str, runs: Sequence[Run], language: Locale) -> str:
    words, run = words_of(language), runs[-1]
    history = [each for each in runs if each.kind == run.kind][-_OLD_RUNS:]

    def spark(name: str) -> str:
        past = [each.figures[name].value for each in history if name in each.figures]
        return charts.spark(past) if len(past) > 1 else ""

    return (
        _environment()
        .get_template(template)
        .render(
            language=language,
            words=words,
            run=run,
            made=made(run, words),
            verdicts=verdicts(run, words),
            lines=lines_of(runs),
            ranked=any(
                BAR_MEASURE in row[ALL] for table in run.tables for row in table.rows.values()
            ),
            reach=max((max(-each.low, each.high) for each in run.comparisons), default=0) or 1,
            spark=spark,
        )
    )


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("saegim.evaluation", "report"),
        autoescape=select_autoescape(("html",)),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    made.filters["cell"] = _cell  # pyright: ignore[reportUnknownMemberType] - as below
    made.globals.update(  # pyright: ignore[reportUnknownMemberType] - jinja2 types it as a plain dict
        ALL=ALL,
        BY_CLASS=BY_CLASS,
        bars=_bars,
        charts=charts,
        classes_of=classes_of,
        figure_in=figure_in,
        measures=_measures,
        measures_of=_measures_of,
        outcome=outcome,
        score=score,
        signals=_signals,
        why=why,
    )
    return made


def _cell(text: str) -> str:
    """Text in a table of Markdown."""
    return text.replace("|", "\\|").replace("\n", " ")


def _signals(each: RecalledItem) -> str:
    shown = " · ".join(f"{name} {value:g}" for name, value in each.signals.items() if value)
    return f": {shown}" if shown else ""


def _measures_of(table: ResultTable) -> list[str]:
    """All measures of a table."""
    return list(dict.fromkeys(name for row in table.rows.values() for name in row.get(ALL, {})))


def _measures(table: ResultTable) -> list[str]:
    """The measures that the page shows."""
    known = _measures_of(table)
    return [name for name in (*SHOWN, *ASIDE) if name in known] or known


def _bars(table: ResultTable) -> str:
    """A chart with a group of bars for each class of questions."""
    groups: dict[str, dict[str, tuple[float, float, float]]] = {}
    for arm, row in table.rows.items():
        for kind, figures in row.items():
            found = figures.get(BAR_MEASURE)
            if found is not None:
                low = found.value if found.low is None else found.low
                high = found.value if found.high is None else found.high
                groups.setdefault(kind, {})[arm] = (found.value, low, high)
    return charts.bars(groups) if groups else ""
