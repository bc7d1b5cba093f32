"""Recent turns within their room: older ones give way, the last five stay whole the longest."""

from collections.abc import Sequence
from dataclasses import replace

from saegim.conversations.types import RECENT_TURNS, Exchange, tokens_of
from saegim.text.tokens import count, cut

SHORTENED = " […]"
SHORT_REPLY = 60
SHORT_MESSAGE = 120


def fit_recent(recent: Sequence[Exchange], limit: int) -> tuple[Exchange, ...]:
    """Turns that wait for a fold give way before the last five. Among either, old replies are
    shortened first, then old messages; then the oldest turns go."""
    waiting, last = list(recent[:-RECENT_TURNS]), list(recent[-RECENT_TURNS:])
    used = sum(map(tokens_of, recent))
    used = _give_way(waiting, used, limit)
    _give_way(last, used, limit)
    return (*waiting, *last)


def _give_way(turns: list[Exchange], used: int, limit: int) -> int:
    """Shortens and drops turns of the list until all that is used fits; tells what is used."""
    for shorten in (_shorter_reply, _shorter_message):
        for index, turn in enumerate(turns):
            if used <= limit:
                return used
            turns[index] = shorten(turn)
            used -= tokens_of(turn) - tokens_of(turns[index])
    while turns and used > limit:
        used -= tokens_of(turns.pop(0))
    return used


def _shorter_reply(turn: Exchange) -> Exchange:
    return replace(turn, reply=_shortened(turn.reply, SHORT_REPLY))


def _shorter_message(turn: Exchange) -> Exchange:
    return replace(turn, message=_shortened(turn.message, SHORT_MESSAGE))


def _shortened(text: str, limit: int) -> str:
    return (
        text if count(text) <= limit else cut(text, limit - count(SHORTENED)).rstrip() + SHORTENED
    )
