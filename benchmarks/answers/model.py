"""A model with OpenAI's protocol and fixed latencies, in its own process; it logs every call.

The first token of a stream takes 600 ms, each further one 1/60 s, and a structured call 800 ms.
"""

import argparse
import asyncio
import contextlib
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import uuid4

import httpx2
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from benchmarks.answers.script import (
    SEARCH,
    ChatCall,
    GoldQuestion,
    Served,
    answer_to,
    search_again,
    served_by,
    structured,
)
from benchmarks.results import ROOT
from saegim.localservers.valkey import find_free_port
from saegim.text import tokens

FIRST_TOKEN_SECONDS = 0.6
TOKENS_PER_SECOND = 60
STRUCTURED_SECONDS = 0.8
# Providers cache prefixes in blocks, from a smallest length on.
BLOCK_TOKENS = 128
LEAST_CACHED_TOKENS = 1024


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """One call: `at` is when it arrived; `cached_any` has no smallest length; `searches` is true
    for a stream that called the search instead of answering."""

    question: str | None
    step: str
    model: str
    at: float
    prompt_tokens: int
    output_tokens: int
    cached_tokens: int
    cached_any: int
    has_gold: bool
    streamed: bool
    searches: bool = False


class PrefixCache:
    """The longest prefix that an earlier request to the same model had, in whole blocks."""

    def __init__(self) -> None:
        self._known: set[tuple[str, int]] = set()

    def read(self, model: str, prompt: Sequence[int]) -> int:
        """Returns the cached tokens of a prompt, and caches it."""
        cached, chain, unbroken = 0, 0, True
        for start in range(0, len(prompt) - BLOCK_TOKENS + 1, BLOCK_TOKENS):
            chain = hash((chain, *prompt[start : start + BLOCK_TOKENS]))
            key = (model, chain)
            unbroken = unbroken and key in self._known
            cached += BLOCK_TOKENS if unbroken else 0
            self._known.add(key)
        return cached

    def clear(self) -> None:
        self._known.clear()


