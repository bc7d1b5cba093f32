"""What others said around a message: masked, bounded, shown as data, and not kept by itself."""

from collections.abc import Iterator, Sequence

from saegim.conversations.stored_turns import ChannelMessage
from saegim.text.analysis import normalise
from saegim.text.cut import cut_at_space
from saegim.text.tokens import count, delimited

MOST_TOKENS = 400
LONGEST = 300
LONGEST_NAME = 50


def bounded(messages: Sequence[ChannelMessage]) -> tuple[ChannelMessage, ...]:
    """The same on one line each, cut before masking: what a placeholder shortens still fits."""
    return tuple(ChannelMessage(_line(one.name), _line(one.text)) for one in messages)


def texts(messages: Sequence[ChannelMessage]) -> Iterator[str]:
    """What is masked of them."""
    for one in messages:
        yield from (one.name, one.text)


def filled(messages: Sequence[ChannelMessage], masked: Iterator[str]) -> tuple[ChannelMessage, ...]:
    """The same with masked texts, in the order of `texts`, each cut to its bound."""
    return tuple(
        ChannelMessage(next(masked)[:LONGEST_NAME], next(masked)[:LONGEST]) for _ in messages
    )


def shown(messages: Sequence[ChannelMessage]) -> str:
    """The newest that fit, in order, between tags; nothing where there is nothing."""
    lines: list[str] = []
    room = MOST_TOKENS
    for one in reversed(messages):
        line = f"{one.name}: {one.text}"
        room -= count(line) + 1
        if room < 0:
            break
        lines.append(line)
    return delimited("nearby", "\n".join(reversed(lines))) if lines else ""


def _line(text: str) -> str:
    return " ".join(normalise(cut_at_space(text, 2 * LONGEST)).split())
