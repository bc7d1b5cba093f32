"""Answers of another OpenAI-compatible server."""

import os
from dataclasses import dataclass, field
from typing import Any

import httpx2

from benchmarks.turn_model.model_server import ModelAnswer, ModelRequest

SECONDS = 86_400.0


@dataclass
class OpenAISource:
    """Passes requests on. The names of models are set by MODEL_NAME and SMALL_MODEL_NAME, else they
    are those of the roles; the key by MODEL_KEY."""

    url: str
    http: httpx2.AsyncClient = field(
        default_factory=lambda: httpx2.AsyncClient(timeout=SECONDS), repr=False
    )

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        name = os.environ.get("MODEL_NAME", request.role)
        if request.is_background:
            name = os.environ.get("SMALL_MODEL_NAME", name)
        body = {k: v for k, v in request.body.items() if not k.startswith("stream")}
        key = os.environ.get("MODEL_KEY", "none")
        response = await self.http.post(
            f"{self.url.rstrip('/')}/chat/completions",
            json=body | {"model": name},
            headers={"Authorization": f"Bearer {key}"},
        )
        response.raise_for_status()
        message: dict[str, Any] = response.json()["choices"][0]["message"]
        calls = [each["function"] for each in message.get("tool_calls") or ()]
        return ModelAnswer(
            message.get("content") or "",
            tuple((each["name"], each["arguments"]) for each in calls),
        )
