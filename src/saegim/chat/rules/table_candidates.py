"""Candidates for an answer in the tables of a passage: cells, rows, columns and lists of labels."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from saegim.chat.rules.document_question import (
    PERSON,
    AnswerLine,
    Candidate,
    Question,
    SourcePassage,
    terms_of,
)
from saegim.chat.rules.patterns import pattern
from saegim.text.analysis import fold, language, word_keys

_RULE = re.compile(r"^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?$")


@dataclass(frozen=True, slots=True)
class MarkdownTable:
    """A table with its header and rows; the first cell of a row is its label."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def shown(self, rows: Sequence[int]) -> str:
        """Return the header and the given rows as Markdown."""
        lines = [self.header, tuple("---" for _ in self.header), *(self.rows[at] for at in rows)]
        return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def split_tables(text: str) -> tuple[str, list[MarkdownTable]]:
    """Return the text without its tables, and the tables."""
    prose: list[str] = []
    tables: list[MarkdownTable] = []
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        if lines[at].lstrip().startswith("|"):
            end = at
            while end < len(lines) and lines[end].lstrip().startswith("|"):
                end += 1
            table = _table(lines[at:end])
            if table is not None:
                tables.append(table)
            at = end
        else:
            prose.append(lines[at])
            at += 1
    return "\n".join(prose).strip(), tables


def _table(lines: Sequence[str]) -> MarkdownTable | None:
    rows = [_cells(line) for line in lines if not _RULE.match(line.strip())]
    if len(rows) < 2 or len(rows[0]) < 2:
        return None
    width = len(rows[0])
    padded = [(*row, *[""] * (width - len(row)))[:width] for row in rows]
    return MarkdownTable(padded[0], tuple(padded[1:]))


def _cells(line: str) -> tuple[str, ...]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner))


HEADING_SHARE = 0.6
KIND_BONUS = 0.2
MOST_ITEMS = 12
SURE_COVERED = 0.95
_CELL_BONUS = 0.12
_LEAST_COVER = 0.5
_LEAST_NAMED = 0.25
_LIST_BONUS = 0.45
_IS_VALUE = re.compile(r"\d\s?[^\W\d]|^[\d,.]+$")


def table_candidates(
    question: Question,
    passage: SourcePassage,
    table: MarkdownTable,
    context: frozenset[str],
    base: float,
) -> Iterator[Candidate]:
    """Yield what may answer in a table; `base` is the score of its passage."""
    around = context | terms_of(table.header[0])
    kinds = question.kinds
    where = passage.headings or passage.title
    if _COMPARES.search(fold(question.text)):
        yield from _compared(question, passage, table, base)
    if question.lists or question.counts:
        yield from _labels(question, passage, table, around, base)
    if question.lists:
        return
    # A value with a number names no row: "13 months" is not asked for by "per month".
    covers = [
        [
            0.0 if at and _IS_VALUE.search(cell) else _cover(question, cell)
            for at, cell in enumerate(row)
        ]
        for row in table.rows
    ]
    header_covers = [_cover(question, header) for header in table.header]
    named = [any(kind.named.search(fold(text)) for kind in kinds) for text in table.header]
    for at, row in enumerate(table.rows):
        label_named = any(kind.named.search(fold(row[0])) for kind in kinds)
        for column, value in enumerate(row):
            if not value or (column == 0 and not header_covers[0] and not named[0]):
                continue
            # The words of a question name the row by one of its other cells.
            others = [cover for other, cover in enumerate(covers[at]) if other != column]
            by_row, by_column = max(others, default=0.0), header_covers[column]
            by_kind = (by_row and named[column]) or (by_column and label_named)
            both = bool(by_row and by_column)
            header = table.header[column]
            naming = [
                cell for other, cell in enumerate(row) if other != column and covers[at][other]
            ]
            terms = terms_of(" ".join([row[0] if column else "", *naming, header]))
            covered = question.share(terms)
            covered += HEADING_SHARE * question.share(around - terms)
            kind = any(kind.form.search(fold(value)) for kind in kinds)
            score = base + covered + 0.25 * (by_row + by_column)
            score += KIND_BONUS * (kind + max(named[column], label_named)) / 2
            score += 2 * _CELL_BONUS if both else _CELL_BONUS if by_kind else -_CELL_BONUS
            label = row[0] if column else next((each for each in row[1:] if each), "")
            text = f"{_named_cell(label, header)}: **{value}**"
            line = AnswerLine(text, passage, score, table.shown([at]))
            meaning = f"{where}: {_named_cell(label, header)} {value}"
            yield Candidate(line, meaning, covered, is_named=both)
        if max(covers[at]) > 0:
            yield _row(question, passage, table, at, around, base + 0.15 * max(covers[at]))


