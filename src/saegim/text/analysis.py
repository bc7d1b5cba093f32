"""Split text into search terms and sentences; detect its language.

Korean is indexed by character bigrams: splitting at spaces loses 10 to 20 % of the hits because
particles are attached to words. Bigrams match a morphological analyser and need no dictionary.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable

from saegim.domain.scope import Locale
from saegim.text import function_words, stemming

_HANGUL = "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7a3\ud7b0-\ud7ff"
_JAMO = "\u3131-\u318e"
_KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"
# Vowel signs and accents of Devanagari, Arabic and others: not `\w`, but part of words.
_MARKS = "".join(
    chr(point)
    for point in range(0x0300, 0x1D00)
    if unicodedata.category(chr(point))[0] == "M" and not 0x0E00 <= point <= 0x0E7F
)
_LETTER = rf"[^\W_{_HANGUL}{_JAMO}{_KANA}{_HAN}{_THAI}]"

# Jamo are a run of their own, so that "네ㅋㅋ" contains "네"; Han and Kana are one run, as Japanese
# words mix them. A version is one number, with or without a leading v.
_TERM = re.compile(
    rf"(?P<run>[{_HANGUL}]++|[{_JAMO}]++|[{_KANA}{_HAN}]++|[{_THAI}]++)"
    r"|(?P<number>v?\d++(?:[.,]\d++)++)"
    rf"|(?P<word>(?:{_LETTER}++[{_MARKS}]*+)++)"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")

_WORDS = re.compile(r"[^\W_]+")
_BREAKS = re.compile(r"\r\n?|[\x0b\x0c]")
_UNWANTED = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def _width_table() -> dict[str, str]:
    """Map full and half width forms, Roman numerals, circled numbers and units to plain characters.

    NFKC on the whole text would also change the jamo of "ㅋㅋ".
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
_NOT_PLAIN = re.compile(f"[{''.join(_WIDTH)}]")
_PLAIN = str.maketrans(_WIDTH)


def normalise(text: str) -> str:
    """Return the text in NFC with plain line ends, without control characters and surrogates."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    return unicodedata.normalize("NFC", _UNWANTED.sub("", _BREAKS.sub("\n", text)))


def fold(text: str) -> str:
    """Fold case and width, in NFC: equal for two spellings of the same word."""
    if text.isascii():
        return text.lower()
    if _NOT_PLAIN.search(text):
        text = text.translate(_PLAIN)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def folded_words(text: str) -> list[str]:
    """Return the runs of letters and digits of a text, folded."""
    return _WORDS.findall(fold(text))


def _terms(
    text: str, of_word: Callable[[str], Iterable[str]], of_run: Callable[[str], Iterable[str]]
) -> list[str]:
    terms: list[str] = []
    for match in _TERM.finditer(fold(text)):
        piece = match.group()
        if match.lastgroup == "word":
            terms += of_word(piece)
        elif match.lastgroup == "number":
            terms += _number(piece)
        else:
            terms += of_run(piece)
    return terms


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, with repeats: words, numbers, bigrams of other runs."""
    return _terms(text, lambda word: [word], _bigrams)


def _bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _number(piece: str) -> list[str]:
    """1,500,000 is 1500000; 3.12.1 also matches 3.12; 1,2,3 are three numbers."""
    piece = piece.removeprefix("v")
    if _THOUSANDS.fullmatch(piece):
        return [piece.replace(",", "")]
    numbers: list[str] = []
    for part in piece.split(","):
        numbers.append(part)
        if part.count(".") > 1:
            numbers.append(".".join(part.split(".")[:2]))
    return numbers


_KEY_SYLLABLES = 2
# Longer runs are text without spaces and have no stem.
_LONGEST_WORD = 16
# Bounds the time of a query; the longest terms are kept because they are the rarest.
_QUERY_TERMS = 128
# Capitalised within a sentence: The Who, but also IT and US.
_NAMED = re.compile(r"(?<=[^\s.?!]\s)[\"'(“‘]?([A-Z][A-Za-z]+)")


def index_terms(text: str) -> list[str]:
    """Return the terms of a passage for the index: like `terms`, with the stem of each word."""
    return _terms(text, lambda word: [stemming.english(word)], _index_run)


def _index_run(run: str) -> list[str]:
    return [*_bigrams(run), stemming.korean(run).term] if _is_word(run) else _bigrams(run)


