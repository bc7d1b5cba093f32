"""The whole stack as separate processes on loopback, each of which can be killed."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import httpx2
import psycopg
from pydantic import SecretStr

from benchmarks.doubles.patience import patient
from benchmarks.prepared_cluster import DATA, KEYRING, copy_cluster, migrate_databases
from saegim.app.container import build
from saegim.app.infrastructure import Fakes
from saegim.app.settings import Settings
from saegim.db.cells import HOME_CELL
from saegim.db.migrate import ensure_database
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key
from saegim.llm.providers import HOSTED
from saegim.localservers.postgres import LocalPostgres
from saegim.localservers.valkey import LocalValkey, find_free_port

GENEROUS = "key requests 6000/60, user requests 6000/60, tenant requests 12000/60"
UNSETTLED = b"select count(*) from saegim.turn where state in ('received', 'running')"
# Jobs not to wait for: maintenance is due in hours, and summaries need a model.
WAITING = b"""
select count(*) from saegim.procrastinate_jobs
where status in ('todo', 'doing') and task_name not in ('clean_up', 'summarise')
    and (scheduled_at is null or attempts > 0 or scheduled_at < now() + interval '1 minute')
"""
EPISODES = b"select last_turn from saegim.episode where session_id = %s"


# Limits that a stack raises unless it imitates an installation: its load comes from few users.
RAISED = {
    "limits": GENEROUS,
    "requests_at_once_per_user": "64",
    "turns_at_once_per_user": "64",
}
# The model server makes the vectors: no process loads the bundled embedder.
SERVED_EMBEDDER = {"SAEGIM_EMBEDDER_MODEL": "local", "SAEGIM_EMBEDDER_DIMENSIONS": "64"}


def usual(*names: str) -> dict[str, str]:
    """Returns the product's defaults of the settings that a stack raises, or of those named."""
    defaults = Settings.model_fields
    return {f"SAEGIM_{name.upper()}": str(defaults[name].default) for name in names or RAISED}


def hosted() -> dict[str, str]:
    """Returns the time limits of a hosted model: one on this machine would be asked once a turn."""
    limits = {
        "STEP": HOSTED.step,
        "FIRST_TOKEN": HOSTED.first_token,
        "TURN": HOSTED.turn,
        "BACKGROUND": HOSTED.background,
    }
    return {f"SAEGIM_MODEL_{name}_SECONDS": str(seconds) for name, seconds in limits.items()}