def _row(
    question: Question,
    passage: SourcePassage,
    table: MarkdownTable,
    at: int,
    around: frozenset[str],
    score: float,
) -> Candidate:
    row = table.rows[at]
    pairs = zip(table.header[1:], row[1:], strict=True)
    rest = " · ".join(f"{header} {value}" if header else value for header, value in pairs if value)
    terms = terms_of(" ".join(row))
    covered = question.share(terms) + HEADING_SHARE * question.share(around - terms)
    text = f"{row[0]}: {rest}"
    line = AnswerLine(text, passage, score + covered, table.shown([at]))
    return Candidate(line, f"{passage.headings or passage.title}: {text}", covered)


_COMPARES = pattern("document_answer", "compares")


def _compared(
    question: Question, passage: SourcePassage, table: MarkdownTable, base: float
) -> Iterator[Candidate]:
    """Yield the columns that a question compares, row by row: 무료랑 팀이랑 뭐가 달라?"""
    named = [at for at, header in enumerate(table.header) if at and _cover(question, header)]
    rows = range(min(len(table.rows), MOST_ITEMS))
    if len(named) < 2:
        return
    lines = [
        f"- {row[0]}: {' / '.join(f'{table.header[at]} {row[at]}' for at in named)}"
        for row in (table.rows[each] for each in rows)
    ]
    line = AnswerLine("\n".join(lines), passage, base + 1.0 + 2 * _LIST_BONUS, table.shown(rows))
    yield Candidate(line, f"{passage.title}: {', '.join(table.header)}", 1.0, is_named=True)


_YES = pattern("document_answer", "yes")
_NO = pattern("document_answer", "no")
_WITHOUT = pattern("document_answer", "without")
_VALUE = re.compile(r"\d[\d,.]*\s?[^\W\d_]{0,3}")


def _labels(
    question: Question,
    passage: SourcePassage,
    table: MarkdownTable,
    around: frozenset[str],
    base: float,
) -> Iterator[Candidate]:
    """Yield the labels of the rows that a question asks for, or their number."""
    rows = _filtered(question, table)
    labels = [table.rows[at][0] for at in rows if table.rows[at][0]]
    terms = terms_of(" ".join(table.header)) | around
    covered = question.share(terms)
    named = _cover(question, table.header[0]) or question.share(around) >= _LEAST_NAMED
    if not labels or not (named or len(rows) < len(table.rows)):
        return
    if any(kind is PERSON for kind in question.kinds) and len(table.header) > 1:
        labels = [" ".join(table.rows[at][:2]) for at in rows]
    counted = f"{len(labels)}{'개' if language(question.text) == 'ko' else ''}"
    lead = f"**{counted}**: " if question.counts else ""
    quote = table.shown(rows[:MOST_ITEMS])
    score = base + covered + _LIST_BONUS
    line = AnswerLine(f"{lead}{', '.join(labels)}", passage, score, quote)
    # The words of the question name the table: its header says little to compare by meaning.
    yield Candidate(line, f"{passage.title}: {', '.join(table.header)}", SURE_COVERED)


def _filtered(question: Question, table: MarkdownTable) -> list[int]:
    """Return the rows with a value of the question, or with the yes or no that it asks for."""
    folded = fold(question.text)
    everything = list(range(len(table.rows)))
    values = {_packed(match.group()) for match in _VALUE.finditer(folded)}
    chosen = [
        at for at in everything if any(_packed(cell) in values for cell in table.rows[at][1:])
    ]
    if chosen:
        return chosen
    wanted = _NO if _WITHOUT.search(folded) else _YES
    for column in range(1, len(table.header)):
        if not question.own_words & word_keys(table.header[column]):
            continue
        cells = [fold(row[column]) for row in table.rows]
        if any(_YES.match(cell) for cell in cells) or any(_NO.match(cell) for cell in cells):
            chosen = [at for at, cell in enumerate(cells) if wanted.match(cell)]
            if wanted is _YES and not chosen:
                chosen = [at for at, cell in enumerate(cells) if not _NO.match(cell)]
            if chosen:
                return chosen
    return everything


def _packed(text: str) -> str:
    return re.sub(r"[\s,]", "", fold(text))


def _cover(question: Question, label: str) -> float:
    """Return the share of a label's words that the question has, 0 if too few."""
    words = word_keys(label)
    if not words:
        return 0.0
    shared = sum(1 for word in words if _has(question, word)) / len(words)
    return shared if shared >= _LEAST_COVER else 0.0


def _has(question: Question, word: str) -> bool:
    return any(word == other or (len(word) > 1 and word in other) for other in question.words)


def _named_cell(label: str, header: str) -> str:
    return f"{label}, {header}" if header and label else label or header
