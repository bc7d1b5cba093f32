"""Time in a question: the span it is about, and whether it asks for a time or a number."""

import re
from dataclasses import dataclass
from datetime import datetime

from saegim.memory.dates import bounds, find_dates

_ASKS_WHEN = re.compile(
    r"^\W*(?:when|since when|how long|(?:in |on )?(?:what|which) (?:date|day|month|year))\b"
    r"|언제|며칠|몇\s?(?:년|월|일|시|주|달)",
    re.IGNORECASE,
)
_ASKS_HOW_MANY = re.compile(
    r"\bhow (?:many|much|often|old)\b|몇\s?(?:개|명|마리|번|살|대|권|잔|곳|가지)|얼마",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Span:
    """A time from `first` to before `past`."""

    first: datetime
    past: datetime


def spans_of(question: str, now: datetime, time_zone: str) -> tuple[Span, ...]:
    """The times that a question names, as meant by someone who asks it now."""
    named = find_dates(question, now, time_zone)
    return tuple(Span(*bounds(mention, time_zone)) for mention in named)


def asks_when(question: str) -> bool:
    return _ASKS_WHEN.search(question) is not None


def asks_how_many(question: str) -> bool:
    return _ASKS_HOW_MANY.search(question) is not None
