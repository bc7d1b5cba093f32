"""Time expressions of Korean and English, as days counted from the day they were said."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum


class Grain(StrEnum):
    """How exact a time expression is."""

    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A time expression: where it stands, its first day and its grain."""

    start: int
    end: int
    first: date
    grain: Grain
    relative: bool = True


type _Meant = tuple[date, Grain] | None
type _Rule = tuple[re.Pattern[str], Callable[[re.Match[str], date], _Meant], bool]

_WEEKDAYS = "월화수목금토일"
_DAYS_FROM_NOW = {
    "그저께": -2,
    "그제": -2,
    "엊그제": -2,
    "어제": -1,
    "어젯밤": -1,
    "오늘": 0,
    "오늘밤": 0,
    "내일": 1,
    "모레": 2,
    "내일모레": 2,
    "글피": 3,
}
_NATIVE = {
    "하루": 1,
    "이틀": 2,
    "사흘": 3,
    "나흘": 4,
    "닷새": 5,
    "열흘": 10,
    "보름": 15,
    "한": 1,
    "두": 2,
    "세": 3,
    "네": 4,
    "다섯": 5,
    "여섯": 6,
}
_YEARS_FROM_NOW = {
    "재작년": -2,
    "작년": -1,
    "지난해": -1,
    "올해": 0,
    "금년": 0,
    "내년": 1,
    "후년": 2,
    "내후년": 2,
}
_YEARLY = re.compile(
    r"(?i)생일|생신|기념일|기일|매년|해마다|birthday|anniversary|every year|\bborn\b"
)
_SEASON_MONTH = {"봄": 3, "여름": 6, "가을": 9, "겨울": 12}
_KO_NEAR = {
    "지지난": -2,
    "저저번": -2,
    "지난": -1,
    "저번": -1,
    "이번": 0,
    "다음": 1,
    "다다음": 2,
}
_NEAR = r"(지지난|저저번|지난|저번|이번|다다음|다음)"
_YEAR = r"(재작년|작년|지난해|올해|금년|내년|내후년|후년)"


def korean(text: str, today: date) -> Iterator[TimeExpression]:
    """The time expressions of a Korean text; longer ones first where several begin together."""
    return _all(_KOREAN, text, today)


def english(text: str, today: date) -> Iterator[TimeExpression]:
    """The time expressions of an English text."""
    return _all(_ENGLISH, text, today)


def _all(rules: list[_Rule], text: str, today: date) -> Iterator[TimeExpression]:
    for pattern, meaning, relative in rules:
        for match in pattern.finditer(text):
            try:
                meant = meaning(match, today)
            except (ValueError, OverflowError):
                continue  # 31 February, or a year beyond the calendar
            if meant is not None:
                yield TimeExpression(match.start(), match.end(), meant[0], meant[1], relative)


def _months_from(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, 1)


def _ago(today: date, count: int, unit: str) -> _Meant:
    """So many units from today: days and weeks to the day, months and years as a whole."""
    match unit:
        case "일" | "day":
            return today + timedelta(days=count), Grain.DAY
        case "주" | "week":
            return today + timedelta(weeks=count), Grain.DAY
        case "달" | "월" | "month":
            return _months_from(today, count), Grain.MONTH
        case _:
            return date(today.year + count, 1, 1), Grain.YEAR


def _monday(today: date, weeks: int) -> date:
    return today - timedelta(days=today.weekday()) + timedelta(weeks=weeks)


# --- Korean ---


def _ko_day(match: re.Match[str], today: date) -> _Meant:
    return today + timedelta(days=_DAYS_FROM_NOW[match[1]]), Grain.DAY


def _ko_week(match: re.Match[str], today: date) -> _Meant:
    monday = _monday(today, _KO_NEAR[match[1]])
    if match[2]:
        return monday + timedelta(days=_WEEKDAYS.index(match[2])), Grain.DAY
    if match[3]:
        return monday + timedelta(days=5), Grain.WEEKEND
    return monday, Grain.WEEK


def _ko_bare_weekday(match: re.Match[str], today: date) -> _Meant:
    """지난 금요일 is the last one before today, 다음 금요일 the one of next week."""
    near, weekday = _KO_NEAR[match[1]], _WEEKDAYS.index(match[2])
    if near == -1:
        back = (today.weekday() - weekday) % 7 or 7
        return today - timedelta(days=back), Grain.DAY
    return _monday(today, near) + timedelta(days=weekday), Grain.DAY


