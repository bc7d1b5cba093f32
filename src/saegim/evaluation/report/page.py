"""The report as one HTML page that needs nothing else: no script, no request."""

from collections.abc import Iterable, Sequence
from html import escape

from saegim.domain.scope import Locale
from saegim.evaluation.report import charts
from saegim.evaluation.report.markdown import BY_CLASS, classes_of, figure_in, score, why
from saegim.evaluation.report.style import STYLE
from saegim.evaluation.report.summary import Line, lines_of, made, outcome, verdicts
from saegim.evaluation.report.words import Words, words_of
from saegim.evaluation.results import Failed, Played, Recalled, Run, Table
from saegim.evaluation.retrieval import ALL

BAR_MEASURE = "recall@10"
SHOWN = ("recall@5", "recall@10", "all_gold@10", "mrr", "ndcg@10", "recall@1000tokens")
ASIDE = ("freshness", "abstention_auroc")
_OLD_RUNS = 20


def page(runs: Sequence[Run], language: Locale) -> str:
    """The newest run, compared with those before."""
    words, run = words_of(language), runs[-1]
    parts = [
        f"<h1>{escape(words('title'))}</h1><p class='made'>{escape(made(run, words))}</p>",
        _short(run, words),
        _scenarios(run.played, words),
        _measures(run, words),
        *(_table(table, words) for table in run.tables),
        _comparisons(run, words),
        _failures(run, words),
        _figures(runs, words),
        _configuration(run, words),
    ]
    title = escape(words("title"))
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>"
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


def _short(run: Run, words: Words) -> str:
    items = "".join(f"<li>{escape(each)}</li>" for each in verdicts(run, words))
    notes = "".join(f"<li>{escape(each)}</li>" for each in run.notes)
    noted = f"<h2>{escape(words('notes'))}</h2><ul>{notes}</ul>" if notes else ""
    return _section(words("in_short"), "", f"<ul class='short'>{items}</ul>{noted}")


