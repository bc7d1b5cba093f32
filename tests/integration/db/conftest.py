"""Two cells: the home cell of the module's databases, and `b` on its own server."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from benchmarks.prepared_cluster import start_postgres
from saegim.app.settings import CellLocation
from saegim.localservers.postgres import LocalPostgres
from saegim.localservers.valkey import LocalValkey
from tests.stack import Databases, Stack, new_stack


class OtherCell:
    """Postgres and Valkey of cell `b`, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.postgres = start_postgres(folder / "postgres", durable=False)
        self.valkey = LocalValkey.start(folder / "valkey")

    @property
    def admin_url(self) -> str:
        return self.postgres.url("saegim")

    @property
    def app_url(self) -> str:
        return self.postgres.url("saegim", user="saegim_app")

    def place(self) -> CellLocation:
        return CellLocation(
            postgres_url=SecretStr(self.app_url),
            postgres_admin_url=SecretStr(self.admin_url),
            redis_url=SecretStr(self.valkey.url),
        )

    def kill(self) -> None:
        self.postgres.kill()
        self.valkey.kill()

    def start(self) -> None:
        self.postgres = LocalPostgres.start(self._folder / "postgres", durable=False)
        self.valkey = LocalValkey.start(self._folder / "valkey", self.valkey.port)

    def stop(self) -> None:
        self.postgres.stop()
        self.valkey.stop()


@pytest.fixture(scope="module")
def other() -> Iterator[OtherCell]:
    with tempfile.TemporaryDirectory(prefix="saegim-cell-b-") as folder:
        cell = OtherCell(Path(folder))
        yield cell
        cell.stop()


@pytest.fixture
async def town(databases: Databases, other: OtherCell) -> AsyncIterator[Stack]:
    """Services that know both cells, with a tenant in the home cell."""
    async with new_stack(databases, settings={"cells": {"b": other.place()}}) as running:
        yield running
