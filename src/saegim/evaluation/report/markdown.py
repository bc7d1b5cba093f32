"""The report as Markdown, for terminals and pull requests."""

from collections.abc import Iterable, Iterator, Sequence

from saegim.domain.scope import Locale
from saegim.evaluation.report.summary import lines_of, made, outcome, verdicts
from saegim.evaluation.report.words import Words, words_of
from saegim.evaluation.results import Asked, Run, Table
from saegim.evaluation.retrieval import ALL
from saegim.evaluation.types import Judgement

BY_CLASS = ("recall@10", "recall@1000tokens")


def markdown(runs: Sequence[Run], language: Locale) -> str:
    """The newest run, compared with those before."""
    words, run = words_of(language), runs[-1]
    parts = [
        f"# {words('title')}\n\n{made(run, words)}",
        "\n".join(f"- {each}" for each in verdicts(run, words)),
        f"## {words('figures')}\n\n{words('figures_help')}\n\n{_figures(runs, words)}",
    ]
    if run.played:
        parts.append(
            f"## {words('scenarios')}\n\n{words('scenarios_help')}\n\n{_played(run, words)}"
        )
    parts += [_table(table, words) for table in run.tables]
    if run.comparisons:
        help_text = words("comparisons_help")
        parts.append(f"## {words('comparisons')}\n\n{help_text}\n\n{_compared(run, words)}")
    settings = "\n".join(f"- `{key}`: {value}" for key, value in run.configuration.items())
    parts.append(f"## {words('exact')}\n\n{settings}\n- {words('repeats')}: {run.repeats}")
    if run.notes:
        parts.append(f"## {words('notes')}\n\n" + "\n".join(f"- {each}" for each in run.notes))
    return "\n\n".join(parts) + "\n"


def _rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _figures(runs: Sequence[Run], words: Words) -> str:
    head = [words(name) for name in ("figure", "value", "interval", "count", "previous", "change")]
    rows = [
        [
            line.name,
            f"{line.figure.value:.3f}",
            line.interval,
            str(line.figure.count),
            "" if line.previous is None else f"{line.previous:.3f}",
            "" if line.change is None else f"{line.change:+.3f}",
        ]
        for line in lines_of(runs)
    ]
    return _rows(head, rows)


def _played(run: Run, words: Words) -> str:
    head = [words(name) for name in ("scenario", "query", "alone", "with_recall", "tokens_both")]
    rows = [
        [
            f"{words('passed' if asked.passed else 'failed')} {each.id}",
            asked.query,
            score(asked.alone),
            score(asked.with_recall),
            f"{asked.tokens_alone} / {asked.tokens_with_recall}",
        ]
        for each in run.played
        for asked in each.asked
    ]
    return _rows([*head, ""], [[*row, why(asked, words)] for row, asked in _with(rows, run)])


def _with(rows: Sequence[list[str]], run: Run) -> Iterator[tuple[list[str], Asked]]:
    asked = [each for played in run.played for each in played.asked]
    yield from zip(rows, asked, strict=True)


def score(judgement: Judgement | None) -> str:
    """Overall, and the four criteria."""
    if judgement is None:
        return "–"
    found = judgement.scores
    four = (found.relevance, found.completeness, found.accuracy, found.noise)
    return f"{judgement.overall_score:.1f} ({'/'.join(str(each.score) for each in four)})"


def why(asked: Asked, words: Words) -> str:
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


def _table(table: Table, words: Words) -> str:
    measures = list(dict.fromkeys(name for row in table.rows.values() for name in row.get(ALL, {})))
    rows = [[arm, *(figure_in(table, arm, ALL, name) for name in measures)] for arm in table.rows]
    parts = [f"## {words.title(table)}", words.explained(table)]
    parts.append(_rows([words("configuration"), *measures], rows))
    for measure in BY_CLASS:
        classes = classes_of(table, measure)
        if classes:
            parts.append(f"{words('by_class')}: {measure}")
            parts.append(
                _rows(
                    [words("class"), *table.rows],
                    [
                        [kind, *(figure_in(table, arm, kind, measure) for arm in table.rows)]
                        for kind in classes
                    ],
                )
            )
    return "\n\n".join(part for part in parts if part)


def classes_of(table: Table, measure: str) -> list[str]:
    """The classes of questions that a measure is known of, where there are several."""
    kinds = dict.fromkeys(
        kind for row in table.rows.values() for kind, found in row.items() if measure in found
    )
    classes = [kind for kind in kinds if kind != ALL]
    return classes if len(classes) > 1 else []


def figure_in(table: Table, arm: str, kind: str, name: str) -> str:
    """A figure with half of its interval."""
    figure = table.rows[arm].get(kind, {}).get(name)
    return "–" if figure is None else f"{figure.value:.3f} ± {figure.noise:.3f}"


def _compared(run: Run, words: Words) -> str:
    head = [words(name) for name in ("set", "measure", "compared", "difference", "interval")]
    rows = [
        [
            each.table,
            each.measure,
            f"{each.one} – {each.other}",
            f"{each.mean:+.3f} ({outcome(each, words)})",
            f"{each.low:+.3f} – {each.high:+.3f}",
        ]
        for each in run.comparisons
    ]
    return _rows(head, rows)
