"""Answer a question from passages: the line that answers, a short quote, and its source."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from saegim.chat.context.evidence import unmarked
from saegim.chat.rules.patterns import compiled, pattern, section
from saegim.chat.rules.tables import MarkdownTable, split_tables
from saegim.text.analysis import fold, index_terms, language, query_terms, sentences, word_keys
from saegim.text.tokens import count

READ = 8
# A line answers from this similarity on; without vectors, from this share of the words on.
LEAST_COVERED = 0.5
LEAST_MEANING = 0.65
_LEAST_NAMED_MEANING = 0.5
# How much better than a line with another value the best one must be.
_LEAST_LEAD = 0.15
SURE_COVERED = 0.95
# A line without the kind of value that is asked for must fit much better.
_OTHER_KIND = 0.5
_MEANING_WEIGHT = 1.5
# Of the sentences that answer one question of an FAQ, the most similar one is first.
_FAQ_WEIGHT = 0.1
_LEAST_COVER = 0.5
_LIST_BONUS = 0.45
_LEAST_NAMED = 0.25
QUOTE_TOKENS = 140
_SENTENCES_QUOTED = 3
_BEGINNING_UNITS = 6
_MOST_ITEMS = 12
# Weight of a question word that no passage has: most are endings and question words.
_UNMATCHED_WEIGHT = 0.15
_RANK_WEIGHT = 0.35
_CELL_BONUS = 0.12
_KIND_BONUS = 0.2
_HEADING_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """A passage to answer from; `rank` is its score, 1 for the best."""

    marker: str
    title: str
    headings: str
    text: str
    rank: float = 1.0


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line that answers, with its source; `quote` is what it was taken from."""

    text: str
    passage: SourcePassage
    score: float
    quote: str


# --- what kind of value a question asks for ---


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """A kind of value: words that ask for it, names of columns that have it, and its form."""

    asked: re.Pattern[str]
    named: re.Pattern[str]
    form: re.Pattern[str]


_KINDS = {
    each["name"]: AnswerKind(*(compiled(each[key]) for key in ("asked", "named", "form")))
    for each in section("document_answer")["kinds"]
}
_WHO = _KINDS["person"]
_LIST = pattern("document_answer", "list")
_COUNT = pattern("document_answer", "count")


def asked_kinds(question: str) -> list[AnswerKind]:
    """Return the kinds of value that a question asks for."""
    folded = fold(question)
    return [kind for kind in _KINDS.values() if kind.asked.search(folded)]


def wants_list(question: str) -> bool:
    return _LIST.search(fold(question)) is not None


def wants_count(question: str) -> bool:
    return _COUNT.search(fold(question)) is not None


# --- the words of a question, weighted ---

# A code or number of a question names one thing: L15.
_IS_VALUE = re.compile(r"\d\s?[^\W\d]|^[\d,.]+$")
_CODE = re.compile(r"(?=.*\d)[a-z0-9.-]{2,}")
_NAMED = re.compile(
    r"\b(?!The |A |An |In |On |At |If |For )[A-Z][a-z]+ [A-Z][a-z]+\b|[가-힣]{2,4} (?:님|씨)"
)
_QUANTITY = pattern("document_answer", "quantity")
_NEEDS = pattern("document_answer", "needs")


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the weights of its terms; words of the question before it weigh less."""

    text: str
    weights: Mapping[str, float]
    words: frozenset[str]
    own_words: frozenset[str]
    kinds: tuple[AnswerKind, ...]
    lists: bool
    counts: bool
    needs_kind: bool

    def share(self, terms: set[str] | frozenset[str]) -> float:
        """Return the share of the question's weight that the terms have."""
        total = sum(self.weights.values()) or 1.0
        return sum(weight for term, weight in self.weights.items() if term in terms) / total


def understand(
    text: str, earlier: str, passages: Sequence[SourcePassage], earlier_share: float = 0.0
) -> Question:
    """Weigh the words of a question: rare ones among the passages weigh more."""
    own = set(query_terms(text))
    before = set(query_terms(earlier)) - own if earlier_share else set[str]()
    present = Counter(
        term
        for passage in passages
        for term in terms_of(f"{passage.title} {passage.headings} {passage.text}")
        if term in own or term in before
    )
    size = len(passages) or 1

    def weight(term: str) -> float:
        if not present[term]:
            return _UNMATCHED_WEIGHT
        if _CODE.fullmatch(term):
            return 3.0
        return 0.4 + math.log(1 + size / present[term])

    weights = {term: weight(term) for term in own}
    weights |= {term: earlier_share * weight(term) for term in before if present[term]}
    kinds = asked_kinds(text) or (asked_kinds(earlier) if earlier_share else [])
    return Question(
        text,
        weights,
        word_keys(f"{text} {earlier}" if earlier_share else text),
        word_keys(text),
        tuple(kinds),
        wants_list(text),
        wants_count(text),
        bool(kinds) and _NEEDS.search(fold(text)) is not None,
    )


@lru_cache(maxsize=4_000)
def terms_of(text: str) -> frozenset[str]:
    return frozenset(index_terms(text))


