"""English weekdays: last Friday, Tuesday next week, Monday to Friday."""

import re
from datetime import date, timedelta

from saegim.memory.dates.english_tense import REPEATED, TOWARDS, tense_of, tense_of_text
from saegim.memory.dates.expressions import (
    Grain,
    Resolved,
    Tense,
    any_of,
    last_weekday,
    monday,
    next_weekday,
    words,
)

_NEAR: dict[str, int] = words("en")["near"]
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
LONG_WEEKDAY = r"(monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
WEEKDAY = (
    r"(monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues|tue|weds|wed|thurs|thur"
    r"|thu|fri|sat|sun)"
)
WHICH = rf"({any_of(_NEAR)})"
_WEEKLY_RANGE = re.compile(
    rf"(?i)\b(?<!last\s)(?<!this\s)(?<!next\s){LONG_WEEKDAY}s?\s?(?:to|through|thru|and|,|&|-|–)"
    rf"\s?(?:and\s)?{LONG_WEEKDAY}"
)
_HABIT = re.compile(
    r"(?i)\b(?:work|works|open|opens|closed|hours|shifts?|class(?:es)?|available)\b"
)
_RANGE_BEGINS = re.compile(rf"(?i)\b(?:{WHICH}\s)?{WEEKDAY}\s?(?:to|through|thru|until|-|–)\s?$")


def weekday_number(name: str) -> int:
    return _WEEKDAYS.index(name.casefold()[:3])


def near_weekday(match: re.Match[str], today: date) -> Resolved:
    """Last Friday is the last before today; next Friday is that of next week."""
    near, weekday = _NEAR[match[1].casefold()], weekday_number(match[2])
    if near < 0:
        return last_weekday(today, weekday), Grain.DAY
    if match[1].casefold().endswith("coming"):
        return next_weekday(today, weekday), Grain.DAY
    return monday(today, near) + timedelta(days=weekday), Grain.DAY


def weekday_of_week(match: re.Match[str], today: date) -> Resolved:
    """Tuesday next week."""
    first = monday(today, _NEAR[match[2].casefold()])
    return first + timedelta(days=weekday_number(match[1])), Grain.DAY


def weekday_of_near_week(match: re.Match[str], today: date) -> Resolved:
    """Next week on Tuesday."""
    first = monday(today, _NEAR[match[1].casefold()])
    return first + timedelta(days=weekday_number(match[2])), Grain.DAY


def weekday_alone(match: re.Match[str], today: date) -> Resolved:
    """On Tuesday: the last one if the text is in the past tense, else the next."""
    if REPEATED.search(match.string) and not TOWARDS.search(match.string[: match.start()]):
        return None
    if _WEEKLY_RANGE.search(match.string) and _HABIT.search(match.string):
        return None
    begins = _RANGE_BEGINS.search(match.string[: match.start()])
    if begins is not None:
        first = _range_begin(begins, match, today)
        return next_weekday(first, weekday_number(match[1])), Grain.DAY
    resolve = last_weekday if tense_of(match) is Tense.PAST else next_weekday
    return resolve(today, weekday_number(match[1])), Grain.DAY


def _range_begin(begins: re.Match[str], match: re.Match[str], today: date) -> date:
    """Return the Monday of next Monday to Friday."""
    weekday = weekday_number(begins[2])
    if begins[1]:
        return monday(today, _NEAR[begins[1].casefold()]) + timedelta(days=weekday)
    past = tense_of_text(match.string) is Tense.PAST
    return (last_weekday if past else next_weekday)(today, weekday)
