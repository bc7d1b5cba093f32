"""Rerank APIs over HTTP: Cohere's shape, which many speak, and that of a single-model server."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx2
from pydantic import BaseModel, FiniteFloat, TypeAdapter

from saegim.domain.errors import OptionalServiceDown
from saegim.llm.metering import Breaker

PART = "reranker"


class _Result(BaseModel):
    index: int
    relevance_score: FiniteFloat


class _Results(BaseModel):
    results: list[_Result]


class _Score(BaseModel):
    index: int
    score: FiniteFloat


_SCORES = TypeAdapter(list[_Score])


class HttpReranker:
    """Asks a rerank API; one that keeps failing is left alone for a while."""

    def __init__(
        self,
        url: str,
        model: str | None,
        api_key: str | None,
        seconds: float,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = url
        self._model = model
        self._seconds = seconds
        self._breaker = Breaker(now)
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._http = httpx2.AsyncClient(headers=headers, timeout=seconds, trust_env=False)

    async def close(self) -> None:
        await self._http.aclose()

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        if not self._breaker.admits():
            raise OptionalServiceDown(PART)
        try:
            # A timeout of the client is per read: a server that drips would pass it for ever.
            async with asyncio.timeout(self._seconds):
                response = await self._http.post(self._url, json=self._body(question, texts))
            scores = in_order(self._read(response.raise_for_status().content), len(texts))
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, ValueError) as fault:
            self._breaker.failed()
            raise OptionalServiceDown(PART) from fault
        self._breaker.succeeded()
        return scores

    def _body(self, question: str, texts: Sequence[str]) -> Mapping[str, Any]:
        if self._model is None:
            return {"query": question, "texts": list(texts), "truncate": True}
        asked = {"query": question, "documents": list(texts), "top_n": len(texts)}
        return {"model": self._model, **asked}

    def _read(self, content: bytes) -> dict[int, float]:
        if self._model is None:
            return {one.index: one.score for one in _SCORES.validate_json(content)}
        results = _Results.model_validate_json(content).results
        return {one.index: one.relevance_score for one in results}


def in_order(scores: Mapping[int, float], count: int) -> list[float]:
    """A score for each text; an answer that leaves one out, or names another, is no answer."""
    if sorted(scores) != list(range(count)):
        raise ValueError("the reranker did not score every text")
    return [scores[index] for index in range(count)]
