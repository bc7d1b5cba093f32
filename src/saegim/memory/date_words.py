"""Find Korean and English time expressions and their dates."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum


class Grain(StrEnum):
    """Precision of a time expression."""

    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A time expression, `relative` if its date depends on the day it is said, for the days from
    `first` up to but without `past`.
    """

    start: int
    end: int
    first: date
    grain: Grain
    relative: bool = True

    @property
    def past(self) -> date:
        """The first day after the expression."""
        if self.grain in _DAYS:
            return self.first + timedelta(days=_DAYS[self.grain])
        return months_from(self.first, _WHOLE_MONTHS[self.grain])


_DAYS = {Grain.DAY: 1, Grain.WEEKEND: 2, Grain.WEEK: 7}
_WHOLE_MONTHS = {Grain.MONTH: 1, Grain.SEASON: 3, Grain.YEAR: 12}

type _Resolved = tuple[date, Grain] | None
type _Rule = tuple[re.Pattern[str], Callable[[re.Match[str], date], _Resolved], bool]

_WEEKDAYS = "월화수목금토일"
_KO_DAYS = {
    **dict.fromkeys(("그저께", "그제", "엊그제"), -2),
    **dict.fromkeys(("어제", "어젯밤"), -1),
    **dict.fromkeys(("오늘", "오늘밤"), 0),
    "내일": 1,
    **dict.fromkeys(("모레", "내일모레"), 2),
    "글피": 3,
}
_EN_DAYS = {
    "the day before yesterday": -2,
    **dict.fromkeys(("yesterday", "last night"), -1),
    **dict.fromkeys(("today", "tonight", "this morning"), 0),
    "tomorrow": 1,
    "the day after tomorrow": 2,
}
_DAYS_FROM_NOW = _KO_DAYS | _EN_DAYS
_NATIVE_DAYS = {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "열흘": 10, "보름": 15}
_NATIVE_NUMBERS = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6}
_YEARS_FROM_NOW = {
    "재작년": -2,
    **dict.fromkeys(("작년", "지난해"), -1),
    **dict.fromkeys(("올해", "금년"), 0),
    "내년": 1,
    **dict.fromkeys(("후년", "내후년"), 2),
}
_YEARLY = re.compile(
    r"(?i)생일|생신|기념일|기일|매년|해마다|birthday|anniversary|every year|\bborn\b"
)
_SEASON_MONTH = {"봄": 3, "여름": 6, "가을": 9, "겨울": 12}
_KO_NEAR_WORDS = ("지지난", "저저번", "지난", "저번", "이번", "다음", "다다음")
_KO_NEAR: dict[str, int] = dict(zip(_KO_NEAR_WORDS, (-2, -2, -1, -1, 0, 1, 2), strict=True))
_NEAR = r"(지지난|저저번|지난|저번|이번|다다음|다음)"
_YEAR = r"(재작년|작년|지난해|올해|금년|내년|내후년|후년)"


def time_expressions(text: str, today: date) -> Iterator[TimeExpression]:
    """Yield the Korean and the English time expressions of a text, which may overlap."""
    for pattern, resolve, relative in (*_KOREAN, *_ENGLISH):
        for match in pattern.finditer(text):
            try:
                resolved = resolve(match, today)
            except (ValueError, OverflowError):
                continue  # 31 February, or a year beyond the calendar
            if resolved is not None:
                yield TimeExpression(match.start(), match.end(), *resolved, relative)


