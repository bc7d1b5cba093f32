"""A message made ready for its first write: within bounds, normalised, masked.

Bounds come before masking, which takes far longer than anything else here.
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


LONGEST_ENTRY = 32_000
LONGEST_HISTORY = 100_000
MOST_REFS = 20
LONGEST_REF = 500
MOST_DOCUMENTS = 50


@dataclass(frozen=True, slots=True)
class NormalisedRequest:
    """A request's texts, normalised and within bounds, not yet masked."""

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
    """The turn to store. Raises Invalid and TooLarge."""
    within = await bound(request)
    message, *rest = await masking.mask(within.texts())
    texts = iter([each.text for each in rest])
    return NewTurn(
        id=identifier,
        message=message.text,
        inputs=TurnInputs(
            instructions=next(texts),
            channel_messages=masked_messages(within.channel_messages, texts),
            history=_filled(within.history, texts),
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
    """The request's texts within bounds; long ones are counted in a thread."""
    if len(request.message) + len(request.instructions) <= INLINE_CHARACTERS:
        return bounded(request)
    return await asyncio.to_thread(bounded, request)


def bounded(request: ChatRequest) -> NormalisedRequest:
    """The same at once. Raises Invalid and TooLarge."""
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
    """The turns that are read, each cut to its bound; the oldest go where all are too long."""
    kept: list[HistoryEntry] = []
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
        kept.append(short)
    return tuple(reversed(kept))


def _texts(entry: HistoryEntry) -> Iterator[str]:
    """What is masked of a turn that the client brings."""
    yield from (entry.message, entry.summary)
    for entity in entry.entities:
        yield from (entity.key, entity.value)


def _filled(
    history: Sequence[HistoryEntry] | None, texts: Iterator[str]
) -> tuple[HistoryEntry, ...] | None:
    """The turns with their texts, in the order of `_texts`."""
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
