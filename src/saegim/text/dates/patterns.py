"""Patterns of Korean and English time expressions. Their named groups say what they mean."""

import calendar
import re
import tomllib
from collections.abc import Iterable
from importlib.resources import files

from saegim.domain.scope import Locale

_TABLES = tomllib.loads((files("saegim.text.dates") / "words.toml").read_text("utf-8"))


def _words(locale: Locale, table: str) -> dict[str, str]:
    """Map the words of a table to what they mean."""
    listed: dict[str, str] = _TABLES[locale].get(table, {})
    return {word: meaning for meaning, words in listed.items() for word in words.split(", ")}


# The meanings of the words of both languages, by table.
MEANINGS = {
    table: _words("ko", table) | _words("en", table) for table in (*_TABLES["ko"], *_TABLES["en"])
}


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _group(locale: Locale, group: str, table: str) -> str:
    return f"(?P<{group}>{_any_of(_words(locale, table))})"


_MONTH_NAMES = [name.casefold() for name in calendar.month_name]
MONTHS = {
    name[:letters]: number
    for number, name in enumerate(_MONTH_NAMES)
    for letters in (len(name), 3)
    if name
} | {"sept": 9}

_YEAR = r"(?P<year>(?:19|20)\d\d)"
_ISO = rf"{_YEAR}[-./]\s?(?P<month>\d{{1,2}})[-./]\s?(?P<day>\d{{1,2}})(?!\d)"


def _korean() -> list[str]:
    near, units = _group("ko", "near", "near"), _group("ko", "unit", "units")
    weekday, season = _group("ko", "weekday", "weekdays"), _group("ko", "season", "seasons")
    years, number = _group("ko", "near_year", "years"), _any_of(_words("ko", "numbers"))
    holiday = _group("ko", "holiday", "holidays")
    month, day = r"(?P<month>\d{1,2})월", r"(?P<day>\d{1,2})일"
    in_year = rf"(?:\s?{month}(?:\s?{day})?|\s?{season})?"
    count = rf"(?P<count>\d{{1,3}}|{number})\s?{units}|{_group('ko', 'day_count', 'day_counts')}"
    begins = r"(?<![가-힣])"
    return [
        rf"(?<!\d){_YEAR}년{in_year}",
        rf"{begins}{years}{in_year}",
        # 이번 주, but not 이번 주제 or 이번 주문
        rf"{begins}{near}\s?(?P<unit>주)(?:\s?{weekday}|\s?주?\s?(?P<weekend>말))?(?![문제식년소인])",
        rf"{begins}{near}\s?{weekday}",
        rf"{begins}(?:{near}|이(?=달))\s?(?P<unit>달)(?:\s?{day})?",
        rf"{begins}{near}\s?{month}(?:\s?{day})?",
        rf"{begins}{near}\s?(?:(?P<unit>분기)|{season})",
        rf"{begins}{_group('ko', 'days', 'days')}",
        rf"(?<![가-힣\d~,-])(?:{count})\s?(?:(?P<ago>전)|뒤|후)(?!기)(?:\s?{weekday})?",
        rf"(?<![\d년]){month}(?:\s?{day})?",
        r"(?<![\d/.])(?P<month>\d{1,2})/(?P<day>\d{1,2})(?=[에일날])",
        rf"(?<![\d.,/:~]){day}(?=[에날]|까지|부터)",
        rf"{begins}(?<!매주 ){weekday}(?!마다)",
        rf"{begins}(?P<weekend>주말)",
        rf"{begins}(?:(?:{_YEAR}년|{years}|{near})\s?)?{holiday}(?=[에은는날때,.?!\s]|연휴|$)",
    ]


def _english() -> list[str]:
    near, units = _group("en", "near", "near"), _group("en", "unit", "units")
    season, years = _group("en", "season", "seasons"), _group("en", "near_year", "years")
    weekday = _group("en", "weekday", "weekdays")
    long_weekday = "(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    month = f"(?P<month>{_any_of(MONTHS)})"
    day = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
    count = rf"(?P<count>\d{{1,3}}|{_any_of(_words('en', 'numbers'))})\s{units}"
    return [
        _ISO,
        rf"{month}\.?\s{day}(?:,?\s{_YEAR})?(?!:)",
        rf"{day}\s(?:of\s)?{month}\.?(?:,?\s{_YEAR})?",
        rf"(?:in\s)?(?:{month}|{season}),?\s(?:of\s)?(?:{_YEAR}|{years})",
        rf"in\s{_YEAR}",
        _group("en", "days", "days"),
        # "this may" is a verb
        rf"{near}\s(?:{weekday}|{units}|{season}|(?!(?<=this\s)may\b){month}(?:\s{day})?)",
        rf"{weekday},?\s(?:of\s)?{near}\s(?P<unit>week)",
        rf"{near}\s(?P<unit>week),?\s(?:on\s)?{weekday}",
        rf"{count}\s(?:(?P<ago>ago)|from\snow|from\stoday)",
        rf"in\s{count}",
        rf"(?:on|since|by|until)\s{weekday}",
        rf"(?<!every\s)(?<!each\s){long_weekday}",
        rf"(?:in|since|during|by|until|before|after)\s{month}",
        r"(?:on|since|by|until)\sthe\s(?P<day>\d{1,2})(?:st|nd|rd|th)",
        r"on\s(?P<month>\d{1,2})/(?P<day>\d{1,2})",
        r"the\s(?P<weekend>weekend)",
        rf"(?:{near}\s)?{_group('en', 'holiday', 'holidays')}(?:,?\s(?:{_YEAR}|{years}))?",
    ]


PATTERNS = tuple(
    [re.compile(pattern) for pattern in _korean()]
    + [re.compile(rf"(?i)(?<![a-z0-9]){pattern}(?![a-z0-9])") for pattern in _english()]
)
