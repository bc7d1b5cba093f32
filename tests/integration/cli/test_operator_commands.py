"""`saegim user|usage|limits|key list`, and the tenant of commands that name none."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
import typer
from typer.testing import CliRunner

from saegim.cli.dev.demo import ensure_demo
from saegim.cli.main import app
from saegim.cli.service_commands import list_tenants, tenant_or_default
from saegim.domain.scope import Role
from tests.stack import Databases, Stack, new_stack, open_services, served


@pytest.fixture(scope="module")
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases) as running:
        for user in ("alice", "dana"):
            await running.say("안녕하세요", user)
        yield running


@pytest.fixture(scope="module")
async def http(stack: Stack) -> AsyncIterator[httpx2.AsyncClient]:
    async with served(stack.services) as running:
        yield running


async def key_of(stack: Stack, role: Role) -> str:
    tenant = stack.tenant
    return await stack.services.auth.tenants.create_key(
        tenant.tenant.id, tenant.assistant.id, str(role), user=f"the {role}", role=role
    )


async def command(http: httpx2.AsyncClient, key: str, *arguments: str, code: int = 0) -> str:
    environment = {"SAEGIM_KEY": key, "SAEGIM_POSTGRES_URL": "set", "COLUMNS": "80"}
    arguments = (*arguments, "--url", str(http.base_url))
    result = await asyncio.to_thread(CliRunner().invoke, app, arguments, env=environment)
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.output


async def test_users_are_listed_exported_and_erased_by_name(
    stack: Stack, http: httpx2.AsyncClient, tmp_path: Path
) -> None:
    admin, auditor = await key_of(stack, Role.ADMIN), await key_of(stack, Role.AUDITOR)
    listed = await command(http, admin, "user", "list")
    export = ("user", "export", "dana", "--reason", "asked", "--out", str(tmp_path / "dana.json"))
    refused = await command(http, admin, *export, code=1)
    dana = next(
        each["member_id"]
        for each in json.loads(await command(http, admin, "user", "list", "--json"))
        if each["name"] == "dana"
    )
    read = json.loads(await command(http, auditor, "user", "export", dana, "--reason", "asked"))
    await command(http, await key_of(stack, Role.OWNER), *export)
    again = await command(http, await key_of(stack, Role.OWNER), *export, code=1)
    erase = ("user", "erase", "dana", "--reason", "asked")
    unsure = await command(http, admin, *erase, code=1)
    still: list[Any] = json.loads(await command(http, admin, "user", "list", "--json"))
    await command(http, admin, *erase, "--yes")
    after: list[Any] = json.loads(await command(http, admin, "user", "list", "--json"))

    assert "dana" in listed
    assert max(map(len, listed.splitlines())) <= 80
    assert "others:read" in refused
    exported = json.loads((tmp_path / "dana.json").read_text("utf-8"))
    assert "안녕하세요" in json.dumps(exported, ensure_ascii=False)
    assert (tmp_path / "dana.json").stat().st_mode & 0o777 == 0o600
    assert read["member_id"] == dana
    # A long path is wrapped.
    assert "dana.json" in again.replace("\n", "")
    assert "dana" in unsure
    disabled = [[e["disabled"] for e in users if e["name"] == "dana"] for users in (still, after)]
    assert disabled == [[False], [True]]
    assert "nobody" in await command(
        http, admin, "user", "erase", "nobody", "--reason", "x", code=1
    )


async def test_usage_and_keys_are_tables_with_a_header(
    stack: Stack, http: httpx2.AsyncClient
) -> None:
    admin = await key_of(stack, Role.ADMIN)
    usage = (await command(http, admin, "usage")).splitlines()
    keys = (await command(http, admin, "key", "list")).splitlines()
    days = json.loads(await command(http, admin, "usage", "--json"))

    assert len(usage) == 2
    assert days[0]["turns"] == 2
    assert len(keys) >= 3
    assert max(map(len, (*usage, *keys))) <= 80


async def test_usage_explains_a_cost_that_is_unknown(
    stack: Stack, http: httpx2.AsyncClient
) -> None:
    admin = await key_of(stack, Role.ADMIN)
    unpriced = "update saegim.usage_event set event = event || '{\"cost_usd\": null}'"
    with psycopg.connect(stack.databases.admin_url, autocommit=True) as owner:
        owner.execute(f"{unpriced} where tenant_id = %s", (stack.tenant.tenant.id,))
    shown = await command(http, admin, "usage")
    assert " ? " in shown
    assert "list price" in shown


async def test_limits_are_shown_and_replaced(stack: Stack, http: httpx2.AsyncClient) -> None:
    admin = await key_of(stack, Role.ADMIN)
    usual = await command(http, admin, "limits", "show")
    own = ("limits", "set", "user requests 777/60", "tenant usd 5/86400")
    changed = await command(http, admin, *own)
    wrong = await command(http, admin, "limits", "set", "user requests", code=1)
    reset = await command(http, admin, "limits", "set")

    assert "777" in changed
    assert "5 USD" in changed
    assert "user requests" in wrong
    assert [usual.splitlines(), "777" in reset] == [reset.splitlines()[:-1], False]


async def test_the_tenant_of_a_command_is_that_of_the_data_folder_or_the_only_one(
    databases: Databases, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_services(databases, settings={"data": tmp_path}) as services:
        there = await list_tenants(services)
        if not there:
            with pytest.raises(typer.Exit):
                await tenant_or_default(services, None)
        first = await services.auth.tenants.create("하나", "ko", "main")
        second = await services.auth.tenants.create("둘", "ko", "main")
        capsys.readouterr()
        with pytest.raises(typer.Exit):
            await tenant_or_default(services, None)
        listed = capsys.readouterr().err
        demo = await ensure_demo(services, tmp_path / "demo.key")
        assert demo.made is not None
        chosen = await tenant_or_default(services, None)
        named = await tenant_or_default(services, first.tenant.id)

    assert f"{first.tenant.id}  하나" in listed
    assert f"{second.tenant.id}  둘" in listed
    assert chosen.hex in demo.made
    assert named == first.tenant.id
