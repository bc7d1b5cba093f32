"""Join wrapped lines of PDF pages, and drop headers and footers."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from saegim.library.parsing.lines import begins_item

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"[-–—\s]*(?:page\s*)?\d{1,4}(?:\s*/\s*\d{1,4})?[-–—\s]*", re.IGNORECASE)
HEADING_SCALE = 1.15
_EDGE = 2
_RUNNING_SHARE = 0.5
_RUNNING_PAGES, _FEW_PAGES = 3, 4
_RUNNING_LENGTH = 100
_LEADER = re.compile(r"(?:\.\s?){6,}|(?:·\s?){6,}|…{3,}")
_PARAGRAPH_GAP = 1.9
_FULL_LINE = 0.75
_TERMINAL = re.compile(r"[.!?。:;…][\"'”’)\]]*\s*$")
_HANGUL_END = re.compile(r"[가-힣]$")
_HANGUL_START = re.compile(r"[가-힣]")
# A word of two syllables or more that ends with a particle or an ending, and a bare particle.
_WORD_END = re.compile(r"[가-힣][은는이가을를의에와과며고자게로서여한된킨던]$")
_PARTICLE = re.compile(
    r"(?:[은는이가을를의에와과도로만들서인]|에서|에게|으로|부터|까지|이다|하다)(?![가-힣])"
)
_HAN_END, _HAN_START = re.compile(r"[一-鿿]$"), re.compile(r"[一-鿿]")
_DIGIT_END = re.compile(r"\d$")
_HANGUL_WORD = re.compile(r"[가-힣]+")
_LAST_HANGUL, _FIRST_HANGUL = re.compile(r"[가-힣]+$"), re.compile(r"[가-힣]+")


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line with its type size, vertical position and page."""

    text: str
    size: float
    height: float
    page: int
    is_table: bool = False


def without_running_lines(pages: Sequence[Sequence[PageLine]]) -> list[PageLine]:
    """Return all lines but headers, footers, page numbers and dotted contents lines."""
    edges = [_edges(lines) for lines in pages]
    same = Counter(key for lines in edges for key in {_running_key(line) for line in lines})
    shift = Counter(key for lines in edges for key in {k for line in lines for k in _shifts(line)})
    large = body_size(line for lines in pages for line in lines) * HEADING_SCALE
    needed = max(_RUNNING_PAGES, len(pages) * _RUNNING_SHARE)
    running = {key for key, count in same.items() if count >= needed}
    counting = {key for key, count in shift.items() if count >= needed}

    def is_running(line: PageLine) -> bool:
        return not line.is_table and (
            _running_key(line) in running
            # "1 Introduction" on page 1 looks like a page number, but is larger.
            or (line.size < large and not counting.isdisjoint(_shifts(line)))
            or (len(pages) > 1 and _PAGE_NUMBER.fullmatch(line.text) is not None)
        )

    dropped = {id(line) for lines in edges for line in lines if is_running(line)}
    if len(pages) <= _FEW_PAGES:
        # On a few pages a fact that is repeated looks like a header: its first line stays.
        edge_lines = [line for lines in edges for line in lines]
        times = Counter(line.text for line in edge_lines if not _PAGE_NUMBER.fullmatch(line.text))
        first = {line.text: id(line) for line in reversed(edge_lines) if times[line.text] > 1}
        dropped -= set(first.values())
    return [
        line
        for lines in pages
        for line in lines
        if id(line) not in dropped and (line.is_table or not _LEADER.search(line.text))
    ]


def _edges(lines: Sequence[PageLine]) -> list[PageLine]:
    return [*lines[:_EDGE], *lines[max(_EDGE, len(lines) - _EDGE) :]]


def _running_key(line: PageLine) -> str:
    return _DIGITS.sub("#", line.text.strip())


def _shifts(line: PageLine) -> set[int]:
    """Return the offsets of a line's numbers from its page, constant for page numbers."""
    words = line.text.split()
    ends = {words[0], words[-1]} if words and len(line.text) <= _RUNNING_LENGTH else set[str]()
    return {int(word) - line.page for word in ends if word.isascii() and word.isdecimal()}


def body_size(lines: Iterable[PageLine]) -> float:
    """Return the type size of most of the text."""
    sizes: Counter[float] = Counter()
    for line in lines:
        if line.is_table:
            continue
        sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


class LineJoiner:
    """Joins the lines of a paragraph. Korean is often broken inside a word: the words inside other
    lines of the document tell which of two readings is a word."""

    def __init__(self, lines: Iterable[PageLine]) -> None:
        self._words: Counter[str] = Counter()
        texts = [line.text for line in lines if not line.is_table]
        for text in texts:
            self._words.update(_HANGUL_WORD.findall(text)[1:-1])
        self._spaced = any(text.endswith(" ") for text in texts)
        breaks = [self._evidence(one, other) for one, other in pairwise(texts)]
        self._inside = self._spaced or breaks.count(True) > breaks.count(False)

    def join(self, text: str, line: str) -> str:
        """Join two parts of a wrapped paragraph."""
        if re.search(r"[A-Za-z]-$", text) and line[:1].islower():
            return text[:-1] + line
        if text.endswith(" "):
            return text + line
        if _HAN_END.search(text) and _HAN_START.match(line):
            return text + line
        if not (_HANGUL_END.search(text) and _HANGUL_START.match(line)):
            inside = self._inside and _DIGIT_END.search(text) and _HANGUL_START.match(line)
            return text + line if inside else f"{text} {line}"
        inside = self._evidence(text, line)
        if inside is None:
            inside = self._inside and not (_WORD_END.search(text) and not _PARTICLE.match(line))
        return text + line if inside else f"{text} {line}"

    def _evidence(self, text: str, line: str) -> bool | None:
        """Return whether a line ends inside a word; None if the words do not tell."""
        end, start = _LAST_HANGUL.search(text), _FIRST_HANGUL.match(line)
        if end is None or start is None:
            return None
        one, other = end.group(), start.group()
        whole, apart = self._words[one + other], min(self._words[one], self._words[other])
        if whole or apart:
            return whole >= apart
        return None


def paragraphs(lines: Sequence[PageLine], joiner: LineJoiner) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of lines between two headings, each with the page it begins on."""
    if not lines:
        return
    widest = max(len(line.text) for line in lines)
    text, page = lines[0].text, lines[0].page
    for before, line in pairwise(lines):
        if _is_apart(before, line):
            yield page, text.rstrip()
            text, page = line.text, line.page
        elif begins_item(line.text) or len(before.text.rstrip()) < widest * _FULL_LINE:
            text = f"{text.rstrip()}\n{line.text}"
        else:
            text = joiner.join(text, line.text)
    yield page, text.rstrip()


def _is_apart(before: PageLine, line: PageLine) -> bool:
    if line.page != before.page:
        return _TERMINAL.search(before.text) is not None
    drop = before.height - line.height
    return drop > _PARAGRAPH_GAP * max(line.size, before.size) or drop < -line.size
