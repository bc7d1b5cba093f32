"""A tenant with a small library, and models that follow a script."""

import contextlib
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import redis

from benchmarks.doubles.models import RecordedRequest, Reply, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.auth.tenants import NewTenant
from saegim.chat.escalation import DraftAnswer, SelfScore
from saegim.chat.review import SearchReview
from saegim.chat.types import TurnTimes
from saegim.llm.ports import Embedder, ModelRole, Models
from tests.conftest import TEMPLATES, copied, copy_databases
from tests.integration.library.conftest import GUIDE, bring_in
from tests.stack import Databases, Stack, new_stack

SERVICE = """---
id: myservice-29392
type: myservice
title: SUPRA XP 펌프 교체 이력
---
# SUPRA XP 펌프 교체 이력

SUPRA XP 장비의 드라이 펌프를 교체한 기록입니다.

1. 챔버를 대기압으로 만든다.
2. 펌프 전원을 끈다.
3. 새 펌프를 연결하고 누설을 확인한다.
"""

SENSOR = """---
id: ts-501
type: ts
title: SUPRA XP 센서 이상 조치
---
# SUPRA XP 센서 이상 조치

SUPRA XP 센서 이상이 나타나면 센서 케이블을 먼저 확인합니다. 값이 5.2 V를 넘으면 센서를 교체합니다.
"""

FAQ = """---
id: faq-1
type: faq
title: 비용 알림은 어떻게 받나요?
---
# 비용 알림은 어떻게 받나요?

예산 메뉴에서 알림을 켜면 예산의 80%를 넘을 때 이메일을 받습니다.
"""

LIBRARY: Mapping[str, str] = {
    "ec2.md": GUIDE, "pump.md": SERVICE, "sensor.md": SENSOR, "faq.md": FAQ
}  # fmt: skip


# Every search is reviewed by a model, and unsure answers are drafted.
CAREFUL: Mapping[str, Any] = {
    "review": True, "two_stage": True, "thresholds": {"review": 1.0}
}  # fmt: skip


def reviewed(*ranked: int, confidence: float = 0.9, **values: Any) -> SearchReview:
    sufficient = values.pop("is_sufficient", confidence >= 0.5)
    return SearchReview(
        ranked_indices=list(ranked), is_sufficient=sufficient, confidence=confidence, **values
    )


def drafted(text: str, overall: float = 0.9, risk: float = 0.1, **values: Any) -> DraftAnswer:
    score = SelfScore(accuracy=overall, completeness=overall, risk=risk, overall=overall)
    return DraftAnswer(draft=text, self_score=score, **values)


def assessor(
    review: Callable[[RecordedRequest], Reply] | SearchReview | None = None,
) -> Callable[[RecordedRequest], Reply]:
    """A model that reviews searches."""

    def play(shown: RecordedRequest) -> Reply:
        script = reviewed(0, 1) if review is None else review
        return script(shown) if callable(script) else script

    return play


def scripted(**scripts: Any) -> ScriptedModels:
    return ScriptedModels({ModelRole(role): script for role, script in scripts.items()})


@contextlib.asynccontextmanager
async def library_stack(
    databases: Databases,
    models: ScriptedModels | None = None,
    files: Mapping[str, str] = LIBRARY,
    settings: Mapping[str, Any] | None = None,
    *,
    heads_embedder: Embedder | None = None,
    careful: bool = False,
) -> AsyncIterator[Stack]:
    """A stack with the files in its library. If `careful`, every search is reviewed."""
    fakes = Fakes(models=models, heads_embedder=heads_embedder)
    async with new_stack(databases, fakes, settings=settings) as stack:
        await stack.services.warm_up()
        if files:
            await bring_in(stack, files)
        if careful:
            await configure(stack, **CAREFUL)
        yield stack


@dataclass(frozen=True)
class StoredLibrary:
    """A tenant with `LIBRARY` imported, in databases without connections."""

    tenant: NewTenant
    databases: Databases

    @contextlib.contextmanager
    def copied(self) -> Iterator[Databases]:
        """Databases and an index of one's own with this tenant in them."""
        assert self.databases.index is not None
        name, sources = f"l_{uuid4().hex[:12]}", (self.databases.data, self.databases.keyring)
        index = self.databases.index.with_name(name)
        shutil.copytree(self.databases.index, index)
        try:
            with copied(self.databases.servers, name, index, sources) as databases:
                yield databases
        finally:
            shutil.rmtree(index)


_STORED = dict[str, StoredLibrary]()


async def _stored(databases: Databases) -> StoredLibrary:
    """Brings the documents in once for each server, not once for each test."""
    if (url := databases.servers.postgres.url()) not in _STORED:
        assert databases.index is not None
        # A name of its own each time: one that failed is not in the way of the next.
        name = f"library_{uuid4().hex[:12]}"
        index = databases.index.with_name(name)
        own = copy_databases(databases.servers, name, index, TEMPLATES)
        async with library_stack(own) as stack:
            _STORED[url] = StoredLibrary(stack.tenant, own)
    return _STORED[url]


@contextlib.asynccontextmanager
async def stored_library_stack(
    databases: Databases,
    models: Models | None = None,
    settings: Mapping[str, Any] | None = None,
    tool_seconds: float | None = None,
    turn_times: TurnTimes | None = None,
    *,
    heads_embedder: Embedder | None = None,
    careful: bool = False,
) -> AsyncIterator[Stack]:
    """A stack with `LIBRARY` imported, in its own databases. If `careful`, every search is
    reviewed."""
    stored = await _stored(databases)
    with stored.copied() as own, redis.Redis.from_url(own.servers.valkey.url) as valkey:
        # The tenant is the same in every copy; what Valkey knows of it is of another.
        valkey.flushdb()
        fakes = Fakes(
            models=models,
            heads_embedder=heads_embedder,
            tool_seconds=tool_seconds,
            turn_times=turn_times,
        )
        async with new_stack(own, fakes, settings=settings, tenant=stored.tenant) as stack:
            await stack.services.warm_up()
            if careful:
                await configure(stack, **CAREFUL)
            yield stack


async def ask(stack: Stack, message: str, user: str = "alice", **body: Any) -> dict[str, Any]:
    """Sends one message; returns the reply with its trace."""
    response = await stack.http.post(
        "/v1/chat",
        json={"message": message, **body},
        headers=stack.headers(user, **{"Saegim-Session": "s"}),
    )
    assert response.status_code == 200, response.text
    return response.json() | {"trace": await trace(stack, response.json()["turn_id"], user)}


async def trace(stack: Stack, turn: str, user: str = "alice") -> dict[str, Any]:
    response = await stack.http.get(f"/v1/turns/{turn}/trace", headers=stack.headers(user))
    assert response.status_code == 200, response.text
    return response.json()["trace"]


async def configure(stack: Stack, **config: Any) -> None:
    response = await stack.http.put(
        "/v1/assistant/config", json=config, headers=stack.headers("admin")
    )
    assert response.status_code == 200, response.text
