"""Logs tell what happened, never what was said."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from saegim.bootstrap import Fakes
from saegim.entrypoints import logs
from saegim.steps.ports import ModelRole
from saegim.testing.models import ScriptedModels
from tests.stack import Databases, new_stack

SAID = "이 문장은 어떤 로그에도 없어야 합니다"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    logs.configure("DEBUG", stream)
    yield stream
    root.handlers[:], root.level = handlers, level


async def test_a_turn_leaves_ids_and_codes_but_no_content(
    databases: Databases, written: io.StringIO
) -> None:
    def broken(_: object) -> str:
        raise RuntimeError(SAID)

    fakes = Fakes(models=ScriptedModels({ModelRole.LITE: broken}))
    async with new_stack(databases, fakes) as stack:
        reply = await stack.say(SAID, **{"X-Request-Id": "r-42"})

    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert reply["state"] == "failed"
    assert SAID not in written.getvalue()
    [request] = [line for line in lines if line["logger"] == "saegim.api"]
    assert request["message"].startswith("POST /v1/chat 200")
    assert request["request"] == "r-42"
    [broke] = [line for line in lines if line.get("error") == "RuntimeError"]
    assert reply["turn_id"] in broke["message"]
