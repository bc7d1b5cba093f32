"""What the API answers where it has no such route, method or body."""

from collections.abc import AsyncIterator

import httpx2
import pytest

from saegim.web.app import create_site
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("CH1")


@pytest.fixture(scope="module")
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases) as running:
        yield running


@pytest.fixture(scope="module")
async def site(stack: Stack) -> AsyncIterator[httpx2.AsyncClient]:
    """The API with the pages behind it, as it is served."""
    transport = httpx2.ASGITransport(create_site(stack.services))
    async with httpx2.AsyncClient(transport=transport, base_url="http://test") as http:
        yield http


async def test_a_wrong_method_is_405_and_names_the_right_ones(site: httpx2.AsyncClient) -> None:
    chat = await site.get("/v1/chat")
    memory = await site.post("/v1/memories/00000000-0000-7000-8000-000000000000")

    assert (chat.status_code, chat.headers["allow"]) == (405, "POST")
    assert (chat.json()["code"], chat.json()["detail"]) == ("method_not_allowed", "use POST")
    assert (memory.status_code, memory.headers["allow"]) == (405, "DELETE, GET, PATCH")


async def test_an_unknown_route_of_the_api_is_a_problem_and_no_page(
    site: httpx2.AsyncClient,
) -> None:
    unknown = await site.get("/v1/nothing")

    assert unknown.status_code == 404
    assert unknown.headers["content-type"] == "application/problem+json"
    assert unknown.json()["detail"] == "no such route"


@pytest.mark.parametrize("path", ["/v1/embeddings", "/v1/responses", "/v1/completions"])
async def test_what_openai_has_and_saegim_has_not_names_what_exists(
    site: httpx2.AsyncClient, path: str
) -> None:
    missing = await site.post(path, json={})

    assert missing.status_code == 404
    assert "/v1/chat/completions" in missing.json()["detail"]
    assert "/v1/chat/completions" in missing.json()["error"]["message"]


async def test_a_body_without_its_content_type_is_refused_in_words(
    stack: Stack, site: httpx2.AsyncClient
) -> None:
    headers = stack.headers(**{"Content-Type": "text/plain"})
    refused = await site.post("/v1/chat", content=b'{"message": "hi"}', headers=headers)

    assert refused.status_code == 422
    assert refused.json()["detail"] == "Content-Type must be application/json"


async def test_what_is_not_there_is_named(stack: Stack, site: httpx2.AsyncClient) -> None:
    path = "/v1/turns/00000000-0000-7000-8000-000000000000"
    missing = await site.get(path, headers=stack.headers())

    assert (missing.status_code, missing.json()["detail"]) == (404, "no such turn")


async def test_the_key_of_an_erased_user_is_refused_with_a_text_that_names_the_reason(
    stack: Stack, site: httpx2.AsyncClient
) -> None:
    tenant = stack.tenant
    key = await stack.services.auth.tenants.create_key(
        tenant.tenant.id, tenant.assistant.id, "k", user="dana"
    )
    own = {"Authorization": f"Bearer {key}"}
    dana = (await site.get("/v1/me", headers=own)).json()["user_id"]
    body = {"member_id": dana, "reason": "asked by mail"}
    erased = await site.post("/v1/erasures", json=body, headers=stack.headers("admin"))
    refused = await site.get("/v1/me", headers=own)
    korean = await site.get("/v1/me", headers=own | {"Accept-Language": "ko"})

    assert erased.status_code == 202, erased.text
    assert refused.status_code == 401
    assert "erased" in refused.json()["title"]
    assert "삭제" in korean.json()["title"]
