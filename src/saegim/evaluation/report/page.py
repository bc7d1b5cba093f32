"""The report as one HTML page that needs nothing else: no script, no request."""

from collections.abc import Sequence

from jinja2 import Environment, PackageLoader, StrictUndefined

from saegim.domain.scope import Locale
from saegim.evaluation.report import charts
from saegim.evaluation.report.markdown import BY_CLASS, classes_of, figure_in, score, why
from saegim.evaluation.report.summary import lines_of, made, outcome, verdicts
from saegim.evaluation.report.words import words_of
from saegim.evaluation.results import Recalled, Run, Table
from saegim.evaluation.retrieval import ALL

BAR_MEASURE = "recall@10"
SHOWN = ("recall@5", "recall@10", "all_gold@10", "mrr", "ndcg@10", "recall@1000tokens")
ASIDE = ("freshness", "abstention_auroc")
_OLD_RUNS = 20


def page(runs: Sequence[Run], language: Locale) -> str:
    """The newest run, compared with those before."""
    words, run = words_of(language), runs[-1]
    history = [each for each in runs if each.kind == run.kind][-_OLD_RUNS:]

    def spark(name: str) -> str:
        past = [each.figures[name].value for each in history if name in each.figures]
        return charts.spark(past) if len(past) > 1 else ""

    return (
        _environment()
        .get_template("page.html")
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
            reach=max((max(abs(each.low), abs(each.high)) for each in run.comparisons), default=0)
            or 1,
            spark=spark,
            bars=_bars,
            measures=_measures,
            signals=_signals,
            charts=charts,
            classes_of=classes_of,
            figure_in=figure_in,
            outcome=outcome,
            score=score,
            why=why,
            BY_CLASS=BY_CLASS,
        )
    )


def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("saegim.evaluation", "report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def _signals(each: Recalled) -> str:
    shown = " · ".join(f"{name} {value:g}" for name, value in each.signals.items() if value)
    return f": {shown}" if shown else ""


def _measures(table: Table) -> list[str]:
    """The columns of a table."""
    known = dict.fromkeys(name for row in table.rows.values() for name in row[ALL])
    return [name for name in (*SHOWN, *ASIDE) if name in known] or list(known)


def _bars(table: Table) -> str:
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
