"""Large answers are encoded in pieces, as plain `json` would."""

import json
from typing import Any

import pytest
from fastapi.responses import StreamingResponse

from saegim.api.large_json import PIECE_CHARACTERS, large_json


async def pieces_of(document: dict[str, Any]) -> tuple[list[bytes], str]:
    response = await large_json(document)
    assert isinstance(response, StreamingResponse)
    pieces = [bytes(each) async for each in response.body_iterator if not isinstance(each, str)]
    return pieces, response.headers["content-length"]


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"a": [], "b": {}, "c": None, "d": '새김 "\n', "e": [1, 2.5, True, [], {"f": [{}]}]},
        {"tables": {"turn": [{"message": "안녕", "inputs": {"doc_ids": ["a"]}}], "memory": []}},
    ],
)
async def test_pieces_are_the_same_document(document: dict[str, Any]) -> None:
    pieces, length = await pieces_of(document)

    assert json.loads(b"".join(pieces)) == document
    assert length == str(len(b"".join(pieces)))


async def test_no_piece_is_much_longer_than_its_bound() -> None:
    rows = [{"message": "x" * 1_000, "ids": [n]} for n in range(1_000)]
    pieces, _ = await pieces_of({"tables": {"turn": rows}})

    assert len(pieces) > 10
    assert max(map(len, pieces)) < PIECE_CHARACTERS + 2_000
