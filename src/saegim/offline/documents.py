"""Find the sentence, row or cell of the passages that answers a question, or the closest ones.

Nothing is taken from an earlier question, and no value is computed: what is shown stands in a
document. A line counts as the answer only if its words and its meaning both fit.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from saegim.offline.tables import split_tables
from saegim.text.analysis import fold, index_terms, query_terms, sentences, word_keys
from saegim.text.tokens import count

# Passages and lines of them that are read: each line costs some milliseconds.
MOST_PASSAGES, MOST_LINES = 6, 24
MOST_CLOSEST = 3
LONGEST_LINE = 240
# From here on a line answers: its similarity, a part of the share of the question's words in it
# and in its headings, and a part of its lead before other lines. Chosen on the questions of
# `examples/` and the halves `dev` and `dev_two` of the conversation measure.
SURE, SURE_COVERED = 1.32, 0.4
_COVERED_WEIGHT, _LEAD_WEIGHT = 0.3, 0.2
SURE_CELL = 0.6
# Below these nothing is close.
CLOSE_MEANING, CLOSE_COVERED = 0.35, 0.3
_LEAD = 0.15
_RANK_WEIGHT, _HEADING_SHARE, _MEANING_WEIGHT = 0.35, 0.6, 1.5
_UNMATCHED_WEIGHT = 0.15
_QUOTE_TOKENS, _QUOTED_UNITS, _BEGINNING_UNITS = 140, 3, 6
_SHORT_UNIT = 12
_BULLET = re.compile(r"^\s*(?:[-*•·]|\d{1,2}[.)])\s+")
_NAME = re.compile(r"(?<=\s)[A-Z]\w+")
_EMPHASIS = re.compile(r"\*\*|__|`")


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """A passage to answer from; `rank` is its score, 1 for the best."""

    marker: str
    title: str
    headings: str
    text: str
    rank: float = 1.0


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, row or cell of a passage. `quote` is what it was taken from, `meaning` the text
    that is compared with the question, and `asked` the question that it answers, in an FAQ.
    `covered` is the share of the question's words that it and its headings have. `is_cell`: the
    question names its row and its column."""

    text: str
    passage: SourcePassage
    quote: str
    meaning: str
    covered: float
    score: float
    asked: str = ""
    is_cell: bool = False

    def similarity(self, similar: Mapping[str, float]) -> float:
        return max(similar.get(self.meaning, 0.0), similar.get(self.asked, 0.0))

    def total(self, similar: Mapping[str, float]) -> float:
        return self.score + _MEANING_WEIGHT * self.similarity(similar)


@dataclass(frozen=True, slots=True)
class DocumentMatch:
    """The line that surely answers, if there is one, and the closest lines, the best first."""

    answer: Line | None
    closest: tuple[Line, ...] = ()


def find(
    lines: Sequence[Line], similar: Mapping[str, float], *, may_be_sure: bool
) -> DocumentMatch:
    """Choose among the lines of all passages. `similar` has the similarity of their texts."""
    ranked = sorted(lines, key=lambda each: -each.total(similar))
    close = [each for each in ranked if _is_close(each, similar)]
    distinct = list({_place_of(each): each for each in reversed(close)}.values())[::-1]
    best = distinct[0] if distinct else None
    cells = [each for each in close if each.is_cell and each.similarity(similar) >= SURE_CELL]
    if may_be_sure and len(cells) == 1:
        # The question names its row and its column, and no other cell's.
        return DocumentMatch(cells[0], tuple(distinct[:MOST_CLOSEST]))
    sure = best is not None and may_be_sure and _is_sure(best, distinct[1:], similar)
    return DocumentMatch(best if sure else None, tuple(distinct[:MOST_CLOSEST]))


def _place_of(line: Line) -> tuple[str, str]:
    """Return what makes a line another than the others: of a row only one line is shown."""
    return line.passage.marker, line.quote if line.quote.startswith("|") else line.text


def _is_close(line: Line, similar: Mapping[str, float]) -> bool:
    return line.covered >= CLOSE_COVERED or line.similarity(similar) >= CLOSE_MEANING


def _is_sure(best: Line, others: Sequence[Line], similar: Mapping[str, float]) -> bool:
    """Return whether a line fits by words and meaning, and clearly better than other lines."""
    similarity, total = best.similarity(similar), best.total(similar)
    rivals = [each for each in others if each.quote != best.quote]
    lead = min((total - each.total(similar) for each in rivals), default=1.0)
    is_nearest = all(similarity >= each.similarity(similar) for each in rivals)
    sureness = similarity + _COVERED_WEIGHT * best.covered + _LEAD_WEIGHT * min(lead, 1.0)
    return is_nearest and lead >= _LEAD and best.covered >= SURE_COVERED and sureness >= SURE


def lines_of(question: str, passages: Sequence[SourcePassage]) -> list[Line]:
    """Return the lines of the first passages that may answer, the likeliest first by words."""
    read = passages[:MOST_PASSAGES]
    weights = _weights(question, read)
    words = word_keys(question)
    found = [line for passage in read for line in _lines(weights, words, passage)]
    return sorted(found, key=lambda each: -each.score)[:MOST_LINES]


def names_unknown(question: str, passages: Sequence[SourcePassage]) -> bool:
    """Return whether a question has a word with a capital letter that no passage has: a name."""
    names = {term for word in _NAME.findall(question) for term in query_terms(word)}
    known = frozenset[str]().union(
        *(_terms(f"{each.title} {each.headings} {each.text}") for each in passages)
    )
    return not names <= known


def texts_of(lines: Sequence[Line]) -> list[str]:
    """Return the texts of lines to compare with the question."""
    texts = dict.fromkeys(each.meaning for each in lines)
    return list(texts | dict.fromkeys(each.asked for each in lines if each.asked))


