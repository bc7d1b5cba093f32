"""Turn events as server-sent events with heartbeats."""

import asyncio
import json
from collections.abc import AsyncIterator

from fastapi.sse import EventSourceResponse, format_sse_event
from pydantic import BaseModel

from saegim.api.schemas.chat import citation_view, reply_view
from saegim.chat.events import (
    CitationEvent,
    Done,
    Event,
    MemoriesEvent,
    Position,
    Restart,
    Status,
    Token,
)
from saegim.domain.errors import Invalid, SaegimError
from saegim.domain.scope import Locale
from saegim.locales import translate

HEARTBEAT_SECONDS = 10.0
HEARTBEAT = format_sse_event(comment="heartbeat")
# Stops proxies from buffering the stream.
HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}


def stream(events: AsyncIterator[Event], locale: Locale) -> EventSourceResponse:
    """Returns a response that writes events as they arrive."""
    return EventSourceResponse(_frames(events, locale), headers=HEADERS)


def format_position(position: Position) -> str:
    return f"{position.attempt}-{position.offset}"


def parse_position(text: str | None) -> Position:
    """Parses `Last-Event-ID`. Raises Invalid."""
    if not text:
        return Position()
    attempt, _, offset = text.partition("-")
    if not (attempt.isascii() and attempt.isdigit() and offset.isascii() and offset.isdigit()):
        raise Invalid("invalid Last-Event-ID")
    return Position(int(attempt[:9]), int(offset[:9]))


def render(event: Event) -> bytes:
    """Encodes one event."""
    match event:
        case Status(phase=phase):
            return _event("status", {"phase": phase}, event.position)
        case Token(text=text):
            return _event("token", {"text": text}, event.position)
        case CitationEvent(evidence=evidence):
            return _event("citation", _json(citation_view(evidence)), event.position)
        case MemoriesEvent(memories=memories):
            recalled = [_json(citation_view(memory)) for memory in memories]
            return _event("memory", {"memories": recalled}, event.position)
        case Restart():
            return _event("restart", {}, event.position)
        case Done(reply=reply):
            return _event("done", _json(reply_view(reply)), event.position)


async def beating(events: AsyncIterator[Event]) -> AsyncIterator[Event | None]:
    """Yields the events, and None after `HEARTBEAT_SECONDS` without one."""
    upcoming = asyncio.ensure_future(anext(events, None))
    try:
        while True:
            await asyncio.wait([upcoming], timeout=HEARTBEAT_SECONDS)
            if not upcoming.done():
                yield None
                continue
            event = upcoming.result()
            if event is None:
                return
            yield event
            upcoming = asyncio.ensure_future(anext(events, None))
    finally:
        upcoming.cancel()


async def _frames(events: AsyncIterator[Event], locale: Locale) -> AsyncIterator[bytes]:
    try:
        async for event in beating(events):
            yield HEARTBEAT if event is None else render(event)
    except SaegimError as error:
        yield _event(
            "error", {"code": error.code, "title": translate(error.text, locale)}, Position()
        )


def _json(view: BaseModel) -> dict[str, object]:
    return view.model_dump(mode="json")


def _event(name: str, data: dict[str, object], position: Position) -> bytes:
    body = json.dumps(data, ensure_ascii=False)
    return format_sse_event(event=name, data_str=body, id=format_position(position))