def _ko_month(match: re.Match[str], today: date) -> _Meant:
    first = _months_from(today, _KO_NEAR[match[1]])
    return (first.replace(day=int(match[2])), Grain.DAY) if match[2] else (first, Grain.MONTH)


def _ko_year(match: re.Match[str], today: date) -> _Meant:
    year = today.year + _YEARS_FROM_NOW[match[1]]
    return _in_year(year, match[2], match[3], match[4])


def _in_year(year: int, month: str | None, day: str | None, season: str | None) -> _Meant:
    if season:
        return date(year, _SEASON_MONTH[season], 1), Grain.SEASON
    if month and day:
        return date(year, int(month), int(day)), Grain.DAY
    if month:
        return date(year, int(month), 1), Grain.MONTH
    return date(year, 1, 1), Grain.YEAR


def _ko_season(match: re.Match[str], today: date) -> _Meant:
    """지난 여름 is the last that is over or under way; 이번 and 다음 the next from today."""
    first = date(today.year, _SEASON_MONTH[match[2]], 1)
    if _KO_NEAR[match[1]] < 0:
        return (first if first <= today else first.replace(year=first.year - 1)), Grain.SEASON
    later = _months_from(first, 3) <= today
    return (first.replace(year=first.year + 1) if later else first), Grain.SEASON


def _ko_count(match: re.Match[str], today: date) -> _Meant:
    number = int(match[1]) if match[1].isdigit() else _NATIVE[match[1]]
    unit = {"일": "일", "주일": "주", "주": "주", "개월": "달", "달": "달", "년": "년", "해": "년"}
    sign = -1 if match[3] == "전" else 1
    return _ago(today, sign * number, unit[match[2]])


def _ko_days(match: re.Match[str], today: date) -> _Meant:
    sign = -1 if match[2] == "전" else 1
    return today + timedelta(days=sign * _NATIVE[match[1]]), Grain.DAY


def _ko_written(match: re.Match[str], _today: date) -> _Meant:
    return _in_year(int(match[1]), match[2], match[3], match[4])


def _ko_this_year(match: re.Match[str], today: date) -> _Meant:
    """A day without a year is the nearest one to today, unless it comes every year."""
    if _YEARLY.search(match.string):
        return None
    month, day = int(match[1]), int(match[2])
    choices = (date(today.year + years, month, day) for years in (-1, 0, 1))
    return min(choices, key=lambda each: abs((each - today).days)), Grain.DAY


_IN_YEAR = r"(?:\s?(\d{1,2})월(?:\s?(\d{1,2})일)?|\s?(봄|여름|가을|겨울))?"
_NOT_WORD = r"(?<![가-힣])"
_KOREAN: list[_Rule] = [
    (re.compile(rf"(?<!\d)((?:19|20)\d\d)년{_IN_YEAR}"), _ko_written, False),
    (re.compile(rf"{_NOT_WORD}{_YEAR}{_IN_YEAR}"), _ko_year, True),
    (
        re.compile(
            rf"{_NOT_WORD}{_NEAR}\s?주\s?(?:([월화수목금토일])요일|(말))?(?![가-힣]{{0,1}}년)"
        ),
        _ko_week,
        True,
    ),
    (re.compile(rf"{_NOT_WORD}{_NEAR}\s?([월화수목금토일])요일"), _ko_bare_weekday, True),
    (re.compile(rf"{_NOT_WORD}{_NEAR}\s?달(?:\s?(\d{{1,2}})일)?"), _ko_month, True),
    (re.compile(rf"{_NOT_WORD}{_NEAR}\s?(봄|여름|가을|겨울)"), _ko_season, True),
    (
        re.compile(
            rf"{_NOT_WORD}({'|'.join(sorted(_DAYS_FROM_NOW, key=len, reverse=True))})"
            r"(?![가-힣]*(?:의\s?집|부터\s?매))"
        ),
        _ko_day,
        True,
    ),
    (re.compile(r"(\d{1,3})\s?(일|주일|주|개월|년)\s?(전|뒤|후)(?![가-힣]?기)"), _ko_count, True),
    (re.compile(rf"{_NOT_WORD}(한|두|세|네|다섯|여섯)\s?(달|주|해)\s?(전|뒤|후)"), _ko_count, True),
    (re.compile(rf"{_NOT_WORD}(하루|이틀|사흘|나흘|닷새|열흘|보름)\s?(전|뒤|후)"), _ko_days, True),
    (re.compile(r"(?<![\d년])(?<!년 )(?<!달 )(\d{1,2})월\s?(\d{1,2})일"), _ko_this_year, True),
]

