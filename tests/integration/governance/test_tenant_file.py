"""A whole tenant goes from one installation to another in a file."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import pytest
from pydantic import SecretStr

from benchmarks.idle import until_idle
from saegim.api.app import create_app
from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from saegim.cli.operators import tenant_files
from saegim.domain.errors import Conflict, Invalid, NotFound
from saegim.domain.ids import new_id
from saegim.encryption.cipher import new_key
from saegim.encryption.keyring import format_master_key
from saegim.encryption.types import Head, KeyDestroyed
from saegim.localservers.servers import LocalServers
from tests.conftest import copied
from tests.integration.library.conftest import bring_in
from tests.stack import Databases, Stack, new_stack, patient, seal_audit

pytestmark = pytest.mark.requirement("OP5")

PASSPHRASE = "correct horse battery staple"
GUIDE = "# 연차 안내\n\n연차는 입사 1년 뒤 15일입니다. 신청은 인사팀에 합니다."


@pytest.fixture(scope="module")
async def source(databases: Databases) -> AsyncIterator[Stack]:
    """A tenant with a document, a memory, turns, and an erased user."""
    async with new_stack(databases) as stack:
        await bring_in(stack, {"leave.md": GUIDE})
        added = await stack.http.post(
            "/v1/memories", json={"content": "나는 땅콩 알레르기가 있다"}, headers=stack.headers()
        )
        assert added.status_code == 201, added.text
        await stack.say("연차는 며칠이야?")
        await stack.say("나는 잊힐 사람이야", user="erased")
        async with stack.working():
            await until_idle(stack.services)
        await seal_audit(stack)
        yield stack


@asynccontextmanager
async def installation(templates: LocalServers, name: str, index: Path) -> AsyncIterator[Services]:
    """Another installation with its own databases, keyring and master key."""
    with copied(templates, name, index) as databases:
        own = {"master_key": SecretStr(format_master_key(new_key()))}
        settings = databases.settings().model_copy(update=own)
        services = build(settings, patient(Fakes()))
        await services.open()
        try:
            yield services
        finally:
            await services.close()


@pytest.fixture(scope="module")
async def file(source: Stack, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "tenant.saegim"
    await tenant_files.export(source.services, source.tenant.tenant.id, path, PASSPHRASE)
    assert path.stat().st_mode & 0o777 == 0o600
    return path


async def asked(services: Services, key: str, message: str) -> dict[str, Any]:
    transport = httpx2.ASGITransport(app=create_app(services))
    async with httpx2.AsyncClient(transport=transport, base_url="http://saegim") as http:
        headers = {"Authorization": f"Bearer {key}", "Saegim-User": "alice"}
        response = await http.post("/v1/chat", json={"message": message}, headers=headers)
        assert response.status_code == 200, response.text
        reply = response.json()
        trace = await http.get(f"/v1/turns/{reply['turn_id']}/trace", headers=headers)
        return reply | trace.json()


async def test_an_imported_tenant_recalls_its_memory_and_cites_its_documents(
    source: Stack,
    file: Path,
    templates: LocalServers,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    tenant, gone = source.tenant.tenant.id, (await source.caller("erased")).scope.user
    async with installation(templates, "imported", tmp_path / "index") as there:
        # Erased there before: whoever has a tombstone does not come back by a file.
        await there.encryption.keys.destroy(tenant, gone)
        # The tenant was here before, with a longer audit trail.
        await there.encryption.keys.move_audit_head(tenant, None, Head(99, b"later"))
        found = await tenant_files.bring_in(there, file, PASSPHRASE, "main", new_id=False)
        assert found == tenant
        assert f"saegim audit accept --tenant {tenant}" in capsys.readouterr().err
        await there.audit.trail.accept_head(tenant)
        assert (await there.audit.trail.verify(tenant)).broken == ()
        worker = there.worker()
        working = asyncio.create_task(worker.run())
        await until_idle(there)
        reply = await asked(there, source.tenant.key, "연차는 며칠이야? 땅콩 알레르기 얘기도 했지?")
        worker.stop()
        await working

        assert reply["citations"] != []
        assert "injected" in {
            item["fate"] for item in reply["trace"]["items"] if item["kind"] == "memory"
        }
        with pytest.raises(KeyDestroyed):
            await there.encryption.keyring.user(tenant, gone)
        with pytest.raises(Conflict, match="already"):
            await tenant_files.bring_in(there, file, PASSPHRASE, "main", new_id=False)


async def test_a_tenant_is_imported_beside_itself_under_a_new_id(source: Stack, file: Path) -> None:
    services, old = source.services, source.tenant.tenant.id
    made = await tenant_files.bring_in(services, file, PASSPHRASE, "main", new_id=True)
    assert made != old
    assert await memories(services, made) == await memories(services, old) > 0
    assert (await services.audit.trail.verify(made)).broken == ()
    head = await services.encryption.keys.audit_head(old)
    assert head is not None
    assert await services.encryption.keys.audit_head(made) == head
    # Keys of a person are the same under both ids, and wrapped for each.
    alice = (await source.caller("alice")).scope.user
    ours, theirs = (
        await services.encryption.keyring.user(old, alice),
        await services.encryption.keyring.user(made, alice),
    )
    assert ours.derive("lookup") == theirs.derive("lookup")


async def memories(services: Services, tenant: UUID) -> int:
    cell = await services.db.cells.for_tenant(tenant)
    async with cell.transaction(tenant) as connection:
        statement = b"select count(*) as count from memory where tenant_id = %s"
        row = await (await connection.execute(statement, (tenant,))).fetchone()
    assert row is not None
    return row["count"]


async def test_a_tenant_file_opens_by_its_passphrase_alone_and_unchanged(
    source: Stack, file: Path, tmp_path: Path
) -> None:
    services = source.services
    content = await asyncio.to_thread(file.read_bytes)
    assert "연차".encode() not in content
    with pytest.raises(Conflict, match="passphrase"):
        await tenant_files.bring_in(services, file, "another passphrase", "main", new_id=True)
    changed = tmp_path / "changed"
    middle = len(content) // 2
    changed.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    with pytest.raises(Conflict):
        await tenant_files.bring_in(services, changed, PASSPHRASE, "main", new_id=True)
    with pytest.raises(Invalid):
        await tenant_files.export(services, source.tenant.tenant.id, tmp_path / "a", "short")
    with pytest.raises(NotFound):
        await tenant_files.export(
            services, new_id(services.clock.now()), tmp_path / "b", PASSPHRASE
        )
