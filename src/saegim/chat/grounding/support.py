"""What a sentence of an answer has its statement from, and which of its values have no source.

Works on words and values alone, so that a sentence takes a millisecond while the answer streams.
Figures: `make verify-grounding`.
"""

import calendar
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from itertools import accumulate, product

from saegim.chat.context.assembly import Context
from saegim.chat.output.markdown_patterns import PROMPT_TAG
from saegim.chat.types import Evidence, EvidenceKind
from saegim.domain.scope import Locale
from saegim.llm.types import Message
from saegim.locales import N_, translate
from saegim.text import function_words, stemming
from saegim.text.analysis import fold, index_terms, language, sentences
from saegim.text.names import names_in
from saegim.text.own_words import own_text

# Days, hours, minutes, months, kilo: they convert units and need no source.
GENERAL = frozenset({7.0, 12.0, 24.0, 52.0, 60.0, 100.0, 365.0, 1000.0, 1024.0})
_LARGE, _PERCENT = 1000.0, 100.0
_EXACT = 0.005
_MOST_OPERANDS, _LONGEST_ROW = 60, 60


def is_computed(
    number: float,
    shown: Iterable[float],
    cited: Iterable[float],
    rows: Iterable[Sequence[float]],
) -> bool:
    """Return whether a number is one step from known numbers, a large one two, or sums up a row.

    `shown` are the known numbers of the answer and the question. Those of what it cites are many
    and would yield every small number: they count for large ones and rates.
    """
    known = (*shown, *(cited if number >= _LARGE or number < 1 else ()))
    operands = list(dict.fromkeys(known))[:_MOST_OPERANDS]
    half = _half_unit(number)
    exact = _results(operands)
    if _is_near(number, exact, _EXACT) or _is_near(number, _quotients(operands), half):
        return True
    if any(_sums_up(number, row[-_LONGEST_ROW:], half) for row in rows):
        return True
    return number >= _LARGE and _is_two_steps(number, operands, exact)


def _results(operands: Sequence[float]) -> set[float]:
    rates = [each / 100 for each in operands if each < _PERCENT]
    factors = (*operands, *rates, *(1 - each for each in rates), *(1 + each for each in rates))
    results = set(factors)
    results.update(first * second for first, second in product(operands, (*factors, *GENERAL)))
    for first, second in product(operands, repeat=2):
        results.update((first + second, first - second))
    return results


def _quotients(operands: Sequence[float]) -> set[float]:
    """Return quotients, percentages and changes in percent, which may be written rounded."""
    shares = {first / second for first, second in product(operands, repeat=2) if second}
    converted = {first / unit for first, unit in product(operands, GENERAL)}
    percents = {each * 100 for each in shares}
    return shares | converted | percents | {abs(100 - each) for each in (*percents, *operands)}


def _is_two_steps(number: float, operands: Sequence[float], exact: Collection[float]) -> bool:
    known = {round(each, 2) for each in exact}
    return any(
        round(before, 2) in known
        for each in (*operands, *GENERAL)
        if each
        for before in (number - each, number + each, number * each, number / each)
    )


def _sums_up(number: float, row: Sequence[float], half: float) -> bool:
    """Return whether a number is the sum or mean of neighbours in a row."""
    sums = [0.0, *accumulate(row)]
    spans = ((start, end) for end in range(3, len(sums)) for start in range(end - 2))
    return any(
        min(abs(total - number), abs(total / (end - start) - number)) <= half
        for start, end in spans
        for total in (sums[end] - sums[start],)
    )


def _half_unit(number: float) -> float:
    """Return half of the last digit that is written."""
    decimals = len(f"{number:.4f}".rstrip("0").partition(".")[2])
    return 0.5 * 10**-decimals + 1e-9


def _is_near(number: float, results: Collection[float], half: float) -> bool:
    return any(abs(each - number) <= half for each in results)


_WORD = re.compile(r"[가-힣]{2,}|[^\W\d_가-힣]{2,}")
_VERB = re.compile(r".*(?:다|요|죠|까)(?<!입니다|이에요)(?<!이다|예요)")
_VERB_WEIGHT = 0.5
# What an answer calls itself and its sources.
_OWN_WORDS = """
문서 자료 근거 정보 내용 질문 답 답변 정답 결과 document sourc context question answer accord
"""
_OWN = frozenset(_OWN_WORDS.split())
# Shorter words match whole: half of a name of three syllables is another name.
_LEAST_PARTS, _PARTIAL = 3, 0.6


