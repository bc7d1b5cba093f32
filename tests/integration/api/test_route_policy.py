"""Every route of the API has its needed permission, and every role gets exactly its routes."""

import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest

from saegim.api.app import create_app
from saegim.api.route_policy import NEEDED, PUBLIC
from saegim.domain.policy import ALLOWED
from saegim.domain.scope import Role
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("OP5")


@pytest.fixture(scope="module")
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases) as running:
        yield running


@pytest.fixture(scope="module")
def operations(stack: Stack) -> dict[tuple[str, str], Any]:
    document = create_app(stack.services).openapi()
    return {
        (method.upper(), path): operation
        for path, found in document["paths"].items()
        for method, operation in found.items()
    }


async def test_every_route_has_a_policy_and_every_policy_a_route(
    operations: dict[tuple[str, str], Any],
) -> None:
    routes = operations.keys()

    assert routes - NEEDED.keys() - PUBLIC == set(), "say in route_policy.py what these need"
    assert (NEEDED.keys() | PUBLIC) - routes == set(), "no such route"
    assert not NEEDED.keys() & PUBLIC


async def test_a_public_route_tells_nothing_of_a_tenant(stack: Stack) -> None:
    for method, path in PUBLIC:
        shown = await stack.http.request(method, path)
        assert stack.tenant.tenant.id.hex not in shown.text.replace("-", "")


@pytest.mark.parametrize("role", list(Role))
async def test_a_role_gets_its_routes_and_no_other(stack: Stack, role: Role) -> None:
    tenant = stack.tenant
    key = await stack.services.auth.tenants.create_key(
        tenant.tenant.id, tenant.assistant.id, "k", user=f"{role}", role=role
    )
    headers = {"Authorization": f"Bearer {key}"}
    wrong = {}
    for (method, path), permission in NEEDED.items():
        # Ids of nobody and no body: what is allowed gets as far as not finding or not reading it.
        filled = re.sub(r"\{\w+\}", str(uuid4()), path)
        response = await stack.http.request(method, filled, headers=headers)
        refused = response.status_code == 403
        if refused is (permission in ALLOWED[role]) or response.status_code == 401:
            wrong[method, path] = response.text
    assert wrong == {}


async def test_without_a_credential_only_public_routes_answer(stack: Stack) -> None:
    for method, path in NEEDED:
        filled = re.sub(r"\{\w+\}", str(uuid4()), path)
        assert (await stack.http.request(method, filled)).status_code == 401, path


async def test_every_body_with_an_unknown_field_is_refused_by_its_name(
    stack: Stack, operations: dict[tuple[str, str], Any]
) -> None:
    tenant = stack.tenant
    key = await stack.services.auth.tenants.create_key(
        tenant.tenant.id, tenant.assistant.id, "k", user="owner", role=Role.OWNER
    )
    headers = {"Authorization": f"Bearer {key}"}
    asked, wrong = 0, dict[tuple[str, str], str]()
    for (method, path), operation in operations.items():
        if "application/json" not in operation.get("requestBody", {}).get("content", {}):
            continue
        filled = re.sub(r"\{\w+\}", str(uuid4()), path)
        body = {"an_unknown_field": 1}
        response = await stack.http.request(method, filled, json=body, headers=headers)
        asked += 1
        if response.status_code != 422 or "an_unknown_field" not in response.text:
            wrong[method, path] = f"{response.status_code} {response.text}"
    assert wrong == {}
    assert asked > 35
