"""Read a question to memory by rules: what it asks for, about what, and of which time."""

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from saegim.chat.memory_questions.types import MemoryQuestion, QuestionKind
from saegim.chat.rules.intents import LONGEST, read
from saegim.chat.rules.patterns import pattern
from saegim.memory.dates.expressions import Grain, TimeExpression
from saegim.memory.dates.resolution import bounds, find_dates
from saegim.memory.recall.types import TimeSpan
from saegim.text.analysis import fold, language
from saegim.text.intents import Intent

_DECISION = pattern("ask_memory", "decision")
_WHY = pattern("ask_memory", "why")
_CHANGES = pattern("ask_memory", "changes")
_WHEN = pattern("ask_memory", "when")
_SINCE = pattern("ask_memory", "since")
_FRAME = pattern("ask_memory", "frame")
_EDGES = re.compile(r"[\s\W_]+")
_NAMES = "january february march april may june july august september october november december"
_MONTHS = {name[:3]: number for number, name in enumerate(_NAMES.split(), start=1)}
_MONTH = re.compile(
    r"(?<!\d)(?P<number>1[0-2]|[1-9])월(?!\s?\d)"
    # "may" and "march" are months only with a capital.
    rf"|\b(?P<name>(?i:{'|'.join(each for each in _NAMES.split() if each not in ('may', 'march'))})"
    r"|May|March)\b"
)
_YEAR = timedelta(days=365)


def read_question(text: str, now: datetime, time_zone: str) -> MemoryQuestion:
    """Return the question with its kind, topic and time span."""
    plain = " ".join(text[:LONGEST].split())
    folded = fold(plain)
    mentions = _mentions(plain, now, time_zone)
    topic = _topic(plain, mentions)
    return MemoryQuestion(
        text=text,
        kind=_kind(folded, topic),
        topic=topic,
        locale=language(text),
        time_zone=time_zone,
        now=now,
        span=_span(folded, mentions, now, time_zone),
        asks_why=_WHY.search(folded) is not None,
    )


def _kind(folded: str, topic: str) -> QuestionKind:
    if not topic and read(folded).intent is Intent.PROFILE:
        return QuestionKind.PROFILE
    if _CHANGES.search(folded):
        return QuestionKind.CHANGES
    if _WHEN.search(folded):
        return QuestionKind.WHEN
    if _DECISION.search(folded):
        return QuestionKind.DECISION
    return QuestionKind.OPEN


def _mentions(text: str, now: datetime, time_zone: str) -> list[TimeExpression]:
    """Return the dates of a question; a month without a year is the last one that began."""
    found = find_dates(text, now, time_zone)
    today = now.astimezone(ZoneInfo(time_zone)).date()
    for match in _MONTH.finditer(text):
        if any(each.start < match.end() and match.start() < each.end for each in found):
            continue
        number = int(match["number"]) if match["number"] else _MONTHS[match["name"][:3].lower()]
        year = today.year if number <= today.month else today.year - 1
        first = date(year, number, 1)
        found.append(TimeExpression(match.start(), match.end(), first, Grain.MONTH))
    return sorted(found, key=lambda each: each.start)


def _topic(text: str, mentions: Sequence[TimeExpression]) -> str:
    """Return the words of a question that name its subject, without dates."""
    pieces: list[str] = []
    done = 0
    for mention in mentions:
        pieces.append(text[done : mention.start])
        done = mention.end
    rest = fold(" ".join([*pieces, text[done:]]))
    # A word that stood before one of the frame may be one of it: 나 | 에 대해.
    for _ in range(2):
        rest = _FRAME.sub(" ", rest)
    return _EDGES.sub(" ", rest).strip()


def _span(
    folded: str, mentions: Sequence[TimeExpression], now: datetime, time_zone: str
) -> TimeSpan | None:
    """Return the time that a question names; "since March" lasts until now.

    A question is about the past: a time that is still to come is that of last year.
    """
    if not mentions:
        return None
    spans = [bounds(mention, time_zone) for mention in mentions]
    first, past = spans[0][0], spans[-1][1]
    if first > now:
        first, past = (_year_before(each) for each in (first, past))
    if len(spans) == 1 and _SINCE.search(folded):
        past = now + timedelta(days=1)
    return TimeSpan(first, max(past, first + timedelta(days=1)))


def _year_before(at: datetime) -> datetime:
    try:
        return at.replace(year=at.year - 1)
    except ValueError:
        return at - _YEAR
