"""Write the dates of a text out, to show how they were read."""

import re
from datetime import date, datetime

from saegim.domain.scope import Locale
from saegim.memory.dates.expressions import Grain, TimeExpression
from saegim.memory.dates.resolution import find_dates
from saegim.text import particles
from saegim.text.analysis import language

_MONTH_NAMES = (
    "January February March April May June July August September October November December"
)
_MONTHS = _MONTH_NAMES.split()
_SEASONS: dict[Locale, tuple[str, ...]] = {
    "ko": ("봄", "여름", "가을", "겨울"),
    "en": ("spring", "summer", "autumn", "winter"),
}
_PREPOSITIONS = re.compile(
    r"(?i)in|on|at|since|until|till|by|from|before|after|of|to|for|around|about|between|and|through|starting"
    r"|is|was|are|were|be"
)
_PARTICLE = re.compile(rf"(?:{particles.ANY})(?![가-힣])")


def absolute(text: str, said_at: datetime, time_zone: str) -> str:
    """Replace every relative date by an absolute one, with the particle that fits it."""
    locale = language(text)
    pieces: list[str] = []
    done = 0
    for mention in find_dates(text, said_at, time_zone):
        if not mention.relative:
            continue
        written = _written(text, mention, locale)
        particle = _particle(text, mention)
        fitting = particles.fitting(written, particle) if particle else ""
        pieces += text[done : mention.start], written, fitting
        done = mention.end + len(particle)
    return "".join(pieces) + text[done:]


def _particle(text: str, mention: TimeExpression) -> str:
    """Return the particle after a mention: 는 of 올해는, but not 가 of 내일가, which is a verb."""
    match = _PARTICLE.match(text, mention.end)
    if match is None or particles.fitting(text[mention.start : mention.end], match[0]) != match[0]:
        return ""
    return match[0]


def _written(text: str, mention: TimeExpression, locale: Locale) -> str:
    if mention.holiday:
        return _holiday(text[mention.start : mention.end], mention.first, locale)
    if locale == "ko":
        return _korean(mention)
    before = text[: mention.start].split()
    prefixed = bool(before) and _PREPOSITIONS.fullmatch(before[-1]) is not None
    written, preposition = _english(mention)
    written = written if prefixed else f"{preposition} {written}"
    return written[0].upper() + written[1:] if not before and text[:1].isupper() else written


def _holiday(name: str, day: date, locale: Locale) -> str:
    """Write a holiday with its day: 2026년 추석(9월 25일), Christmas (December 25, 2026)."""
    if locale == "ko":
        return f"{day.year}년 {name}({day.month}월 {day.day}일)"
    return f"{name} ({_MONTHS[day.month - 1]} {day.day}, {day.year})"


def _korean(mention: TimeExpression) -> str:
    day = mention.first
    written = f"{day.year}년 {day.month}월 {day.day}일"
    match mention.grain:
        case Grain.DAY:
            return written
        case Grain.WEEKEND:
            return f"{written} 주말"
        case Grain.WEEK:
            return f"{written} 주"
        case Grain.MONTH:
            return f"{day.year}년 {day.month}월"
        case Grain.QUARTER:
            return f"{day.year}년 {(day.month + 2) // 3}분기"
        case Grain.SEASON:
            return f"{day.year}년 {_SEASONS['ko'][_season(day)]}"
        case Grain.YEAR:
            return f"{day.year}년"


def _english(mention: TimeExpression) -> tuple[str, str]:
    day = mention.first
    written = f"{_MONTHS[day.month - 1]} {day.day}, {day.year}"
    match mention.grain:
        case Grain.DAY:
            return written, "on"
        case Grain.WEEKEND:
            return f"the weekend of {written}", "on"
        case Grain.WEEK:
            return f"the week of {written}", "in"
        case Grain.MONTH:
            return f"{_MONTHS[day.month - 1]} {day.year}", "in"
        case Grain.QUARTER:
            return f"Q{(day.month + 2) // 3} {day.year}", "in"
        case Grain.SEASON:
            return f"{_SEASONS['en'][_season(day)]} {day.year}", "in"
        case Grain.YEAR:
            return str(day.year), "in"


def _season(day: date) -> int:
    return (day.month // 3 - 1) % 4
