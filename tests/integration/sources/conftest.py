"""Services whose sources may reach this machine, and a local site."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from saegim.app.container import Services
from tests.integration.library.conftest import idle
from tests.integration.sources.site import ACCESS, REGION, SECRET, Site, Store, running
from tests.stack import Databases, Stack, open_services


@pytest.fixture(scope="module")
def sources_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources") / "allowed"
    folder.mkdir()
    return folder


@pytest.fixture
def root(sources_folder: Path) -> Iterator[Path]:
    """The folder under which folders may be sources, empty."""
    yield sources_folder
    shutil.rmtree(sources_folder)
    sources_folder.mkdir()


@pytest.fixture(scope="module")
async def shared_services(databases: Databases, sources_folder: Path) -> AsyncIterator[Services]:
    setting = {"sources_private_networks": ["127.0.0.0/8"], "sources_folder": sources_folder}
    async with open_services(databases, settings=setting) as services:
        await services.warm_up()
        yield services


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with running(Site()) as one:
        yield one


@pytest.fixture
async def bucket() -> AsyncIterator[Store]:
    async with running(Store()) as one:
        yield one


FAST = {"delay_seconds": 0.1}


async def add(stack: Stack, source: dict[str, Any], **more: Any) -> str:
    """A new source through the API; its id."""
    body = {"source": source, "limits": FAST} | more
    response = await stack.http.post("/v1/sources", json=body, headers=stack.headers())
    assert response.status_code == 201, response.text
    return response.json()["source_id"]


def in_bucket(store: Store, prefix: str = "") -> dict[str, Any]:
    keys = {"access_key": ACCESS, "secret_key": SECRET, "region": REGION}
    return {"kind": "s3", "endpoint": store.url, "bucket": "docs", "prefix": prefix, **keys}


async def look(stack: Stack, source: str) -> dict[str, Any]:
    """Works until there is nothing to do; the source as it is then."""
    async with stack.working(), asyncio.timeout(180):
        while not await idle(stack):
            await asyncio.sleep(0.03)
    return await status(stack, source)


async def look_again(stack: Stack, source: str) -> dict[str, Any]:
    response = await stack.http.post(f"/v1/sources/{source}/sync", headers=stack.headers())
    assert response.status_code == 202, response.text
    return await look(stack, source)


async def status(stack: Stack, source: str) -> dict[str, Any]:
    response = await stack.http.get(f"/v1/sources/{source}", headers=stack.headers())
    assert response.status_code == 200, response.text
    return response.json()


async def documents(stack: Stack) -> dict[str, str]:
    """Every document of the tenant, by its outside id, with its id."""
    tenant = stack.tenant.tenant.id
    async with stack.services.db.cells.home.transaction(tenant) as connection:
        cursor = await connection.execute(
            b"select outside_id, document_id from document where tenant_id = %s", (tenant,)
        )
        return {row["outside_id"]: row["document_id"] for row in await cursor.fetchall()}


def counts(shown: dict[str, Any]) -> tuple[int, ...]:
    return tuple(shown[name] for name in ("listed", "changed", "unchanged", "failed", "removed"))
