"""Text to the terms that lexical search matches, to sentences, and to its language.

Terms need no dictionary: splitting Korean at spaces loses a tenth to a fifth of the hits, because
particles stick to words, while character bigrams match a morphological analyser and run at
thousands of passages a second.
"""

import re
import unicodedata

from saegim.domain.scope import Locale
from saegim.text import function_words, stemming

_HANGUL = "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7a3\ud7b0-\ud7ff"
_JAMO = "\u3131-\u318e"
_KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"
# Vowel signs and accents of Devanagari, Arabic and the like are not `\w`, yet stand inside words.
_MARKS = "".join(
    chr(point)
    for point in range(0x0300, 0x1D00)
    if unicodedata.category(chr(point))[0] == "M" and not 0x0E00 <= point <= 0x0E7F
)
_LETTER = rf"[^\W_{_HANGUL}{_JAMO}{_KANA}{_HAN}{_THAI}]"

# Jamo apart from syllables, so that "네ㅋㅋ" still holds "네". Han and Kana together: a Japanese
# word runs through both. A version is one number, a leading v or not.
_TERM = re.compile(
    rf"(?P<run>[{_HANGUL}]++|[{_JAMO}]++|[{_KANA}{_HAN}]++|[{_THAI}]++)"
    r"|(?P<number>v?\d++(?:[.,]\d++)++)"
    rf"|(?P<word>(?:{_LETTER}++[{_MARKS}]*+)++)"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")

_BREAKS = re.compile(r"\r\n?|[\x0b\x0c]")
_UNWANTED = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def _width_table() -> dict[str, str]:
    """Full and half width forms, Roman numerals, circled numbers and units, as plain characters.

    NFKC over everything would also take the letters of "ㅋㅋ" apart from their keyboard forms.
    """
    table = dict.fromkeys("\u00ad\u200b\u2060\ufeff", "")
    for first, last in (("Ⅰ", "ⅿ"), ("①", "⑳"), ("㍱", "㏟")):
        for point in range(ord(first), ord(last) + 1):
            table[chr(point)] = unicodedata.normalize("NFKC", chr(point))
    for point in (0x3000, *range(0xFF01, 0xFFEF)):
        kind, _, plain = unicodedata.decomposition(chr(point)).partition(" ")
        if kind in ("<wide>", "<narrow>"):
            table[chr(point)] = chr(int(plain, 16))
    return table


_WIDTH = _width_table()
_UNEVEN = re.compile(f"[{''.join(_WIDTH)}]")


def normalise(text: str) -> str:
    """The text in NFC, with plain line ends and nothing that a store or a terminal trips over."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    return unicodedata.normalize("NFC", _UNWANTED.sub("", _BREAKS.sub("\n", text)))


def fold(text: str) -> str:
    """The form in which two spellings of the same word are equal: NFC, one case, one width."""
    if text.isascii():
        return text.lower()
    plain = _UNEVEN.sub(lambda match: _WIDTH[match.group()], text)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", plain).casefold())


def terms(text: str) -> list[str]:
    """The terms of a text in order, repeats included: words and numbers, bigrams within a run."""
    found: list[str] = []
    for match in _TERM.finditer(fold(text)):
        piece = match.group()
        if match.lastgroup == "word":
            found.append(piece)
        elif match.lastgroup == "number":
            found.extend(_number(piece))
        else:
            found.extend(_bigrams(piece))
    return found


def _bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _number(piece: str) -> list[str]:
    """1,500,000 is 1500000; 3.12.1 is also found as 3.12; 1,2,3 are three numbers."""
    piece = piece.removeprefix("v")
    if _THOUSANDS.fullmatch(piece):
        return [piece.replace(",", "")]
    numbers: list[str] = []
    for part in piece.split(","):
        numbers.append(part)
        if part.count(".") > 1:
            numbers.append(".".join(part.split(".")[:2]))
    return numbers


# A noun of two syllables is told by both, and what follows a longer one's differs.
_TELLING = 2
# No word is longer; runs that are were written without spaces, and have no stem.
_LONGEST_WORD = 16
# A pasted page is searched by its longest words, which are its rarest: a long query is a slow one.
_QUERY_TERMS = 128
# Written like a name within a sentence: The Who, but also IT and US.
_NAMED = re.compile(r"(?<=[^\s.?!]\s)[\"'(“‘]?([A-Z][A-Za-z]+)")


def index_terms(text: str) -> list[str]:
    """The terms of a passage in the index: those of `terms`, and the stem of each word."""
    found: list[str] = []
    for match in _TERM.finditer(fold(text)):
        piece = match.group()
        if match.lastgroup == "word":
            found.append(stemming.english(piece))
        elif match.lastgroup == "number":
            found.extend(_number(piece))
        else:
            found.extend(_bigrams(piece))
            if _is_word(piece):
                found.append(stemming.korean(piece).term)
    return found


def passage_terms(headings: str, text: str) -> list[str]:
    """The terms of a passage under its headings, which count twice: they say what it is about."""
    return [*index_terms(headings) * 2, *index_terms(text)]


def query_terms(text: str) -> list[str]:
    """The terms to look for, each once: stems and their bigrams, without how a question is asked.

    A query of nothing else is looked for as it is.
    """
    named = {name.lower() for name in _NAMED.findall(text)}
    found: list[str] = []
    for match in _TERM.finditer(fold(text)):
        piece = match.group()
        if match.lastgroup == "word":
            if piece not in function_words.ENGLISH or piece in named:
                found.append(stemming.english(piece))
        elif match.lastgroup == "number":
            found.extend(_number(piece))
        else:
            found.extend(_asked(piece))
    distinct = list(dict.fromkeys(found or index_terms(text)))
    if len(distinct) <= _QUERY_TERMS:
        return distinct
    return sorted(distinct, key=len, reverse=True)[:_QUERY_TERMS]


def _asked(run: str) -> list[str]:
    """The terms of a run in a question; Korean particles, endings and function words make none."""
    if run in function_words.KOREAN:
        return []
    if not _is_word(run):
        return _bigrams(run)
    short = stemming.korean(run)
    if short.written in function_words.KOREAN:
        return []
    return [*_bigrams(short.written), short.term]


def word_keys(text: str) -> frozenset[str]:
    """The words of a text as one can tell them apart whatever ends them, without function words:
    stems and numbers, and of a Korean word the beginning of its stem."""
    found: set[str] = set()
    for match in _TERM.finditer(fold(text)):
        piece = match.group()
        if match.lastgroup == "word":
            found |= {stemming.english(piece)} - function_words.ENGLISH
        elif match.lastgroup == "number":
            found.update(_number(piece))
        elif piece not in function_words.KOREAN:
            found.add(_beginning(piece))
    return frozenset(found)


def _beginning(run: str) -> str:
    if not _is_word(run):
        return run
    short = stemming.korean(run).term.removeprefix(stemming.MARK)
    return short[:_TELLING]


def _is_word(run: str) -> bool:
    return 1 < len(run) <= _LONGEST_WORD and _is_hangul(run[0])


_LINE = re.compile(r"[\r\n\u2028\u2029]+")
_STOP = re.compile(r"[.!?。！？…]+[\"'”’」』》)\]]*")
_CLOSERS = "\"'”’」』》)]"
_QUOTING = re.compile(r"\s(?:이?라[고는며]|하[고며])")
_FINAL = "다요죠까네함음임"
_ABBREVIATION = re.compile(
    r"al|approx|capt|cf|co|corp|dept|dr|eds?|eq|est|etc|ex|fig|gen|inc|jr|lt|ltd|mr|mrs|ms|mt|nos?|pp"
    r"|prof|rev|sec|sgt|sr|st|tel|vol|vs|(?:[a-z]\.)*[a-z]"
)


def sentences(text: str) -> list[str]:
    """The sentences of a text, trimmed, in order; a line end always ends one."""
    found: list[str] = []
    for line in _LINE.split(text):
        start = 0
        for stop in _STOP.finditer(line):
            if _ends_sentence(line, start, stop):
                found.append(line[start : stop.end()].strip())
                start = stop.end()
        found.append(line[start:].strip())
    return [sentence for sentence in found if sentence]


def _ends_sentence(line: str, start: int, stop: re.Match[str]) -> bool:
    mark = stop.group().rstrip(_CLOSERS)
    before = line[max(start, stop.start() - 1) : stop.start()]
    after = line[stop.end() : stop.end() + 1]
    trailing = mark.startswith(("..", "…"))
    if not after:
        return True
    if not after.isspace():
        if stop.group() != mark or trailing:
            return False
        glued = _is_hangul(before) and _is_hangul(after) and (mark != "." or before in _FINAL)
        return glued or mark[-1] in "。！？"
    if stop.group() != mark and _QUOTING.match(line, stop.end()):
        return False
    if trailing:
        return before != "" and before in "다요죠까"
    return mark != "." or not _is_abbreviated(line, start, stop)


def _is_abbreviated(line: str, start: int, stop: re.Match[str]) -> bool:
    """Whether the full stop belongs to the word or number before it: e.g., J., 2024. 1. 5."""
    begin = max(start, line.rfind(" ", start, stop.start()) + 1)
    word = line[begin : stop.start()].lstrip("(\"'“‘[").casefold()
    if word.isdecimal():
        listed = begin - start < 4 and not line[start:begin].strip()
        following = line[stop.end() + 1 : stop.end() + 2]
        dated = line[max(0, begin - 2) : begin] == ". " or following.isdecimal()
        return listed or dated
    return _ABBREVIATION.fullmatch(word) is not None


def _is_hangul(character: str) -> bool:
    return "가" <= character <= "힣"


_HANGUL_LETTERS = re.compile(rf"[{_HANGUL}{_JAMO}]")
_LETTERS = re.compile(r"[^\W\d_]")
_ENGLISH = re.compile(
    r"\b(?:a|an|and|are|can|do|does|for|how|i|in|is|it|of|on|that|the|to|was|what|when|where|which"
    r"|who|why|with|you|your)\b",
    re.IGNORECASE | re.ASCII,
)
_SURE, _POSSIBLE = 0.3, 0.1


def language(text: str) -> Locale:
    """The language to answer in: Korean where Hangul is a fair share of the letters.

    Product names and code are Latin in Korean questions too, so a smaller share is enough as long
    as no English function word stands among them.
    """
    letters = len(_LETTERS.findall(text))
    share = len(_HANGUL_LETTERS.findall(text)) / letters if letters else 0.0
    if share >= _SURE or (share >= _POSSIBLE and not _ENGLISH.search(text)):
        return "ko"
    return "en"
