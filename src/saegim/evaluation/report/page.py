"""Render the report from its templates."""

from collections.abc import Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from saegim.domain.scope import Locale
from saegim.evaluation.report import charts, summary
from saegim.evaluation.results import RecalledItem, ResultTable, Run
from saegim.evaluation.retrieval import ALL
from saegim.locales import translate

BY_CLASS = ("recall@10", "recall@1000tokens")
BAR_MEASURE = "recall@10"
PAGE_MEASURES = (
    *("recall@5", "recall@10", "all_gold@10", "mrr", "ndcg@10", "recall@1000tokens"),
    *("freshness", "abstention_auroc"),
)
_HISTORY_RUNS = 20


def render(template: str, runs: Sequence[Run], language: Locale) -> str:
    """Render the newest run, compared with the earlier ones of its kind."""
    run = runs[-1]
    history = [each for each in runs if each.kind == run.kind][-_HISTORY_RUNS:]

    def gettext(message: str) -> str:
        return translate(message, language)

    def spark(name: str) -> str:
        values = [each.figures[name].value for each in history if name in each.figures]
        return charts.spark(values) if len(values) > 1 else ""

    rows = [row for table in run.tables for row in table.rows.values()]
    return (
        _environment()
        .get_template(template)
        .render(
            _=gettext,
            language=language,
            run=run,
            heading=summary.heading(run, language),
            verdicts=summary.verdicts(run, language),
            lines=summary.compare_figures(runs),
            ranked=any(BAR_MEASURE in row[ALL] for row in rows),
            reach=max((max(-each.low, each.high) for each in run.comparisons), default=0) or 1,
            spark=spark,
        )
    )


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("saegim.evaluation", "report"),
        autoescape=select_autoescape(("html",)),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    environment.filters["cell"] = _cell  # pyright: ignore[reportUnknownMemberType] - as below
    environment.globals.update(  # pyright: ignore[reportUnknownMemberType] - jinja2 types it as a plain dict
        ALL=ALL,
        BY_CLASS=BY_CLASS,
        bars=_bars,
        charts=charts,
        measures=_page_measures,
        measures_of=_all_measures,
        signals=_signals,
        summary=summary,
    )
    return environment


def _cell(text: str) -> str:
    """Escape text for a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")


def _signals(item: RecalledItem) -> str:
    signals = " · ".join(f"{name} {value:g}" for name, value in item.signals.items() if value)
    return f": {signals}" if signals else ""


def _all_measures(table: ResultTable) -> list[str]:
    return list(dict.fromkeys(name for row in table.rows.values() for name in row.get(ALL, {})))


def _page_measures(table: ResultTable) -> list[str]:
    names = _all_measures(table)
    return [name for name in PAGE_MEASURES if name in names] or names


def _bars(table: ResultTable) -> str:
    """Draw a group of bars for each question class."""
    groups: dict[str, dict[str, tuple[float, float, float]]] = {}
    for configuration, row in table.rows.items():
        for kind, figures in row.items():
            if figure := figures.get(BAR_MEASURE):
                groups.setdefault(kind, {})[configuration] = (figure.value, *figure.interval)
    return charts.bars(groups) if groups else ""
