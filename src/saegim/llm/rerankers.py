"""Rerankers over HTTP: Cohere's API, which many support, and that of a single-model server."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx2
from pydantic import AliasChoices, BaseModel, Field, FiniteFloat, TypeAdapter

from saegim.domain.errors import OptionalServiceDown
from saegim.llm.metering import Breaker

PART = "reranker"


class _Score(BaseModel):
    index: int
    score: FiniteFloat = Field(validation_alias=AliasChoices("relevance_score", "score"))


class _Results(BaseModel):
    results: list[_Score]


_SCORES = TypeAdapter(list[_Score])


class HttpReranker:
    """Calls a rerank API, with a circuit breaker."""

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
            # The client's timeout is per read, which a slowly dripping server never reaches.
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
        query = {"query": question, "documents": list(texts), "top_n": len(texts)}
        return {"model": self._model, **query}

    def _read(self, content: bytes) -> dict[int, float]:
        if self._model is None:
            scores = _SCORES.validate_json(content)
        else:
            scores = _Results.model_validate_json(content).results
        return {each.index: each.score for each in scores}


def in_order(scores: Mapping[int, float], count: int) -> list[float]:
    """Return the scores in order. Raises ValueError if they do not match the texts."""
    if sorted(scores) != list(range(count)):
        raise ValueError("the reranker did not score every text")
    return [scores[index] for index in range(count)]
