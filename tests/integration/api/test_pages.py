"""Lists come in pages, and a client reads them all."""

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
