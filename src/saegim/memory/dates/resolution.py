"""Resolve relative dates in the time zone of the speaker: 어제, 지난주, last May."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from saegim.memory.dates.english import ENGLISH
from saegim.memory.dates.expressions import DateRule, Grain, TimeExpression
from saegim.memory.dates.korean import KOREAN

_SHORT = {Grain.DAY: 10, Grain.MONTH: 7, Grain.YEAR: 4}
# A weekday or holiday is a date only where the grammar says so: "Sunday Best" is a name.
_WEEKDAY = re.compile(r"(?i)(?:mon|tues|wednes|thurs|fri|satur|sun)days?|[월화수목금토일]요일")
_LONGEST = 10_000
_YEAR = re.compile(r"\d{4}")
_PREPOSITION = re.compile(
    r"(?i)\b(?:on|by|until|till|since|from|before|after|at|over|for|is|was|to|of)\s(?:the\s)?$"
)
_PARTICLE = re.compile(
    r"\s?(?:(?:오전|오후|아침|점심|저녁|밤|새벽)\s?)?(?:\d{1,2}시\s?(?:\d{1,2}분|반)?)?"
    r"(?:에|까지|부터)|은|이[에야고]|로|날|\s?(?:오전|오후)?\s?\d{1,2}시"
)


def find_dates(text: str, said_at: datetime, time_zone: str) -> list[TimeExpression]:
    """Return the time expressions of a text in order, without overlaps; longer ones first.

    A long text is read up to a limit.
    """
    text = text[:_LONGEST]
    today = said_at.astimezone(ZoneInfo(time_zone)).date()
    mentions = list(_expressions((*KOREAN, *ENGLISH), text, today))
    mentions.sort(key=lambda mention: (mention.start, -mention.end))
    distinct: list[TimeExpression] = []
    for mention in mentions:
        if not distinct or mention.start >= distinct[-1].end:
            distinct.append(mention)
    return distinct


def _expressions(rules: Sequence[DateRule], text: str, today: date) -> Iterator[TimeExpression]:
    """Yield the time expressions of a text, which may overlap."""
    for rule in rules:
        for match in rule.pattern.finditer(text):
            try:
                resolved = rule.resolve(_with_nearby(match), today)
            except (ValueError, OverflowError):
                continue  # 31 February, or a year beyond the calendar
            if resolved is not None:
                yield TimeExpression(
                    match.start(), match.end(), *resolved, rule.relative, rule.holiday
                )


# How much text on either side of an expression shows its tense.
_NEARBY = 100


def _with_nearby(match: re.Match[str]) -> re.Match[str]:
    """Return a match in the text around it: all of a long text would be read for each match."""
    if len(match.string) <= 2 * _NEARBY:
        return match
    start = max(0, match.start() - _NEARBY)
    nearby = match.string[start : match.end() + _NEARBY]
    return match.re.match(nearby, match.start() - start) or match


def dated(text: str, said_at: datetime, time_zone: str) -> str:
    """Append the days that a text means, if it does not write them: "I leave tomorrow
    (2026-11-20)"."""
    mentions = find_dates(text, said_at, time_zone)
    exact = [each for each in mentions if not _is_weekday(text, each) and each.grain is Grain.DAY]
    named = (
        each
        for each in mentions
        if each.relative
        and not _is_name(text, each)
        and not (exact and _is_weekday(text, each))
        and _YEAR.search(text, each.start, each.end) is None
    )
    days = dict.fromkeys(day for each in named if (day := _days(each)) not in text)
    return f"{text} ({', '.join(days)})" if days else text


def _is_weekday(text: str, mention: TimeExpression) -> bool:
    return _WEEKDAY.fullmatch(text[mention.start : mention.end]) is not None


def _is_name(text: str, mention: TimeExpression) -> bool:
    """Return whether a weekday or holiday is part of a name, by the words around it."""
    words = text[mention.start : mention.end]
    if not mention.holiday and not _is_weekday(text, mention):
        return False
    if words.isascii():
        placed = _PREPOSITION.search(text[: mention.start]) is not None
        after = text[mention.end :]
        return re.match(r"\s[A-Z]" if placed else r"\s?\w", after) is not None
    return _PARTICLE.match(text, mention.end) is None


def _days(mention: TimeExpression) -> str:
    first = mention.first.isoformat()
    if mention.grain in _SHORT:
        return first[: _SHORT[mention.grain]]
    return f"{first}/{mention.past - timedelta(days=1)}"


def bounds(mention: TimeExpression, time_zone: str) -> tuple[datetime, datetime]:
    """Return the first instant of a mention and the first after it, in the time zone."""
    zone = ZoneInfo(time_zone)
    first = datetime.combine(mention.first, time(), zone)
    return first, datetime.combine(mention.past, time(), zone)
