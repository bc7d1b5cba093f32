"""A server that is killed behind each call of a tool: memory changes once, or not at all."""

import asyncio
import contextlib
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest

from benchmarks.doubles.providers import BrokenProvider, ProviderMode, ProviderRequest
from benchmarks.stack import SERVED_EMBEDDER, LiveStack, hosted

FACTS = ("나는 부산에 살아", "고양이 두 마리를 키워", "땅콩 알레르기가 있어")
MESSAGE = ". ".join(FACTS)
WAIT_SECONDS = 300


class CallingModel(BrokenProvider):
    """Remembers one fact after the other, then answers; holds the request with `holds` results."""

    holds: int | None = None

    def __init__(self) -> None:
        super().__init__(text="기억할게요.")
        self.structured = '{"statements": []}'
        self.held = asyncio.Event()

    async def _answer(self, request: Any, received: ProviderRequest, mode: ProviderMode) -> Any:
        if _results(received.body) == self.holds:
            self.held.set()
            await asyncio.Event().wait()
        return await super()._answer(request, received, mode)

    def _call(self, received: ProviderRequest) -> dict[str, Any] | None:
        results = _results(received.body)
        if not received.body.get("tools") or results == len(FACTS):
            return None
        fact = FACTS[results]
        written = f'{{"statement": "{fact}", "quote": "{fact}"}}'
        function = {"name": "remember", "arguments": written}
        return {"id": f"call_{results}", "type": "function", "function": function}


def _results(body: Mapping[str, Any]) -> int:
    return sum(each["role"] == "tool" for each in body.get("messages", ()))


async def settled(http: httpx2.AsyncClient, turn: str, headers: dict[str, str]) -> dict[str, Any]:
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            with contextlib.suppress(httpx2.TransportError):
                shown = (await http.get(f"/v1/turns/{turn}", headers=headers)).json()
                if shown.get("state") in ("done", "incomplete", "failed"):
                    return shown
            await asyncio.sleep(0.3)


@pytest.mark.requirement("TN9", "LM1")
async def test_memory_changes_once_wherever_the_server_is_killed() -> None:
    with TemporaryDirectory(prefix="saegim-killed-") as folder:
        # A busy machine takes its time, and the limits of a hosted model allow three tools.
        settings = SERVED_EMBEDDER | {name: str(WAIT_SECONDS) for name in hosted()}
        async with (
            CallingModel() as model,
            LiveStack.start(Path(folder), model.base_url, 1, settings) as stack,
            httpx2.AsyncClient(base_url=stack.url, timeout=WAIT_SECONDS) as http,
        ):
            key = await stack.new_tenant("해운대 상사")
            for results in range(1, len(FACTS) + 1):
                model.holds, model.held = results, asyncio.Event()
                headers = {"Authorization": f"Bearer {key}", "Saegim-User": f"user-{results}"}
                once = {**headers, "Idempotency-Key": str(uuid4())}
                asking = asyncio.create_task(
                    http.post("/v1/chat", json={"message": MESSAGE}, headers=once)
                )
                async with asyncio.timeout(WAIT_SECONDS):
                    await model.held.wait()
                model.holds = None
                before = await remembered(http, headers)
                await stack.kill("api")
                with contextlib.suppress(httpx2.TransportError):
                    await asking
                await stack.ready(WAIT_SECONDS)
                turn = await started(http, headers)
                done = await settled(http, turn, headers)
                after = await remembered(http, headers)
                again = await http.post("/v1/chat", json={"message": MESSAGE}, headers=once)

                assert before == [], "nothing is applied before the turn settles"
                assert done["state"] == "done", done
                assert after == sorted(FACTS)
                assert [each["kind"] for each in done["effects"]] == ["remembered"] * len(FACTS)
                assert UUID(again.json()["turn_id"]) == UUID(turn)
                assert await remembered(http, headers) == sorted(FACTS)


async def remembered(http: httpx2.AsyncClient, headers: dict[str, str]) -> list[str]:
    shown = await http.get("/v1/memories", headers=headers)
    return sorted(each["content"] for each in shown.json()["memories"])


async def started(http: httpx2.AsyncClient, headers: dict[str, str]) -> str:
    sessions = (await http.get("/v1/sessions", headers=headers)).json()["sessions"]
    shown = await http.get(f"/v1/sessions/{sessions[0]['session_id']}/turns", headers=headers)
    return str(shown.json()["turns"][0]["turn_id"])
