"""Other people's messages in the channel."""

from collections.abc import Iterator, Sequence

from saegim.conversations.stored_turns import ChannelMessage
from saegim.text.analysis import normalise
from saegim.text.cut import cut_at_space
from saegim.text.tokens import count, delimited

CHANNEL_TOKENS = 400
LONGEST_MESSAGE = 300
LONGEST_SENDER = 50


def bounded_messages(messages: Sequence[ChannelMessage]) -> tuple[ChannelMessage, ...]:
    """The same on one line each, cut before masking: what a placeholder shortens still fits."""
    return tuple(ChannelMessage(_line(one.name), _line(one.text)) for one in messages)


def message_texts(messages: Sequence[ChannelMessage]) -> Iterator[str]:
    """What is masked of them."""
    for one in messages:
        yield from (one.name, one.text)


def masked_messages(
    messages: Sequence[ChannelMessage], masked: Iterator[str]
) -> tuple[ChannelMessage, ...]:
    """The same with masked texts, in the order of `message_texts`, each cut to its limit."""
    return tuple(
        ChannelMessage(next(masked)[:LONGEST_SENDER], next(masked)[:LONGEST_MESSAGE])
        for _ in messages
    )


def channel_block(messages: Sequence[ChannelMessage]) -> str:
    """The newest that fit, in order, between tags; nothing where there is nothing."""
    lines: list[str] = []
    room = CHANNEL_TOKENS
    for one in reversed(messages):
        line = f"{one.name}: {one.text}"
        room -= count(line) + 1
        if room < 0:
            break
        lines.append(line)
    return delimited("nearby", "\n".join(reversed(lines))) if lines else ""


def _line(text: str) -> str:
    return " ".join(normalise(cut_at_space(text, 2 * LONGEST_MESSAGE)).split())
