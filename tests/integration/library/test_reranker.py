"""A reranker decides the order; one that fails leaves the fused order and is named."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from saegim.domain.errors import OptionalServiceDown
from saegim.llm.rerankers import HttpReranker
from tests.integration.library.conftest import bring_in, search
from tests.stack import Databases, new_stack

Answer = Callable[[dict[str, Any]], Any]


@dataclass
class RerankServer:
    """A rerank API on loopback, and what it was asked."""

    answer: Answer
    status: int = 200
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    url: str = ""
    pause: float = 0.0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        fields = {name.lower(): value for name, value in fields.items()}
        body = json.loads(await reader.readexactly(int(fields["content-length"])))
        self.asked.append(body)
        self.keys.append(fields.get("authorization"))
        answer = self.answer(body)
        content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        start = f"HTTP/1.1 {self.status} x\r\nConnection: close\r\nContent-Length: {len(content)}"
        writer.write(f"{start}\r\n\r\n".encode())
        if self.pause:  # drips, so that no single read takes long
            for byte in content:
                if writer.transport.is_closing():
                    break
                writer.write(bytes([byte]))
                await asyncio.sleep(self.pause)
        else:
            writer.write(content)
        writer.close()


@asynccontextmanager
async def running(answer: Answer) -> AsyncIterator[RerankServer]:
    server = RerankServer(answer)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v2/rerank"
    async with listening:
        yield server


def by_length(body: dict[str, Any]) -> dict[str, Any]:
    """Cohere's shape, best first: the longest text."""
    scored = [(len(text), index) for index, text in enumerate(body["documents"])]
    results = [{"index": index, "relevance_score": size} for size, index in sorted(scored)[::-1]]
    return {"id": "1", "results": results, "meta": {}}


async def test_coheres_shape_is_asked_and_read_in_the_order_of_the_texts() -> None:
    async with running(by_length) as server:
        reranker = HttpReranker(server.url, "rerank-v3.5", "secret", 60.0)
        assert await reranker.score("질문", ["abc", "a", "abcdef"]) == [3, 1, 6]
        await reranker.close()
    asked = {"query": "질문", "documents": ["abc", "a", "abcdef"], "top_n": 3}
    assert server.asked == [{"model": "rerank-v3.5", **asked}]
    assert server.keys == ["Bearer secret"]


async def test_a_single_model_server_is_asked_in_its_own_shape() -> None:
    def scores(body: dict[str, Any]) -> list[dict[str, Any]]:
        return [{"index": index, "score": -index} for index in range(len(body["texts"]))][::-1]

    async with running(scores) as server:
        reranker = HttpReranker(server.url, None, None, 60.0)
        assert await reranker.score("q", ["a", "b"]) == [0, -1]
        await reranker.close()
    assert server.asked == [{"query": "q", "texts": ["a", "b"], "truncate": True}]
    assert server.keys == [None]


BAD: list[Any] = [
    b"{",
    [],
    {"results": []},
    {"results": [{"index": 0, "relevance_score": 1.0}]},
    {"results": [{"index": n, "relevance_score": 1.0} for n in (0, 1, 2)]},
    {"results": [{"index": n, "relevance_score": "high"} for n in (0, 1)]},
    b'{"results": [{"index": 0, "relevance_score": NaN}, {"index": 1, "relevance_score": 1}]}',
]


@pytest.mark.parametrize("answer", BAD)
async def test_an_answer_that_makes_no_sense_is_no_answer(answer: Any) -> None:
    async with running(lambda _: answer) as server:
        reranker = HttpReranker(server.url, "m", None, 60.0)
        with pytest.raises(OptionalServiceDown, match="reranker"):
            await reranker.score("q", ["a", "b"])
        await reranker.close()


async def test_a_server_that_drips_is_not_waited_for() -> None:
    async with running(by_length) as server:
        server.pause = 0.1
        reranker = HttpReranker(server.url, "m", None, 0.3)
        async with asyncio.timeout(60):
            with pytest.raises(OptionalServiceDown):
                await reranker.score("q", ["a", "b"])
        await reranker.close()


async def test_one_that_keeps_failing_is_left_alone_and_tried_again_later() -> None:
    at = 0.0
    async with running(by_length) as server:
        server.status = 503
        reranker = HttpReranker(server.url, "m", None, 60.0, now=lambda: at)
        for _ in range(5):
            with pytest.raises(OptionalServiceDown):
                await reranker.score("q", ["a"])
        assert len(server.asked) == 3
        server.status, at = 200, 60.0
        assert await reranker.score("q", ["a"]) == [1]
        await reranker.close()


@pytest.mark.requirement("LB5")
async def test_the_reranker_decides_the_order_and_its_failure_leaves_the_fused_one(
    databases: Databases,
) -> None:
    files = {f"g{n}.md": f"# 비용 안내 {n}\n\n비용 {'절감 ' * n}끝." for n in range(6)}
    async with new_stack(databases) as plain:
        await bring_in(plain, files)
        fused = [hit["document"]["document_id"] for hit in (await search(plain, "비용"))["found"]]
        key = plain.tenant

        async with running(by_length) as server:
            setting = {
                "reranker_url": server.url,
                "reranker_model": "m",
                "reranker_timeout_seconds": 60,
            }
            async with new_stack(databases, settings=setting) as stack:
                stack.tenant = key
                everything = await search(stack, "비용")
                guides = await search(stack, "비용", types=["guide"], faq=0, other=3)
                server.status = 500
                without = await search(stack, "비용")

    names = [hit["document"]["document_id"] for hit in everything["found"]]
    assert names == [f"g{n}.md" for n in (5, 4, 3, 2, 1, 0)] != fused
    assert everything["degraded"] == []
    assert [hit["document"]["document_id"] for hit in guides["found"]] == names[:3]
    assert [hit["document"]["document_id"] for hit in without["found"]] == fused
    assert without["degraded"] == ["reranker"]
    assert {hit["reranked"] for hit in without["found"]} == {None}
    assert "비용 안내 5" in server.asked[0]["documents"][fused.index("g5.md")]