def passage_terms(headings: str, text: str) -> list[str]:
    """Return the index terms of a passage; those of its headings count twice."""
    return [*index_terms(headings) * 2, *index_terms(text)]


def query_terms(text: str) -> list[str]:
    """Return the distinct terms of a query: stems and bigrams, without function words.

    A query of function words alone is not reduced.
    """
    named = {name.lower() for name in _NAMED.findall(text)}

    def of_word(word: str) -> list[str]:
        dropped = word in function_words.ENGLISH and word not in named
        return [] if dropped else [stemming.english(word)]

    distinct = list(dict.fromkeys(_terms(text, of_word, _query_run) or index_terms(text)))
    if len(distinct) <= _QUERY_TERMS:
        return distinct
    return sorted(distinct, key=len, reverse=True)[:_QUERY_TERMS]


def _query_run(run: str) -> list[str]:
    if run in function_words.KOREAN:
        return []
    if not _is_word(run):
        return _bigrams(run)
    stem = stemming.korean(run)
    return [] if stem.written in function_words.KOREAN else [*_bigrams(stem.written), stem.term]


def word_keys(text: str) -> frozenset[str]:
    """Return a key for each content word that does not depend on its ending."""
    keys = _terms(text, lambda word: {stemming.english(word)} - function_words.ENGLISH, _run_key)
    return frozenset(keys)


def _run_key(run: str) -> list[str]:
    if run in function_words.KOREAN:
        return []
    if not _is_word(run):
        return [run]
    return [stemming.korean(run).term.removeprefix(stemming.MARK)[:_KEY_SYLLABLES]]


def _is_word(run: str) -> bool:
    return 1 < len(run) <= _LONGEST_WORD and _is_hangul(run[0])


_LINE = re.compile(r"[\r\n\u2028\u2029]+")
_STOP = re.compile(r"[.!?。！？…]+[\"'”’」』》)\]]*")
_CLOSERS = "\"'”’」』》)]"
_QUOTING = re.compile(r"\s(?:이?라[고는며]|하[고며])")
_FINAL = "다요죠까네함음임"
_ABBREVIATIONS = (
    *("al", "approx", "capt", "cf", "co", "corp", "dept", "dr", "eds?", "eq", "est", "etc", "ex"),
    *("fig", "gen", "inc", "jr", "lt", "ltd", "mr", "mrs", "ms", "mt", "nos?", "pp", "prof"),
    *("rev", "sec", "sgt", "sr", "st", "tel", "vol", "vs"),
)
_ABBREVIATION = re.compile(rf"{'|'.join(_ABBREVIATIONS)}|(?:[a-z]\.)*[a-z]")


def sentences(text: str) -> list[str]:
    """Return the trimmed sentences of a text in order; a line break ends a sentence."""
    pieces: list[str] = []
    for line in _LINE.split(text):
        start = 0
        for stop in _STOP.finditer(line):
            if _ends_sentence(line, start, stop):
                pieces.append(line[start : stop.end()].strip())
                start = stop.end()
        pieces.append(line[start:].strip())
    return [sentence for sentence in pieces if sentence]


def ends_sentence(before: str, mark: str, after: str) -> bool:
    """Return whether a stop mark with its closing quotes ends the sentence `before` it.

    `after` is the text behind it in the line, of which four characters are enough.
    """
    line = f"{before}{mark}{after}"
    stop = _STOP.match(line, len(before))
    return stop is not None and _ends_sentence(line, 0, stop)


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
    """Return whether the full stop belongs to the word or number: e.g., J., 2024. 1. 5."""
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
_ENGLISH_WORDS = (
    *("a", "an", "and", "are", "can", "do", "does", "for", "how", "i", "in", "is", "it", "of"),
    *("on", "that", "the", "to", "was", "what", "when", "where", "which", "who", "why", "with"),
    *("you", "your"),
)
_ENGLISH = re.compile(rf"\b(?:{'|'.join(_ENGLISH_WORDS)})\b", re.IGNORECASE | re.ASCII)
_SURE, _POSSIBLE = 0.3, 0.1


def language(text: str) -> Locale:
    """Return the language to answer in: Korean if at least 30 % of the letters are Hangul.

    10 % is enough without English function words: Korean questions contain Latin names and code.
    """
    letters = len(_LETTERS.findall(text))
    share = len(_HANGUL_LETTERS.findall(text)) / letters if letters else 0.0
    if share >= _SURE or (share >= _POSSIBLE and not _ENGLISH.search(text)):
        return "ko"
    return "en"
