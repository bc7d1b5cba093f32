"""The whole stack as separate processes on loopback, each of which can be killed."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import httpx2
import psycopg
from pydantic import SecretStr

from saegim.adapters.keyring import store as keyring_store
from saegim.adapters.keyring.cipher import new_key
from saegim.adapters.keyring.keyring import format_master_key
from saegim.adapters.local.postgres import LocalPostgres
from saegim.adapters.local.valkey import LocalValkey, find_free_port
from saegim.adapters.postgres.cells import HOME_CELL
from saegim.adapters.postgres.migrate import ensure_database, migrate
from saegim.bootstrap import build
from saegim.settings import Settings

UNSETTLED = b"select count(*) from saegim.turn where state in ('received', 'running')"
# Clean-up waits for tomorrow, and folds for a model that can summarise.
WAITING = b"""
select count(*) from saegim.procrastinate_jobs
where status in ('todo', 'doing') and task_name not in ('clean_up', 'fold')
"""
EPISODES = b"select last_turn from saegim.episode where session_id = %s"


@dataclass
class LiveStack:
    """Postgres, Valkey, an API and workers."""

    folder: Path
    postgres: LocalPostgres
    valkey: LocalValkey
    environment: dict[str, str]
    port: int
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    _turn: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @classmethod
    @contextlib.asynccontextmanager
    async def start(
        cls,
        folder: Path,
        model_url: str | None = None,
        workers: int = 2,
        settings: Mapping[str, str] | None = None,
    ) -> AsyncGenerator[Self]:
        """Everything up and ready, with further settings; everything down at the end."""
        postgres = LocalPostgres.start(folder / "postgres")
        valkey = LocalValkey.start(folder / "valkey")
        for name in ("saegim", "keyring"):
            ensure_database(postgres.url(), name)
        app = postgres.url("saegim", user="saegim_app")
        migrate(postgres.url("saegim"), app)
        keyring_store.prepare(postgres.url("keyring"))
        environment = {
            "SAEGIM_POSTGRES_URL": app,
            "SAEGIM_POSTGRES_ADMIN_URL": postgres.url("saegim"),
            "SAEGIM_KEYRING_URL": postgres.url("keyring"),
            "SAEGIM_REDIS_URL": valkey.url,
            "SAEGIM_MASTER_KEY": format_master_key(new_key()),
            "SAEGIM_DATA": str(folder / "data"),
        }
        if model_url is not None:
            environment |= {
                "SAEGIM_MODELS": "compatible",
                "SAEGIM_MODELS_BASE_URL": model_url,
                "SAEGIM_MODEL": "local",
            }
        environment |= settings or {}
        stack = cls(folder, postgres, valkey, environment, find_free_port())
        stack._spawn("api", "serve", "--port", str(stack.port))
        for number in range(workers):
            stack._spawn(f"worker-{number}", "worker")
        try:
            await stack.ready(180)
            yield stack
        finally:
            for process in stack.processes.values():
                process.kill()
                process.wait()
            stack.valkey.stop()
            stack.postgres.stop()

    def settings(self) -> Settings:
        """The settings of the stack, for a look from outside."""
        values = {
            name.removeprefix("SAEGIM_").lower(): value for name, value in self.environment.items()
        }
        return Settings.model_validate(
            {
                name: SecretStr(value) if "url" in name or "key" in name else value
                for name, value in values.items()
                if name != "models_base_url"
            }
            | {"models_base_url": values.get("models_base_url")}
        )

    async def new_tenant(self, name: str) -> str:
        """A tenant; its key."""
        services = build(self.settings())
        await services.open()
        try:
            return (await services.tenants.create(name, "ko", HOME_CELL)).key
        finally:
            await services.close()

    async def ready(self, seconds: float) -> None:
        """Waits until the API serves."""
        end = time.monotonic() + seconds
        async with httpx2.AsyncClient(base_url=self.url, timeout=2) as http:
            while time.monotonic() < end:
                with contextlib.suppress(httpx2.TransportError):
                    if (await http.get("/health/ready")).status_code == 200:
                        return
                await asyncio.sleep(0.1)
        raise TimeoutError("the API is not ready")

    async def kill(self, victim: str) -> None:
        """SIGKILL, and up again at once."""
        match victim:
            case "postgres":
                await asyncio.to_thread(self._restart_postgres)
            case "valkey":
                await asyncio.to_thread(self._restart_valkey)
            case "worker":
                workers = [name for name in self.processes if name.startswith("worker")]
                self._turn += 1
                await self._respawn(workers[self._turn % len(workers)], "worker")
            case "api":
                await self._respawn("api", "serve", "--port", str(self.port))
            case _:
                raise ValueError(victim)

    async def settle(self, seconds: float) -> None:
        """Waits until no turn and no job is on its way."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not await asyncio.to_thread(self._moving):
                return
            await asyncio.sleep(0.5)

    async def episodes(self, session: str) -> list[int]:
        """The last turns of a session's episodes, as stored."""

        def read() -> list[int]:
            with psycopg.connect(self.postgres.url("saegim")) as connection:
                return [row[0] for row in connection.execute(EPISODES, (session,))]

        return await asyncio.to_thread(read)

    def count(self, query: bytes) -> int:
        """What a query that counts says."""
        with psycopg.connect(self.postgres.url("saegim")) as connection:
            row = connection.execute(query).fetchone()
        return row[0] if row else 0

    def _moving(self) -> bool:
        return any(self.count(query) for query in (UNSETTLED, WAITING))

    def _restart_postgres(self) -> None:
        self.postgres.kill()
        self.postgres = LocalPostgres.start(self.folder / "postgres")

    def _restart_valkey(self) -> None:
        port = self.valkey.port
        self.valkey.kill()
        self.valkey = LocalValkey.start(self.folder / "valkey", port)

    async def _respawn(self, name: str, *arguments: str) -> None:
        process = self.processes[name]
        process.send_signal(signal.SIGKILL)
        await asyncio.to_thread(process.wait)
        self._spawn(name, *arguments)

    def _spawn(self, name: str, *arguments: str) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", "saegim.entrypoints.cli.main", *arguments],
                env=os.environ | self.environment,
                stdout=log,
                stderr=log,
            )