def titled(message: str, passages: Sequence[SourcePassage]) -> SourcePassage | None:
    """Return the passage whose title or heading the message is, as a suggested question is."""
    name = fold(message.strip())
    return next((each for each in passages if name in _titles(each)), None)


def quoted(message: str, passages: Sequence[SourcePassage]) -> SourcePassage | None:
    """Return the passage of which a message quotes most titles or headings, as suggestions do."""
    text = fold(message)

    def count_quoted(passage: SourcePassage) -> int:
        titles = filter(None, _titles(passage))
        return sum(f"“{title}”" in text or f"‘{title}’" in text for title in titles)

    best = max(passages, key=count_quoted, default=None)
    return best if best is not None and count_quoted(best) else None


def beginning(passage: SourcePassage) -> Line:
    """Return the first sentence of a passage, with the next ones as its quote."""
    prose, tables = split_tables(passage.text)
    units = [unit for _, unit in _units(prose) if fold(unit) not in _titles(passage)]
    table = tables[0].shown(range(min(len(tables[0].rows), 12))) if tables else ""
    quote = "\n".join(units[:_BEGINNING_UNITS]) or table
    text = units[0] if units else passage.title
    return Line(text, passage, quote, text, 0.0, 0.0)


def _titles(passage: SourcePassage) -> set[str]:
    return {fold(passage.title), *map(fold, passage.headings.split(" › "))}


def _weights(question: str, passages: Sequence[SourcePassage]) -> dict[str, float]:
    """Weigh the words of a question: rare ones among the passages weigh more."""
    wanted = set(query_terms(question))
    present = Counter(
        term
        for each in passages
        for term in _terms(f"{each.title} {each.headings} {each.text}") & wanted
    )
    size = len(passages) or 1
    return {
        term: 0.4 + math.log(1 + size / present[term]) if present[term] else _UNMATCHED_WEIGHT
        for term in wanted
    }


def _share(weights: Mapping[str, float], terms: frozenset[str]) -> float:
    total = sum(weights.values()) or 1.0
    return sum(weight for term, weight in weights.items() if term in terms) / total


@lru_cache(maxsize=4_000)
def _terms(text: str) -> frozenset[str]:
    return frozenset(index_terms(text))


def _lines(
    weights: Mapping[str, float], words: frozenset[str], passage: SourcePassage
) -> Iterator[Line]:
    prose, tables = split_tables(passage.text)
    around = _terms(f"{passage.title} {passage.headings}")
    where = passage.headings or passage.title
    base = _RANK_WEIGHT * passage.rank

    def line(text: str, quote: str, named: str, asked: str = "", *, is_cell: bool = False) -> Line:
        terms = _terms(f"{asked} {named}")
        covered = _share(weights, terms) + _HEADING_SHARE * _share(weights, around - terms)
        meaning = f"{asked or where}: {text}"[:LONGEST_LINE]
        return Line(text, passage, quote, meaning, covered, base + covered, asked, is_cell)

    for table in tables:
        headers = table.header[1:]
        columns = [
            at for at, header in enumerate(headers, start=1) if _is_named(header, headers, words)
        ]
        for at, row in enumerate(table.rows):
            text = table.line(at)
            yield line(text, table.shown([at]), " ".join((*table.header, *row)))
            is_named = _is_named(row[0], [each[0] for each in table.rows], words)
            for column in columns:
                if value := row[column]:
                    cell = f"{row[0]} · {table.header[column]}: **{value}**"
                    named = f"{row[0]} {table.header[column]} {value}"
                    yield line(cell, table.shown([at]), named, is_cell=is_named)
    units = [unit for unit in _units(prose) if fold(unit[1]) not in _titles(passage)]
    for at, (asked, unit) in enumerate(units):
        heading = passage.headings.rpartition(" › ")[2]
        faq = next((each for each in (asked, heading) if each.endswith(("?", "？"))), "")
        yield line(unit, _around([each for _, each in units], at), unit, faq or asked)


def _is_named(label: str, labels: Sequence[str], words: frozenset[str]) -> bool:
    """Return whether a question names a label: it has all words that tell it from the others."""
    keys = word_keys(label)
    shared = Counter(key for each in labels for key in word_keys(each))
    own = {key for key in keys if shared[key] == 1}
    return own <= words if own else bool(keys) and keys <= words


def _units(prose: str) -> list[tuple[str, str]]:
    """Return the sentences and list items of a text, each with the question or heading before."""
    units: list[tuple[str, str]] = []
    asked = ""
    for line in prose.splitlines():
        bare = _BULLET.sub("", line).strip()
        if bare.startswith("#"):
            asked = _EMPHASIS.sub("", bare.lstrip("# "))
            continue
        # Marks of code and emphasis may tell where a sentence ends.
        marked = [bare] if _BULLET.match(line) else sentences(bare)
        for unit in (_EMPHASIS.sub("", each).strip() for each in marked):
            if unit.endswith(("?", "？")):
                asked = unit
            elif units and units[-1][0] == asked and len(units[-1][1]) <= _SHORT_UNIT:
                # "Yes." alone answers nothing.
                units[-1] = (asked, f"{units[-1][1]} {unit}")
            elif len(unit) > 1:
                units.append((asked, unit))
    return units


def _around(units: Sequence[str], at: int) -> str:
    """Return a unit with its neighbours, up to a few sentences."""
    shown: list[str] = []
    for unit in units[max(0, at - 1) :][:_QUOTED_UNITS]:
        if shown and count(" ".join([*shown, unit])) > _QUOTE_TOKENS:
            break
        shown.append(unit)
    return "\n".join(shown)
