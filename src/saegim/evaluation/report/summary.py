"""Figures with their changes, verdicts and texts, for both forms of the report."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from saegim.domain.scope import Locale
from saegim.evaluation.results import Comparison, Figure, QueryResult, ResultTable, Run, before
from saegim.evaluation.retrieval import ALL
from saegim.evaluation.types import Judgement
from saegim.locales import N_, translate

RECALL, BM25, WITHIN = "recall", "bm25", "recall@1000tokens"

_KINDS = {
    "offline": N_("offline: rule-based fallbacks instead of models"),
    "live": N_("live: with the configured models"),
}
_TITLES = {
    "korean_memory": N_("Korean long-term memory, development half"),
    "korean_memory_held_out": N_("Korean long-term memory, held-out half"),
    "windows": N_("Episodes by the number of earlier turns indexed with a turn"),
    "analysers_memory": N_("BM25 over single turns, by analyser"),
    "escalation": N_("Escalation to the strong model, by threshold"),
}
_EXPLANATIONS = {
    "korean_memory": N_(
        "Two years of conversations of five users; a search looks for the turns that answer a "
        "question. bm25 searches by keyword only, dense by meaning only, records in extracted "
        "memories, episodes in turns. recall searches both, as the product does, and alternates "
        "records and turns, so compare it by tokens rather than by rank."
    ),
    "windows": N_("window 2 indexes a turn together with the two turns before it."),
    "escalation": N_(
        "share: questions sent to the strong model. saving: against always asking the strong "
        "model. right: correct answers. Assumes that search is never confident."
    ),
}


def title(table: ResultTable, language: Locale) -> str:
    """Return the translated title of a known table; otherwise the title that it carries."""
    known = _TITLES.get(table.name)
    return table.title if known is None else translate(known, language)


def explanation(table: ResultTable, language: Locale) -> str:
    """Return what a known table measures; otherwise nothing."""
    known = _EXPLANATIONS.get(table.name.removesuffix("_held_out"))
    return "" if known is None else translate(known, language)


def heading(run: Run, language: Locale) -> str:
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

    @property
    def significant(self) -> bool:
        return self.change is not None and abs(self.change) > max(self.figure.noise, 1e-9)

    @property
    def better(self) -> bool:
        return self.change is not None and (self.change > 0) == (self.figure.better == "higher")


def compare_figures(runs: Sequence[Run]) -> list[FigureComparison]:
    """Compare the figures of the newest run with the previous run of its kind."""
    run = runs[-1]
    earlier = before(run, runs)
    previous = {} if earlier is None else earlier.figures
    return [
        FigureComparison(name, figure, previous[name].value if name in previous else None)
        for name, figure in run.figures.items()
    ]


def verdicts(run: Run, language: Locale) -> Iterator[str]:
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
    for table in run.tables:
        recall = table.rows.get(RECALL, {}).get("all", {}).get(WITHIN)
        keywords = table.rows.get(BM25, {}).get("all", {}).get(WITHIN)
        if recall is not None and keywords is not None:
            low, high = recall.interval
            yield translate(
                "{title}: within 1,000 tokens, recall finds {value:.0%} of the evidence "
                "({low:.0%}–{high:.0%}); keyword search alone finds {keywords:.0%}",
                language,
                title=title(table, language),
                value=recall.value,
                low=low,
                high=high,
                keywords=keywords.value,
            )
    if "escalation.share" in run.figures:
        names = ("share", "saving", "right", "right.strong_only")
        share, saving, right, alone = (run.figures[f"escalation.{name}"].value for name in names)
        message = N_(
            "At the default thresholds, {share:.0%} are escalated and {saving:.0%} is saved; "
            "{right:.0%} of the answers are correct, {alone:.0%} with the strong model only"
        )
        yield translate(message, language, share=share, saving=saving, right=right, alone=alone)


def outcome(comparison: Comparison, language: Locale) -> str:
    if comparison.low > 0:
        return translate("better", language)
    return translate(N_("worse") if comparison.high < 0 else N_("no difference"), language)


def score(judgement: Judgement | None) -> str:
    """Return the overall score and the four criteria."""
    if judgement is None:
        return "–"
    scores = judgement.scores
    four = (scores.relevance, scores.completeness, scores.accuracy, scores.noise)
    return f"{judgement.overall_score:.1f} ({'/'.join(str(each.score) for each in four)})"


def why(result: QueryResult, language: Locale) -> str:
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


def classes_of(table: ResultTable, measure: str) -> list[str]:
    """Return the question classes with this measure if there are several."""
    kinds = dict.fromkeys(
        kind for row in table.rows.values() for kind, figures in row.items() if measure in figures
    )
    classes = [kind for kind in kinds if kind != ALL]
    return classes if len(classes) > 1 else []


def figure_in(table: ResultTable, configuration: str, kind: str, name: str) -> str:
    """Return a figure with half of its interval."""
    figure = table.rows[configuration].get(kind, {}).get(name)
    return "–" if figure is None else f"{figure.value:.3f} ± {figure.noise:.3f}"
