"""The services under test: real stores, fakes only for what is outside."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import psycopg
import uvicorn
from fastapi import FastAPI
from pydantic import SecretStr

from benchmarks.doubles import patience
from benchmarks.doubles.embedders import HashEmbedder
from saegim.api.app import create_app
from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.auth.tenants import NewTenant
from saegim.auth.types import ActAs
from saegim.db.cells import HOME_CELL
from saegim.domain.errors import OptionalServiceDown
from saegim.domain.ids import SystemClock
from saegim.domain.scope import Caller
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key
from saegim.jobs.types import WorkerTimes
from saegim.localservers.servers import LocalServers

JOB = """
    insert into procrastinate_jobs (queue_name, task_name, status, priority, args)
    values ('default', %s, %s, -1, jsonb_build_object('tenant', %s::text, 'subject', %s::text))
    returning id
"""
FAILURE = "insert into job_failure values (%s, 5, 'StoreUnavailable', now())"
GENEROUS = "key requests 6000/60, user requests 6000/60, tenant requests 12000/60"
MASTER_KEY = format_master_key(new_key())


@dataclass(frozen=True)
class Databases:
    """The stores of one test module."""

    servers: LocalServers
    data: str
    keyring: str
    index: Path | None = None
    cluster_url: str | None = None

    @property
    def admin_url(self) -> str:
        return self.servers.postgres.url(self.data)

    @property
    def app_url(self) -> str:
        return self.servers.postgres.url(self.data, user="saegim_app")

    def settings(self) -> Settings:
        return self._settings.model_copy()

    @cached_property
    def _settings(self) -> Settings:
        return Settings(
            postgres_url=SecretStr(self.app_url),
            postgres_admin_url=SecretStr(self.admin_url),
            keyring_url=SecretStr(self.servers.postgres.url(self.keyring)),
            redis_url=SecretStr(self.cluster_url or self.servers.valkey.url),
            redis_cluster=self.cluster_url is not None,
            master_key=SecretStr(MASTER_KEY),
            index_url=str(self.index) if self.index else None,
            # Tests send more at once than people do.
            limits=GENEROUS,
            requests_at_once_per_user=64,
            turns_at_once_per_user=64,
        )


@dataclass
class Stack:
    """Services with a tenant, and the ways tests reach them."""

    services: Services
    tenant: NewTenant
    databases: Databases
    http: httpx2.AsyncClient = field(repr=False)

    def headers(self, user: str = "alice", **more: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tenant.key}", "Saegim-User": user, **more}

    async def caller(self, user: str = "alice", profile: str | None = None) -> Caller:
        return await self.services.auth.authentication.authenticate(
            self.tenant.key, ActAs(user, profile)
        )

    def store_under_old_rules(self) -> None:
        """Mark the memories as those of a release before rules were mended."""
        with psycopg.connect(self.databases.admin_url, autocommit=True) as admin:
            mark = b"update saegim.memory set under_old_rules = true where tenant_id = %s"
            admin.execute(mark, (self.tenant.tenant.id,))

    def job(self, status: str, kind: str = "index_episode") -> int:
        """A job of the tenant in the line, as if it had come to this; one that failed says why."""
        with psycopg.connect(self.databases.admin_url, autocommit=True) as admin:
            admin.execute("set search_path = saegim")
            row = admin.execute(JOB, (kind, status, self.tenant.tenant.id, uuid4())).fetchone()
            assert row is not None, "it was inserted"
            if status == "failed":
                admin.execute(FAILURE, row)
        return row[0]

    async def say(self, message: str, user: str = "alice", **headers: str) -> dict[str, Any]:
        """One message through the API; the reply as JSON."""
        response = await self.http.post(
            "/v1/chat", json={"message": message}, headers=self.headers(user, **headers)
        )
        assert response.status_code == 200, response.text
        return response.json()

    async def redis_answers(self) -> None:
        """Waits until Redis does: a client learns of a cluster's masters on first use."""
        async with asyncio.timeout(120):
            while True:
                with contextlib.suppress(OptionalServiceDown):
                    return await self.services.db.redis.ping()
                await asyncio.sleep(0.1)

    async def folded(self, session: str, through: int, user: str = "alice") -> dict[str, Any]:
        """The session's context, once its turns up to a number are folded."""
        async with asyncio.timeout(180):
            while (context := await self.context(session, user))["summarised_through"] < through:
                await asyncio.sleep(0.02)
        return context

    async def context(self, session: str, user: str = "alice") -> dict[str, Any]:
        """What the model would see of a session, as JSON."""
        response = await self.http.get(
            f"/v1/sessions/{session}/context", headers=self.headers(user)
        )
        assert response.status_code == 200, response.text
        return response.json()

    @contextlib.asynccontextmanager
    async def working(self, times: WorkerTimes | None = None) -> AsyncIterator[None]:
        """A worker at work in the background."""
        worker = self.services.worker(times or patience.PATIENT_WORKER)
        task = asyncio.create_task(worker.run())
        try:
            yield
        finally:
            worker.stop()
            await asyncio.wait_for(task, 120)


