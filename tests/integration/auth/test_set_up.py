"""The first set-up: by the link of the server, once, and never where there is a tenant."""

import asyncio
from collections.abc import AsyncIterator

import httpx2
import psycopg
import pytest

from saegim.app.container import Services
from saegim.app.infrastructure import Fakes
from saegim.auth.set_up import CODE_FOR
from saegim.cli.server.processes import print_set_up_link
from saegim.domain.errors import LimitReached
from saegim.web.app import create_site
from tests.integration.auth.accounts_fixture import PASSWORD
from tests.integration.auth.conftest import Clock
from tests.stack import Databases, Stack, open_services

pytestmark = pytest.mark.requirement("CH8", "OP5")

FORM = {"organisation": "새 상사", "name": "김주인", "email": "Boss@example.com"}
BODY = FORM | {"password": PASSWORD, "language": "ko"}


@pytest.fixture
async def empty(databases: Databases) -> AsyncIterator[tuple[Services, Clock]]:
    """A server on a database without tenants."""
    with psycopg.connect(databases.admin_url, autocommit=True) as admin:
        admin.execute("delete from saegim.set_up_code")
        admin.execute("update saegim.embedder_use set indexes = 0")
    clock = Clock()
    async with open_services(databases, Fakes(clock=clock)) as services:
        yield services, clock


def _browser(services: Services) -> httpx2.AsyncClient:
    transport = httpx2.ASGITransport(app=create_site(services))
    return httpx2.AsyncClient(transport=transport, base_url="http://localhost")


async def test_the_link_of_the_server_leads_to_an_owner_who_is_signed_in(
    empty: tuple[Services, Clock], capsys: pytest.CaptureFixture[str]
) -> None:
    services, _ = empty
    await print_set_up_link(services, "http://localhost")
    printed = capsys.readouterr().out.strip()
    assert printed.startswith("http://localhost/set-up?code=")
    code = printed.partition("code=")[2]
    async with _browser(services) as http:
        starts = [(await http.get(each)).headers["location"] for each in ("/", "/sign-in")]
        asked = await http.get("/set-up")
        page = await http.get("/set-up", params={"code": code})
        form = FORM | {"code": code, "password": PASSWORD, "again": PASSWORD}
        done = await http.post("/set-up", data=form)
        me = (await http.get("/v1/me")).json()
        progress = (await http.get("/v1/setup/progress")).json()
        later = await http.get("/set-up", params={"code": code})
        state = (await http.get("/v1/setup")).json()
        start = await http.get("/")

    assert starts == ["/set-up", "/set-up"]
    assert 'name="code"' in asked.text
    assert 'name="organisation"' in page.text
    assert (done.status_code, done.headers["location"]) == (303, "/welcome")
    assert (me["role"], me["name"], me["email"]) == ("owner", "김주인", "boss@example.com")
    assert progress == {"model": False, "documents": False, "members": False, "asked": False}
    assert (later.headers["location"], start.headers["location"]) == ("/sign-in", "/chat")
    assert state == {"needed": False}


async def test_the_api_sets_up_once(empty: tuple[Services, Clock]) -> None:
    services, _ = empty
    first, second = [await services.auth.set_up.new_code() for _ in range(2)]
    async with _browser(services) as http:
        before = (await http.get("/v1/setup")).json()
        wrong = await http.post("/v1/setup", json=BODY | {"code": "guess"})
        weak = await http.post("/v1/setup", json=BODY | {"code": first, "password": "short"})
        made = await http.post("/v1/setup", json=BODY | {"code": first})
        me = await http.get("/v1/me")
        http.cookies.clear()
        again = [
            (await http.post("/v1/setup", json=BODY | {"code": each})).status_code
            for each in (first, second)
        ]

    assert before == {"needed": True}
    assert (wrong.status_code, wrong.json()["code"]) == (403, "set_up_refused")
    assert (weak.status_code, weak.json()["code"]) == (422, "weak_password")
    assert (made.status_code, me.status_code) == (201, 200), made.text
    assert again == [409, 409]


async def test_two_set_ups_at_once_make_one_tenant(
    empty: tuple[Services, Clock], databases: Databases
) -> None:
    services, _ = empty
    codes = [await services.auth.set_up.new_code() for _ in range(2)]
    before = _tenants(databases)
    async with _browser(services) as http:
        answers = await asyncio.gather(
            *(http.post("/v1/setup", json=BODY | {"code": each}) for each in codes)
        )

    assert sorted(each.status_code for each in answers) in ([201, 403], [201, 409])
    assert _tenants(databases) == before + 1


def _tenants(databases: Databases) -> int:
    with psycopg.connect(databases.admin_url) as admin:
        row = admin.execute("select count(*) from saegim.tenant").fetchone()
    assert row is not None
    return row[0]


async def test_a_code_expires_and_is_stored_hashed(
    empty: tuple[Services, Clock], databases: Databases
) -> None:
    services, clock = empty
    code = await services.auth.set_up.new_code()
    with psycopg.connect(databases.admin_url) as admin:
        [(row,)] = admin.execute("select c::text from saegim.set_up_code c").fetchall()
    clock.ahead = CODE_FOR.total_seconds() + 1
    async with _browser(services) as http:
        late = await http.post("/v1/setup", json=BODY | {"code": code})
        page = await http.get("/set-up", params={"code": code})

    assert code not in row
    assert code.encode().hex() not in row
    assert (late.status_code, page.status_code) == (403, 403)


async def test_many_wrong_codes_from_a_network_are_refused(
    empty: tuple[Services, Clock],
) -> None:
    services, _ = empty
    code = await services.auth.set_up.new_code()
    for _ in range(60):
        assert not await services.auth.set_up.accepts("wrong", "203.0.113.9")
    with pytest.raises(LimitReached):
        await services.auth.set_up.accepts(code, "203.0.113.9")
    assert await services.auth.set_up.accepts(code, "203.0.113.10")


async def test_another_site_cannot_send_the_form(empty: tuple[Services, Clock]) -> None:
    services, _ = empty
    form = FORM | {"code": await services.auth.set_up.new_code(), "password": PASSWORD}
    async with _browser(services) as http:
        headers = {"Origin": "https://evil.example"}
        refused = await http.post("/set-up", data=form | {"again": PASSWORD}, headers=headers)

    assert refused.status_code == 403
    assert await services.auth.set_up.needed()


async def test_a_server_with_a_tenant_prints_no_link_and_takes_no_code(
    stack: Stack, capsys: pytest.CaptureFixture[str]
) -> None:
    await print_set_up_link(stack.services, "http://localhost")
    code = await stack.services.auth.set_up.new_code()
    refused = await stack.http.post("/v1/setup", json=BODY | {"code": code})
    progress = await stack.http.get("/v1/setup/progress", headers=stack.headers())

    assert capsys.readouterr().out == ""
    assert refused.status_code == 409
    assert progress.status_code == 200
