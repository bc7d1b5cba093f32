"""What both forms of the report have in common: figures with their changes, and the verdicts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from saegim.evaluation.report.words import ReportTexts
from saegim.evaluation.results import Comparison, Figure, QueryResult, ResultTable, Run, before
from saegim.evaluation.retrieval import ALL
from saegim.evaluation.types import Judgement

RECALL, BM25, WITHIN = "recall", "bm25", "recall@1000tokens"


def made(run: Run, words: ReportTexts) -> str:
    """When, of what version and how a run was made."""
    return words(
        "made",
        at=f"{run.at:%Y-%m-%d %H:%M} UTC",
        version=run.version,
        commit=run.commit or "–",
        kind=words(run.kind),
    )


@dataclass(frozen=True, slots=True)
class FigureComparison:
    """One figure of a run beside the one before."""

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

    @property
    def matters(self) -> bool:
        """Whether the change is more than noise."""
        return self.change is not None and abs(self.change) > max(self.figure.noise, 1e-9)

    @property
    def for_the_better(self) -> bool:
        return self.change is not None and (self.change > 0) == (self.figure.better == "higher")


def lines_of(runs: Sequence[Run]) -> list[FigureComparison]:
    """The figures of the newest run."""
    run = runs[-1]
    earlier = before(run, runs)
    known = {} if earlier is None else earlier.figures
    return [
        FigureComparison(name, figure, known[name].value if name in known else None)
        for name, figure in run.figures.items()
    ]


def verdicts(run: Run, words: ReportTexts) -> Iterator[str]:
    """The run in a few sentences."""
    if run.played:
        passed = sum(each.passed for each in run.played)
        yield words("verdict_scenarios", all=len(run.played), passed=passed)
    good, wrong = run.figures.get("judge.accepts.good"), run.figures.get("judge.accepts.wrong")
    if good is not None and wrong is not None:
        yield words("verdict_judge", good=good.value, wrong=wrong.value)
    for table in run.tables:
        found = table.rows.get(RECALL, {}).get("all", {}).get(WITHIN)
        words_alone = table.rows.get(BM25, {}).get("all", {}).get(WITHIN)
        if found is not None and words_alone is not None:
            yield words(
                "verdict_recall",
                title=words.title(table),
                value=found.value,
                low=found.value if found.low is None else found.low,
                high=found.value if found.high is None else found.high,
                words=words_alone.value,
            )
    if "escalation.share" in run.figures:
        names = ("share", "saving", "right", "right.strong_only")
        share, saving, right, alone = (run.figures[f"escalation.{each}"].value for each in names)
        yield words("verdict_escalation", share=share, saving=saving, right=right, alone=alone)


def outcome(comparison: Comparison, words: ReportTexts) -> str:
    if comparison.low > 0:
        return words("better")
    return words("worse") if comparison.high < 0 else words("level")


def score(judgement: Judgement | None) -> str:
    """Overall, and the four criteria."""
    if judgement is None:
        return "–"
    found = judgement.scores
    four = (found.relevance, found.completeness, found.accuracy, found.noise)
    return f"{judgement.overall_score:.1f} ({'/'.join(str(each.score) for each in four)})"


def why(asked: QueryResult, words: ReportTexts) -> str:
    """What is wrong with it, where something is."""
    parts: list[str] = []
    if asked.leaked:
        parts.append(f"{words('leaked')}: {', '.join(asked.leaked)}")
    if asked.believed:
        parts.append(f"{words('believed')}: {', '.join(asked.believed)}")
    if not asked.passed and asked.with_recall:
        parts.append(asked.with_recall.summary)
        if asked.with_recall.missing_info:
            parts.append(f"{words('missing')}: {', '.join(asked.with_recall.missing_info)}")
    return "; ".join(parts)


def classes_of(table: ResultTable, measure: str) -> list[str]:
    """The classes of questions that a measure is known of, where there are several."""
    kinds = dict.fromkeys(
        kind for row in table.rows.values() for kind, found in row.items() if measure in found
    )
    classes = [kind for kind in kinds if kind != ALL]
    return classes if len(classes) > 1 else []


def figure_in(table: ResultTable, arm: str, kind: str, name: str) -> str:
    """A figure with half of its interval."""
    figure = table.rows[arm].get(kind, {}).get(name)
    return "–" if figure is None else f"{figure.value:.3f} ± {figure.noise:.3f}"