# --- candidates ---


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line that may answer: its score without meaning, and the text whose meaning is compared.

    `asked` is the question that it answers, in an FAQ. `covered` is the share of the question's
    words that the line and its headings have. `is_named`: the question names the row and the column
    of a cell.
    """

    line: AnswerLine
    meaning: str
    covered: float
    fits_kind: bool = True
    is_named: bool = False
    asked: str = ""

    def similarity(self, similar: Mapping[str, float]) -> float:
        """Return the similarity of the line to the question, or of the FAQ's question to it."""
        own = similar.get(self.meaning, 0.0)
        return max(own, similar.get(self.asked, 0.0) + _FAQ_WEIGHT * own)


def candidates(question: Question, passages: Sequence[SourcePassage]) -> list[Candidate]:
    """Return the candidates of all passages, the best first by words and form."""
    found = [each for passage in passages[:READ] for each in _candidates(question, passage)]
    return sorted(found, key=lambda each: -each.line.score)


def ranked(found: Sequence[Candidate], similar: Mapping[str, float]) -> list[Candidate]:
    """Return candidates with their scores by words, form and meaning, the best first."""

    def with_meaning(each: Candidate) -> Candidate:
        score = each.line.score + _MEANING_WEIGHT * max(0.0, each.similarity(similar))
        return replace(each, line=replace(each.line, score=score))

    return sorted(map(with_meaning, found), key=lambda each: -each.line.score)


def best_line(
    found: Sequence[Candidate], similar: Mapping[str, float], caution: float = 0.0
) -> AnswerLine | None:
    """Return the best candidate if it answers; `caution` raises the similarity it must reach."""
    by_score = ranked(found, similar)
    if not by_score:
        return None
    best = by_score[0]
    rival = _rival(by_score) if similar else None
    if rival is not None and rival.quote != best.line.quote:
        return None
    least = LEAST_MEANING + caution if similar else LEAST_COVERED
    measure = best.similarity(similar) if similar else best.covered
    if not best.fits_kind:
        least += _OTHER_KIND
    is_named = best.is_named and (not similar or measure >= _LEAST_NAMED_MEANING)
    sure = is_named or (best.covered >= SURE_COVERED and best.fits_kind)
    if not (measure >= least or sure):
        return None
    return best.line if rival is None else _with_rival(by_score, rival)


def _rival(by_score: Sequence[Candidate]) -> AnswerLine | None:
    """Return a line with another value that is about as good as the best one."""
    best = by_score[0].line
    value = _value(best)
    rival = next((each.line for each in by_score[1:] if value not in each.line.text), None)
    return None if rival is None or best.score - rival.score >= _LEAST_LEAD else rival


def _with_rival(by_score: Sequence[Candidate], rival: AnswerLine) -> AnswerLine | None:
    """Return the row of a table in which both the best line and its rival stand."""
    values = _value(by_score[0].line), _value(rival)
    rows = (each.line for each in by_score if each.line.quote == rival.quote)
    return next((row for row in rows if all(value in row.text for value in values)), None)


def _value(line: AnswerLine) -> str:
    bold = _BOLD.search(line.text)
    return bold.group(1) if bold else line.text


def _candidates(question: Question, passage: SourcePassage) -> Iterator[Candidate]:
    prose, tables = split_tables(passage.text)
    context = terms_of(f"{passage.title} {passage.headings}")
    base = _RANK_WEIGHT * passage.rank
    for table in tables:
        yield from _of_table(question, passage, table, context, base)
    yield from _of_prose(question, passage, prose, context, base)


def _of_prose(
    question: Question,
    passage: SourcePassage,
    prose: str,
    context: frozenset[str],
    base: float,
) -> Iterator[Candidate]:
    items = _list_items(prose)
    where = passage.headings or passage.title
    if len(items) > 1 and (question.lists or question.counts):
        around = terms_of(f"{passage.headings} {prose}") | context
        covered = question.share(around)
        text = "\n".join(f"- {item}" for item in items[:_MOST_ITEMS])
        lead = f"**{len(items)}**\n\n" if question.counts else ""
        line = AnswerLine(f"{lead}{text}", passage, base + covered + _KIND_BONUS, "")
        yield Candidate(line, where, covered)
    titles = {fold(passage.title), *map(fold, passage.headings.split(" › "))}
    units = [unit for unit in _units(prose) if fold(unit[1]) not in titles]
    for at, (asked, unit) in enumerate(units):
        terms = terms_of(f"{asked} {unit}")
        own = question.share(terms)
        covered = own + _HEADING_SHARE * question.share(context - terms)
        kind = any(kind.form.search(fold(unit)) for kind in question.kinds)
        score = base + covered + (_KIND_BONUS if kind else 0.0)
        fits = kind or not question.needs_kind or _has_value(question, unit)
        line = AnswerLine(unit, passage, score, _around([each for _, each in units], at))
        faq = asked if asked.endswith(("?", "？")) else passage.headings.rpartition(" › ")[2]
        faq = faq if faq.endswith(("?", "？")) else ""
        yield Candidate(line, f"{asked or where}: {unit}", covered, fits, asked=faq)


