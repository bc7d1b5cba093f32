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

import httpx2

from benchmarks.results import ROOT
from saegim.localservers.valkey import find_free_port
from saegim.text import tokens

# The first four are a short answer, all of them a long one.
SENTENCES = (
    "확인했습니다. 예약 인스턴스를 쓰면 같은 작업의 비용이 줄어듭니다 [1].",
    "먼저 지난달 사용량을 보고, 꾸준히 쓰는 서버부터 약정을 거는 순서가 안전합니다.",
    "태그가 없는 자원은 담당자를 먼저 정하세요.",
    "변경은 다음 청구 주기부터 반영되며, 한도를 넘으면 알림이 갑니다.",
    "약정 기간은 한 해와 세 해 가운데 고를 수 있고, 기간이 길수록 단가가 낮아집니다.",
    "선결제 비율을 높이면 할인도 커지지만, 중간에 해지해도 낸 돈은 돌려받지 못합니다.",
    "사용량이 들쭉날쭉한 서버는 약정 대신 자동 확장을 쓰는 편이 낫습니다.",
    "저장소는 석 달 동안 읽지 않은 자료를 더 싼 등급으로 옮기도록 규칙을 만드세요.",
    "로그는 보관 기한을 정하지 않으면 계속 쌓여서 해마다 요금이 두 배가 됩니다.",
    "지역 사이의 전송 요금은 보고서에서 따로 보이므로 달마다 한 번은 살펴보는 것이 좋습니다.",
    "예산은 팀마다 나누고, 여든 퍼센트에 이르면 담당자와 재무팀에 함께 메일이 가도록 합니다.",
    "한도를 바꾸려면 관리자 화면에서 요청을 올리고 부서장의 승인을 받아야 합니다.",
    "승인이 끝나면 하루 안에 적용되고, 바뀐 값은 감사 기록에 남습니다.",
    "시험용 계정은 밤과 주말에 꺼 두는 것만으로도 비용이 절반 가까이 내려갑니다.",
    "쓰지 않는 주소와 디스크는 매주 목록으로 나오니 두 번 이상 나온 것은 지워도 됩니다.",
    "담당자가 바뀌면 권한을 먼저 옮기고, 옛 열쇠는 그날 안에 끊어야 합니다.",
    "마지막으로, 절감한 금액은 분기마다 보고서에 한 줄로 적어 두면 다음 예산의 근거가 됩니다.",
)  # fmt: skip
SHORT, LONG = 4, len(SENTENCES)
PIECES = 12
SETTLED = re.compile(r"우리 팀의 [^<>\n]*?로 정했어")
NEW_TURNS = re.compile(r"<turns-[^>]*>(.*?)</turns-", re.DOTALL)
OBSERVED = re.compile(r"^observation (\d+):\n- \S+ (.*)$", re.MULTILINE)
# By a field that only this schema has.
FORMS: dict[str, dict[str, Any]] = {
    "statements": {"statements": []},
    "observations": {"observations": []},
    "entities": {"summary": "사용자는 비용을 줄이려고 예산과 알림을 정했다. " * 6, "entities": []},
    "title": {"title": "비용 줄이기"},
}  # fmt: skip


def answer(sentences: int) -> str:
    return " ".join(SENTENCES[:sentences])


async def set_length(http: httpx2.AsyncClient, url: str, sentences: int) -> int:
    """Sets the length of all answers from now on; returns it in tokens."""
    (await http.post(url, json={"sentences": sentences})).raise_for_status()
    return tokens.count(answer(sentences))


class Model:
    """Answers each request after `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._answer = answer(SHORT)

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
                body = json.loads(await reader.readexactly(length))
                if "sentences" in body:
                    self._answer = answer(body["sentences"])
                    _send(writer, b"{}")
                elif body.get("stream"):
                    await self._stream(writer)
                else:
                    await asyncio.sleep(self._seconds)
                    _send(writer, json.dumps(completion(body)).encode())
                await writer.drain()
        writer.close()

    async def _stream(self, writer: asyncio.StreamWriter) -> None:
        """Streams the first word after half of the time, the last at its end."""
        head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked"
        writer.write(f"{head}\r\n\r\n".encode())
        words = self._answer.split(" ")
        size = -(-len(words) // PIECES)
        pieces = [" ".join(words[at : at + size]) + " " for at in range(0, len(words), size)]
        began = time.monotonic()
        for number, piece in enumerate(pieces):
            due = self._seconds * (0.5 + 0.5 * number / max(1, len(pieces) - 1))
            await asyncio.sleep(max(0.0, began + due - time.monotonic()))
            _chunk(writer, {"choices": [{"index": 0, "delta": {"content": piece}}]})
        _chunk(writer, {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        writer.write(b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n")


def completion(body: dict[str, Any]) -> dict[str, Any]:
    """Returns the response to a request for structured output."""
    asked = json.dumps([body.get("response_format"), body.get("tools")])
    field, form = next(
        ((field, made) for field, made in FORMS.items() if f'"{field}"' in asked), ("", {})
    )
    shown = str(body["messages"][-1]["content"])
    match field:
        case "statements":
            form = {"statements": _statements(shown)}
        case "observations":
            form = {"observations": _observations(shown)}
        case _:
            pass
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
    """Returns the user's decisions in the new turns: earlier turns are in the prompt, too."""
    turns = NEW_TURNS.search(shown)
    settled = SETTLED.findall(turns[1]) if turns else []
    return [{"type": "decision", "content": each, "quote": each} for each in settled]


def _observations(shown: str) -> list[dict[str, Any]]:
    """Returns the first record of each observation as its sentence."""
    found = OBSERVED.findall(shown)
    return [{"number": int(number), "sentence": sentence} for number, sentence in found]


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
