"""Time expressions, and the calendar arithmetic behind them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache

import holidays


class Grain(StrEnum):
    """Precision of a time expression."""

    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    SEASON = "season"
    YEAR = "year"


_DAYS = {Grain.DAY: 1, Grain.WEEKEND: 2, Grain.WEEK: 7}
_WHOLE_MONTHS = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.SEASON: 3, Grain.YEAR: 12}


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A time expression at `start` to `end` of a text, for the days from `first` up to but without
    `past`."""

    start: int
    end: int
    first: date
    grain: Grain

    @property
    def past(self) -> date:
        """The first day after the expression."""
        return day_after(self.first, self.grain)


def day_after(first: date, grain: Grain) -> date:
    """Return the first day after a time that begins on a day."""
    if grain in _DAYS:
        return first + timedelta(days=_DAYS[grain])
    return months_from(first, _WHOLE_MONTHS[grain])


def months_from(day: date, months: int) -> date:
    """Return the first day of the month that is so many months later."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, 1)


def monday(today: date, weeks: int) -> date:
    """Return the Monday of the week that is so many weeks later."""
    return today - timedelta(days=today.weekday()) + timedelta(weeks=weeks)


def last_weekday(today: date, weekday: int) -> date:
    """Return the last such day before today."""
    return today - timedelta(days=(today.weekday() - weekday) % 7 or 7)


def next_weekday(today: date, weekday: int) -> date:
    """Return the first such day after today."""
    return today + timedelta(days=(weekday - today.weekday()) % 7 or 7)


def period(today: date, near: int, unit: Grain) -> date:
    """Return the first day of the week, weekend, month … that is so many later."""
    match unit:
        case Grain.DAY:
            return today + timedelta(days=near)
        case Grain.WEEK:
            return monday(today, near)
        case Grain.WEEKEND:
            return monday(today, near) + timedelta(days=5)
        case Grain.MONTH:
            return months_from(today, near)
        case Grain.YEAR:
            return date(today.year + near, 1, 1)
        case _:
            return months_from(today.replace(day=1, month=(today.month - 1) // 3 * 3 + 1), 3 * near)


def near_period(today: date, near: int, month: int, grain: Grain) -> date:
    """Return the month or season that is last over, of this year or not over, or next begins."""
    starts = [date(year, month, 1) for year in range(today.year - 2, today.year + 2)]
    if near < 0:
        return max(first for first in starts if day_after(first, grain) <= today)
    if near > 0:
        return min(first for first in starts if first > today)
    now = (first for first in starts if first <= today < day_after(first, grain))
    return next(now, date(today.year, month, 1))


def around(today: date, days: Iterable[date]) -> list[date]:
    """Return the last of the days up to today and the first one after it."""
    days = list(days)
    past = [day for day in days if day <= today]
    ahead = [day for day in days if day > today]
    return [*([max(past)] if past else ()), *([min(ahead)] if ahead else ())]


def in_years(today: date, month: int, day: int) -> Iterator[date]:
    """Yield a day of last year, this year and next year, as far as it exists."""
    for year in range(today.year - 1, today.year + 2):
        try:
            yield date(year, month, day)
        except ValueError:
            continue


def in_months(today: date, day: int) -> Iterator[date]:
    """Yield a day of last month, this month and next month, as far as it exists."""
    for months in (-1, 0, 1):
        try:
            yield months_from(today, months).replace(day=day)
        except ValueError:
            continue


def holiday(name: str, year: int) -> date | None:
    """Return the day of a holiday of South Korea or the United States."""
    return _holidays(year).get(name)


@lru_cache(maxsize=64)
def _holidays(year: int) -> dict[str, date]:
    korea = holidays.country_holidays("KR", years=year, language="ko")
    america = holidays.country_holidays("US", years=year, categories=("public", "unofficial"))
    # Holidays that fall on one day have one name, with semicolons.
    return {
        name: day
        for days in (america, korea)
        for day, names in days.items()
        for name in names.split("; ")
    }