def months_from(day: date, months: int) -> date:
    """Return the first day of the month that is so many months later."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, 1)


def _ago(today: date, count: int, unit: str) -> _Resolved:
    """Add units to today: days and weeks to the day, months and years as a whole."""
    match unit:
        case "일" | "day":
            return today + timedelta(days=count), Grain.DAY
        case "주" | "week":
            return today + timedelta(weeks=count), Grain.DAY
        case "달" | "월" | "month":
            return months_from(today, count), Grain.MONTH
        case _:
            return date(today.year + count, 1, 1), Grain.YEAR


def _monday(today: date, weeks: int) -> date:
    return today - timedelta(days=today.weekday()) + timedelta(weeks=weeks)


def _last_weekday(today: date, weekday: int) -> _Resolved:
    return today - timedelta(days=(today.weekday() - weekday) % 7 or 7), Grain.DAY


def _next_weekday(today: date, weekday: int) -> _Resolved:
    return today + timedelta(days=(weekday - today.weekday()) % 7 or 7), Grain.DAY


def _nearest_year(today: date, month: int, day: int) -> _Resolved:
    choices = (date(today.year + years, month, day) for years in (-1, 0, 1))
    return min(choices, key=lambda each: abs((each - today).days)), Grain.DAY


def _named_day(match: re.Match[str], today: date) -> _Resolved:
    return today + timedelta(days=_DAYS_FROM_NOW[match[1].casefold()]), Grain.DAY


# --- Korean ---


def _ko_week(match: re.Match[str], today: date) -> _Resolved:
    monday = _monday(today, _KO_NEAR[match[1]])
    if match[2]:
        return monday + timedelta(days=_WEEKDAYS.index(match[2])), Grain.DAY
    if match[3]:
        return monday + timedelta(days=5), Grain.WEEKEND
    return monday, Grain.WEEK


def _ko_bare_weekday(match: re.Match[str], today: date) -> _Resolved:
    """지난 금요일 is the last before today, 다음 금요일 that of next week."""
    near, weekday = _KO_NEAR[match[1]], _WEEKDAYS.index(match[2])
    if near == -1:
        return _last_weekday(today, weekday)
    return _monday(today, near) + timedelta(days=weekday), Grain.DAY


def _ko_month(match: re.Match[str], today: date) -> _Resolved:
    first = months_from(today, _KO_NEAR[match[1]])
    return (first.replace(day=int(match[2])), Grain.DAY) if match[2] else (first, Grain.MONTH)


def _ko_year(match: re.Match[str], today: date) -> _Resolved:
    return _in_year(today.year + _YEARS_FROM_NOW[match[1]], match[2], match[3], match[4])


def _in_year(year: int, month: str | int | None, day: str | None, season: str | None) -> _Resolved:
    if season:
        return date(year, _SEASON_MONTH[season], 1), Grain.SEASON
    if month and day:
        return date(year, int(month), int(day)), Grain.DAY
    if month:
        return date(year, int(month), 1), Grain.MONTH
    return date(year, 1, 1), Grain.YEAR


def _ko_season(match: re.Match[str], today: date) -> _Resolved:
    """지난 여름 is the last one that began; 이번 and 다음 the next that is not over."""
    first = date(today.year, _SEASON_MONTH[match[2]], 1)
    if _KO_NEAR[match[1]] < 0:
        return (first if first <= today else first.replace(year=first.year - 1)), Grain.SEASON
    later = months_from(first, 3) <= today
    return (first.replace(year=first.year + 1) if later else first), Grain.SEASON


def _ko_count(match: re.Match[str], today: date) -> _Resolved:
    number = int(match[1]) if match[1].isdigit() else _NATIVE_NUMBERS[match[1]]
    unit = {"일": "일", "주일": "주", "주": "주", "개월": "달", "달": "달", "년": "년", "해": "년"}
    sign = -1 if match[3] == "전" else 1
    return _ago(today, sign * number, unit[match[2]])


def _ko_days(match: re.Match[str], today: date) -> _Resolved:
    sign = -1 if match[2] == "전" else 1
    return today + timedelta(days=sign * _NATIVE_DAYS[match[1]]), Grain.DAY


def _ko_written(match: re.Match[str], _today: date) -> _Resolved:
    return _in_year(int(match[1]), match[2], match[3], match[4])


def _ko_this_year(match: re.Match[str], today: date) -> _Resolved:
    """A day without a year is the nearest to today, unless it comes every year."""
    if _YEARLY.search(match.string):
        return None
    return _nearest_year(today, int(match[1]), int(match[2]))


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
            rf"{_NOT_WORD}({'|'.join(sorted(_KO_DAYS, key=len, reverse=True))})"
            r"(?![가-힣]*(?:의\s?집|부터\s?매))"
        ),
        _named_day,
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
_EN_DIGITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_EN_ONE_TO_TEN = {word: number for number, word in enumerate(_EN_DIGITS, 1)}
_EN_NUMBERS = _EN_ONE_TO_TEN | {"a": 1, "an": 1, "twelve": 12}
_EN_SEASON = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_EN_NEAR = {"last": -1, "this past": -1, "this": 0, "next": 1, "this coming": 1}
_PAST = re.compile(r"(?i)\b(?:was|were|had|got|went|broke|passed|left|came|saw|met|\w{3,}ed)\b")
_EN_WHICH = r"(last|this past|this coming|this|next)"


def _en_weekday(match: re.Match[str], today: date) -> _Resolved:
    """Last Friday is the last before today; next Friday is that of next week."""
    near = _EN_NEAR[match[1].casefold()]
    weekday = _EN_WEEKDAYS.index(match[2].casefold()[:3])
    if near < 0:
        return _last_weekday(today, weekday)
    if match[1].casefold() == "this coming":
        return _next_weekday(today, weekday)
    return _monday(today, near) + timedelta(days=weekday), Grain.DAY


def _en_unit(match: re.Match[str], today: date) -> _Resolved:
    near = _EN_NEAR[match[1].casefold()]
    match match[2].casefold():
        case "week":
            return _monday(today, near), Grain.WEEK
        case "weekend":
            return _monday(today, near) + timedelta(days=5), Grain.WEEKEND
        case "month":
            return months_from(today, near), Grain.MONTH
        case _:
            return date(today.year + near, 1, 1), Grain.YEAR


def _en_near_month(match: re.Match[str], today: date) -> _Resolved:
    """Last May is the last that is over; next May the first that begins after today."""
    near, month = _EN_NEAR[match[1].casefold()], _month(match[2])
    first = date(today.year, month, 1)
    if near < 0 and first.replace(day=1) >= today.replace(day=1):
        first = first.replace(year=today.year - 1)
    if near > 0 and first <= today:
        first = first.replace(year=today.year + 1)
    return (first.replace(day=int(match[3])), Grain.DAY) if match[3] else (first, Grain.MONTH)


def _en_season(match: re.Match[str], today: date) -> _Resolved:
    first = date(today.year, _EN_SEASON[match[2].casefold()], 1)
    near = _EN_NEAR[match[1].casefold()]
    if near < 0 and months_from(first, 3) > today:
        first = first.replace(year=today.year - 1)
    if near > 0 and first <= today:
        first = first.replace(year=today.year + 1)
    return first, Grain.SEASON


def _en_count(match: re.Match[str], today: date, sign: int = -1) -> _Resolved:
    number = int(match[1]) if match[1].isdigit() else _EN_NUMBERS[match[1].casefold()]
    return _ago(today, sign * number, match[2].casefold())


def _en_ahead(match: re.Match[str], today: date) -> _Resolved:
    return _en_count(match, today, 1)


def _en_written(match: re.Match[str], _today: date) -> _Resolved:
    return _in_year(int(match[3]), _month(match[1]), match[2], None)


def _en_iso(match: re.Match[str], _today: date) -> _Resolved:
    return date(int(match[1]), int(match[2]), int(match[3])), Grain.DAY


def _en_in_year(match: re.Match[str], _today: date) -> _Resolved:
    if match[1]:
        return date(int(match[2]), _EN_SEASON[match[1].casefold()], 1), Grain.SEASON
    return date(int(match[2]), 1, 1), Grain.YEAR


def _en_this_year(match: re.Match[str], today: date) -> _Resolved:
    if _YEARLY.search(match.string):
        return None
    return _nearest_year(today, _month(match[1]), int(match[2]))


def _en_day_first(match: re.Match[str], today: date) -> _Resolved:
    """14 May 2027, or 14 May of the nearest year."""
    if match[3]:
        return _in_year(int(match[3]), _month(match[2]), match[1], None)
    return _nearest_year(today, _month(match[2]), int(match[1]))


def _en_weekday_alone(match: re.Match[str], today: date) -> _Resolved:
    """On Tuesday: the last one if the text is in the past tense, else the next."""
    resolve = _last_weekday if _PAST.search(match.string) else _next_weekday
    return resolve(today, _EN_WEEKDAYS.index(match[1].casefold()[:3]))


def _en_day_alone(match: re.Match[str], today: date) -> _Resolved:
    """The 30th: of this month, or of the next if it is over."""
    day = int(match[1])
    first = today.replace(day=1) if day >= today.day else months_from(today, 1)
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
        _named_day,
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