# --- English ---

_EN_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EN_MONTH = (
    r"(january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)"
)
_EN_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_EN_WEEKDAY = r"(monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_EN_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
}
_EN_SEASON = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_EN_NEAR = {"last": -1, "this past": -1, "this": 0, "next": 1, "this coming": 1}
_PAST = re.compile(r"(?i)\b(?:was|were|had|got|went|broke|passed|left|came|saw|met|\w{3,}ed)\b")
_EN_WHICH = r"(last|this past|this coming|this|next)"


def _en_day(match: re.Match[str], today: date) -> _Meant:
    said = re.sub(r"\s+", " ", match[1].casefold())
    days = {
        "the day before yesterday": -2,
        "yesterday": -1,
        "last night": -1,
        "today": 0,
        "tonight": 0,
        "this morning": 0,
        "tomorrow": 1,
        "the day after tomorrow": 2,
    }
    return today + timedelta(days=days[said]), Grain.DAY


def _en_weekday(match: re.Match[str], today: date) -> _Meant:
    """Last Friday is the last one before today; next Friday is next week's."""
    near = _EN_NEAR[match[1].casefold()]
    weekday = _EN_WEEKDAYS.index(match[2].casefold()[:3])
    if near < 0:
        return today - timedelta(days=(today.weekday() - weekday) % 7 or 7), Grain.DAY
    if match[1].casefold() == "this coming":
        return today + timedelta(days=(weekday - today.weekday()) % 7 or 7), Grain.DAY
    return _monday(today, near) + timedelta(days=weekday), Grain.DAY


def _en_unit(match: re.Match[str], today: date) -> _Meant:
    near = _EN_NEAR[match[1].casefold()]
    match match[2].casefold():
        case "week":
            return _monday(today, near), Grain.WEEK
        case "weekend":
            return _monday(today, near) + timedelta(days=5), Grain.WEEKEND
        case "month":
            return _months_from(today, near), Grain.MONTH
        case _:
            return date(today.year + near, 1, 1), Grain.YEAR


def _en_near_month(match: re.Match[str], today: date) -> _Meant:
    """Last May is the last one that is over; next May the first that is to come."""
    near, month = _EN_NEAR[match[1].casefold()], _month(match[2])
    first = date(today.year, month, 1)
    if near < 0 and first.replace(day=1) >= today.replace(day=1):
        first = first.replace(year=today.year - 1)
    if near > 0 and first <= today:
        first = first.replace(year=today.year + 1)
    return (first.replace(day=int(match[3])), Grain.DAY) if match[3] else (first, Grain.MONTH)


def _en_season(match: re.Match[str], today: date) -> _Meant:
    first = date(today.year, _EN_SEASON[match[2].casefold()], 1)
    near = _EN_NEAR[match[1].casefold()]
    if near < 0 and _months_from(first, 3) > today:
        first = first.replace(year=today.year - 1)
    if near > 0 and first <= today:
        first = first.replace(year=today.year + 1)
    return first, Grain.SEASON


def _en_count(match: re.Match[str], today: date) -> _Meant:
    number = _en_number(match[1])
    return None if number is None else _ago(today, -number, match[2].casefold())


def _en_ahead(match: re.Match[str], today: date) -> _Meant:
    number = _en_number(match[1])
    return None if number is None else _ago(today, number, match[2].casefold())


def _en_number(said: str) -> int | None:
    return int(said) if said.isdigit() else _EN_NUMBERS.get(said.casefold())


def _en_written(match: re.Match[str], _today: date) -> _Meant:
    year, month = int(match[3]), _month(match[1])
    if match[2]:
        return date(year, month, int(match[2])), Grain.DAY
    return date(year, month, 1), Grain.MONTH


