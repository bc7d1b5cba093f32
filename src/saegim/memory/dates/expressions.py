"""Time expressions, and the calendar arithmetic that the rules of both languages share."""

import re
import tomllib
from calendar import isleap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from saegim.domain.scope import Locale


class Grain(StrEnum):
    """Precision of a time expression."""

    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    SEASON = "season"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A time expression, `relative` if its date depends on the day it is said, for the days from
    `first` up to but without `past`. `holiday`: it is the name of its day.
    """

    start: int
    end: int
    first: date
    grain: Grain
    relative: bool = True
    holiday: bool = False

    @property
    def past(self) -> date:
        """The first day after the expression."""
        if self.grain in _DAYS:
            return self.first + timedelta(days=_DAYS[self.grain])
        return months_from(self.first, _WHOLE_MONTHS[self.grain])


_DAYS = {Grain.DAY: 1, Grain.WEEKEND: 2, Grain.WEEK: 7}
_WHOLE_MONTHS = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.SEASON: 3, Grain.YEAR: 12}

type Resolved = tuple[date, Grain] | None
type Resolver = Callable[[re.Match[str], date], Resolved]


class Tense(StrEnum):
    """The tense of the words around an expression, as far as they show it."""

    PAST = "past"
    FUTURE = "future"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class DateRule:
    """A pattern of time expressions and the function that resolves a match on a day."""

    pattern: re.Pattern[str]
    resolve: Resolver
    relative: bool = True
    holiday: bool = False


@cache
def words(locale: Locale) -> Mapping[str, Any]:
    """Load the words of a language from `words.toml`."""
    source = (files("saegim.memory.dates") / "words.toml").read_text("utf-8")
    return tomllib.loads(source)[locale]


def any_of(names: Iterable[str]) -> str:
    """Return a pattern of any of the words, the longest first."""
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


def months_from(day: date, months: int) -> date:
    """Return the first day of the month that is so many months later."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, 1)


def month_end(day: date) -> date:
    """Return the last day of the month of a day."""
    return months_from(day, 1) - timedelta(days=1)


def quarter_of(day: date, quarters: int = 0) -> date:
    """Return the first day of the quarter that is so many quarters later."""
    return months_from(day.replace(month=(day.month - 1) // 3 * 3 + 1), 3 * quarters)


def monday(today: date, weeks: int) -> date:
    """Return the Monday of the week that is so many weeks later."""
    return today - timedelta(days=today.weekday()) + timedelta(weeks=weeks)


def last_weekday(today: date, weekday: int) -> date:
    """Return the last such day before today."""
    return today - timedelta(days=(today.weekday() - weekday) % 7 or 7)


def next_weekday(today: date, weekday: int) -> date:
    """Return the first such day after today."""
    return today + timedelta(days=(weekday - today.weekday()) % 7 or 7)


def weekday_of_month(first: date, number: int, weekday: int) -> date:
    """Return the first, second … such day of a month; -1 is the last one."""
    if number < 0:
        last = month_end(first)
        return last - timedelta(days=(last.weekday() - weekday) % 7)
    day = first + timedelta(days=(weekday - first.weekday()) % 7, weeks=number - 1)
    if day.month != first.month:
        raise ValueError(f"no such day: {first} {number} {weekday}")
    return day


# A day without a year and tense that was longer ago is meant ahead: most are plans.
_RECENT = timedelta(days=120)


def in_tense(today: date, month: int, day: int, tense: Tense) -> date:
    """Return a day of the year in the year that the tense means, else recently or ahead."""
    leap_day = (month, day) == (2, 29)
    years = [year for year in range(today.year - 1, today.year + 2) if not leap_day or isleap(year)]
    choices = [
        each
        for each in (date(year, month, day) for year in years)
        if not (tense is Tense.PAST and each > today)
        and not (tense is Tense.FUTURE and each < today)
        and not (tense is Tense.UNKNOWN and each < today - _RECENT)
    ]
    return min(choices, key=lambda each: abs((each - today).days))


def day_of_month(today: date, day: int, tense: Tense) -> date:
    """Return a day of this month, or of the month before or after it that the tense means."""
    months = 0
    if tense is Tense.PAST and day > today.day:
        months = -1
    if tense is not Tense.PAST and day < today.day:
        months = 1
    return months_from(today, months).replace(day=day)


def later(today: date, count: int, unit: str) -> Resolved:
    """Add units to today: days and weeks to the day, months and years as a whole."""
    match unit:
        case "day":
            return today + timedelta(days=count), Grain.DAY
        case "week":
            return today + timedelta(weeks=count), Grain.DAY
        case "month":
            return months_from(today, count), Grain.MONTH
        case _:
            return date(today.year + count, 1, 1), Grain.YEAR
