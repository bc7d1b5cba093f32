"""Tenants connect models with their own keys: stored encrypted, tested, used, and guarded."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
from pydantic import SecretStr

from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from saegim.domain.errors import Invalid
from saegim.llm.connections import tenant_models
from saegim.llm.connections.checks import available_models
from saegim.llm.model_config import ModelConfig
from saegim.net.guard import networks
from tests.stack import Databases, Stack, new_stack

KEY = "sk-test-0123456789-wxyz"
LOOPBACK = {"model_private_networks": ["127.0.0.0/8"]}
STRUCTURED = '{"answer": "OK"}'

BY_RULE = ("search_mode", "nothing_found", "nothing_ready")


@pytest.fixture
async def provider() -> AsyncIterator[BrokenProvider]:
    async with BrokenProvider(text="모델이 답합니다.") as server:
        server.structured = STRUCTURED
        yield server


@pytest.fixture
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases, settings=LOOPBACK) as made:
        yield made


async def call(stack: Stack, method: str, path: str, body: object = None) -> Any:
    response = await stack.http.request(method, path, json=body, headers=stack.headers("admin"))
    assert response.is_success, response.text
    return response.json() if response.content else None


def body_for(provider: BrokenProvider, **more: object) -> dict[str, object]:
    return {"provider": "openai", "base_url": provider.base_url, "api_key": KEY, **more}


async def test_key_is_encrypted_and_never_returned(stack: Stack, provider: BrokenProvider) -> None:
    added = await call(stack, "POST", "/v1/model-connections", body_for(provider))
    listed = await call(stack, "GET", "/v1/model-connections")
    with psycopg.connect(stack.databases.admin_url) as admin:
        row = admin.execute(
            "select api_key, row_to_json(c)::text from saegim.model_connection c "
            "where tenant_id = %s",
            (stack.tenant.tenant.id,),
        ).fetchone()

    assert row is not None
    assert KEY.encode() not in bytes(row[0])
    assert KEY not in row[1]
    assert added["key_hint"] == KEY[-4:]
    assert KEY not in str(added) + str(listed)


async def test_a_short_key_is_told_from_none(stack: Stack, provider: BrokenProvider) -> None:
    for name, key in (("short", "sk-1"), ("none", None)):
        body = body_for(provider, api_key=key, name=name, model="m")
        body["provider"] = "openai-compatible"
        await call(stack, "POST", "/v1/model-connections", body)
    listed = await call(stack, "GET", "/v1/model-connections")

    assert [each["key_hint"] for each in listed["connections"]] == ["", None]


async def test_a_changed_connection_keeps_its_key_and_its_roles(
    stack: Stack, provider: BrokenProvider
) -> None:
    added = await call(stack, "POST", "/v1/model-connections", body_for(provider, model="mine"))
    roles = await call(stack, "GET", "/v1/model-roles")
    change = {
        "connection_id": added["connection_id"],
        "provider": "openai",
        "base_url": f"{provider.base_url}/",
        "name": "renamed",
    }
    tested = await call(stack, "POST", "/v1/model-connections/test", change)
    changed = await call(stack, "POST", "/v1/model-connections", change)
    after = await call(stack, "GET", "/v1/model-roles")
    new_key = change | {"api_key": "sk-test-9876543210-abcd"}
    await call(stack, "POST", "/v1/model-connections", new_key)
    await call(stack, "POST", "/v1/model-roles/test")
    keys = {request.headers["authorization"] for request in provider.requests}

    assert (len(tested["checks"]), all(each["ok"] for each in tested["checks"])) == (6, True)
    assert changed == added | {"name": "renamed"}
    assert after["roles"] == [each | {"connection": "renamed"} for each in roles["roles"]]
    assert keys == {f"Bearer {KEY}", "Bearer sk-test-9876543210-abcd"}


@pytest.mark.parametrize("path", ["/v1/model-connections", "/v1/model-connections/test"])
async def test_a_stored_key_is_not_sent_to_another_server(
    stack: Stack, provider: BrokenProvider, path: str
) -> None:
    added = await call(stack, "POST", "/v1/model-connections", body_for(provider))
    async with BrokenProvider(text="OK") as other:
        moved = body_for(other, connection_id=added["connection_id"], api_key=None)
        refused = await stack.http.post(path, json=moved, headers=stack.headers("admin"))
        foreign = body_for(other, connection_id=str(stack.tenant.tenant.id))
        unknown = await stack.http.post(path, json=foreign, headers=stack.headers("admin"))

    assert (refused.status_code, unknown.status_code) == (422, 404)
    assert other.requests == []


async def test_turns_and_background_jobs_use_the_tenants_models(
    stack: Stack, provider: BrokenProvider
) -> None:
    before = await stack.say("너는 뭘 하니?")
    fast = body_for(provider, model="mine", step_seconds=6)
    await call(stack, "POST", "/v1/model-connections", fast)
    after = await stack.say("너는 뭘 하니?")

    assert before["outcome"] in BY_RULE
    assert after["answer"] == "모델이 답합니다."
    assert {request.body["model"] for request in provider.requests} == {"mine"}
    assert {request.headers["authorization"] for request in provider.requests} == {f"Bearer {KEY}"}


async def test_times_are_kept_in_milliseconds(stack: Stack, provider: BrokenProvider) -> None:
    tiny = body_for(provider, step_seconds=5e-324, turn_seconds=30.00049)
    added = await call(stack, "POST", "/v1/model-connections", tiny)
    refused = await stack.http.post(
        "/v1/model-connections",
        json=body_for(provider, turn_seconds=5e-324),
        headers=stack.headers("admin"),
    )

    assert (added["step_seconds"], added["turn_seconds"]) == (0, 30)
    assert refused.status_code == 422


async def test_other_tenants_do_not_use_it(stack: Stack, provider: BrokenProvider) -> None:
    await call(stack, "POST", "/v1/model-connections", body_for(provider))
    async with new_stack(stack.databases, name="다른 회사", settings=LOOPBACK) as other:
        reply = await other.say("너는 뭘 하니?")
        listed = await call(other, "GET", "/v1/model-connections")

    assert reply["outcome"] in BY_RULE
    assert listed["connections"] == []
    assert provider.requests == []


async def test_roles_have_their_own_connections(stack: Stack, provider: BrokenProvider) -> None:
    first = body_for(provider, name="small", model="small", roles=["lite"])
    await call(stack, "POST", "/v1/model-connections", first)
    second = body_for(provider, name="large", model="large", roles=["strong"])
    large = await call(stack, "POST", "/v1/model-connections", second)
    roles = (await call(stack, "GET", "/v1/model-roles"))["roles"]
    use = {"connection_id": large["connection_id"], "roles": ["extractor"], "model": "other"}
    changed = (await call(stack, "PUT", "/v1/model-roles", use))["roles"]
    returned = (await call(stack, "PUT", "/v1/model-roles", {"roles": ["lite"]}))["roles"]

    def models(rows: list[dict[str, Any]]) -> dict[str, str | None]:
        return {row["role"]: row["model"] for row in rows if row["model"]}

    assert models(roles) == {"lite": "small", "strong": "large"}
    assert models(changed) == {"lite": "small", "strong": "large", "extractor": "other"}
    assert models(returned) == {"strong": "large", "extractor": "other"}


async def test_removed_connection_is_not_used(stack: Stack, provider: BrokenProvider) -> None:
    added = await call(stack, "POST", "/v1/model-connections", body_for(provider))
    await stack.say("너는 뭘 하니?")
    await call(stack, "DELETE", f"/v1/model-connections/{added['connection_id']}")
    reply = await stack.say("너는 뭘 하니?")
    assert reply["outcome"] in BY_RULE


async def test_another_process_sees_a_change_after_the_refresh(
    stack: Stack, provider: BrokenProvider
) -> None:
    store, tenant = stack.services.llm.connections, stack.tenant.tenant.id
    time = [0.0]
    cache = tenant_models.CachedTenantModels(
        store._store,  # pyright: ignore[reportPrivateUsage] - a second process
        stack.services.llm.models,
        (),
        lambda: time[0],
    )
    assert await cache.models_of(tenant) is None
    await call(stack, "POST", "/v1/model-connections", body_for(provider))
    assert await cache.models_of(tenant) is None
    time[0] += tenant_models.REFRESH_SECONDS
    models = await cache.models_of(tenant)
    time[0] += tenant_models.REFRESH_SECONDS
    assert models is not None
    assert await cache.models_of(tenant) is models
    await cache.close()


async def test_concurrent_first_requests_build_one_set_of_clients(
    stack: Stack, provider: BrokenProvider
) -> None:
    await call(stack, "POST", "/v1/model-connections", body_for(provider))
    cache = tenant_models.CachedTenantModels(
        stack.services.llm.connections._store,  # pyright: ignore[reportPrivateUsage] - as above
        stack.services.llm.models,
        (),
    )
    tenant = stack.tenant.tenant.id
    first = await asyncio.gather(*(cache.models_of(tenant) for _ in range(8)))
    cache.forget(tenant)
    again = await asyncio.gather(*(cache.models_of(tenant) for _ in range(8)))
    assert len({id(models) for models in (*first, *again)}) == 1
    await cache.close()


@pytest.mark.parametrize(
    ("mode", "status", "words"),
    [
        (ProviderMode.HTTP_401, 401, "Incorrect API key provided: [SECRET]"),
        (ProviderMode.HTTP_404, 404, "does not exist"),
        (ProviderMode.HTTP_429, 429, "exceeded your current quota"),
        (ProviderMode.HTTP_500, 500, "out of order"),
        (ProviderMode.INVALID_JSON, None, "Failed to decode response as JSON"),
        (ProviderMode.EMPTY, None, "the answer"),
    ],
)
async def test_failed_test_has_the_providers_words(
    stack: Stack, provider: BrokenProvider, mode: ProviderMode, status: int | None, words: str
) -> None:
    provider.mode = mode
    checks = (await call(stack, "POST", "/v1/model-connections/test", body_for(provider)))["checks"]

    assert {check["ok"] for check in checks} == {False}
    assert {check["status"] for check in checks} == {status}
    assert [check["message"] for check in checks if words not in check["message"]] == []
    assert KEY not in str(checks)
    assert (await call(stack, "GET", "/v1/model-connections"))["connections"] == []


async def test_test_calls_every_kind_of_call_once(stack: Stack, provider: BrokenProvider) -> None:
    checks = (await call(stack, "POST", "/v1/model-connections/test", body_for(provider)))["checks"]

    assert all(check["ok"] for check in checks)
    assert len(checks) == 6
    # Structured output of both models, streamed text of the large one, and its call of a tool.
    assert len(provider.requests) == 4


async def test_models_of_a_server_are_listed(stack: Stack, provider: BrokenProvider) -> None:
    provider.models = ("b", "a")
    path, body = "/v1/model-connections/available-models", {"provider": "openai-compatible"}
    found = await call(stack, "POST", path, body | {"base_url": provider.base_url})
    assert found == {"models": ["a", "b"]}


async def test_a_list_of_models_that_never_ends_is_given_up() -> None:
    async with BrokenProvider(mode=ProviderMode.SLOW, word_seconds=0.2) as provider:
        config = ModelConfig("m", provider.base_url, timeout_seconds=1.0)
        with pytest.raises(Invalid, match="within 1 s"):
            await available_models(config, networks(LOOPBACK["model_private_networks"]))


async def test_a_response_without_end_is_not_read_whole(provider: BrokenProvider) -> None:
    provider.models = ("m" * 2**20,) * 33
    config = ModelConfig("m", provider.base_url, timeout_seconds=30.0)
    with pytest.raises(Invalid, match="does not list its models"):
        await available_models(config, networks(LOOPBACK["model_private_networks"]))
    assert provider.requests[0].headers["accept-encoding"] == "identity"


async def test_private_addresses_are_refused_without_a_setting(
    databases: Databases, provider: BrokenProvider
) -> None:
    async with new_stack(databases) as stack:
        headers = stack.headers("admin")
        plain = await stack.http.post(
            "/v1/model-connections", json=body_for(provider), headers=headers
        )
        secure = body_for(provider) | {"base_url": "https://127.0.0.1:9/v1"}
        tested = await call(stack, "POST", "/v1/model-connections/test", secure)

    assert plain.status_code == 422
    assert all("private address" in check["message"] for check in tested["checks"])
    assert provider.requests == []


async def test_a_password_in_the_operators_url_is_not_shown(
    databases: Databases, caplog: pytest.LogCaptureFixture
) -> None:
    url = "http://user:secret-word@127.0.0.1:9/v1"
    settings = {
        "provider": "openai",
        "provider_base_url": url,
        "provider_api_key": SecretStr(KEY),
        "embedder_model": None,
    }
    async with new_stack(databases, settings=settings) as stack:
        roles = await call(stack, "GET", "/v1/model-roles")
        await stack.say("무슨 일이 있었지?")

    assert {role["connection"] for role in roles["roles"]} == {"127.0.0.1:9"}
    assert "127.0.0.1:9 failed" in caplog.text
    assert "secret-word" not in caplog.text


async def test_redirects_are_not_followed(stack: Stack, provider: BrokenProvider) -> None:
    provider.mode = ProviderMode.REDIRECT
    checks = (await call(stack, "POST", "/v1/model-connections/test", body_for(provider)))["checks"]
    assert {check["ok"] for check in checks} == {False}
    assert {request.path for request in provider.requests} == {"/v1/chat/completions"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"api_key": None},
        {"base_url": "ftp://a.example/v1"},
        {"base_url": "https://user:word@a.example/v1"},
        {"provider": "openai-compatible", "base_url": None, "model": "m"},
        {"provider": "ollama"},
        {"roles": ["poet"]},
        {"api_kye": "x"},
    ],
)
async def test_invalid_connections_are_refused(
    stack: Stack, provider: BrokenProvider, wrong: dict[str, object]
) -> None:
    response = await stack.http.post(
        "/v1/model-connections", json=body_for(provider) | wrong, headers=stack.headers("admin")
    )
    assert response.status_code == 422, response.text


async def test_name_in_use_is_refused_and_default_names_differ(
    stack: Stack, provider: BrokenProvider
) -> None:
    names = [
        (await call(stack, "POST", "/v1/model-connections", body_for(provider)))["name"]
        for _ in range(2)
    ]
    again = await stack.http.post(
        "/v1/model-connections",
        json=body_for(provider, name="openai"),
        headers=stack.headers("admin"),
    )
    assert names == ["openai", "openai-2"]
    assert again.status_code == 409


async def test_stored_time_limits_hold(stack: Stack, provider: BrokenProvider) -> None:
    limits = body_for(provider, turn_seconds=0.5, step_seconds=60)
    added = await call(stack, "POST", "/v1/model-connections", limits)
    provider.mode = ProviderMode.HANG
    reply = await stack.say("너는 뭘 하니?")
    trace = await stack.http.get(f"/v1/turns/{reply['turn_id']}/trace", headers=stack.headers())

    assert (added["turn_seconds"], added["step_seconds"]) == (0.5, 60.0)
    [used] = trace.json()["trace"]["calls"]
    assert (used["fault"], used["message"]) == ("timeout", "no response within the time limit")
    assert reply["outcome"] in BY_RULE


async def test_an_assistant_answers_with_its_own_model(
    stack: Stack, provider: BrokenProvider
) -> None:
    async with BrokenProvider(text="다른 모델이 답합니다.") as other:
        other.structured = STRUCTURED
        usual = body_for(provider, name="usual", model="usual", step_seconds=6)
        await call(stack, "POST", "/v1/model-connections", usual)
        large = body_for(other, name="large", model="x", roles=["judge"], step_seconds=6)
        added = await call(stack, "POST", "/v1/model-connections", large)
        chosen = {"connection_id": added["connection_id"], "model": "large"}
        before = await stack.say("너는 뭘 하니?")
        await call(stack, "PUT", "/v1/assistant/config", {"model": chosen})
        own = await stack.say("너는 뭘 하니?")
        models = {request.body["model"] for request in other.requests}
        shares = await call(stack, "GET", "/v1/usage/shares?by=model")
        await call(stack, "DELETE", f"/v1/model-connections/{added['connection_id']}")
        after = await stack.say("너는 뭘 하니?")

    assert before["answer"] == after["answer"] == "모델이 답합니다."
    assert own["answer"] == "다른 모델이 답합니다."
    assert models == {"large"}
    assert "large" in str(shares)


SAMPLED = {
    "temperature": 0.2,
    "top_p": 0.9,
    "seed": 7,
    "stop": ["끝"],
    "presence_penalty": 0.5,
    "frequency_penalty": 0.25,
}
FOR_OPENAI = {"metadata": {"a": "b"}, "store": True, "service_tier": "auto"}


TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}


async def test_openai_parameters_reach_the_model_or_are_named(
    stack: Stack, provider: BrokenProvider
) -> None:
    asked = {"messages": [{"role": "user", "content": "안녕하세요"}], "user": "alice"}
    sampled = asked | SAMPLED | FOR_OPENAI | {"max_tokens": 50}
    headers = {"Authorization": f"Bearer {stack.tenant.key}"}

    async def complete(body: dict[str, Any]) -> Any:
        return await stack.http.post("/v1/chat/completions", json=body, headers=headers)

    without = await complete(sampled)
    refused = await complete(asked | {"tools": [TOOL], "tool_choice": "required"})
    plain = {"provider": "openai-compatible", "model": "m"}
    await call(stack, "POST", "/v1/model-connections", body_for(provider) | plain)
    answered = await complete(sampled)
    hidden = {"stream": True, "stream_options": {"include_obfuscation": False}}
    strict = {**TOOL, "function": {**TOOL["function"], "strict": True}}
    streamed = await complete(sampled | hidden | {"tools": [strict], "tool_choice": "none"})
    sent = [each.body for each in provider.requests if "temperature" in each.body]
    reasoning = body_for(provider, name="gpt-5", model="gpt-5-mini", roles=["lite", "strong"])
    await call(stack, "POST", "/v1/model-connections", reasoning)
    unsampled = await complete(sampled)

    assert refused.status_code == 400
    assert "`tool_choice` can require a call only with a model." in refused.json()["detail"]
    listed = "Saegim-Ignored-Parameters"
    every = ", ".join(sorted([*SAMPLED, *FOR_OPENAI, "max_tokens"]))
    assert without.headers[listed] == every, "no model samples"
    assert answered.headers[listed] == "metadata, service_tier, store"
    assert streamed.headers[listed] == (
        "metadata, service_tier, store, stream_options.include_obfuscation, tools.function.strict"
    )
    assert answered.json()["choices"][0]["message"]["content"] == "모델이 답합니다."
    for body in sent:
        assert {name: body.get(name) for name in SAMPLED} == SAMPLED
        assert 50 in (body.get("max_tokens"), body.get("max_completion_tokens"))
    assert len(sent) == 2
    dropped = {"temperature", "top_p", "presence_penalty", "frequency_penalty"}
    assert unsampled.headers[listed] == ", ".join(sorted({*FOR_OPENAI, *dropped}))


async def test_an_answer_cut_at_the_limit_of_tokens_says_so(
    stack: Stack, provider: BrokenProvider
) -> None:
    provider.finish_reason = "length"
    plain = {"provider": "openai-compatible", "model": "m"}
    await call(stack, "POST", "/v1/model-connections", body_for(provider) | plain)
    asked = {"messages": [{"role": "user", "content": "안녕하세요"}], "user": "alice"}
    headers = {"Authorization": f"Bearer {stack.tenant.key}"}
    whole, streamed = [
        await stack.http.post(
            "/v1/chat/completions", json=asked | {"max_tokens": 5, "stream": way}, headers=headers
        )
        for way in (False, True)
    ]

    assert whole.json()["choices"][0]["finish_reason"] == "length"
    assert '"finish_reason": "length"' in streamed.text