def _en_iso(match: re.Match[str], _today: date) -> _Meant:
    return date(int(match[1]), int(match[2]), int(match[3])), Grain.DAY


def _en_in_year(match: re.Match[str], _today: date) -> _Meant:
    if match[1]:
        return date(int(match[2]), _EN_SEASON[match[1].casefold()], 1), Grain.SEASON
    return date(int(match[2]), 1, 1), Grain.YEAR


def _en_this_year(match: re.Match[str], today: date) -> _Meant:
    if _YEARLY.search(match.string):
        return None
    month, day = _month(match[1]), int(match[2])
    choices = (date(today.year + years, month, day) for years in (-1, 0, 1))
    return min(choices, key=lambda each: abs((each - today).days)), Grain.DAY


def _en_day_first(match: re.Match[str], today: date) -> _Meant:
    """14 May 2027, and 14 May of the year that is nearest."""
    day, month = int(match[1]), _month(match[2])
    if match[3]:
        return date(int(match[3]), month, day), Grain.DAY
    choices = (date(today.year + years, month, day) for years in (-1, 0, 1))
    return min(choices, key=lambda each: abs((each - today).days)), Grain.DAY


def _en_weekday_alone(match: re.Match[str], today: date) -> _Meant:
    """On Tuesday: the last one if it is told as past, else the next."""
    weekday = _EN_WEEKDAYS.index(match[1].casefold()[:3])
    if _PAST.search(match.string):
        return today - timedelta(days=(today.weekday() - weekday) % 7 or 7), Grain.DAY
    return today + timedelta(days=(weekday - today.weekday()) % 7 or 7), Grain.DAY


def _en_day_alone(match: re.Match[str], today: date) -> _Meant:
    """The 30th: of this month, or of the next where it is over."""
    day = int(match[1])
    first = today.replace(day=1) if day >= today.day else _months_from(today, 1)
    return first.replace(day=day), Grain.DAY


def _month(name: str) -> int:
    return _EN_MONTHS.index(name.casefold()[:3]) + 1


def _en(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])")


_COUNT = r"(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_ENGLISH: list[_Rule] = [
    (_en(r"((?:19|20)\d\d)[-./](\d{1,2})[-./](\d{1,2})"), _en_iso, False),
    (
        _en(rf"{_EN_MONTH}\.?(?:\s(\d{{1,2}})(?:st|nd|rd|th)?)?,?\s((?:19|20)\d\d)"),
        _en_written,
        False,
    ),
    (
        _en(r"in\s(?:the\s)?(?:(spring|summer|autumn|fall|winter)\s(?:of\s)?)?((?:19|20)\d\d)"),
        _en_in_year,
        False,
    ),
    (
        _en(
            r"(the day before yesterday|the day after tomorrow|yesterday|last night|today|tonight"
            r"|this morning|tomorrow)"
        ),
        _en_day,
        True,
    ),
    (_en(rf"{_EN_WHICH}\s{_EN_WEEKDAY}"), _en_weekday, True),
    (_en(rf"{_EN_WHICH}\s(weekend|week|month|year)"), _en_unit, True),
    (_en(rf"{_EN_WHICH}\s{_EN_MONTH}(?:\s(\d{{1,2}})(?:st|nd|rd|th)?)?"), _en_near_month, True),
    (_en(rf"{_EN_WHICH}\s(spring|summer|autumn|fall|winter)"), _en_season, True),
    (_en(rf"{_COUNT}\s(day|week|month|year)s?\sago"), _en_count, True),
    (_en(rf"in\s{_COUNT}\s(day|week|month|year)s?"), _en_ahead, True),
    (_en(rf"{_EN_MONTH}\.?\s(\d{{1,2}})(?:st|nd|rd|th)?"), _en_this_year, True),
    (
        _en(rf"(\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?{_EN_MONTH}\.?(?:,?\s((?:19|20)\d\d))?"),
        _en_day_first,
        True,
    ),
    (_en(rf"(?<=on\s){_EN_WEEKDAY}(?!s)"), _en_weekday_alone, True),
    (
        _en(r"the\s(\d{1,2})(?:st|nd|rd|th)(?!\s(?:time|floor|of|grade|birthday|day))"),
        _en_day_alone,
        True,
    ),
]
