"""Fits recent turns into their token budget: older turns are cut before the last five.

Providers cache the beginning of a prompt, so older turns are cut in groups: the prompts until the
next group begin with the same text.
"""

from collections.abc import Sequence
from dataclasses import replace

from saegim.conversations.types import RECENT_TURNS, Exchange, tokens_of
from saegim.text.tokens import count, cut

SHORTENED = " […]"
SHORT_REPLY = 60
SHORT_MESSAGE = 120
GROUP = 5


def fit_recent(recent: Sequence[Exchange], limit: int) -> tuple[Exchange, ...]:
    """Shorten old replies first, then old messages, then drop the oldest turns.

    Older turns are cut before the last five.
    """
    older, last = list(recent[:-RECENT_TURNS]), list(recent[-RECENT_TURNS:])
    used = _shrink(older, sum(map(tokens_of, recent)), limit, GROUP)
    _shrink(last, used, limit, 1)
    return (*older, *last)


def _shrink(turns: list[Exchange], used: int, limit: int, group: int) -> int:
    """Shorten and drop turns until `used` is within the limit; return the tokens still used.

    Turns are shortened in groups, by their numbers.
    """
    for field, most in (("reply", SHORT_REPLY), ("message", SHORT_MESSAGE)):
        begun = -1
        for index, turn in enumerate(turns):
            if used <= limit and turn.number // group != begun:
                return used
            begun = turn.number // group
            turns[index] = replace(turn, **{field: _shortened(getattr(turn, field), most)})
            used -= tokens_of(turn) - tokens_of(turns[index])
    while turns and used > limit:
        used -= tokens_of(turns.pop(0))
    return used


def _shortened(text: str, limit: int) -> str:
    if count(text) <= limit:
        return text
    return cut(text, limit - count(SHORTENED)).rstrip() + SHORTENED
