"""The report as Markdown, for terminals and pull requests."""

from collections.abc import Iterable, Iterator, Sequence

from saegim.domain.scope import Locale
from saegim.evaluation.report.short import lines_of, outcome, verdicts
from saegim.evaluation.report.words import Words, words_of
from saegim.evaluation.results import Asked, Run, Table
from saegim.evaluation.types import Judgement


def markdown(runs: Sequence[Run], language: Locale) -> str:
    """The newest run, compared with those before."""
    words, run = words_of(language), runs[-1]
    made = words(
        "made",
        at=f"{run.at:%Y-%m-%d %H:%M} UTC",
        version=run.version,
        commit=run.commit or "–",
        kind=words(run.kind),
    )
    parts = [
        f"# {words('title')}\n\n{made}",
        "\n".join(f"- {each}" for each in verdicts(run, words)),
        f"## {words('figures')}\n\n{words('figures_help')}\n\n{_figures(runs, words)}",
    ]
    if run.played:
        parts.append(
            f"## {words('scenarios')}\n\n{words('scenarios_help')}\n\n{_played(run, words)}"
        )
    parts += [f"## {table.title}\n\n{_table(table, words)}" for table in run.tables]
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
    head = [words(name) for name in ("scenario", "query", "alone", "with_recall", "tokens")]
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
    if not asked.passed and asked.with_recall and asked.with_recall.missing_info:
        parts.append(f"{words('missing')}: {', '.join(asked.with_recall.missing_info)}")
    return "; ".join(parts)


def _table(table: Table, words: Words) -> str:
    measures = list(
        dict.fromkeys(name for row in table.rows.values() for name in row.get("all", {}))
    )
    rows = [[arm, *(_figure(table, arm, name) for name in measures)] for arm in table.rows]
    return _rows([words("configuration"), *measures], rows)


def _figure(table: Table, arm: str, name: str) -> str:
    figure = table.rows[arm].get("all", {}).get(name)
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
