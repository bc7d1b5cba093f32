"""A model with a fixed response time and OpenAI's protocol, in its own process so that its work is
not measured.
"""

import argparse
import asyncio
import contextlib
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from benchmarks.results import ROOT
from saegim.localservers.valkey import find_free_port

ANSWER = (
    "확인했습니다. 예약 인스턴스를 쓰면 같은 작업의 비용이 줄어듭니다 [1]. "
    "먼저 지난달 사용량을 보고, 꾸준히 쓰는 서버부터 약정을 거는 순서가 안전합니다. "
    "태그가 없는 자원은 담당자를 먼저 정하세요. "
    "변경은 다음 청구 주기부터 반영되며, 한도를 넘으면 알림이 갑니다."
)
PIECES = 12
SETTLED = re.compile(r"우리 팀의 [^<>\n]*?로 정했어")
# By a field that only this schema has.
FORMS: dict[str, dict[str, Any]] = {
    "ranked_indices": {"ranked_indices": [0, 1, 2], "is_sufficient": True, "confidence": 0.9},
    "refers_to_document": {"route": "general", "standalone": "비용을 줄이는 방법과 예산 한도 설정"},
    "statements": {"statements": []},
    "verdicts": {"verdicts": []},
    "self_score": {
        "analysis": "", "tool_plan": [], "draft": ANSWER, "needs_strong_model": False,
        "self_score": {"accuracy": 0.9, "completeness": 0.9, "risk": 0.1, "overall": 0.9},
    },
    "entities": {"summary": "사용자는 비용을 줄이려고 예산과 알림을 정했다. " * 6, "entities": []},
}  # fmt: skip


class Model:
    """Answers each request after `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
                body = json.loads(await reader.readexactly(length))
                if body.get("stream"):
                    await self._stream(writer)
                else:
                    await asyncio.sleep(self._seconds)
                    _send(writer, json.dumps(_completion(body)).encode())
                await writer.drain()
        writer.close()

    async def _stream(self, writer: asyncio.StreamWriter) -> None:
        """Streams the first word after half of the time, the last at its end."""
        head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked"
        writer.write(f"{head}\r\n\r\n".encode())
        words = ANSWER.split(" ")
        size = -(-len(words) // PIECES)
        pieces = [" ".join(words[at : at + size]) + " " for at in range(0, len(words), size)]
        began = time.monotonic()
        for number, piece in enumerate(pieces):
            due = self._seconds * (0.5 + 0.5 * number / max(1, len(pieces) - 1))
            await asyncio.sleep(max(0.0, began + due - time.monotonic()))
            _chunk(writer, {"choices": [{"index": 0, "delta": {"content": piece}}]})
        _chunk(writer, {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        writer.write(b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n")


def _completion(body: dict[str, Any]) -> dict[str, Any]:
    asked = json.dumps([body.get("response_format"), body.get("tools")])
    field, form = next(
        ((field, made) for field, made in FORMS.items() if f'"{field}"' in asked), ("", {})
    )
    if field == "statements":
        form = {"statements": _statements(str(body["messages"][-1]["content"]))}
    written = json.dumps(form, ensure_ascii=False)
    message: dict[str, Any] = {"role": "assistant", "content": written}
    if body.get("tools"):
        called = {"name": body["tools"][0]["function"]["name"], "arguments": written}
        message |= {
            "content": None,
            "tool_calls": [{"id": "c", "type": "function", "function": called}],
        }
    reason = "tool_calls" if body.get("tools") else "stop"
    return {
        "id": "m", "object": "chat.completion", "created": 0, "model": "stub",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
    }  # fmt: skip


def _statements(shown: str) -> list[dict[str, str]]:
    """Returns the user's decisions in the newest turn, which is the last."""
    settled = SETTLED.findall(shown)[-1:]
    return [{"type": "decision", "content": each, "quote": each} for each in settled]


def _chunk(writer: asyncio.StreamWriter, event: dict[str, Any]) -> None:
    shape = {"id": "m", "object": "chat.completion.chunk", "created": 0, "model": "stub"}
    data = f"data: {json.dumps(shape | event, ensure_ascii=False)}\n\n".encode()
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


def _send(writer: asyncio.StreamWriter, body: bytes) -> None:
    head = f"HTTP/1.1 {HTTPStatus.OK.value} OK\r\nContent-Type: application/json"
    writer.write(f"{head}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)


@contextlib.contextmanager
def running(seconds: float) -> Iterator[str]:
    """Runs the model in its own process; yields its base URL."""
    port = find_free_port()
    command = [sys.executable, "-m", "benchmarks.load.model", str(port), str(seconds)]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        process.wait()


async def serve(port: int, seconds: float) -> None:
    server = await asyncio.start_server(Model(seconds).connected, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("seconds", type=float)
    given = parser.parse_args()
    asyncio.run(serve(given.port, given.seconds))
