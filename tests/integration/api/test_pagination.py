"""Lists are paginated, and the client reads all pages."""

import pytest

from saegim.client import SaegimClient
from tests.stack import Stack, served

pytestmark = pytest.mark.requirement("CH1")


async def test_conversations_come_in_pages_the_last_used_first(stack: Stack) -> None:
    for number in (1, 2, 3, 4, 5, 2):
        await stack.say(f"말 {number}", "pager", **{"Saegim-Session": f"s{number}"})
    await stack.say("남의 말", user="bob")
    before, pages = None, list[list[str]]()
    while before is not None or not pages:
        params = {"count": 2} | ({"before": before} if before else {})
        answer = await stack.http.get("/v1/sessions", params=params, headers=stack.headers("pager"))
        page = answer.json()
        pages.append([each["title"] for each in page["sessions"]])
        before = page["next_before"]
    known = await _sessions(stack, "pager")
    theirs = await stack.http.get(
        "/v1/sessions", params={"before": known[0]}, headers=stack.headers("bob")
    )

    assert pages == [["말 2", "말 5"], ["말 4", "말 3"], ["말 1"]]
    assert len(set(known)) == 5
    assert theirs.json()["sessions"] == [], "a place in somebody else's list is none"


async def _sessions(stack: Stack, user: str) -> list[str]:
    async with (
        served(stack.services) as http,
        SaegimClient(str(http.base_url), stack.tenant.key, user=user) as client,
    ):
        return [str(each.session_id) async for each in client.sessions(count=2)]


async def test_keys_come_in_pages_that_are_arrays_still(stack: Stack) -> None:
    headers = stack.headers("admin")
    for number in range(4):
        made = await stack.http.post("/v1/keys", json={"name": f"k{number}"}, headers=headers)
        assert made.status_code == 201, made.text
    pages, following = list[list[str]](), "/v1/keys?count=2"
    while following:
        answer = await stack.http.get(following, headers=headers)
        pages.append([each["name"] for each in answer.json()])
        following = answer.links.get("next", {}).get("url")
    every = [name for page in pages for name in page]
    first = await stack.http.get("/v1/keys", headers=headers)
    async with (
        served(stack.services) as http,
        SaegimClient(str(http.base_url), stack.tenant.key, user="admin") as client,
    ):
        read = [each.name for each in await client.keys()]

    assert [len(page) for page in pages[:2]] == [2, 2]
    assert every[:4] == ["k3", "k2", "k1", "k0"]
    assert len(set(every)) == len(every)
    assert [each["name"] for each in first.json()] == every == read, "one page, as it was before"
    assert "Link" not in first.headers


async def test_erasures_come_in_pages_that_are_arrays_still(stack: Stack) -> None:
    headers = stack.headers("admin")
    asked = list[str]()
    for number in range(3):
        leaving = stack.headers(f"leaving-{number}")
        made = await stack.http.post("/v1/erasures", json={"me": True}, headers=leaving)
        assert made.status_code == 202, made.text
        asked.append(made.json()["erasure_id"])
    page = await stack.http.get("/v1/erasures", params={"count": 2}, headers=headers)
    rest = await stack.http.get(page.links["next"]["url"], headers=headers)
    async with (
        served(stack.services) as http,
        SaegimClient(str(http.base_url), stack.tenant.key, user="admin") as client,
    ):
        read = [str(each.erasure_id) for each in await client.erasures()]

    found = [each["erasure_id"] for each in [*page.json(), *rest.json()]]
    assert found == read
    assert set(asked) <= set(found)
    assert len(page.json()) == 2
    refused = await stack.http.get("/v1/keys", params={"count": 201}, headers=headers)
    assert refused.status_code == 422
