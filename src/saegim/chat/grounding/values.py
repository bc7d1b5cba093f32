"""Numbers, dates and proper names that a text states, and which of them are known."""

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from saegim.chat.grounding.arithmetic import GENERAL
from saegim.memory.names import names_in
from saegim.text import stemming
from saegim.text.analysis import fold, language

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
        if "en" in self.languages or language(sentence) == "ko":
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