async def while_asking(asking: "asyncio.Task[Any]", holds: Callable[[], object]) -> None:
    """Waits until something holds of a turn that is being answered; one that ends before fails."""
    while not holds():
        assert not asking.done(), asking.result()
        await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def served(
    services: Services, make: Callable[[Services], FastAPI] = create_app
) -> AsyncIterator[httpx2.AsyncClient]:
    """The app behind a real socket, for what only a socket shows: streaming, dropped clients."""
    config = uvicorn.Config(make(services), port=0, log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
            yield client
    finally:
        server.should_exit = True
        await task


@dataclass(frozen=True)
class ServerEvent:
    """One server-sent event as a client reads it."""

    name: str
    id: str
    data: dict[str, Any]


async def read_events(response: httpx2.Response) -> AsyncIterator[ServerEvent]:
    """The events of a streamed response; comments are passed over."""
    fields: dict[str, str] = {}
    async for line in response.aiter_lines():
        if not line and fields:
            data = json.loads(fields.get("data", "{}"))
            yield ServerEvent(fields.get("event", ""), fields.get("id", ""), data)
            fields = {}
        elif line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value


class NoonClock(SystemClock):
    """The time since noon: no day ends during a test."""

    def __init__(self) -> None:
        self._noon = super().now().replace(hour=12, minute=0)
        self._began = time.monotonic()

    def now(self) -> datetime:
        return self._noon + timedelta(seconds=time.monotonic() - self._began)


class LateClock(SystemClock):
    def now(self) -> datetime:
        return super().now() + timedelta(minutes=1)


async def seal_audit(stack: Stack) -> None:
    """Seals the tenant's audit trail as it is now; fresh events have to settle first."""
    settings, tenant = stack.databases.settings(), stack.tenant.tenant.id
    later = build(settings, patient(Fakes(clock=LateClock())))
    await later.open()
    try:
        assert await later.audit.trail.seal(tenant, tenant) > 0
    finally:
        await later.close()


@contextlib.asynccontextmanager
async def new_stack(
    databases: Databases,
    fakes: Fakes | None = None,
    name: str = "새김 상사",
    settings: Mapping[str, Any] | None = None,
    tenant: NewTenant | None = None,
) -> AsyncIterator[Stack]:
    """Services, a tenant of their own, where none is given, and an HTTP client that talks to the
    app in process."""
    async with open_services(databases, fakes, settings) as services:
        if tenant is None:
            tenant = await services.auth.tenants.create(name, "ko", HOME_CELL)
        transport = httpx2.ASGITransport(app=create_app(services))
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as http:
            yield Stack(services, tenant, databases, http)


def patient(fakes: Fakes) -> Fakes:
    """Fakes with a small embedder, unless another is given, and with patience."""
    return patience.patient(replace(fakes, embedder=fakes.embedder or HashEmbedder()))


@contextlib.asynccontextmanager
async def open_services(
    databases: Databases, fakes: Fakes | None = None, settings: Mapping[str, Any] | None = None
) -> AsyncIterator[Services]:
    """Services on the databases."""
    changed = databases.settings().model_copy(update=settings or {})
    services = build(changed, patient(fakes or Fakes()))
    await services.open()
    try:
        yield services
    finally:
        await services.close()
