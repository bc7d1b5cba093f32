"""Rules of English time expressions."""

import re
from collections.abc import Iterable
from datetime import date, timedelta

from saegim.memory.dates.english_tense import REPEATED, YEARLY, tense_of
from saegim.memory.dates.english_weekdays import (
    LONG_WEEKDAY,
    WEEKDAY,
    WHICH,
    near_weekday,
    weekday_alone,
    weekday_number,
    weekday_of_near_week,
    weekday_of_week,
)
from saegim.memory.dates.expressions import (
    DateRule,
    Grain,
    Resolved,
    Resolver,
    Tense,
    any_of,
    day_of_month,
    in_tense,
    later,
    monday,
    month_end,
    months_from,
    next_weekday,
    quarter_of,
    weekday_of_month,
    words,
)

_WORDS = words("en")
_DAYS_FROM_NOW: dict[str, int] = _WORDS["days"]
_NUMBERS: dict[str, int] = _WORDS["numbers"]
_NEAR: dict[str, int] = _WORDS["near"]
_ORDINALS: dict[str, int] = _WORDS["ordinals"]
_MONTH_DAYS: dict[str, int] = _WORDS["month_days"]
_SEASONS: dict[str, int] = _WORDS["seasons"]
_HOLIDAYS: dict[str, tuple[int, int]] = _WORDS["holidays"]
_FLOATING: dict[str, tuple[int, int, int]] = _WORDS["floating_holidays"]
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)"
)
_COUNT = rf"(\d{{1,3}}|{any_of(_NUMBERS)})"
_UNIT = r"(day|week|fortnight|month|year)s?"
# The end of a week is its Friday.
_WEEKEND = {"week": 3}
_SEASON = rf"({any_of(_SEASONS)})"


def _named_day(match: re.Match[str], today: date) -> Resolved:
    return today + timedelta(days=_DAYS_FROM_NOW[match[1].casefold()]), Grain.DAY


def _weeks_from_weekday(match: re.Match[str], today: date) -> Resolved:
    """A week from Friday, two weeks on Monday."""
    weeks = _number(match[1]) * (2 if match[2].casefold() == "fortnight" else 1)
    day = next_weekday(today, weekday_number(match[3]))
    return day + timedelta(weeks=weeks), Grain.DAY


def _weekday_week(match: re.Match[str], today: date) -> Resolved:
    """Friday week: a week after the next Friday."""
    return next_weekday(today, weekday_number(match[1])) + timedelta(weeks=1), Grain.DAY


def _weeks_from_day(match: re.Match[str], today: date) -> Resolved:
    """A week today, two weeks from tomorrow."""
    days = _DAYS_FROM_NOW.get((match[3] or match[4]).casefold(), 0)
    return _counted(today + timedelta(days=days), _number(match[1]), match[2])


def _after_next(match: re.Match[str], today: date) -> Resolved:
    if match[1].casefold() == "week":
        return monday(today, 2), Grain.WEEK
    if match[1].casefold() == "weekend":
        return monday(today, 2) + timedelta(days=5), Grain.WEEKEND
    return later(today, 2, match[1].casefold())


def _unit(match: re.Match[str], today: date) -> Resolved:
    near = _NEAR[match[1].casefold()]
    match match[2].casefold():
        case "week":
            return monday(today, near), Grain.WEEK
        case "weekend":
            return monday(today, near) + timedelta(days=5), Grain.WEEKEND
        case "month":
            return months_from(today, near), Grain.MONTH
        case "quarter":
            return quarter_of(today, near), Grain.QUARTER
        case _:
            return date(today.year + near, 1, 1), Grain.YEAR


def _the_weekend(match: re.Match[str], today: date) -> Resolved:
    if REPEATED.search(match.string):
        return None
    weeks = -1 if tense_of(match) is Tense.PAST and today.weekday() < 5 else 0
    return monday(today, weeks) + timedelta(days=5), Grain.WEEKEND


def _near_month(match: re.Match[str], today: date) -> Resolved:
    """Last May is the last that is over; next May the first that begins after today."""
    near, month = _NEAR[match[1].casefold()], _month(match[2])
    first = date(today.year, month, 1)
    if near < 0 and first.replace(day=1) >= today.replace(day=1):
        first = first.replace(year=today.year - 1)
    if near > 0 and first <= today:
        first = first.replace(year=today.year + 1)
    return (first.replace(day=int(match[3])), Grain.DAY) if match[3] else (first, Grain.MONTH)


