"""Answers of any size as JSON, encoded and sent in pieces: the loop goes on meanwhile."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, cast

from fastapi import Response
from fastapi.responses import StreamingResponse
from pydantic_core import to_jsonable_python

PIECE_CHARACTERS = 64_000


async def large_json(document: Mapping[str, Any]) -> Response:
    """The response for a document with long lists. Encoding runs in a thread, an item of a list
    at a time, because one call of `json.dumps` keeps every other thread waiting."""
    pieces = await asyncio.to_thread(lambda: list(_pieces(document)))
    length = str(sum(map(len, pieces)))
    # An iterator, not the list: each piece is sent by itself.
    return StreamingResponse(
        _sent(pieces), media_type="application/json", headers={"Content-Length": length}
    )


async def _sent(pieces: list[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


def _pieces(document: Mapping[str, Any]) -> Iterator[bytes]:
    gathered: list[str] = []
    size = 0
    for text in _texts(document):
        gathered.append(text)
        size += len(text)
        if size >= PIECE_CHARACTERS:
            yield "".join(gathered).encode()
            gathered, size = [], 0
    yield "".join(gathered).encode()


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        members = cast("Mapping[str, Any]", value)
        if not any(isinstance(each, Mapping | list) for each in members.values()):
            yield _encoded(members)
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
        yield _encoded(value)


def _encoded(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=to_jsonable_python)
