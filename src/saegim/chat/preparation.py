"""Prepares a message for storage: bounds, normalisation, masking.

Bounds are checked first because masking is by far the slowest step.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from saegim.chat.relay import LeaseTimes
from saegim.chat.types import LONGEST_INSTRUCTIONS_TOKENS, LONGEST_MESSAGE_TOKENS, ChatRequest
from saegim.conversations.stored_turns import (
    ChannelMessage,
    HistoryEntry,
    Lease,
    NewTurn,
    TurnInputs,
)
from saegim.conversations.types import RECENT_TURNS, Entity
from saegim.domain.errors import Invalid, TooLarge
from saegim.text import tokens
from saegim.text.analysis import normalise
from saegim.text.cut import cut_at_space
from saegim.text.masking_pool import INLINE_CHARACTERS, MaskWorkers
from saegim.text.tokens import count, delimited

CHANNEL_TOKENS = 400
LONGEST_MESSAGE = 300
LONGEST_SENDER = 50


def bounded_messages(messages: Sequence[ChannelMessage]) -> tuple[ChannelMessage, ...]:
    """Put each message on one line and cut it loosely: masking may shorten it further."""
    return tuple(ChannelMessage(_line(each.name), _line(each.text)) for each in messages)


def message_texts(messages: Sequence[ChannelMessage]) -> Iterator[str]:
    """Yield the texts to mask."""
    for message in messages:
        yield from (message.name, message.text)


def masked_messages(
    messages: Sequence[ChannelMessage], masked: Iterator[str]
) -> tuple[ChannelMessage, ...]:
    """Fill in the masked texts, in the order of `message_texts`, each cut to its limit."""
    return tuple(
        ChannelMessage(next(masked)[:LONGEST_SENDER], next(masked)[:LONGEST_MESSAGE])
        for _ in messages
    )


def channel_block(messages: Sequence[ChannelMessage]) -> str:
    """Return the newest messages that fit, oldest first, between tags; "" if there are none."""
    lines: list[str] = []
    left = CHANNEL_TOKENS
    for message in reversed(messages):
        line = f"{message.name}: {message.text}"
        left -= count(line) + 1
        if left < 0:
            break
        lines.append(line)
    return delimited("nearby", "\n".join(reversed(lines))) if lines else ""


def _line(text: str) -> str:
    return " ".join(normalise(cut_at_space(text, 2 * LONGEST_MESSAGE)).split())


LONGEST_ENTRY = 32_000
LONGEST_HISTORY = 100_000
MOST_REFS = 20
LONGEST_REF = 500
MOST_DOCUMENTS = 50


@dataclass(frozen=True, slots=True)
class NormalisedRequest:
    """The texts of a request, normalised and within bounds, not yet masked."""

    message: str
    instructions: str
    history: tuple[HistoryEntry, ...] | None
    channel_messages: tuple[ChannelMessage, ...]

    def texts(self) -> list[str]:
        return [
            self.message,
            self.instructions,
            *message_texts(self.channel_messages),
            *(text for entry in self.history or () for text in _texts(entry)),
        ]


async def prepare(
    request: ChatRequest,
    times: LeaseTimes,
    lease: Lease,
    identifier: UUID,
    now: datetime,
    *,
    masking: MaskWorkers,
) -> NewTurn:
    """Return the turn to store. Raises Invalid and TooLarge."""
    normalised = await bound(request)
    message, *rest = await masking.mask(normalised.texts())
    texts = iter([each.text for each in rest])
    return NewTurn(
        id=identifier,
        message=message.text,
        inputs=TurnInputs(
            instructions=next(texts),
            channel_messages=masked_messages(normalised.channel_messages, texts),
            history=_masked_history(normalised.history, texts),
            selected_doc_ids=request.selected_doc_ids,
            masked=tuple(message.kinds),
            instead_of=request.instead_of,
            controls=request.controls,
        ),
        session=request.session,
        idempotency_key=request.idempotency_key,
        lease=lease,
        times=times,
        now=now,
        temporary=request.temporary,
    )


async def bound(request: ChatRequest) -> NormalisedRequest:
    """Run `bounded`, in a thread if the texts are long."""
    if len(request.message) + len(request.instructions) <= INLINE_CHARACTERS:
        return bounded(request)
    return await asyncio.to_thread(bounded, request)


def bounded(request: ChatRequest) -> NormalisedRequest:
    """Normalise the texts and check their bounds. Raises Invalid and TooLarge."""
    message = normalise(request.message).strip()
    if not message:
        raise Invalid("message must not be empty")
    if tokens.count(message) > LONGEST_MESSAGE_TOKENS:
        raise TooLarge(f"a message may have {LONGEST_MESSAGE_TOKENS} tokens")
    instructions = normalise(request.instructions).strip()
    if tokens.count(instructions) > LONGEST_INSTRUCTIONS_TOKENS:
        raise TooLarge(f"instructions may have {LONGEST_INSTRUCTIONS_TOKENS} tokens")
    history = None if request.history is None else _recent(request.history)
    return NormalisedRequest(
        message, instructions, history, bounded_messages(request.channel_messages)
    )


def _recent(history: Sequence[HistoryEntry]) -> tuple[HistoryEntry, ...]:
    """Cut each of the recent turns to its bound; drop the oldest if they are too long together."""
    entries: list[HistoryEntry] = []
    left = LONGEST_HISTORY
    for entry in reversed(history[-RECENT_TURNS:]):
        short = HistoryEntry(
            normalise(cut_at_space(entry.message, LONGEST_ENTRY)),
            normalise(cut_at_space(entry.summary, LONGEST_ENTRY)),
            tuple(ref[:LONGEST_REF] for ref in entry.refs[:MOST_REFS]),
            entry.doc_ids[:MOST_DOCUMENTS],
            entry.entities,
        )
        left -= sum(map(len, _texts(short)))
        if left < 0:
            break
        entries.append(short)
    return tuple(reversed(entries))


def _texts(entry: HistoryEntry) -> Iterator[str]:
    """Yield the texts to mask."""
    yield from (entry.message, entry.summary)
    for entity in entry.entities:
        yield from (entity.key, entity.value)


def _masked_history(
    history: Sequence[HistoryEntry] | None, texts: Iterator[str]
) -> tuple[HistoryEntry, ...] | None:
    """Fill in the masked texts, in the order of `_texts`."""
    if history is None:
        return None
    return tuple(
        replace(
            entry,
            message=next(texts),
            summary=next(texts),
            entities=tuple(Entity(next(texts), next(texts), each.turn) for each in entry.entities),
        )
        for entry in history
    )