def _near_season(match: re.Match[str], today: date) -> Resolved:
    first = date(today.year, _SEASONS[match[2].casefold()], 1)
    near = _NEAR[match[1].casefold()]
    if near < 0 and months_from(first, 3) > today:
        first = first.replace(year=today.year - 1)
    if near > 0 and first <= today:
        first = first.replace(year=today.year + 1)
    return first, Grain.SEASON


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.casefold()]


def _counted(today: date, number: int, unit: str) -> Resolved:
    unit = unit.casefold()
    if unit == "fortnight":
        return later(today, 2 * number, "week")
    return later(today, number, unit)


def _ago(match: re.Match[str], today: date) -> Resolved:
    return _counted(today, -_number(match[1]), match[2])


def _ahead(match: re.Match[str], today: date) -> Resolved:
    return _counted(today, _number(match[1]), match[2])


def _in_year(year: int, month: int | None, day: str | None) -> Resolved:
    if month and day:
        return date(year, month, int(day)), Grain.DAY
    return (date(year, month, 1), Grain.MONTH) if month else (date(year, 1, 1), Grain.YEAR)


def _written(match: re.Match[str], _today: date) -> Resolved:
    return _in_year(int(match[3]), _month(match[1]), match[2])


def _iso(match: re.Match[str], _today: date) -> Resolved:
    return date(int(match[1]), int(match[2]), int(match[3])), Grain.DAY


def _written_year(match: re.Match[str], _today: date) -> Resolved:
    if match[1]:
        return date(int(match[2]), _SEASONS[match[1].casefold()], 1), Grain.SEASON
    return date(int(match[2]), 1, 1), Grain.YEAR


def _day_of_year(match: re.Match[str], today: date) -> Resolved:
    if YEARLY.search(match.string):
        return None
    return in_tense(today, _month(match[1]), int(match[2]), tense_of(match)), Grain.DAY


def _slashed(match: re.Match[str], today: date) -> Resolved:
    """5/12 is 12 May, and 25/12 is 25 December."""
    if YEARLY.search(match.string):
        return None
    month, day = int(match[1]), int(match[2])
    month, day = (day, month) if month > 12 else (month, day)
    return in_tense(today, month, day, tense_of(match)), Grain.DAY


def _day_first(match: re.Match[str], today: date) -> Resolved:
    """14 May 2027, or 14 May of the nearest year."""
    if match[3]:
        return _in_year(int(match[3]), _month(match[2]), match[1])
    if YEARLY.search(match.string):
        return None
    return in_tense(today, _month(match[2]), int(match[1]), tense_of(match)), Grain.DAY


def _month_alone(match: re.Match[str], today: date) -> Resolved:
    """In October: of the year that the tense means."""
    if YEARLY.search(match.string) or REPEATED.search(match.string):
        return None
    tense = Tense.PAST if tense_of(match) is Tense.PAST else Tense.FUTURE
    day = in_tense(today, _month(match[1]), 1 if tense is Tense.PAST else 28, tense)
    return day.replace(day=1), Grain.MONTH


def _day_alone(match: re.Match[str], today: date) -> Resolved:
    """The 30th: of this month, or of the month that the tense means."""
    if REPEATED.search(match.string) or YEARLY.search(match.string):
        return None
    return day_of_month(today, int(match[1]), tense_of(match)), Grain.DAY


def _day_word(match: re.Match[str], today: date) -> Resolved:
    day = _MONTH_DAYS[match[1].casefold()]
    return (
        None
        if REPEATED.search(match.string)
        else (
            day_of_month(today, day, tense_of(match)),
            Grain.DAY,
        )
    )


_OTHER_DAY = re.compile(rf"(?i),?\s(?:on\s)?(?:(?:this|next)\s)?(?:tomorrow|{WEEKDAY})\b")


def _end_of(match: re.Match[str], today: date) -> Resolved:
    """The end of the month, of next week, of the year."""
    if match[2].casefold() == "day":
        other_day = _OTHER_DAY.match(match.string, match.end())
        return None if other_day else (today, Grain.DAY)
    near = _NEAR[(match[1] or "this").casefold()]
    return _start(today, near + 1, match[2]) - timedelta(days=_WEEKEND.get(match[2], 1)), Grain.DAY