def _rows(head: Sequence[str], rows: Iterable[str]) -> str:
    titles = "".join(f"<th>{escape(each)}</th>" for each in head)
    return (
        f"<div class='wide'><table><thead><tr>{titles}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cells(*cells: str) -> str:
    return "".join(f"<td>{cell}</td>" for cell in cells)


def _scenarios(played: Sequence[Played], words: Words) -> str:
    if not played:
        return ""
    rows: list[str] = []
    for each in played:
        for asked in each.asked:
            kind = "passed" if asked.passed else "failed"
            reason = why(asked, words)
            scored = (
                score(asked.alone),
                score(asked.with_recall),
                f"{asked.tokens_alone} / {asked.tokens_with_recall}",
            )
            under = f"<br><small>{escape(reason)}</small>" if reason else ""
            rows.append(
                f"<tr class='{kind}'>"
                + _cells(
                    f"<b>{escape(words(kind))}</b>",
                    escape(each.id),
                    escape(asked.query) + under + _trace(asked.recalled, words, asked.passed),
                )
                + "".join(f"<td class='score'>{escape(each)}</td>" for each in scored)
                + "</tr>"
            )
    head = ["", words("scenario"), words("query")]
    head += [words("alone"), words("with_recall"), words("tokens_both")]
    lead = f"{words('scenarios_help')} {words('help_scores')}"
    return _section(words("scenarios"), lead, _rows(head, rows))


def _trace(recalled: Sequence[Recalled], words: Words, passed: bool) -> str:
    """What came back for a query that failed."""
    if passed or not recalled:
        return ""
    items = "".join(f"<li>{_recalled(each)}</li>" for each in recalled[:12])
    return f"<details><summary>{escape(words('found'))}</summary><ul>{items}</ul></details>"


def _recalled(each: Recalled) -> str:
    signals = " · ".join(f"{name} {value:g}" for name, value in each.signals.items() if value)
    return (
        f"{escape(each.text)} <small>[{escape(each.kind)}, {escape(each.fate)}"
        f"{': ' + escape(signals) if signals else ''}]</small>"
    )


def _table(table: Table, words: Words) -> str:
    kinds = dict.fromkeys(kind for row in table.rows.values() for kind in row)
    groups = {
        kind: {
            arm: (
                found.value,
                found.value if found.low is None else found.low,
                found.value if found.high is None else found.high,
            )
            for arm, row in table.rows.items()
            if (found := row.get(kind, {}).get(BAR_MEASURE)) is not None
        }
        for kind in kinds
    }
    known = dict.fromkeys(name for row in table.rows.values() for name in row[ALL])
    shown = [name for name in (*SHOWN, *ASIDE) if name in known] or list(known)
    rows = [
        f"<tr>{_cells(escape(arm), *(_figure(row[ALL].get(name)) for name in shown))}</tr>"
        for arm, row in table.rows.items()
    ]
    bars = {kind: group for kind, group in groups.items() if group}
    figures = [
        _figure_of(words("per_class"), charts.bars(bars) if bars else ""),
        _figure_of(f"{words('curve')} ({words('curve_x')})", charts.lines(table.curves)),
        _figure_of(
            f"{words('latency')} ({words('latency_x')})",
            charts.distribution(table.seconds) if table.seconds else "",
        ),
    ]
    body = (
        _rows([words("configuration"), *shown], rows)
        + f"<div class='charts'>{''.join(figures)}</div>"
        + "".join(_by_class(table, measure, words) for measure in BY_CLASS)
    )
    return _section(words.title(table), words.explained(table), body)


def _measures(run: Run, words: Words) -> str:
    """What the columns of the tables of retrieval mean, once."""
    ranked = any(BAR_MEASURE in row[ALL] for table in run.tables for row in table.rows.values())
    return _section(words("retrieval"), words("measures_help"), "") if ranked else ""


def _by_class(table: Table, measure: str, words: Words) -> str:
    classes = classes_of(table, measure)
    if not classes:
        return ""
    rows = [
        f"<tr>{_cells(escape(kind), *(figure_in(table, arm, kind, measure) for arm in table.rows))}"
        "</tr>"
        for kind in classes
    ]
    title = f"{words('by_class')}: {measure}"
    inside = _rows([words("class"), *table.rows], rows)
    return f"<details><summary>{escape(title)}</summary>{inside}</details>"


def _figure(found: object) -> str:
    value, noise = getattr(found, "value", None), getattr(found, "noise", 0.0)
    return "–" if value is None else f"{value:.3f} <small>± {noise:.3f}</small>"


def _figure_of(title: str, chart: str) -> str:
    return f"<figure><figcaption>{escape(title)}</figcaption>{chart}</figure>" if chart else ""


def _comparisons(run: Run, words: Words) -> str:
    if not run.comparisons:
        return ""
    reach = max(max(abs(each.low), abs(each.high)) for each in run.comparisons) or 1.0
    rows = [
        "<tr>"
        + _cells(
            escape(each.table),
            escape(each.measure),
            f"{escape(each.one)} – {escape(each.other)}",
            charts.whisker(each.mean, each.low, each.high, reach),
            f"{each.mean:+.3f} <small>[{each.low:+.3f}, {each.high:+.3f}], n={each.count}</small>",
            escape(outcome(each, words)),
        )
        + "</tr>"
        for each in run.comparisons
    ]
    head = [words(name) for name in ("set", "measure", "compared", "difference", "interval")]
    return _section(words("comparisons"), words("comparisons_help"), _rows([*head, ""], rows))


def _failures(run: Run, words: Words) -> str:
    if not run.failed:
        return ""
    items = "".join(_failure(each, words) for each in run.failed)
    return _section(words("failures"), words("failures_help"), items)


def _failure(failed: Failed, words: Words) -> str:
    wanted = "".join(f"<li>{escape(each)}</li>" for each in failed.wanted)
    found = "".join(f"<li>{_recalled(each)}</li>" for each in failed.found)
    nothing = f"<li>{escape(words('nothing'))}</li>"
    return (
        f"<details><summary><b>{escape(failed.kind)}</b> {escape(failed.question)}</summary>"
        f"<p>{escape(words('wanted'))}</p><ul>{wanted}</ul>"
        f"<p>{escape(words('found'))}</p><ul>{found or nothing}</ul></details>"
    )


def _figures(runs: Sequence[Run], words: Words) -> str:
    kind = runs[-1].kind
    history = [run for run in runs if run.kind == kind][-_OLD_RUNS:]
    rows: list[str] = []
    for line in lines_of(runs):
        past = [run.figures[line.name].value for run in history if line.name in run.figures]
        rows.append(
            "<tr>"
            + _cells(
                escape(line.name),
                f"{line.figure.value:.3f}",
                escape(line.interval),
                str(line.figure.count),
                "" if line.previous is None else f"{line.previous:.3f}",
                _change(line),
                charts.spark(past) if len(past) > 1 else "",
            )
            + "</tr>"
        )
    names = ("figure", "value", "interval", "count", "previous", "change", "over_time")
    table = _rows([words(name) for name in names], rows)
    return _section(words("figures"), words("figures_help"), table)


def _change(line: Line) -> str:
    if line.change is None:
        return ""
    kind = ("good" if line.for_the_better else "bad") if line.matters else "level"
    return f"<span class='{kind}'>{line.change:+.3f}</span>"


def _configuration(run: Run, words: Words) -> str:
    settings = {**run.configuration, words("repeats"): run.repeats}
    rows = [
        f"<tr>{_cells(escape(str(name)), f'<code>{escape(str(value))}</code>')}</tr>"
        for name, value in settings.items()
    ]
    return _section(words("exact"), "", _rows([words("configuration"), words("value")], rows))


def _section(title: str, lead: str, body: str) -> str:
    help_text = f"<p class='help'>{escape(lead)}</p>" if lead else ""
    return f"<section><h2>{escape(title)}</h2>{help_text}{body}</section>"