@dataclass(eq=False)
class ScriptedServer:
    """The routes: completions, questions under way, and the log."""

    speed: float = 1.0
    """Divides all times, for tests."""
    active: dict[str, Served] = field(default_factory=dict[str, Served])
    log: list[LoggedCall] = field(default_factory=list[LoggedCall])
    cache: PrefixCache = field(default_factory=PrefixCache)

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/v1/chat/completions", self.complete, methods=["POST"]),
                Route("/questions", self.begin, methods=["POST"]),
                Route("/questions/end", self.end, methods=["POST"]),
                Route("/log", self.take_log, methods=["DELETE"]),
            ]
        )

    async def begin(self, request: Request) -> Response:
        """Adds a question that is about to be asked."""
        sent = await request.json()
        question = GoldQuestion(**sent | {"snippets": tuple(sent["snippets"])})
        self.active[question.id] = Served(question)
        return Response(status_code=204)

    async def end(self, request: Request) -> Response:
        """Ends a question and returns its calls."""
        ident = (await request.json())["id"]
        self.active.pop(ident, None)
        return JSONResponse([asdict(call) for call in self.log if call.question == ident])

    async def take_log(self, _: Request) -> Response:
        """Returns all calls and forgets them, and the cached prefixes too."""
        calls, self.log = self.log, []
        self.cache.clear()
        return JSONResponse([asdict(call) for call in calls])

    async def complete(self, request: Request) -> Response:
        at, due = time.time(), asyncio.get_running_loop().time()
        call = ChatCall.of(await request.json())
        served = served_by(call, self.active)
        question = None if served is None else served.question
        if call.body.get("stream"):
            query = search_again(call, served)
            text = query or answer_to(call, question)
            usage = self._note(call, question, at, text, searches=query is not None)
            deltas = [_called(query)] if query else [{"content": each} for each in _pieces(text)]
            pieces = self._stream(due, deltas, usage)
            return StreamingResponse(pieces, media_type="text/event-stream")
        output = json.dumps(structured(call, served), ensure_ascii=False)
        usage = self._note(call, question, at, output)
        await self._until(due + STRUCTURED_SECONDS / self.speed)
        return JSONResponse(_completion(call.body, output, usage))

    async def _until(self, due: float) -> None:
        await asyncio.sleep(max(0.0, due - asyncio.get_running_loop().time()))

    def _note(
        self,
        call: ChatCall,
        question: GoldQuestion | None,
        at: float,
        output: str,
        *,
        searches: bool = False,
    ) -> dict[str, Any]:
        """Logs a call; returns its usage as a provider reports it."""
        prompt = tokens._encode(call.prompt)  # noqa: SLF001 - the product's own tokenizer
        model = str(call.body["model"])
        cached = self.cache.read(model, prompt)
        counted = cached if cached >= LEAST_CACHED_TOKENS else 0
        logged = LoggedCall(
            question=None if question is None else question.id,
            step=call.step,
            model=model,
            at=at,
            prompt_tokens=len(prompt),
            output_tokens=tokens.count(output),
            cached_tokens=counted,
            cached_any=cached,
            has_gold=question is not None and question.is_in(call.newest),
            streamed=bool(call.body.get("stream")),
            searches=searches,
        )
        self.log.append(logged)
        return {
            "prompt_tokens": logged.prompt_tokens,
            "completion_tokens": logged.output_tokens,
            "total_tokens": logged.prompt_tokens + logged.output_tokens,
            "prompt_tokens_details": {"cached_tokens": counted},
        }

    async def _stream(
        self, began: float, deltas: Sequence[Mapping[str, Any]], usage: Mapping[str, Any]
    ) -> AsyncIterator[str]:
        """Yields the first piece after its time, the others at a steady rate."""
        for number, piece in enumerate(deltas):
            wait = FIRST_TOKEN_SECONDS + number / TOKENS_PER_SECOND
            await self._until(began + wait / self.speed)
            delta = {"role": "assistant", **piece}
            yield _chunk({"choices": [{"index": 0, "delta": delta}]})
        reason = "tool_calls" if any("tool_calls" in each for each in deltas) else "stop"
        yield _chunk({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
        yield _chunk({"choices": [], "usage": usage})
        yield "data: [DONE]\n\n"


def _called(arguments: str) -> dict[str, Any]:
    """Returns the delta of a call of the search."""
    function = {"name": SEARCH, "arguments": arguments}
    called = {"index": 0, "id": f"c-{uuid4().hex[:8]}", "type": "function", "function": function}
    return {"content": None, "tool_calls": [called]}


def _pieces(text: str) -> list[str]:
    """Cuts a text into about as many pieces as it has tokens."""
    size = max(1, round(len(text) / max(1, tokens.count(text))))
    return [text[at : at + size] for at in range(0, len(text), size)]


def _chunk(event: Mapping[str, Any]) -> str:
    shape = {"id": "m", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
    return f"data: {json.dumps({**shape, **event}, ensure_ascii=False)}\n\n"


def _completion(body: Mapping[str, Any], output: str, usage: Mapping[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": output}
    reason = "stop"
    if body.get("tools"):
        called = {"name": body["tools"][0]["function"]["name"], "arguments": output}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": called}],
        }
        reason = "tool_calls"
    return {
        "id": "m", "object": "chat.completion", "created": 0, "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": reason}], "usage": usage,
    }  # fmt: skip


class ModelControl:
    """Tells the model what is asked, and reads its log."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self._http = http

    async def begin(self, question: GoldQuestion) -> None:
        (await self._http.post("/questions", json=asdict(question))).raise_for_status()

    async def end(self, question: GoldQuestion) -> list[LoggedCall]:
        """Returns the calls of the question."""
        return _read(await self._http.post("/questions/end", json={"id": question.id}))

    async def take_log(self) -> list[LoggedCall]:
        """Returns all calls so far, and lets the model forget them."""
        return _read(await self._http.delete("/log"))


def _read(response: httpx2.Response) -> list[LoggedCall]:
    response.raise_for_status()
    return [LoggedCall(**call) for call in response.json()]


@contextlib.contextmanager
def running(speed: float = 1.0) -> Iterator[str]:
    """Runs the model in its own process; yields its address."""
    port = find_free_port()
    command = [sys.executable, "-m", "benchmarks.answers.model", str(port), str(speed)]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("speed", type=float, default=1.0, nargs="?")
    given = parser.parse_args()
    app = ScriptedServer(given.speed).app()
    uvicorn.run(app, host="127.0.0.1", port=given.port, log_level="warning", access_log=False)