def _start_of(match: re.Match[str], today: date) -> Resolved:
    near = _NEAR[(match[1] or "this").casefold()]
    return _start(today, near, match[2]), Grain.DAY


def _start(today: date, near: int, unit: str) -> date:
    match unit.casefold():
        case "week":
            return monday(today, near)
        case "month":
            return months_from(today, near)
        case "quarter":
            return quarter_of(today, near)
        case _:
            return date(today.year + near, 1, 1)


def _end_of_month(match: re.Match[str], today: date) -> Resolved:
    if match[2]:
        return month_end(date(int(match[2]), _month(match[1]), 1)), Grain.DAY
    tense = Tense.PAST if tense_of(match) is Tense.PAST else Tense.FUTURE
    return month_end(in_tense(today, _month(match[1]), 28, tense)), Grain.DAY


def _initials(match: re.Match[str], today: date) -> Resolved:
    """EOW, EOM, EOY."""
    unit = {"w": "week", "m": "month", "y": "year"}[match[1].casefold()]
    return _start(today, 1, unit) - timedelta(days=_WEEKEND.get(unit, 1)), Grain.DAY


def _numbered_weekday(match: re.Match[str], today: date) -> Resolved:
    """The last Friday of the month, the first Monday in December."""
    if REPEATED.search(match.string):
        return None
    if match[4]:
        first = in_tense(today, _month(match[4]), 15, tense_of(match)).replace(day=1)
    else:
        first = months_from(today, _NEAR.get((match[3] or "this").casefold(), 0))
    number = _ORDINALS[match[1].casefold()]
    return weekday_of_month(first, number, weekday_number(match[2])), Grain.DAY


def _holiday(match: re.Match[str], today: date) -> Resolved:
    if REPEATED.search(match.string):
        return None
    name, tense = match[1].casefold().replace("’", "'"), tense_of(match)
    if name in _HOLIDAYS:
        return in_tense(today, *_HOLIDAYS[name], tense), Grain.DAY
    month, number, weekday = _FLOATING[name]
    days = [
        weekday_of_month(date(today.year + more, month, 1), number, weekday) for more in (-1, 0, 1)
    ]
    if tense is Tense.PAST:
        return max(day for day in days if day <= today), Grain.DAY
    return min(day for day in days if day >= today), Grain.DAY


def _month(name: str) -> int:
    return _MONTHS.index(name.casefold()[:3]) + 1


def _rule(
    pattern: str, resolve: Resolver, *, relative: bool = True, holiday: bool = False
) -> DateRule:
    compiled = re.compile(rf"(?i)(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])")
    return DateRule(compiled, resolve, relative, holiday)


def _after(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(rf'(?<={word}\s)' for word in words)})"


