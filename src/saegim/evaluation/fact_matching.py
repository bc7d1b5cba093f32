"""Decide by rules whether a statement states a fact: its subject and value, not denied."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from saegim.evaluation.types import ExpectedFact
from saegim.text import analysis

_SPACE = re.compile(r"\s+")
_CLAUSE = re.compile(
    r",(?!\d{3})\s*|[;·]\s*|\.\s+|\s(?:그리고|하지만|반면|but|and|while|whereas)\s"
    r"|(?<=wrong):\s|(?:이|가)?\s?아니라\s|\s말고\s"
    r"|(?<=[가-힣])(?:지만|[는인]데|으나|[으이]며|고)\s"
)
# Denial, plan, doubt or another time.
_KOREAN_NOT_NOW = (
    *("아니", "않", r"못\s?하", "없었", "취소", "철회", "미정", "예정", "계획", "검토", "고민"),
    *("논의", "할까", "려고", "희망", "목표", "가정", "만약", r"면\s", "작년", "전년", "지난해"),
    *(r"지난\s?분기", "이전", "예전", "과거", "당시", "원래", "처음엔", "였었", "잘못", "오해"),
    *("소문", "추정", "모[름른]", "불확실"),
)
_ENGLISH_NOT_NOW = (
    *("not", "never", "no longer", "used to", "previous(?:ly)?", "former(?:ly)?", "last year"),
    *("last quarter", "plan(?:s|ned|ning)?", "consider(?:s|ed|ing)?", "might", "maybe", "if"),
    *("unknown", "wrong(?:ly)?", "hopes?", "cancel(?:l?ed|s)?", r"rumou?r\w*", "estimated?"),
    *("denie[sd]", "by mistake"),
)
_NOT_NOW = re.compile(
    rf"{'|'.join(_KOREAN_NOT_NOW)}|\b(?:{'|'.join(_ENGLISH_NOT_NOW)})\b|n't\b", re.IGNORECASE
)
_QUESTION = re.compile(r"[?？]\s*$|(?:얼마|언제|어디|무엇|뭐|누구)\S*(?:지|야|나요|까요?)\s*$")
_DIGIT_FIRST, _DIGIT_LAST = re.compile(r"\d"), re.compile(r".*\d$")
# A number with letters before it and the character behind it: $12,500, v2.1, 1.5억, 65%.
_NUMBER = re.compile(r"[A-Za-z$€£¥₩]*-?\d+(?:[.,:/-]?\d+)*[A-Za-z가-힣%]?")
_LARGE_LAST = re.compile(r".*\d\s?(?:조|억|천만|백만|만|천)$")


@cache
def _pattern(word: str) -> re.Pattern[str]:
    """Match a word anywhere, ignoring spaces; match a number only as a whole."""
    folded = analysis.fold(word).strip()
    body = r"\s*".join(re.escape(part) for part in folded.split())
    before = r"(?<![\d.,])" if _DIGIT_FIRST.match(folded) else ""
    after = ""
    if _DIGIT_LAST.match(folded):
        after = r"(?![\d]|[.,]\d|\s?(?:조|억|천|백|만))"
    elif _LARGE_LAST.match(folded):
        after = r"(?!\s?\d+\s?(?:천|백|만))"
    if folded.isascii() and folded[:1].isalpha():
        before, after = r"(?<![a-z0-9])", after or r"(?![a-z])"
    return re.compile(before + body + after)


def holds(text: str, spellings: Iterable[str]) -> bool:
    """Whether a plain text has one of the spellings."""
    return any(_pattern(spelling).search(text) for spelling in spellings)


def numbers_in(text: str) -> list[str]:
    """Return the numbers of a text with their units."""
    return _NUMBER.findall(text)


def unit(number: str) -> str:
    """Return what stands around the digits of a number."""
    return re.sub(r"[\d.,]+", "", number)


def plain(text: str) -> str:
    """Normalise a text for matching."""
    return _SPACE.sub(" ", analysis.fold(text)).strip()


def about(text: str, fact: ExpectedFact) -> bool:
    """Whether a plain text has every word of the fact's subject."""
    return all(holds(text, spellings) for spellings in fact.about)


def states(
    text: str, fact: ExpectedFact, values: Sequence[str], others: Sequence[ExpectedFact]
) -> bool:
    """Whether a plain text says that one of these values is the fact's current value."""
    return any(
        _is_about(earlier, clause, fact, others) and not _is_negated(clause, fact)
        for earlier, clause in _clauses(text)
        if holds(clause, values)
    )


def _clauses(text: str) -> Iterator[tuple[str, str]]:
    """Yield each clause with the text before it."""
    start = 0
    for cut in _CLAUSE.finditer(text):
        yield text[:start], text[start : cut.end()]
        start = cut.end()
    yield text[:start], text[start:]


def _is_about(
    earlier: str, clause: str, fact: ExpectedFact, others: Sequence[ExpectedFact]
) -> bool:
    """Whether a clause is about the fact's subject, named in it or, if it has none, before it."""
    if holds(clause, fact.rivals):
        return False
    if about(clause, fact):
        return True
    if any(about(clause, other) for other in others if other.about != fact.about):
        return False
    return about(f"{earlier} {clause}", fact)


def _is_negated(clause: str, fact: ExpectedFact) -> bool:
    if _QUESTION.search(clause):
        return True
    own = [*fact.value, *(spelling for spellings in fact.about for spelling in spellings)]
    for word in own:
        clause = _pattern(word).sub(" ", clause)
    return _NOT_NOW.search(clause) is not None