def _has_value(question: Question, unit: str) -> bool:
    """Return whether a sentence has a name, or a number where no name or place is asked for."""
    if _NAMED.search(unit):
        return True
    named = any(kind in (_KINDS["person"], _KINDS["place"]) for kind in question.kinds)
    return not named and _QUANTITY.search(fold(unit)) is not None


def _of_table(
    question: Question,
    passage: SourcePassage,
    table: MarkdownTable,
    context: frozenset[str],
    base: float,
) -> Iterator[Candidate]:
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
            covered += _HEADING_SHARE * question.share(around - terms)
            kind = any(kind.form.search(fold(value)) for kind in kinds)
            score = base + covered + 0.25 * (by_row + by_column)
            score += _KIND_BONUS * (kind + max(named[column], label_named)) / 2
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
    covered = question.share(terms) + _HEADING_SHARE * question.share(around - terms)
    text = f"{row[0]}: {rest}"
    line = AnswerLine(text, passage, score + covered, table.shown([at]))
    return Candidate(line, f"{passage.headings or passage.title}: {text}", covered)


_COMPARES = pattern("document_answer", "compares")


def _compared(
    question: Question, passage: SourcePassage, table: MarkdownTable, base: float
) -> Iterator[Candidate]:
    """Yield the columns that a question compares, row by row: 무료랑 팀이랑 뭐가 달라?"""
    named = [at for at, header in enumerate(table.header) if at and _cover(question, header)]
    rows = range(min(len(table.rows), _MOST_ITEMS))
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
    if any(kind is _WHO for kind in question.kinds) and len(table.header) > 1:
        labels = [" ".join(table.rows[at][:2]) for at in rows]
    counted = f"{len(labels)}{'개' if language(question.text) == 'ko' else ''}"
    lead = f"**{counted}**: " if question.counts else ""
    quote = table.shown(rows[:_MOST_ITEMS])
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


_BULLET = re.compile(r"^\s*(?:[-*•·]|\d{1,2}[.)])\s+")
_SHORT_UNIT = 12
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_EMPHASIS = re.compile(r"\*\*|__|`")


def _list_items(prose: str) -> list[str]:
    return [_BULLET.sub("", line).strip() for line in prose.splitlines() if _BULLET.match(line)]


def _units(prose: str) -> list[tuple[str, str]]:
    """Return the sentences and list items of a text, each with the question before it."""
    units: list[tuple[str, str]] = []
    asked = ""
    for line in prose.splitlines():
        bare = _EMPHASIS.sub("", _BULLET.sub("", line)).strip()
        if not bare:
            continue
        if bare.startswith("#"):
            asked = bare.lstrip("# ")
            continue
        for unit in [bare] if _BULLET.match(line) else sentences(bare):
            if unit.endswith(("?", "？")):
                asked = unit
            elif units and units[-1][0] == asked and len(units[-1][1]) <= _SHORT_UNIT:
                # "Yes." alone answers nothing.
                units[-1] = (asked, f"{units[-1][1]} {unit}")
            elif len(unit) > 1:
                units.append((asked, re.sub(r"^(?:A|답변?)\s?[.:]\s*", "", unit)))
    return units


def beginning(passage: SourcePassage) -> AnswerLine:
    """Return the first sentence of a passage, with the next ones as its quote."""
    prose, tables = split_tables(passage.text)
    titles = {fold(passage.title), *map(fold, passage.headings.split(" › "))}
    units = [unit for _, unit in _units(prose) if fold(unit) not in titles]
    table = tables[0].shown(range(min(len(tables[0].rows), _MOST_ITEMS))) if tables else ""
    quote = "\n".join(units[:_BEGINNING_UNITS]) or table
    return AnswerLine(units[0] if units else passage.title, passage, 0.0, quote)


def _around(units: Sequence[str], at: int) -> str:
    """Return a unit with its neighbours, up to a few sentences."""
    start = max(0, at - 1)
    shown: list[str] = []
    for unit in units[start : start + _SENTENCES_QUOTED]:
        if shown and count(" ".join([*shown, unit])) > QUOTE_TOKENS:
            break
        shown.append(unit)
    return "\n".join(shown)


# --- the answer ---


def compose(lines: Sequence[AnswerLine]) -> str:
    """Write the answer: each line with its source, then a quote of what it was taken from."""
    head = "\n\n".join(f"{unmarked(line.text)} [{line.passage.marker}]" for line in lines)
    quotes = [quoted(line) for line in lines if line.quote and line.quote != line.text]
    return "\n\n".join([head, *dict.fromkeys(quotes)])


def quoted(line: AnswerLine) -> str:
    """Quote what a line was taken from, under the title of its document."""
    body = "\n".join(f"> {each}" for each in unmarked(line.quote).strip().splitlines())
    where = line.passage.title
    if line.passage.headings:
        where = f"{where} › {line.passage.headings}"
    return f"**{unmarked(where)}** [{line.passage.marker}]\n{body}"
