"""Fits recent turns into their token budget: older turns are cut before the last five."""

from collections.abc import Sequence
from dataclasses import replace

from saegim.conversations.types import RECENT_TURNS, Exchange, tokens_of
from saegim.text.tokens import count, cut

SHORTENED = " […]"
SHORT_REPLY = 60
SHORT_MESSAGE = 120


def fit_recent(recent: Sequence[Exchange], limit: int) -> tuple[Exchange, ...]:
    """Shorten old replies first, then old messages, then drop the oldest turns.

    Turns not yet summarised are cut before the last five.
    """
    waiting, last = list(recent[:-RECENT_TURNS]), list(recent[-RECENT_TURNS:])
    used = _shrink(waiting, sum(map(tokens_of, recent)), limit)
    _shrink(last, used, limit)
    return (*waiting, *last)


def _shrink(turns: list[Exchange], used: int, limit: int) -> int:
    """Shorten and drop turns until `used` is within the limit; return the tokens still used."""
    for field, most in (("reply", SHORT_REPLY), ("message", SHORT_MESSAGE)):
        for index, turn in enumerate(turns):
            if used <= limit:
                return used
            turns[index] = replace(turn, **{field: _shortened(getattr(turn, field), most)})
            used -= tokens_of(turn) - tokens_of(turns[index])
    while turns and used > limit:
        used -= tokens_of(turns.pop(0))
    return used


def _shortened(text: str, limit: int) -> str:
    if count(text) <= limit:
        return text
    return cut(text, limit - count(SHORTENED)).rstrip() + SHORTENED
