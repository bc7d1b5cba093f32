"""A community through the API: settings, places, counts, notices, and who may."""

from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest

from saegim.app.infrastructure import Fakes
from saegim.domain.scope import Role
from tests.stack import Databases, NoonClock, Stack, new_stack

pytestmark = pytest.mark.requirement("CH4")

GUILD = {"Saegim-Guild": "700"}
BOT_SCOPES = ["chat", "chat:instructions", "self", "self:link", "library:read", "guilds"]


@pytest.fixture(scope="module")
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases) as stack:
        yield stack


async def call(
    stack: Stack, method: str, path: str, body: object = None, user: str = "discord", **more: str
) -> Any:
    headers = stack.headers(user, **(GUILD | more))
    response = await stack.http.request(method, f"/v1/guild{path}", json=body, headers=headers)
    assert response.is_success, response.text
    return response.json() if response.content else None


async def test_a_guild_has_defaults_until_somebody_changes_them(stack: Stack) -> None:
    fresh = await call(stack, "GET", "", **{"Saegim-Guild": "1"})
    assert (fresh["locale"], fresh["store_messages"], fresh["channels"]) == (None, False, {})
    await call(stack, "PATCH", "", {"locale": "ko", "persona": "안내원", "log_channel": "9"})
    changed = await call(stack, "PATCH", "", {"rules": "존댓말"})
    assert (changed["persona"], changed["rules"], changed["log_channel"]) == (
        "안내원",
        "존댓말",
        "9",
    )
    cleared = await call(stack, "PATCH", "", {"log_channel": ""})
    assert cleared["log_channel"] is None
    assert (await call(stack, "GET", "", **{"Saegim-Guild": "1"}))["persona"] == ""


async def test_a_channel_speaks_as_told_until_its_voice_is_emptied(stack: Stack) -> None:
    voice = {"channel_id": "5", "persona": "츤데레", "rules": "반말"}
    told = await call(stack, "PUT", "/voice", voice)
    assert told["channels"] == {"5": {"persona": "츤데레", "rules": "반말"}}
    there = await call(stack, "GET", "/channel-settings?channel_id=5", user="discord:1")
    assert "츤데레" in there["instructions"]
    assert there["profile"] == "guild:700"
    emptied = await call(stack, "PUT", "/voice", {"channel_id": "5"})
    assert emptied["channels"] == {}


@pytest.fixture
async def at_noon(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases, Fakes(clock=NoonClock())) as running:
        yield running


async def test_counts_add_up_by_day_and_names_are_sealed(
    at_noon: Stack, databases: Databases
) -> None:
    stack = at_noon
    for messages in (3, 4):
        counts = [{"name": "discord:1", "messages": messages}, {"name": "discord:2", "messages": 1}]
        await call(stack, "POST", "/activity", {"counts": counts})
    ranked = await call(stack, "GET", "/ranking?days=1")
    assert ranked == [
        {"rank": 1, "name": "discord:1", "messages": 7},
        {"rank": 2, "name": "discord:2", "messages": 2},
    ]
    assert await call(stack, "GET", "/ranking", **{"Saegim-Guild": "1"}) == []
    with psycopg.connect(databases.admin_url) as connection:
        own = "select name from saegim.guild_activity where tenant_id = %s"
        rows = connection.execute(own, (stack.tenant.tenant.id,)).fetchall()
    assert len(rows) == 2
    assert not any(b"discord" in bytes(name) for (name,) in rows)


async def test_who_is_erased_leaves_the_ranking_too(stack: Stack) -> None:
    counts = [{"name": "discord:77", "messages": 9}]
    await call(stack, "POST", "/activity", {"counts": counts}, **{"Saegim-Guild": "77"})
    mine = stack.headers("discord:77")
    export = await stack.http.get("/v1/export", headers=mine)
    assert '"messages":9' in export.text.replace(" ", "")
    member = (await stack.caller("discord:77")).scope.user
    body = {"member_id": str(member), "reason": "asked by mail"}
    asked = await stack.http.post("/v1/erasures", json=body, headers=stack.headers("admin"))
    assert asked.status_code in (200, 201, 202), asked.text
    erasure = asked.json()["erasure_id"]
    await stack.services.governance.erasures.erase(stack.tenant.tenant.id, erasure)
    await stack.services.governance.erasures.erase(stack.tenant.tenant.id, erasure)
    assert await call(stack, "GET", "/ranking", **{"Saegim-Guild": "77"}) == []


async def test_notices_are_checked_listed_and_dropped(stack: Stack) -> None:
    wish = {"channel_id": "5", "place": "서울", "at": "07:30"}
    added = await call(stack, "POST", "/notices", wish)
    assert await call(stack, "GET", "/notices") == [added]
    assert added["time_zone"] == "Asia/Seoul"
    for wrong in ({"at": "7:30"}, {"at": "24:00"}, {"time_zone": "Mars/Olympus"}):
        response = await stack.http.post(
            "/v1/guild/notices", json=wish | wrong, headers=stack.headers("discord", **GUILD)
        )
        assert response.status_code in (400, 422), response.text
    await call(stack, "DELETE", f"/notices/{added['notice_id']}")
    assert await call(stack, "GET", "/notices") == []


async def test_a_due_notice_is_told_to_one_of_those_who_ask(stack: Stack) -> None:
    """Without a provider the notice has no text, but is still claimed."""
    now = stack.services.clock.now()
    wish = {"channel_id": "5", "place": "서울", "at": "00:00", "time_zone": "UTC"}
    added = await call(stack, "POST", "/notices", wish)
    with psycopg.connect(stack.databases.admin_url, autocommit=True) as connection:
        connection.execute(
            "update saegim.guild_notice set last_sent_on = null, at = %s", (now.strftime("%H:%M"),)
        )
    told = await call(stack, "POST", "/notices/due")
    assert [(each["notice_id"], each["text"]) for each in told] == [(added["notice_id"], None)]
    assert await call(stack, "POST", "/notices/due") == []


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ""), ("PATCH", ""), ("PUT", "/voice"), ("POST", "/activity"), ("GET", "/ranking")],
)
async def test_a_members_key_is_no_door_of_a_guild(stack: Stack, method: str, path: str) -> None:
    tenant = stack.tenant
    key = await stack.services.auth.tenants.create_key(
        tenant.tenant.id, tenant.assistant.id, "member", "bob"
    )
    headers = {"Authorization": f"Bearer {key}", **GUILD}
    response = await stack.http.request(method, f"/v1/guild{path}", json={}, headers=headers)
    assert response.status_code == 403, response.text
    assert Role.MEMBER


async def test_a_key_narrowed_to_a_bots_scopes_serves_a_guild_and_nothing_else(
    stack: Stack,
) -> None:
    admin = stack.headers("owner")
    body = {"name": "bot", "role": "admin", "scopes": BOT_SCOPES}
    made = await stack.http.post("/v1/keys", json=body, headers=admin)
    assert made.status_code == 201, made.text
    own = {"Authorization": f"Bearer {made.json()['secret']}", "Saegim-User": "discord", **GUILD}
    assert (await stack.http.get("/v1/guild", headers=own)).status_code == 200
    assert (await stack.http.get("/v1/members", headers=own)).status_code == 403
