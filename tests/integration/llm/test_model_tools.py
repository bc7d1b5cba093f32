"""Models that take no tools are found by the test of a connection and by a refusal."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from typer.testing import CliRunner

from benchmarks.doubles.providers import BrokenProvider, ProviderMode, ToolUse
from saegim.cli.main import app
from saegim.llm.configured_models import ConfiguredModels
from saegim.llm.connections.checks import check_models
from saegim.llm.model_call import CallSource, ModelCall, ModelFault
from saegim.llm.model_config import ModelConfig, ModelsConfig
from saegim.llm.ports import ANSWER_ROLES, ChosenModel, ModelRole, RoleModel
from saegim.llm.steps import may_refuse_tools
from tests.stack import Databases, Stack, new_stack, served

LOOPBACK = {"model_private_networks": ["127.0.0.0/8"]}
WITHOUT = (ToolUse.IGNORED, ToolUse.HTTP_400, ToolUse.HTTP_500)
REFUSING = (ToolUse.HTTP_400, ToolUse.HTTP_500)


@pytest.fixture
async def provider() -> AsyncIterator[BrokenProvider]:
    async with BrokenProvider(text="OK") as server:
        server.structured = '{"answer": "OK"}'
        yield server


@pytest.fixture
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases, settings=LOOPBACK) as made:
        yield made


async def call(stack: Stack, method: str, path: str, body: object = None) -> Any:
    response = await stack.http.request(method, path, json=body, headers=stack.headers("admin"))
    assert response.is_success, response.text
    return response.json()


def body_for(provider: BrokenProvider, **more: object) -> dict[str, object]:
    return {"provider": "openai-compatible", "base_url": provider.base_url, "model": "m", **more}


async def answer_tools(stack: Stack) -> list[bool | None]:
    """Returns whether the roles that answer take tools, as the API shows and turns see it."""
    roles = (await call(stack, "GET", "/v1/model-roles"))["roles"]
    shown = {role["role"]: role["takes_tools"] for role in roles}
    assert {shown[role] for role in ModelRole if role not in ANSWER_ROLES} == {None}
    return [shown[role] for role in ANSWER_ROLES]


async def connected(stack: Stack, answers: ChosenModel | None = None) -> RoleModel:
    models = await stack.services.llm.tenants.models_of(stack.tenant.tenant.id, answers)
    assert models is not None
    model = models.for_role(ModelRole.LITE)
    assert model is not None
    return model


@pytest.mark.parametrize("tools", ToolUse)
async def test_check_finds_whether_a_model_takes_tools(
    provider: BrokenProvider, tools: ToolUse
) -> None:
    provider.tools = tools
    config = ModelConfig("m", provider.base_url)
    checks = await check_models(dict.fromkeys(ModelRole, config), None)

    takes = {check.role: check.takes_tools for check in checks}
    assert all(check.ok for check in checks)
    expected = {ToolUse.CALLED: True, ToolUse.HTTP_429: None}.get(tools, False)
    assert [takes.pop(role) for role in ANSWER_ROLES] == [expected] * 2
    assert set(takes.values()) == {None}
    offered = [request.body for request in provider.requests if request.body.get("tools")]
    assert len(offered) == 1, "equal models are asked once"
    assert offered[0]["stream"], "turns stream, too"
    assert offered[0].get("tool_choice", "auto") == "auto"


async def test_failing_model_is_not_asked_for_a_tool(provider: BrokenProvider) -> None:
    provider.mode = ProviderMode.HTTP_401
    [check] = await check_models({ModelRole.STRONG: ModelConfig("m", provider.base_url)}, None)
    assert (check.ok, check.takes_tools, len(provider.requests)) == (False, None, 1)


@pytest.mark.parametrize("tools", WITHOUT)
async def test_new_connection_keeps_what_its_test_found(
    stack: Stack, provider: BrokenProvider, tools: ToolUse
) -> None:
    provider.tools = tools
    body = body_for(provider)
    checks = (await call(stack, "POST", "/v1/model-connections/test", body))["checks"]
    without = sorted({each["model"] for each in checks if each["takes_tools"] is False})
    added = await call(stack, "POST", "/v1/model-connections", body | {"without_tools": without})

    assert added["without_tools"] == ["m"]
    assert await answer_tools(stack) == [False, False]
    assert not (await connected(stack)).takes_tools


async def test_command_stores_what_its_test_found(stack: Stack, provider: BrokenProvider) -> None:
    provider.tools = ToolUse.HTTP_400
    async with served(stack.services) as http:
        options = ["--base-url", provider.base_url, "--model", "m", "--url", str(http.base_url)]
        added = await asyncio.to_thread(
            CliRunner().invoke,
            app,
            ["model", "add", "openai-compatible", *options, "--user", "admin"],
            env={"SAEGIM_KEY": stack.tenant.key, "SAEGIM_LANGUAGE": "en"},
        )
    assert added.exit_code == 0, added.output
    assert "Estimated cost of 1,000 turns: USD 0.00" in added.output
    assert await answer_tools(stack) == [False, False]


async def test_test_of_the_roles_stores_what_it_finds(
    stack: Stack, provider: BrokenProvider
) -> None:
    await call(stack, "POST", "/v1/model-connections", body_for(provider))
    assert await answer_tools(stack) == [True, True]
    found: list[list[bool | None]] = []
    for tools in (ToolUse.HTTP_400, ToolUse.HTTP_400, ToolUse.CALLED):
        provider.tools = tools
        await call(stack, "POST", "/v1/model-roles/test")
        found.append(await answer_tools(stack))
    assert found == [[False, False], [False, False], [True, True]]
    assert (await connected(stack)).takes_tools


async def test_rate_limit_during_the_test_changes_nothing(
    stack: Stack, provider: BrokenProvider
) -> None:
    body = body_for(provider, without_tools=["m"])
    await call(stack, "POST", "/v1/model-connections", body)
    provider.tools = ToolUse.HTTP_429
    checks = (await call(stack, "POST", "/v1/model-roles/test"))["checks"]
    assert all(check["ok"] for check in checks)
    assert {check["takes_tools"] for check in checks} == {None}
    assert await answer_tools(stack) == [False, False]


async def test_another_address_is_tested_anew(stack: Stack, provider: BrokenProvider) -> None:
    added = await call(
        stack, "POST", "/v1/model-connections", body_for(provider, without_tools=["m"])
    )
    change = body_for(provider, connection_id=added["connection_id"])
    kept = await call(stack, "POST", "/v1/model-connections", change)
    async with BrokenProvider() as other:
        moved = await call(
            stack, "POST", "/v1/model-connections", change | {"base_url": other.base_url}
        )
    assert (kept["without_tools"], moved["without_tools"]) == (["m"], [])


@pytest.mark.parametrize("tools", REFUSING)
async def test_refusal_in_a_turn_is_stored_for_the_connection(
    stack: Stack, provider: BrokenProvider, tools: ToolUse
) -> None:
    added = await call(stack, "POST", "/v1/model-connections", body_for(provider))
    tenants, tenant = stack.services.llm.tenants, stack.tenant.tenant.id
    provider.tools = tools
    model = await connected(stack)

    assert tenants.takes_tools(model)
    assert await tenants.refuse_tools(tenant, model)
    assert not tenants.takes_tools(await connected(stack))
    assert await answer_tools(stack) == [False, False]
    # An assistant may choose the same model of the connection, or another one.
    choices = (ChosenModel(added["connection_id"], name) for name in ("m", "other"))
    chosen = [await connected(stack, choice) for choice in choices]
    assert [tenants.takes_tools(each) for each in chosen] == [False, True]


async def test_refusal_of_a_clients_tool_is_not_stored(
    stack: Stack, provider: BrokenProvider
) -> None:
    await call(stack, "POST", "/v1/model-connections", body_for(provider))
    model = await connected(stack)
    assert not await stack.services.llm.tenants.refuse_tools(stack.tenant.tenant.id, model)
    provider.mode = ProviderMode.HTTP_500
    assert not await stack.services.llm.tenants.refuse_tools(stack.tenant.tenant.id, model)
    assert await answer_tools(stack) == [True, True]


async def test_refusal_by_a_model_of_the_settings_is_remembered(
    databases: Databases, provider: BrokenProvider
) -> None:
    provider.tools = ToolUse.HTTP_400
    settings = {
        "provider_base_url": provider.base_url,
        "model": "m",
        "provider_api_key": None,
        "embedder_model": None,
    }
    async with new_stack(databases, settings=settings) as stack:
        tenants, tenant = stack.services.llm.tenants, stack.tenant.tenant.id
        models = ConfiguredModels(
            ModelsConfig({ModelRole.LITE: ModelConfig("m", provider.base_url)})
        )
        model = models.for_role(ModelRole.LITE)
        assert model is not None
        before = tenants.takes_tools(model), await answer_tools(stack)
        assert await tenants.refuse_tools(tenant, model)
        after = tenants.takes_tools(model), await answer_tools(stack)
        provider.tools = ToolUse.CALLED
        await call(stack, "POST", "/v1/model-roles/test")
        again = tenants.takes_tools(model)
        await models.close()

    assert before == (True, [True, True])
    assert after == (False, [False, False])
    assert again


@pytest.mark.parametrize(
    ("status", "message", "may"),
    [
        (400, "bad request", True),
        (404, "No endpoints found that support tool use", True),
        (422, "unknown field", True),
        (500, "tools param requires --jinja flag", True),
        (500, "Tools are not supported", True),
        (500, "out of order", False),
        (429, "too many requests", False),
    ],
)
def test_which_errors_may_refuse_tools(status: int, message: str, may: bool) -> None:
    failed = ModelCall(
        "answer", "1", "lite", "m", CallSource.FALLBACK, ModelFault.HTTP_ERROR, 0, 0, None, 0.1
    )
    assert may_refuse_tools(replace(failed, status=status, message=message)) is may