@dataclass(frozen=True, slots=True)
class ContentWord:
    """The stem of a word; of a Korean one `parts` are its bigrams. Verbs weigh less."""

    term: str
    parts: tuple[str, ...] = ()
    weight: float = 1.0

    def found_in(self, terms: frozenset[str]) -> float:
        """Return how much of the word the index terms of a text have: 1 for all of it."""
        if self.term in terms:
            return 1.0
        share = sum(part in terms for part in self.parts) / max(1, len(self.parts))
        is_part = len(self.parts) >= _LEAST_PARTS and share >= _PARTIAL
        return share if share == 1.0 or is_part else 0.0


def content_words(text: str) -> list[ContentWord]:
    """Return the distinct words of a text without function words."""
    words: dict[str, ContentWord] = {}
    for written in _WORD.findall(fold(text)):
        if "가" <= written[0] <= "힣":
            stem = stemming.korean(written)
            pairs = zip(stem.written, stem.written[1:], strict=False)
            weight = _VERB_WEIGHT if _VERB.fullmatch(written) else 1.0
            word = ContentWord(stem.term, tuple(map("".join, pairs)), weight)
            forms = {written, stem.written}
        else:
            word, forms = ContentWord(stemming.english(written)), {written}
        known = (function_words.KOREAN, function_words.ENGLISH)
        if word.term.lstrip(stemming.MARK) not in _OWN and all(map(forms.isdisjoint, known)):
            words[word.term] = word
    return list(words.values())


_SCALES = {"십": 1e1, "백": 1e2, "천": 1e3, "만": 1e4, "억": 1e8, "조": 1e12} | {
    "k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9,
}  # fmt: skip
# Digits behind a Latin letter are part of a name: EC2, v3.
_NUMBER = re.compile(
    r"(?<![A-Za-z_\d])(?<!\d[.,])(?P<sign>[$€£¥₩]?)"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d{1,15}(?:\.\d+)?)"
    r"(?:\s?(?P<scale>[십백천]?[만억조]|[십백천]|(?:k|m|bn|thousand|million|billion)(?![a-z])))?"
    r"(?P<percent>\s?(?:%|퍼센트|percent))?(?P<unit>[가-힣]{0,6})",
    re.IGNORECASE,
)
_SHORT_YEAR = re.compile(r"['’‘`](\d{2})(?!\d)|(?<![\d.,])(\d{2})(?=년)")
_MONTHS = {name[:3].lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in calendar.month_name if name)
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_DATES = tuple(
    (re.compile(pattern, re.IGNORECASE), order)
    for pattern, order in (
        (r"(?<!\d)(\d{4})\s?[-./년]\s?(\d{1,2})(?:\s?[-./월]\s?(\d{1,2}))?(?!\d)[월일]?", "ymd"),
        (r"(?<!\d)(\d{1,2})월\s?(\d{1,2})일", "md"),
        (rf"\b(?:{_DAY}\s(?:of\s)?)?({_MONTH})\b\.?(?:\s{_DAY}(?!\d))?(?:,?\s(\d{{4}}))?", "dmdy"),
    )
)
_LAST_MONTH, _LAST_DAY = 12, 31
_TIME = re.compile(
    r"(?<!월)(?<!월 )(\d{1,4})\s?(일|주|개월|달|년|day|week|month|year)", re.IGNORECASE
)
_DAYS_OF = {"일": 1, "day": 1, "주": 7, "week": 7}
_MONTHS_OF = {"개월": 1, "달": 1, "month": 1, "년": 12, "year": 12}
# So far from a known day the answer may count without a number: tomorrow, next Friday.
_NEAR_DAYS = 14
_MOST_DAYS = 20
# Counts up to ten are often the answer's own: "3 ways".
_SMALL = 10.0
_NAME = re.compile(r"(?<![A-Za-z\d_.@/#-])[A-Z][^\W가-힣]*(?:[ &+-][A-Z\d][^\W가-힣]*)*")
_ID = re.compile(r"\w*\d{2,}")
_CALENDAR = frozenset((*calendar.day_name, *calendar.month_name))