_NO_NOUN = (
    r"(?=\s(?:at|and|or|but|so|with|for|to|in|if|because|between|from|of|before|after|until|is|was"
    r"|please|pls)\b|\s?[.,;!?)]|\s?$)"
)
ENGLISH: tuple[DateRule, ...] = (
    _rule(r"((?:19|20)\d\d)[-./](\d{1,2})[-./](\d{1,2})", _iso, relative=False),
    _rule(
        rf"{_MONTH}\.?(?:\s(\d{{1,2}})(?:st|nd|rd|th)?)?,?\s((?:19|20)\d\d)",
        _written,
        relative=False,
    ),
    _rule(
        rf"in\s(?:the\s)?(?:{_SEASON}\s(?:of\s)?)?((?:19|20)\d\d)", _written_year, relative=False
    ),
    _rule(
        rf"({any_of(_DAYS_FROM_NOW)})",
        _named_day,
    ),
    _rule(rf"{WHICH}\s{WEEKDAY}", near_weekday),
    _rule(rf"(?:on\s)?{WEEKDAY},?\s(?:of\s)?(last|this|next)\sweek", weekday_of_week),
    _rule(rf"(last|this|next)\sweek,?\s(?:on\s)?{WEEKDAY}", weekday_of_near_week),
    _rule(rf"{WHICH}\s(weekend|week|month|quarter|year)", _unit),
    _rule(r"(?:the\s)?(week|weekend|month|year)\safter\snext", _after_next),
    _rule(rf"{WHICH}\s{_MONTH}(?:\s(\d{{1,2}})(?:st|nd|rd|th)?)?", _near_month),
    _rule(rf"{WHICH}\s{_SEASON}", _near_season),
    _rule(rf"{_COUNT}\s{_UNIT}\sago", _ago),
    _rule(rf"(?:in|within)\s{_COUNT}\s{_UNIT}['’]?(?:\stime)?", _ahead),
    _rule(rf"{_COUNT}\s{_UNIT}\s(?:from\s(today|tomorrow|now)|(today|tomorrow))", _weeks_from_day),
    _rule(rf"{_COUNT}\s(week|fortnight)s?\s(?:from|on)\s{WEEKDAY}", _weeks_from_weekday),
    _rule(rf"(?:on\s)?{LONG_WEEKDAY}\sweek", _weekday_week),
    _rule(rf"{_MONTH}\.?\s(\d{{1,2}})(?:st|nd|rd|th)?(?!:\d|\s?[ap]m)", _day_of_year),
    # The first day of "3 to 7 December".
    _rule(
        r"(\d{1,2})(?:st|nd|rd|th)?(?=\s?(?:to|until|till|through|and|[-–~])\s?\d{1,2}"
        rf"(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}(?:,?\s((?:19|20)\d\d))?)",
        _day_first,
    ),
    _rule(
        rf"(\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?{_MONTH}\.?(?:,?\s((?:19|20)\d\d))?", _day_first
    ),
    _rule(rf"{_after(('on', 'by', 'until', 'due'))}{WEEKDAY}(?!s)", weekday_alone),
    _rule(
        rf"(?<!every\s)(?<!each\s)(?<!most\s)(?<!black\s)(?<!good\s)(?<!a\s)(?<!any\s){LONG_WEEKDAY}"
        r"(?!s|['’]s|\snights)",
        weekday_alone,
    ),
    _rule(
        _after(("in", "by", "since", "until", "after", "before", "from", "till"))
        + _MONTH
        + r"(?!\s\d)",
        _month_alone,
    ),
    _rule(
        r"the\s(\d{1,2})(?:st|nd|rd|th)(?!\s(?:time|floor|of|grade|birthday|day|century|anniversary"
        r"|place|one|and final|version|attempt|street|avenue|edition))",
        _day_alone,
    ),
    _rule(
        rf"{_after(('on', 'by', 'until', 'before'))}the\s"
        rf"({any_of(_MONTH_DAYS)}){_NO_NOUN}",
        _day_word,
    ),
    _rule(
        r"(?:the\s)?end\s(?:of\s)?(?:the\s)?(?:(last|this|next)\s)?(week|month|quarter|year|day)",
        _end_of,
    ),
    _rule(
        r"(?:the\s)?(?:start|beginning)\sof\s(?:the\s)?(?:(last|this|next)\s)(week|month|quarter"
        r"|year)",
        _start_of,
    ),
    _rule(rf"(?:the\s)?(?:end|last day)\sof\s{_MONTH}(?:\s((?:19|20)\d\d))?", _end_of_month),
    _rule(r"eo(w|m|y)", _initials),
    _rule(
        rf"(?:the\s)?(first|1st|second|2nd|third|3rd|fourth|4th|last)\s{LONG_WEEKDAY}\s(?:of|in)\s"
        rf"(?:the\smonth|(?:(this|next|last)\smonth)|{_MONTH})",
        _numbered_weekday,
    ),
    _rule(r"(?:over\s|on\s|at\s)the\sweekend", _the_weekend),
    _rule(
        _after(("on", "by", "to", "is", "from", "until", "since", "before", "after", "due"))
        + r"(\d{1,2})/(\d{1,2})(?![/\d%])(?!\s(?:of|cups?|tsp|tbsp|inch))",
        _slashed,
    ),
    _rule(
        rf"({any_of({**_HOLIDAYS, **_FLOATING}).replace(chr(39), '[' + chr(39) + '’]')})"
        r"(?=\s(?:is|was|we|i|at|with|for|and|this)\b|[.,;!]|$)",
        _holiday,
        holiday=True,
    ),
)
