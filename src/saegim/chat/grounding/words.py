"""The content words and numbers of a text, as grounding compares them."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest

from saegim.text import function_words, stemming
from saegim.text.analysis import fold, index_terms

# Hangul right behind a number is its unit, behind letters a particle: 5분, EC2는, BTV에서.
_WORD = re.compile(
    r"(?<=\d)[가-힣]{1,4}(?![가-힣])|(?<=[a-z])[가-힣]{1,3}(?![가-힣])"
    r"|(?P<hangul>[가-힣]+)|(?P<letters>[^\W\d_가-힣]+)"
)
_WORD_CHARACTERS = re.compile(r"[^\W_]+")
_QUANTITY = re.compile(r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?([가-힣%]?)")
_SHORT_YEAR = re.compile(r"['’‘`](\d{2})(?!\d)|(?<![\d.,])(\d{2})(?=년)")
_SCALED = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s?([십백천]?)([만억조]?)")
_SCALES = {"십": 1e1, "백": 1e2, "천": 1e3, "만": 1e4, "억": 1e8, "조": 1e12}
_PARTICLES = frozenset("이입은는을를의에로으과와도만가예였")
_DATE = re.compile(r"(\d{4})\s?[-./]\s?(\d{1,2})\s?[-./]\s?(\d{1,2})(?!\d)")
# Counts up to ten need no source: "3 ways", "두 번째".
_SMALL = 10.0
_GENERIC_KOREAN_WORDS = """
다음 아래 여기 거기 이상 경우 때문 정도 내용 문서 자료 정보 질문 질문하신 답 답변 정답 결과 말씀 끝
부분 관련 해당 또한 그리고 그러나 하지만 따라서 즉 예를 예 들어 들면 먼저 우선 다만 특히 모두 나머지
일반적 대체로 보통 주로 가지 점 바 제공된 주어진 근거 문맥 따르면 따라 의하면 네 아니요 아니오 의미
뜻 방법 등의 등을 등이 등에 등은 사용자 고객 이용자 당신 저 제 저희 우리 이러한 그러한 이런 그런
여러 다양한 매우 가장 함께 통해
"""
_GENERIC_ENGLISH_STEMS = """
accord answer also any based both context document each evidenc exampl first follow howev inform
mention more most not one other passag pleas provid question sourc therefor thus tru us user yes no
"""
_GENERIC_KOREAN = frozenset(_GENERIC_KOREAN_WORDS.split())
_GENERIC_ENGLISH = frozenset(_GENERIC_ENGLISH_STEMS.split())
_AUXILIARY = re.compile(
    r"것[가-힣]{0,5}|이(?:는|를|에|와|로|때|렇게|제|제는)|그(?:는|를|와|래서|렇게|러므로)|함으로써|하더라도|해주는"
    r"|같[이은다][가-힣]{0,2}|더욱|앞으로|이미|이후|당시|(?:있|없|않|싶)[가-힣]{1,4}|(?:하|되|드리)(?:는|며|고|여|면|기|지|던|였다|였습니다|었다|었습니다)"
    r"|합니다|해요|했습니다|했어요|했다|한다|하다|됩니다|돼요|되었습니다|됐습니다|됐어요|된다|되다"
    r"|드립니다|드릴게요|바랍니다|입니다|이에요|예요|이며|이고|이다|인데|이지만|였습니다|이었습니다"
)
_PREDICATE = re.compile(r"(?:다|요|죠|까|오|임|음|함|됨)\Z")
_COPULA = re.compile(
    r"(?:입니다|이다|이에요|예요|이었습니다|였습니다|이었다|였다|이었어요|였어요)\Z"
)
_VERB, _LAST_VERB = 0.5, 0.3
# Shorter words match whole: half of a name of three syllables is another name.
_LEAST_PARTIAL = 4
_PARTIAL = 0.6
_WITHOUT_UNIT = 0.5
_LARGE, _MONTHS, _PERCENT, _MOST_OPERANDS = 1000.0, 12.0, 100.0, 60


@dataclass(frozen=True, slots=True)
class ContentWord:
    """A word without its ending: `parts` are its bigrams, `weight` is low for verbs."""

    written: str
    term: str
    parts: tuple[str, ...]
    weight: float = 1.0


def content_words(text: str) -> list[ContentWord]:
    """Return the distinct content words of a sentence, without function words and numbers."""
    matches = [match for match in _WORD.finditer(fold(text)) if match.lastgroup]
    words: dict[str, ContentWord] = {}
    for match, following in zip_longest(matches, matches[1:]):
        after = "" if following is None else following[0]
        word = _korean(match[0], after) if match["hangul"] else _other(match[0])
        if word is not None:
            words.setdefault(word.term, word)
    return list(words.values())


def _korean(run: str, after: str) -> ContentWord | None:
    if len(run) == 1 or _is_generic(run):
        return None
    stem = stemming.korean(run)
    written = stem.written
    if _is_generic(written) or stem.term in _GENERIC_KOREAN:
        return None
    weight = 1.0
    if not after and _PREDICATE.search(run) and not _COPULA.search(run):
        # 확인했습니다 says more than 받습니다.
        weight = _VERB if len(written) < len(run) else _LAST_VERB
    elif after == "수" or (stem.term != stemming.MARK + written and len(stem.term) > 1):
        weight = _VERB
    return ContentWord(written, stem.term, _bigrams(written), weight)


def _is_generic(word: str) -> bool:
    if word in function_words.KOREAN or word in _GENERIC_KOREAN:
        return True
    return _AUXILIARY.fullmatch(word) is not None


def _other(word: str) -> ContentWord | None:
    stem = stemming.english(word)
    if word in function_words.ENGLISH or stem in _GENERIC_ENGLISH:
        return None
    if word.isascii():
        return ContentWord(stem, stem, ()) if len(word) > 1 else None
    return ContentWord(word, word, _bigrams(word))


def _bigrams(word: str) -> tuple[str, ...]:
    return tuple(word[at : at + 2] for at in range(len(word) - 1))


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with the first character of its unit: 5분, 72%."""

    number: float
    unit: str = ""

    @property
    def must_be_found(self) -> bool:
        """Whether a statement with this number needs evidence that has it."""
        return self.number > _SMALL or self.number != int(self.number)


