"""Find the dates that a text names: 어제, 지난주 화요일, last May, 2026-03-02."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from saegim.text.dates.expressions import (
    Grain,
    TimeExpression,
    around,
    holiday,
    in_months,
    in_years,
    last_weekday,
    monday,
    near_period,
    next_weekday,
    period,
)
from saegim.text.dates.patterns import MEANINGS, MONTHS, PATTERNS

_LONGEST = 10_000

# The days on which an expression may begin. One that names no year or week has two: "in March" is
# the last March or the next one.
type _Resolved = tuple[Grain, list[date]]
type _Parts = Mapping[str, str]


def find_dates(text: str, said_at: datetime, time_zone: str) -> list[TimeExpression]:
    """Return the time expressions of a text in order, without overlaps; longer ones first.

    One that may mean a past and a coming day is returned twice, the past one first. Reads only the
    beginning of a long text.
    """
    text = text[:_LONGEST].replace("’", "'")
    today = said_at.astimezone(ZoneInfo(time_zone)).date()
    matches = [match for pattern in PATTERNS for match in pattern.finditer(text)]
    matches.sort(key=lambda match: (match.start(), -match.end()))
    found: list[TimeExpression] = []
    end = 0
    for match in matches:
        if match.start() >= end and (mentions := list(_expressions(match, today))):
            found += mentions
            end = match.end()
    return found


def bounds(mention: TimeExpression, time_zone: str) -> tuple[datetime, datetime]:
    """Return the first instant of a mention and the first after it, in the time zone."""
    zone = ZoneInfo(time_zone)
    first = datetime.combine(mention.first, time(), zone)
    return first, datetime.combine(mention.past, time(), zone)


def _expressions(match: re.Match[str], today: date) -> Iterator[TimeExpression]:
    parts = {name: part.casefold() for name, part in match.groupdict().items() if part}
    try:
        grain, days = _resolved(parts, today)
    except (ValueError, OverflowError):
        return  # 31 February, or a year beyond the calendar
    yield from (TimeExpression(match.start(), match.end(), day, grain) for day in days)


def _resolved(parts: _Parts, today: date) -> _Resolved:
    if "days" in parts:
        return Grain.DAY, [today + timedelta(days=_number(parts, "days"))]
    if "count" in parts or "day_count" in parts:
        return _counted(parts, today)
    year = int(parts["year"]) if "year" in parts else None
    if "near_year" in parts:
        year = today.year + _number(parts, "near_year", "years")
    near = _number(parts, "near") if "near" in parts else None
    if near is None and "unit" in parts:
        near = 0  # 이달
    if "holiday" in parts:
        return Grain.DAY, _holiday(MEANINGS["holidays"][parts["holiday"]], year, near, today)
    if year is not None:
        return _in_year(parts, year)
    return _either(parts, today) if near is None else _near(parts, near, today)


def _number(parts: _Parts, group: str, table: str = "") -> int:
    return int(MEANINGS[table or group][parts[group]])


def _month(parts: _Parts) -> int:
    return MONTHS.get(parts["month"]) or int(parts["month"])


def _counted(parts: _Parts, today: date) -> _Resolved:
    """Three days ago, 사흘 뒤, 2주 전 금요일."""
    sign = -1 if "ago" in parts else 1
    if "day_count" in parts:
        days = _number(parts, "day_count", "day_counts")
        return Grain.DAY, [today + timedelta(days=sign * days)]
    written, unit = parts["count"], Grain(MEANINGS["units"][parts["unit"]])
    number = sign * int(MEANINGS["numbers"].get(written, written))
    if unit is Grain.WEEK and "weekday" in parts:
        first = monday(today, number)
        return Grain.DAY, [first + timedelta(days=_number(parts, "weekday", "weekdays"))]
    if unit is Grain.WEEK:
        return Grain.DAY, [today + timedelta(weeks=number)]
    return unit, [period(today, number, unit)]


def _holiday(name: str, year: int | None, near: int | None, today: date) -> list[date]:
    years = [year] if year else range(today.year - 1, today.year + 2)
    days = [day for each in years if (day := holiday(name, each))]
    if year:
        return days
    last_and_next = around(today, days)
    if near:
        return last_and_next[:1] if near < 0 else last_and_next[1:]
    return last_and_next


def _in_year(parts: _Parts, year: int) -> _Resolved:
    if "season" in parts:
        return Grain.SEASON, [date(year, _number(parts, "season", "seasons"), 1)]
    if "month" not in parts:
        # 올 is a year only before a month or season.
        return Grain.YEAR, [] if parts.get("near_year") == "올" else [date(year, 1, 1)]
    day = int(parts.get("day", 1))
    return (Grain.DAY if "day" in parts else Grain.MONTH), [date(year, _month(parts), day)]


def _near(parts: _Parts, near: int, today: date) -> _Resolved:
    """지난주 금요일, last May, next weekend."""
    if "weekday" in parts:
        weekday = _number(parts, "weekday", "weekdays")
        if "unit" not in parts and near == -1:
            return Grain.DAY, [last_weekday(today, weekday)]
        if parts["near"].endswith(("오는", "coming")):
            return Grain.DAY, [next_weekday(today, weekday)]
        return Grain.DAY, [monday(today, near) + timedelta(days=weekday)]
    if "season" in parts:
        month = _number(parts, "season", "seasons")
        return Grain.SEASON, [near_period(today, near, month, Grain.SEASON)]
    if "month" in parts:
        first = near_period(today, near, _month(parts), Grain.MONTH)
        return _of_month(parts, first)
    unit = Grain.WEEKEND if "weekend" in parts else Grain(MEANINGS["units"][parts["unit"]])
    first = period(today, near, unit)
    return _of_month(parts, first) if unit is Grain.MONTH else (unit, [first])


def _of_month(parts: _Parts, first: date) -> _Resolved:
    if "day" in parts:
        return Grain.DAY, [first.replace(day=int(parts["day"]))]
    return Grain.MONTH, [first]


def _either(parts: _Parts, today: date) -> _Resolved:
    """Return the last and the next one of an expression without year or week."""
    if "weekday" in parts:
        weekday = _number(parts, "weekday", "weekdays")
        return Grain.DAY, [last_weekday(today, weekday), next_weekday(today, weekday)]
    if "weekend" in parts:
        weekends = (period(today, weeks, Grain.WEEKEND) for weeks in (-1, 0, 1))
        return Grain.WEEKEND, around(today, weekends)
    if "month" not in parts:
        return Grain.DAY, around(today, in_months(today, int(parts["day"])))
    grain = Grain.DAY if "day" in parts else Grain.MONTH
    return grain, around(today, in_years(today, _month(parts), int(parts.get("day", 1))))
