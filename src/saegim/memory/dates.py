"""Dates as people say them, made absolute where the speaker lives: 어제, 지난주, last May."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from saegim.domain.scope import Locale
from saegim.memory.date_words import Grain, TimeExpression, english, korean
from saegim.text.analysis import language

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_SEASONS: dict[Locale, tuple[str, ...]] = {
    "ko": ("봄", "여름", "가을", "겨울"),
    "en": ("spring", "summer", "autumn", "winter"),
}
_PREPOSITIONS = re.compile(
    r"(?i)in|on|at|since|until|till|by|from|before|after|of|to|for|around|about|between|and|through"
    r"|is|was|are|were|be"
)


@dataclass(frozen=True, slots=True)
class DateMention:
    """A time expression in a text, and the days it means: from `first` to before `past`.

    `relative` tells whether it would mean another time if it were said on another day."""

    start: int
    end: int
    first: date
    past: date
    grain: Grain
    relative: bool


def find_dates(text: str, said_at: datetime, time_zone: str) -> list[DateMention]:
    """The time expressions of a text in their order, as meant by someone who said it then."""
    today = said_at.astimezone(ZoneInfo(time_zone)).date()
    found = [_mention(said) for said in (*korean(text, today), *english(text, today))]
    found.sort(key=lambda mention: (mention.start, -mention.end))
    kept: list[DateMention] = []
    for mention in found:
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept


def absolute(text: str, said_at: datetime, time_zone: str) -> str:
    """The text with every relative date written out, so that it is true on any day."""
    locale = language(text)
    pieces: list[str] = []
    done = 0
    for mention in find_dates(text, said_at, time_zone):
        if not mention.relative:
            continue
        pieces += text[done : mention.start], _written(text, mention, locale)
        done = mention.end
    return "".join(pieces) + text[done:]


def bounds(mention: DateMention, time_zone: str) -> tuple[datetime, datetime]:
    """The instants that a mention lies between, where the speaker lives."""
    zone = ZoneInfo(time_zone)
    first = datetime.combine(mention.first, time(), zone)
    return first, datetime.combine(mention.past, time(), zone)


def _mention(said: TimeExpression) -> DateMention:
    return DateMention(
        said.start, said.end, said.first, _past(said.first, said.grain), said.grain, said.relative
    )


def _past(first: date, grain: Grain) -> date:
    match grain:
        case Grain.DAY:
            return first + timedelta(days=1)
        case Grain.WEEKEND:
            return first + timedelta(days=2)
        case Grain.WEEK:
            return first + timedelta(days=7)
        case Grain.MONTH:
            return _months_on(first, 1)
        case Grain.SEASON:
            return _months_on(first, 3)
        case Grain.YEAR:
            return first.replace(year=first.year + 1)


def _months_on(first: date, months: int) -> date:
    year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
    return date(year, month + 1, 1)


def _written(text: str, mention: DateMention, locale: Locale) -> str:
    if locale == "ko":
        return _korean(mention)
    before = text[: mention.start].split()
    prefixed = bool(before) and _PREPOSITIONS.fullmatch(before[-1]) is not None
    written, preposition = _english(mention)
    written = written if prefixed else f"{preposition} {written}"
    return written[0].upper() + written[1:] if not before and text[:1].isupper() else written


def _korean(mention: DateMention) -> str:
    day = mention.first
    match mention.grain:
        case Grain.DAY:
            return f"{day.year}년 {day.month}월 {day.day}일"
        case Grain.WEEKEND:
            return f"{day.year}년 {day.month}월 {day.day}일 주말"
        case Grain.WEEK:
            return f"{day.year}년 {day.month}월 {day.day}일 주"
        case Grain.MONTH:
            return f"{day.year}년 {day.month}월"
        case Grain.SEASON:
            return f"{day.year}년 {_SEASONS['ko'][_season(day)]}"
        case Grain.YEAR:
            return f"{day.year}년"


def _english(mention: DateMention) -> tuple[str, str]:
    day = mention.first
    named = f"{_MONTHS[day.month - 1]} {day.day}, {day.year}"
    match mention.grain:
        case Grain.DAY:
            return named, "on"
        case Grain.WEEKEND:
            return f"the weekend of {named}", "on"
        case Grain.WEEK:
            return f"the week of {named}", "in"
        case Grain.MONTH:
            return f"{_MONTHS[day.month - 1]} {day.year}", "in"
        case Grain.SEASON:
            return f"{_SEASONS['en'][_season(day)]} {day.year}", "in"
        case Grain.YEAR:
            return str(day.year), "in"


def _season(day: date) -> int:
    return (day.month // 3 - 1) % 4
