"""Prepares a message for storage: bounds, normalisation, masking.

Bounds are checked first because masking is by far the slowest step.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from uuid import UUID

from saegim.chat.relay import LeaseTimes
from saegim.chat.types import LONGEST_INSTRUCTIONS_TOKENS, LONGEST_MESSAGE_TOKENS, ChatRequest
from saegim.conversations.stored_turns import (
    ChannelMessage,
    ClientTools,
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


def masked_messages(
    messages: Sequence[ChannelMessage], masked: Mapping[str, str]
) -> tuple[ChannelMessage, ...]:
    """Replace the texts by the masked ones, each cut to its limit."""
    return tuple(
        ChannelMessage(masked[each.name][:LONGEST_SENDER], masked[each.text][:LONGEST_MESSAGE])
        for each in messages
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
MOST_RESULTS = 32
LONGEST_RESULT = 3_000
LONGEST_TOOLS = 40_000


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
    request = await bound(request)
    texts = _texts_of(request)
    message, *rest = await masking.mask(texts)
    masked = dict(zip(texts, (each.text for each in (message, *rest)), strict=True))
    history = request.history
    return NewTurn(
        id=identifier,
        message=message.text,
        inputs=TurnInputs(
            instructions=masked[request.instructions],
            channel_messages=masked_messages(request.channel_messages, masked),
            history=history and tuple(_masked(entry, masked) for entry in history),
            selected_doc_ids=request.selected_doc_ids,
            masked=tuple(message.kinds),
            controls=request.controls,
            draft=request.draft,
            sampling=request.sampling,
            client_tools=_masked_rounds(request.client_tools, masked),
        ),
        session=request.session,
        idempotency_key=request.idempotency_key,
        lease=lease,
        times=times,
        now=now,
        temporary=request.temporary or request.draft,
        point=request.point,
    )


async def bound(request: ChatRequest) -> ChatRequest:
    """Run `bounded`, in a thread if the texts are long."""
    if len(request.message) + len(request.instructions) <= INLINE_CHARACTERS:
        return bounded(request)
    return await asyncio.to_thread(bounded, request)


def bounded(request: ChatRequest) -> ChatRequest:
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
    return replace(
        request,
        message=message,
        instructions=instructions,
        history=history,
        channel_messages=bounded_messages(request.channel_messages),
        client_tools=_bounded_tools(request.client_tools),
    )


def _bounded_tools(tools: ClientTools) -> ClientTools:
    """Cut the results of tools. Raises TooLarge if the tools are too long."""
    size = sum(len(json.dumps(asdict(each), ensure_ascii=False)) for each in tools.offered)
    if size > LONGEST_TOOLS:
        raise TooLarge(f"the tools may have {LONGEST_TOOLS} characters")
    rounds = tuple(
        replace(each, text=cut_at_space(normalise(each.text), LONGEST_RESULT))
        for each in tools.rounds[-MOST_RESULTS:]
    )
    return replace(tools, rounds=rounds)


def _masked_rounds(tools: ClientTools, masked: Mapping[str, str]) -> ClientTools:
    rounds = tuple(replace(each, text=masked[each.text]) for each in tools.rounds)
    return replace(tools, rounds=rounds)


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


def _texts_of(request: ChatRequest) -> list[str]:
    """Return the texts to mask, the message first."""
    texts = [request.message, request.instructions]
    for message in request.channel_messages:
        texts += message.name, message.text
    for entry in request.history or ():
        texts += _texts(entry)
    return texts + [each.text for each in request.client_tools.rounds]


def _texts(entry: HistoryEntry) -> Iterator[str]:
    yield from (entry.message, entry.summary)
    for entity in entry.entities:
        yield from (entity.key, entity.value)


def _masked(entry: HistoryEntry, masked: Mapping[str, str]) -> HistoryEntry:
    return replace(
        entry,
        message=masked[entry.message],
        summary=masked[entry.summary],
        entities=tuple(
            Entity(masked[each.key], masked[each.value], each.turn) for each in entry.entities
        ),
    )
