"""The demo tenant of `saegim dev` is made once and never replaced."""

from pathlib import Path

import psycopg
import pytest

from benchmarks.doubles.providers import BrokenProvider
from saegim.auth.types import ActAs
from saegim.cli.dev.demo import KEY_REFUSED, adopt, ensure_demo
from saegim.db.cells import HOME_CELL
from saegim.domain.scope import Role
from tests.stack import Databases, Stack, new_stack


async def test_a_revoked_demo_key_is_kept_and_no_tenant_is_made(
    stack: Stack, tmp_path: Path
) -> None:
    file, services = tmp_path / "demo.key", stack.services
    first = await ensure_demo(services, file)
    assert first.made is not None
    again = await ensure_demo(services, file)
    caller = await services.auth.authentication.authenticate(first.made, ActAs())
    assert first.tenant is not None
    other = await services.auth.tenants.create_key(
        first.tenant, caller.assistant, "other", user="owner", role=Role.OWNER
    )
    owner = await services.auth.authentication.authenticate(other, ActAs())
    await services.auth.credentials.revoke(owner, caller.key)
    kept, before = file.read_bytes(), await tenants(stack)

    found = await ensure_demo(services, file)

    assert (again.made, again.refused) == (None, False)
    assert (found.made, found.refused, found.tenant) == (None, True, caller.scope.tenant)
    assert (file.read_bytes(), await tenants(stack)) == (kept, before)
    said = KEY_REFUSED.format(path=file, tenant=found.tenant)
    assert f"saegim key create --tenant {caller.scope.tenant}" in said


@pytest.mark.parametrize("content", ["", "not a key\n"])
async def test_a_key_file_that_holds_no_key_is_not_overwritten(
    stack: Stack, tmp_path: Path, content: str
) -> None:
    file = tmp_path / "demo.key"
    file.write_text(content)
    found = await ensure_demo(stack.services, file)
    assert (found.made, found.refused) == (None, True)
    assert file.read_text() == content


async def test_a_restored_folder_opens_on_the_oldest_restored_tenant(
    stack: Stack, tmp_path: Path
) -> None:
    file, services = tmp_path / "demo.key", stack.services
    made = [await services.auth.tenants.create(name, "ko", HOME_CELL) for name in ("a", "b")]
    restored = [each.tenant.id for each in made]
    before = await tenants(stack)

    await adopt(services, restored[::-1], file)
    found = await ensure_demo(services, file)

    assert (found.made, found.refused, found.tenant) == (None, False, restored[0])
    assert await tenants(stack) == before


async def test_the_demo_key_connects_a_model(databases: Databases, tmp_path: Path) -> None:
    networks = {"model_private_networks": ["127.0.0.0/8"]}
    async with BrokenProvider() as provider, new_stack(databases, settings=networks) as stack:
        demo = await ensure_demo(stack.services, tmp_path / "demo.key")
        added = await stack.http.post(
            "/v1/model-connections",
            json={
                "provider": "openai",
                "base_url": provider.base_url,
                "api_key": "sk-test-0123456789",
            },
            headers={"Authorization": f"Bearer {demo.made}"},
        )
    assert added.status_code == 201, added.text


async def tenants(stack: Stack) -> int:
    with psycopg.connect(stack.databases.admin_url) as admin:
        row = admin.execute("select count(*) from saegim.tenant").fetchone()
    assert row is not None
    return row[0]