def quantities_of(text: str) -> frozenset[Quantity]:
    """Return the numbers of a text; those of a date are three."""
    folded = fold(text)
    dates = [Quantity(float(part)) for date in _DATE.findall(folded) for part in date]
    rest = _QUANTITY.findall(_DATE.sub(" ", folded))
    return frozenset(
        (*dates, *(Quantity(float(number.replace(",", "")), _unit(unit)) for number, unit in rest))
    )


def _other_forms(folded: str) -> set[float]:
    """Return how answers may write the numbers of a document: '24년 is 2024, 2천만 is 2000만."""
    years = {float(first or second) for first, second in _SHORT_YEAR.findall(folded)}
    found = {century + year for year in years for century in (1900.0, 2000.0)}
    for digits, thousands, scale in _SCALED.findall(folded):
        number = float(digits.replace(",", "")) * _SCALES.get(thousands, 1.0)
        found |= {number, number * _SCALES.get(scale, 1.0)}
    return found


def _unit(character: str) -> str:
    return "" if character in _PARTICLES else character


def is_computed(number: float, known: Collection[float], cited: Collection[float]) -> bool:
    """Return whether a number is the result of one step of arithmetic, a large one of two.

    Evidence that is cited has many numbers, and would yield every small one.
    """
    large, rate = number >= _LARGE, number < 1
    operands = set(known).union(cited) if large or rate else set(known)
    if not operands or len(operands) > _MOST_OPERANDS:
        return False
    rates = {each / 100 for each in operands if each < _PERCENT}
    operands |= {_MONTHS, *rates, *(1 - each for each in rates)}
    results = {_rounded(each) for each in operands}
    for first, second in product(operands, repeat=2):
        results |= {_rounded(first + second), _rounded(first - second), _rounded(first * second)}
        results |= {_rounded(first / second)} if second else set()
    if not large:
        return _rounded(number) in results
    return any(
        _rounded(each) in results
        for operand in operands
        for each in (
            number,
            number - operand,
            number + operand,
            number * operand,
            *((number / operand,) if operand else ()),
        )
    )


def _rounded(number: float) -> float:
    return round(number, 2)


@dataclass(frozen=True, slots=True)
class WordSet:
    """The words and numbers of a text to look others up in."""

    terms: frozenset[str]
    numbers: frozenset[float]
    quantities: frozenset[Quantity]
    joined: str

    @classmethod
    def of(cls, text: str) -> "WordSet":
        folded = fold(text)
        # A document may write 2024.01.05 or 1,2,3: each part counts, and the whole.
        parts = {float(digits) for digits in re.findall(r"\d+", folded)}
        quantities = quantities_of(text)
        return cls(
            frozenset(index_terms(text)),
            frozenset(parts | {each.number for each in quantities} | _other_forms(folded)),
            quantities,
            "".join(_WORD_CHARACTERS.findall(folded)),
        )

    @classmethod
    def union(cls, parts: Sequence["WordSet"]) -> "WordSet":
        return cls(
            frozenset[str]().union(*(part.terms for part in parts)),
            frozenset[float]().union(*(part.numbers for part in parts)),
            frozenset[Quantity]().union(*(part.quantities for part in parts)),
            " ".join(part.joined for part in parts),
        )

    def match(self, word: ContentWord) -> float:
        """Return how much of a word the text has: 1 for all of it."""
        if word.term in self.terms:
            return 1.0
        if len(word.written) > 2 and word.parts and word.written in self.joined:
            return 1.0
        if not word.parts:
            return 0.0
        share = sum(part in self.terms for part in word.parts) / len(word.parts)
        if share == 1.0:
            return 1.0
        long = len(word.written) >= _LEAST_PARTIAL
        return share if long and share >= _PARTIAL else 0.0

    def match_quantity(self, quantity: Quantity) -> float:
        """Return 1 for the number with its unit, less for the number alone."""
        if quantity in self.quantities:
            return 1.0
        if quantity.number not in self.numbers:
            return 0.0
        return _WITHOUT_UNIT if quantity.unit else 1.0