@dataclass(frozen=True, slots=True)
class Places:
    """Where the API runs and the addresses of its stores: by default on loopback with sockets,
    otherwise in its own network. Workers always run beside the stores. `more` are additional
    settings of all processes; `source` is the code of another release."""

    api: str = "127.0.0.1"
    api_inside: Sequence[str] = ()
    postgres: str | None = None
    valkey: str | None = None
    net: str | None = None
    postgres_settings: Mapping[str, str] = field(default_factory=dict[str, str])
    more: Mapping[str, str] = field(default_factory=dict[str, str])
    source: Path | None = None

    def code(self) -> dict[str, str]:
        """Returns the environment that runs another release."""
        return {} if self.source is None else {"PYTHONPATH": str(self.source)}

    def start_postgres(self, folder: Path) -> LocalPostgres:
        listen = {} if self.postgres is None else {"listen_addresses": self.postgres}
        if self.source is None:
            copy_cluster(folder)
        return LocalPostgres.start(folder, {**self.postgres_settings, **listen}, timeout=90)

    def start_valkey(self, folder: Path, port: int | None = None) -> LocalValkey:
        if self.valkey is None:
            return LocalValkey.start(folder, port)
        both = {"bind": f"127.0.0.1 {self.valkey}", "protected-mode": "no"}
        return LocalValkey.start(folder, port, settings=both)

    def let_in(self, postgres: LocalPostgres, folder: Path) -> None:
        """Makes Postgres trust the API's network."""
        if self.net is None:
            return
        with (folder / "data" / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {self.net} trust\n")
        with psycopg.connect(postgres.url(), autocommit=True) as connection:
            connection.execute(b"select pg_reload_conf()")

    def seen_by_api(self, environment: Mapping[str, str], valkey: LocalValkey) -> dict[str, str]:
        """Returns the environment with the addresses that the API uses."""
        if self.postgres is None:
            return dict(environment)
        return dict(environment) | {
            "SAEGIM_POSTGRES_URL": f"postgresql://saegim_app@{self.postgres}:5432/saegim",
            "SAEGIM_KEYRING_URL": f"postgresql://postgres@{self.postgres}:5432/keyring",
            "SAEGIM_REDIS_URL": f"redis://{self.valkey}:{valkey.port}/0",
        }


ALONE = Places()


@dataclass
class LiveStack:
    """Postgres, Valkey, an API and workers."""

    folder: Path
    postgres: LocalPostgres
    valkey: LocalValkey
    environment: dict[str, str]
    port: int
    places: Places = ALONE
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    _turn: int = 0

    @property
    def url(self) -> str:
        return f"http://{self.places.api}:{self.port}"

    @classmethod
    @contextlib.asynccontextmanager
    async def start(
        cls,
        folder: Path,
        model_url: str | None = None,
        workers: int = 2,
        settings: Mapping[str, str] | None = None,
        places: Places = ALONE,
    ) -> AsyncGenerator[Self]:
        """Starts everything with additional settings, and stops it at the end."""
        postgres = places.start_postgres(folder / "postgres")
        valkey = places.start_valkey(folder / "valkey")
        places.let_in(postgres, folder / "postgres")
        app = postgres.url("saegim", user="saegim_app")
        environment = {
            "SAEGIM_POSTGRES_URL": app,
            "SAEGIM_POSTGRES_ADMIN_URL": postgres.url("saegim"),
            "SAEGIM_KEYRING_URL": postgres.url("keyring"),
            "SAEGIM_REDIS_URL": valkey.url,
            "SAEGIM_MASTER_KEY": format_master_key(new_key()),
            "SAEGIM_DATA": str(folder / "data"),
            **{f"SAEGIM_{name.upper()}": value for name, value in RAISED.items()},
            **places.more,
        }
        if places.source is None:
            migrate_databases(postgres)
        else:
            for name in (DATA, KEYRING):
                ensure_database(postgres.url(), name)
            command = [sys.executable, "-m", "saegim.cli.main", "migrate"]
            subprocess.run(command, env=os.environ | environment | places.code(), check=True)  # noqa: ASYNC221 - nothing runs beside it yet
        if model_url is not None:
            environment |= {
                "SAEGIM_PROVIDER": "compatible",
                "SAEGIM_PROVIDER_BASE_URL": model_url,
                "SAEGIM_MODEL": "local",
            }
        environment |= settings or {}
        stack = cls(folder, postgres, valkey, environment, find_free_port(), places)
        stack.spawn("api")
        for number in range(workers):
            stack.spawn(f"worker-{number}")
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
        """Returns the settings of the stack, for inspection."""
        values = {
            name.removeprefix("SAEGIM_").lower(): value for name, value in self.environment.items()
        }
        return Settings.model_validate(
            {
                name: SecretStr(value) if "url" in name or "key" in name else value
                for name, value in values.items()
                if name not in ("provider_base_url", "cells")
            }
            | {"provider_base_url": values.get("provider_base_url")}
            | {"cells": json.loads(values.get("cells", "{}"))}
        )

    async def command(self, *arguments: str) -> asyncio.subprocess.Process:
        """Starts an operator's command."""
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "saegim.cli.main",
            *arguments,
            env=os.environ | self.environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )

    async def new_tenant(self, name: str) -> str:
        """Creates a tenant; returns its key."""
        services = build(self.settings(), patient(Fakes()))
        await services.open()
        try:
            return (await services.auth.tenants.create(name, "ko", HOME_CELL)).key
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
        """Sends SIGKILL and restarts the process."""
        match victim:
            case "postgres":
                await asyncio.to_thread(self.restart_postgres)
            case "valkey":
                await asyncio.to_thread(self._restart_valkey)
            case "worker":
                await self._respawn(self.next_worker())
            case "api":
                await self._respawn("api")
            case _:
                raise ValueError(victim)

    def next_worker(self) -> str:
        """Returns the workers in rotation."""
        workers = [name for name in self.processes if name.startswith("worker")]
        self._turn += 1
        return workers[self._turn % len(workers)]

    async def settle(self, seconds: float) -> bool:
        """Waits until no turn or job is running; returns whether that happened."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not await asyncio.to_thread(self._moving):
                return True
            await asyncio.sleep(0.5)
        return False

    async def episodes(self, session: str, cell: LocalPostgres | None = None) -> list[int]:
        """Returns the last turns of a session's episodes, in this or another cell."""
        store = cell or self.postgres

        def read() -> list[int]:
            with psycopg.connect(store.url("saegim")) as connection:
                return [row[0] for row in connection.execute(EPISODES, (session,))]

        return await asyncio.to_thread(read)

    def count(self, query: bytes) -> int:
        """Returns the result of a counting query."""
        with psycopg.connect(self.postgres.url("saegim")) as connection:
            row = connection.execute(query).fetchone()
        return row[0] if row else 0

    def change(self, statement: bytes) -> None:
        """Changes rows in a way that no interface offers."""
        with psycopg.connect(self.postgres.url("saegim")) as connection:
            connection.execute(b"set search_path to saegim, public")
            connection.execute(statement)

    def _moving(self) -> bool:
        return any(self.count(query) for query in (UNSETTLED, WAITING))

    def restart_postgres(self) -> None:
        self.postgres.kill()
        self.postgres = self.places.start_postgres(self.folder / "postgres")

    def _restart_valkey(self) -> None:
        port = self.valkey.port
        self.valkey.kill()
        self.valkey = self.places.start_valkey(self.folder / "valkey", port)

    async def _respawn(self, name: str) -> None:
        process = self.processes[name]
        process.send_signal(signal.SIGKILL)
        await asyncio.to_thread(process.wait)
        self.spawn(name)

    def spawn(self, name: str, *options: str) -> None:
        """Starts the API, or a worker by its name."""
        serve = ("serve", "--host", self.places.api, "--port", str(self.port))
        self._spawn(name, *(serve if name == "api" else ("worker",)), *options)

    def _spawn(self, name: str, *arguments: str) -> None:
        environment, inside = self.environment, list[str]()
        if name == "api":
            environment = self.places.seen_by_api(environment, self.valkey)
            inside = list(self.places.api_inside)
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [*inside, sys.executable, "-m", "saegim.cli.main", *arguments],
                # Shown by Postgres for each connection.
                env=os.environ | environment | self.places.code() | {"PGAPPNAME": name},
                stdout=log,
                stderr=log,
            )