@dataclass(frozen=True, slots=True)
class Day:
    """A date; what it does not say is 0."""

    year: int
    month: int
    day: int

    def has(self, other: "Day") -> bool:
        """Return whether another date is this one, or a day of it."""
        years = self.year == other.year or 0 in (self.year, other.year)
        return years and self.month == other.month and self.day in (0, other.day)

    def exact(self, year: int = 0) -> date | None:
        """Return the day, the first of a month; None if there is no such day."""
        try:
            return date(self.year or year, self.month, self.day or 1)
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value as it is written: a number with what it may mean, a date, or a name."""

    written: str
    numbers: frozenset[float] = frozenset()
    day: Day | None = None
    counts: bool = False
    """Whether it is a count so small that it needs no source."""

    @property
    def parts(self) -> list["StatedValue"]:
        """The numbers that it consists of."""
        return list(_numbers(self.written)) if self.day else [self]


@dataclass(slots=True)
class KnownValues:
    """The values of texts. `numbers` also has the parts of dates and ids."""

    numbers: set[float] = field(default_factory=lambda: set(GENERAL))
    days: set[Day] = field(default_factory=set[Day])
    times: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    """Periods, in days or months."""
    text: str = ""
    languages: set[str] = field(default_factory=set[str])

    def add(self, text: str) -> None:
        self.numbers |= numbers_of(text)
        self.days |= {each.day for each in _dates(text) if each.day}
        for digits, unit in _TIME.findall(text):
            of = _DAYS_OF.get(unit.lower())
            months = _MONTHS_OF.get(unit.lower(), 0)
            self.times.add(("days", int(digits) * of) if of else ("months", int(digits) * months))
        self.text += f"\n{fold(text)}"
        self.languages.add(language(text))

    def has(self, value: StatedValue) -> bool:
        if value.day is not None:
            return self._has_day(value.day)
        if value.numbers:
            return value.counts or not value.numbers.isdisjoint(self.numbers)
        return all(fold(word) in self.text for word in value.written.split())

    def names(self, sentence: str) -> Iterator[StatedValue]:
        """Yield the names of a sentence whose script can be compared with what is known."""
        if "ko" in self.languages:
            yield from map(StatedValue, names_in(sentence))
        # In an English sentence, a Korean name of the sources is written in Latin letters.
        if language(sentence) == "ko" or "ko" not in self.languages:
            yield from map(StatedValue, _latin_names(sentence))

    def days_apart(self) -> set[float]:
        """Return the days between known dates, counted with or without the last one."""
        exact = sorted(day for each in self.days if each.day and (day := each.exact()))
        exact = exact[-_MOST_DAYS:]
        apart = {(last - first).days for first in exact for last in exact if first < last}
        return {float(days + more) for days in apart for more in (-1, 0, 1)}

    def _has_day(self, day: Day) -> bool:
        parts = {float(part) for part in (day.year, day.month, day.day) if part}
        if any(map(day.has, self.days)) or parts <= self.numbers:
            return True
        return any(self._is_from(each, day) for each in self.days)

    def _is_from(self, known: Day, day: Day) -> bool:
        """Return whether a date is a known number of days, weeks, months or years from another."""
        start, end = known.exact(), day.exact(known.year)
        if start is None or end is None:
            return False
        apart = abs((end - start).days)
        months = abs((end.year - start.year) * 12 + end.month - start.month)
        ends_month = (end + timedelta(1)).day == 1
        if (day.day in (0, start.day) or ends_month) and months > 1:
            return ("months", months) in self.times
        return apart <= _NEAR_DAYS or not self.times.isdisjoint(
            {("days", apart), ("days", apart + 1)}
        )


def values_of(text: str) -> list[StatedValue]:
    """Return the dates and numbers of a text."""
    dates = list(_dates(text))
    for each in dates:
        text = text.replace(each.written, " ", 1)
    return [*dates, *_numbers(text)]


def numbers_of(text: str) -> set[float]:
    """Return every number of a text in every reading, with the parts of dates and ids."""
    found = {float(digits) for digits in re.findall(r"\d{1,15}", text)}
    years = (float(first or second) for first, second in _SHORT_YEAR.findall(text))
    found |= {century + year for year in years for century in (1900.0, 2000.0)}
    return found.union(*(each.numbers for each in _numbers(text)))


def without_numbers(text: str) -> str:
    return _NUMBER.sub(" ", text)


def _dates(text: str) -> Iterator[StatedValue]:
    for pattern, order in _DATES:
        for match in pattern.finditer(text):
            parts = dict.fromkeys("ymd", 0)
            for name, part in zip(order, match.groups(), strict=True):
                if part:
                    parts[name] = int(part) if part.isdecimal() else _MONTHS[part[:3].lower()]
            day = Day(parts["y"], parts["m"], parts["d"])
            is_real = 0 < day.month <= _LAST_MONTH and day.day <= _LAST_DAY
            if is_real and (day.year or day.day):
                yield StatedValue(match[0].strip(), day=day)


def _numbers(text: str) -> Iterator[StatedValue]:
    """Yield the numbers; one written in parts is one: 1만 5천."""
    parts: list[re.Match[str]] = []
    for match in _NUMBER.finditer(text):
        if parts and not _continues(parts[-1], match, text):
            yield _number(parts, text)
            parts = []
        parts.append(match)
    if parts:
        yield _number(parts, text)


def _continues(before: re.Match[str], part: re.Match[str], text: str) -> bool:
    gap = text[before.end() : part.start()] if before["scale"] and not before["unit"] else "-"
    return gap in ("", " ") and _reading(part) < _scale(before)


def _number(parts: list[re.Match[str]], text: str) -> StatedValue:
    first, last = parts[0], parts[-1]
    total = sum(map(_reading, parts))
    raw = float(first["digits"].replace(",", ""))
    # The head of a table may say the scale.
    numbers = {total, raw} if len(parts) == 1 and (raw > _SMALL or raw == total) else {total}
    unit = "" if last["percent"] else _stem(last["unit"])
    written = text[first.start() : last.start("unit")].strip() + unit
    marked = first["sign"] or last["percent"]
    counts = not marked and total <= _SMALL and total == int(total)
    return StatedValue(written, frozenset(numbers), counts=counts)


def _stem(unit: str) -> str:
    return stemming.korean(unit).term.removeprefix(stemming.MARK) if unit else ""


def _reading(part: re.Match[str]) -> float:
    return float(part["digits"].replace(",", "")) * _scale(part)


def _scale(part: re.Match[str]) -> float:
    scale = (part["scale"] or "").lower()
    if scale in _SCALES:
        return _SCALES[scale]
    return _SCALES[scale[0]] * _SCALES[scale[1]] if scale else 1.0


def _latin_names(sentence: str) -> Iterator[str]:
    """Yield capitalised words, except where their place or a calendar asks for the capital.

    Words all in capitals are abbreviations, unless they have a number: E17.
    """
    begins = re.search(r"\w", sentence)
    for match in _NAME.finditer(sentence):
        leads = begins is not None and match.start() <= begins.start()
        words = [word for word in match[0].split() if word not in _CALENDAR]
        names = [word for word in words if any(map(str.islower, word))]
        is_label = leads and sentence[match.end() :].startswith(("*", "_", ":"))
        if names and not is_label and (len(words) > 1 or not leads):
            yield " ".join(names)
        else:
            yield from filter(_ID.match, words)


NO_SOURCE = N_("No source for: {values}")
_LINE = re.compile(
    "(?:{})(.*)".format(
        "|".join(re.escape(translate(NO_SOURCE, each, values="")) for each in ("ko", "en"))
    )
)
_MOST_NAMED = 5
# A source says at least this much of a sentence, and is so far ahead of every other one.
_SURE, _AHEAD = 0.6, 0.15
# Words of the question are in the answer whether it is right or not.
_QUESTION_WEIGHT = 0.2
_WINDOW = 2
# A sentence of less says hardly anything that the question does not.
_LEAST_WEIGHT = 2.0
# From this part of pasted text on, the answer is about that text.
_PASTED = 0.5
# Computations that are tried for one answer.
_MOST_TRIED = 40
_COLUMNS = 4


@dataclass(frozen=True)
class EvidenceText:
    """A piece of evidence by its marker. `text` is what it says by itself; of an earlier turn what
    the user said in it."""

    marker: str
    text: str
    is_turn: bool = False

    @classmethod
    def of(cls, evidence: Evidence) -> "EvidenceText":
        # The title of a turn is its number.
        is_turn = evidence.kind is EvidenceKind.TURN
        titles = () if is_turn else (evidence.title, evidence.section)
        text = "\n".join((*filter(None, titles), evidence.said))
        return cls(evidence.marker, text, is_turn or evidence.turn is not None)

    @cached_property
    def whole(self) -> "_Terms":
        return _Terms.of([self.text])

    @cached_property
    def windows(self) -> list["_Terms"]:
        """The terms of each two sentences in a row."""
        parts = sentences(self.text)
        return [_Terms.of(parts[at : at + _WINDOW]) for at in range(max(1, len(parts) - 1))]

    @cached_property
    def rows(self) -> list[list[float]]:
        return _rows(values_of(self.text))


@dataclass(frozen=True, slots=True)
class _Terms:
    words: frozenset[str]
    numbers: set[float]

    @classmethod
    def of(cls, parts: Sequence[str]) -> "_Terms":
        text = "\n".join(parts)
        return cls(frozenset(index_terms(text)), numbers_of(text))


@dataclass(frozen=True)
class _Claim:
    """A sentence: its words with their weights, and its numbers that the question does not have."""

    words: Mapping[ContentWord, float]
    numbers: Sequence[StatedValue]

    def lacks_number(self, terms: _Terms) -> bool:
        needed = (each.numbers for each in self.numbers if not each.counts)
        return any(each.isdisjoint(terms.numbers) for each in needed)

    def share_in(self, terms: _Terms) -> float:
        """Return the weighted share of the words and numbers that a text has."""
        found = sum(weight * word.found_in(terms.words) for word, weight in self.words.items())
        found += sum(not each.numbers.isdisjoint(terms.numbers) for each in self.numbers)
        total = sum(self.words.values()) + len(self.numbers)
        return found / total if total else 0.0


@dataclass
class EvidenceSupport:
    """The evidence of a turn, which grows when tools find more, and the values that are known from
    it and from all else that the model was given."""

    evidence: Sequence[EvidenceText]
    question: str = ""
    given: Sequence[str] = ()
    """The conversation, the day. What had no source in an earlier reply still has none."""
    cites_turns: bool = False
    _said: list[StatedValue] = field(default_factory=list[StatedValue])
    """Known numbers of the answer so far."""
    _tried: int = 0

    @classmethod
    def of(
        cls, context: Context, evidence: Iterable[Evidence], rounds: Iterable[Message] = ()
    ) -> "EvidenceSupport":
        """Return the support of a turn's evidence and prompt, and of the calls made before."""
        messages = (*context.prompt.messages, *rounds)
        given = [context.prompt.system, *(each.text for each in messages)]
        return cls([EvidenceText.of(each) for each in evidence], context.message, given)

    def add(self, evidence: Iterable[Evidence], text: str = "") -> None:
        """Add what a tool found, and the text of its result."""
        new = {each.marker: EvidenceText.of(each) for each in evidence}
        self.evidence = [*(each for each in self.evidence if each.marker not in new), *new.values()]
        for each in (text, *(each.text for each in new.values())):
            self._known.add(each)

    def has(self, marker: str) -> bool:
        return any(each.marker == marker for each in self.evidence)

    def is_turn(self, marker: str) -> bool:
        """Whether a marker names an earlier turn, which gets none added."""
        earlier = (each.marker for each in self.evidence if each.is_turn)
        return not self.cites_turns and marker in earlier

    @cached_property
    def is_about_text(self) -> bool:
        """Whether the message gives a text to work on: the answer is from that."""
        return len(own_text(self.question)) < _PASTED * len(self.question.strip())

    def unknown(self, sentence: str, own: Sequence[str] = ()) -> list[str]:
        """Return the values of a sentence, as written, that nothing known contains or yields.

        `own` are its markers. Its other numbers are known in the sentences that follow.
        """
        sentence, known = PROMPT_TAG.sub(" ", sentence), self._known
        found = values_of(sentence)
        self.note(*filter(known.has, found))
        unknown: list[str] = []
        for value in found:
            if known.has(value):
                continue
            if value.numbers and self._is_computed(value, own):
                self.note(value)
            else:
                unknown.append(value.written)
        return unknown + [each.written for each in known.names(sentence) if not known.has(each)]

    def still_unknown(self, written: Iterable[str]) -> list[str]:
        """Return the values that the rest of the answer did not compute either."""
        said = {number for each in self._said for number in each.numbers}
        return [
            text
            for text in written
            if all(each.numbers.isdisjoint(said) for each in values_of(text))
        ]

    def note(self, *values: StatedValue) -> None:
        """Note numbers of the answer, from which others may be computed."""
        self._said += (each for each in values if each.numbers)

    def states(self, sentence: str) -> bool:
        """Return whether a sentence says enough beside the question to have a source."""
        return sum(self._claim(sentence).words.values()) >= _LEAST_WEIGHT

    def source(self, sentence: str) -> str | None:
        """Return the marker of the evidence that surely says a sentence, and clearly more of it
        than every other one; None also if the sentence says nothing beside the question."""
        claim = self._claim(PROMPT_TAG.sub(" ", sentence))
        if not claim.numbers and max(claim.words.values(), default=0.0) <= _QUESTION_WEIGHT:
            return None
        scores = sorted((self._score(claim, each), each.marker) for each in self.evidence)
        *others, (best, marker) = scores or [(0.0, "")]
        second = others[-1][0] if others else 0.0
        return marker if best and best - second >= _AHEAD else None

    def _claim(self, sentence: str) -> _Claim:
        words = {
            word: word.weight * (_QUESTION_WEIGHT if word.found_in(self._asked.words) == 1.0 else 1)
            for word in content_words(without_numbers(sentence))
        }
        numbers = [part for each in values_of(sentence) for part in each.parts]
        new = [each for each in numbers if each.numbers.isdisjoint(self._asked.numbers)]
        return _Claim(words, new)

    def _score(self, claim: _Claim, evidence: EvidenceText) -> float:
        """Return how much of a sentence evidence says, and how near to words of the question."""
        whole = claim.share_in(evidence.whole)
        if whole < _SURE or claim.lacks_number(evidence.whole):
            return 0.0
        return whole + max(
            claim.share_in(each) + self._question.share_in(each) for each in evidence.windows
        )

    def _is_computed(self, value: StatedValue, own: Sequence[str]) -> bool:
        self._tried += 1
        said = {number for each in self._said for number in each.numbers}
        shown = said | self._asked.numbers | self._known.days_apart()
        sources = [
            each
            for each in self.evidence
            if each.marker in own or not each.whole.numbers.isdisjoint(shown)
        ]
        cited = [number for each in sources for number in each.whole.numbers]
        rows = [*_rows(self._said), *(row for each in sources for row in each.rows)]
        if self._tried > _MOST_TRIED:
            return True
        return is_computed(max(value.numbers), shown, cited, rows)

    @cached_property
    def _asked(self) -> _Terms:
        return _Terms.of([self.question])

    @cached_property
    def _question(self) -> _Claim:
        return _Claim(dict.fromkeys(content_words(without_numbers(self.question)), 1.0), [])

    @cached_property
    def _known(self) -> KnownValues:
        known = KnownValues()
        for text in self.given:
            known.add(_with_source(text))
        for text in (self.question, *(each.text for each in self.evidence)):
            known.add(text)
        return known


def no_source(values: Iterable[str], locale: Locale) -> str:
    """Return the line below an answer that names its values without a source."""
    named = list(dict.fromkeys(values))
    more = ["…"] if len(named) > _MOST_NAMED else []
    return translate(NO_SOURCE, locale, values=", ".join(named[:_MOST_NAMED] + more))


def _with_source(text: str) -> str:
    """Return a text without the values that lines below earlier answers name."""
    for line in _LINE.findall(text):
        for value in filter(str.strip, line.split(", ")):
            text = text.replace(value, " ")
    return text


def _rows(values: Iterable[StatedValue]) -> list[list[float]]:
    """Return numbers in a row, and those of the columns that they may be from."""
    numbers = [max(each.numbers) for each in values if each.numbers]
    return [numbers[at::step] for step in range(1, _COLUMNS + 1) for at in range(step)]
