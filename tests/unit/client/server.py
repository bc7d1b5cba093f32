"""A server for the client's tests that answers by script and remembers what it was asked."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any
from uuid import UUID

import httpx2

TURN = UUID("01900000-0000-7000-8000-000000000001")
SESSION = UUID("01900000-0000-7000-8000-000000000002")
OPENED = {"Saegim-Turn": str(TURN), "Saegim-Session": str(SESSION)}
REPLY: dict[str, Any] = {
    "turn_id": str(TURN),
    "session_id": str(SESSION),
    "state": "done",
    "answer": "안녕하세요",
    "summary": "인사",
    "refs": ["문서 1"],
    "ref_doc_ids": [],
    "degraded": ["model"],
    "error": None,
    "added_later": {"by": "a newer server"},
}

Answer = httpx2.Response | Exception | Callable[[], httpx2.Response]


class Script(httpx2.MockTransport):
    """Gives one answer after another; an exception is a connection that fails."""

    def __init__(self, *answers: Answer) -> None:
        super().__init__(self._answer)
        self.requests: list[httpx2.Request] = []
        self._answers: Sequence[Answer] = answers

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        answer = self._answers[len(self.requests)]
        self.requests.append(request)
        if isinstance(answer, Exception):
            raise answer
        return answer() if callable(answer) else answer

    @property
    def calls(self) -> list[str]:
        return [f"{request.method} {request.url.path}" for request in self.requests]


def refused() -> httpx2.ConnectError:
    return httpx2.ConnectError("refused")


def problem(status: int, code: str, **more: str) -> httpx2.Response:
    body = {"type": f"urn:saegim:problem:{code}", "code": code, "title": "제목", "status": status}
    return httpx2.Response(
        status, text=json.dumps(body | more), headers={"Content-Type": "application/problem+json"}
    )


def event(name: str, data: dict[str, Any], position: str) -> str:
    return f"event: {name}\nid: {position}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def token(text: str, position: str) -> str:
    return event("token", {"text": text}, position)


def done() -> str:
    return event("done", REPLY, "1-5")


def events(*pieces: str | Exception, opened: bool = True) -> httpx2.Response:
    """A stream of these pieces; an exception is where its connection breaks."""

    async def body() -> AsyncIterator[bytes]:
        for piece in pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece.encode()

    headers = {"Content-Type": "text/event-stream"} | (OPENED if opened else {})
    return httpx2.Response(200, headers=headers, content=body())
