"""Large JSON responses, encoded and sent in pieces so that the event loop is not blocked."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, cast

from fastapi import Response
from fastapi.responses import StreamingResponse
from pydantic_core import to_jsonable_python

PIECE_CHARACTERS = 64_000


async def large_json(document: Mapping[str, Any]) -> Response:
    """Returns the response for a document with long lists.

    Encoding runs in a thread, one list item at a time: a single `json.dumps` would hold the GIL."""
    pieces = await asyncio.to_thread(lambda: list(_pieces(document)))
    length = str(sum(map(len, pieces)))
    # An iterator, not a list: each piece is sent separately.
    return StreamingResponse(
        _iterate(pieces), media_type="application/json", headers={"Content-Length": length}
    )


async def _iterate(pieces: list[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


def _pieces(document: Mapping[str, Any]) -> Iterator[bytes]:
    buffer: list[str] = []
    size = 0
    for text in _texts(document):
        buffer.append(text)
        size += len(text)
        if size >= PIECE_CHARACTERS:
            yield "".join(buffer).encode()
            buffer, size = [], 0
    yield "".join(buffer).encode()


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        if not any(isinstance(each, Mapping | list) for each in members.values()):
            yield _encode(members)
            return
        for number, (name, each) in enumerate(members.items()):
            yield ("," if number else "{") + json.dumps(name, ensure_ascii=False) + ":"
            yield from _texts(each)
        yield "}"
    elif isinstance(value, list) and value:
        for number, each in enumerate(cast("list[Any]", value)):
            yield "," if number else "["
            yield from _texts(each)
        yield "]"
    else:
        yield _encode(value)


def _encode(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=to_jsonable_python)
