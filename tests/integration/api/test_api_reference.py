"""The page `/docs` and the OpenAPI document behind it."""

import re
from collections.abc import AsyncIterator

import httpx2
import pytest

from saegim.api.route_policy import NEEDED, PUBLIC
from saegim.web.app import create_site
from tests.stack import Databases, new_stack

pytestmark = pytest.mark.requirement("CH1")


@pytest.fixture(scope="module")
async def site(databases: Databases) -> AsyncIterator[httpx2.AsyncClient]:
    settings = {"public_url": "https://copilot.example.com"}
    async with new_stack(databases, settings=settings) as stack:
        transport = httpx2.ASGITransport(create_site(stack.services))
        async with httpx2.AsyncClient(transport=transport, base_url="http://test") as http:
            yield http


async def test_the_page_shows_every_operation_without_anything_from_elsewhere(
    site: httpx2.AsyncClient,
) -> None:
    page = await site.get("/docs")
    loaded = re.findall(r"<(?:script|link|img)[^>]+(?:src|href)=\"([^\"]+)", page.text)

    assert page.status_code == 200
    for method, path in (*NEEDED, *PUBLIC):
        assert f"<strong>{method}</strong> {path}<" in page.text
    assert loaded
    assert all(each.startswith(("/static/", "/manifest.webmanifest")) for each in loaded)
    assert "<script>" not in page.text
    assert " style=" not in page.text
    assert "script-src 'self'" in page.headers["content-security-policy"]


async def test_every_link_of_the_page_has_its_target(site: httpx2.AsyncClient) -> None:
    page = (await site.get("/docs")).text
    targets = set(re.findall(r'id="([^"]+)"', page))
    links = set(re.findall(r'href="#([^"]+)"', page))

    assert links - targets == set()
    assert "ChatReply" in links


async def test_every_body_has_an_example_that_its_call_shows(site: httpx2.AsyncClient) -> None:
    document = (await site.get("/v1/openapi.json")).json()
    schemas = document["components"]["schemas"]
    bodies = {
        content["application/json"]["schema"].get("$ref", path).rpartition("/")[2]
        for path, operations in document["paths"].items()
        for operation in operations.values()
        if "application/json" in (content := operation.get("requestBody", {}).get("content", {}))
    }

    assert len(bodies) > 30
    assert {name for name in bodies if not schemas.get(name, {}).get("examples")} == set()
    assert document["servers"] == [{"url": "https://copilot.example.com"}]
    page = (await site.get("/docs")).text
    assert "https://copilot.example.com/v1/chat" in page


async def test_the_usual_urls_lead_to_it(site: httpx2.AsyncClient) -> None:
    assert (await site.get("/openapi.json")).headers["location"] == "/v1/openapi.json"
    assert (await site.get("/redoc")).headers["location"] == "/docs"
