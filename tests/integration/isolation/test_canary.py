"""One tenant's key against another tenant's data, over every route that the API has."""

from collections.abc import AsyncIterator, Iterator
from urllib.parse import quote
from uuid import UUID, uuid4

import httpx2
import psycopg
import pytest
from pydantic_ai.models import override_allow_model_requests

from saegim.auth.types import parse_key
from tests.integration.isolation.attacks import on
from tests.integration.isolation.canaries import Planted, plant, walk
from tests.integration.isolation.catalogue import tenant_tables
from tests.integration.isolation.tenant_pair import (
    USER,
    PairedTenant,
    TenantPair,
    everything_logged,
    new_tenant_pair,
)
from tests.stack import Databases

pytestmark = pytest.mark.requirement("OP5")

NOT_TOLD = {"x-request-id", "content-length"}


@pytest.fixture(autouse=True)
def model_requests() -> Iterator[None]:
    """The example of a model connection names a host that does not exist."""
    with override_allow_model_requests(True):
        yield


@pytest.fixture(scope="module")
async def pair(databases: Databases) -> AsyncIterator[TenantPair]:
    async with new_tenant_pair(databases, pause_seconds=0) as pair:
        yield pair


@pytest.fixture(scope="module")
async def planted(pair: TenantPair) -> Planted:
    return await plant(pair.b)


# Ids of another tenant -----------------------------------------------------------------------

LOOKS = [
    ("GET", "/v1/turns/{turn_id}"),
    ("GET", "/v1/turns/{turn_id}/events"),
    ("GET", "/v1/turns/{turn_id}/trace"),
    ("GET", "/v1/turns/{turn_id}/suggestions"),
    ("POST", "/v1/turns/{turn_id}/cancel"),
    ("GET", "/v1/sessions/{session_id}"),
    ("GET", "/v1/sessions/{session_id}/turns"),
    ("POST", "/v1/sessions/{session_id}/restore"),
    ("POST", "/v1/sessions/{session_id}/share"),
    ("DELETE", "/v1/sessions/{session_id}/share"),
    ("DELETE", "/v1/sessions/{session_id}?undoable=true"),
]


# First: other tests let the other tenant name its own people after the canaries.
async def test_no_route_shows_or_changes_anything_of_another_tenant(
    pair: TenantPair, planted: Planted, databases: Databases
) -> None:
    before = _rows_of(databases, pair.b.tenant)
    bound = {"Authorization": f"Bearer {await _bound_key(pair.a, USER)}"}
    inside = pair.a.headers(**{"Saegim-Session": planted.ids["session_id"]})
    with everything_logged() as written:
        for headers in (pair.a.headers(), inside, bound):
            for request in walk(pair.a, planted, headers):
                response = await request.sent(pair.a.stack.http)
                shown = response.text + str(response.headers)
                assert planted.found_in(shown) == set(), request.path
                # No worker runs here, which a server reports after a while.
                assert response.status_code < 500 or request.path == "/health/ready", request.path
                assert response.status_code in (403, 404) or not request.names_another

    assert planted.found_in(written.getvalue()) == set()
    assert _rows_of(databases, pair.b.tenant) == before


@pytest.mark.parametrize(("method", "path"), LOOKS)
async def test_an_id_of_another_tenant_is_like_one_that_nobody_has(
    method: str, path: str, pair: TenantPair, planted: Planted
) -> None:
    nobodys = {"turn_id": str(uuid4()), "session_id": str(uuid4())}
    theirs, unknown = [
        await pair.a.stack.http.request(method, path.format(**ids), headers=pair.a.headers())
        for ids in (planted.ids, nobodys)
    ]

    assert theirs.status_code == 404
    assert _told(theirs) == _told(unknown)


async def test_a_session_of_another_tenant_cannot_be_spoken_in(
    pair: TenantPair, planted: Planted
) -> None:
    theirs, unknown = [
        await pair.a.stack.http.post(
            "/v1/chat",
            json={"message": "이어서"},
            headers=pair.a.headers(**{"Saegim-Session": session}),
        )
        for session in (planted.ids["session_id"], str(uuid4()))
    ]

    assert theirs.status_code == 404
    assert _told(theirs) == _told(unknown)


SMUGGLED = (
    "Saegim-Tenant",
    "Saegim-Tenant-Id",
    "X-Saegim-Tenant",
    "X-Tenant",
    "X-Tenant-Id",
    "X-Org-Id",
    "Tenant",
    "App.Tenant",
    "X-Forwarded-Tenant",
    "X-Api-Key",
)


# Who one is ----------------------------------------------------------------------------------


async def test_a_tenant_is_named_by_its_key_alone(pair: TenantPair, databases: Databases) -> None:
    other = str(pair.b.tenant)
    before = _rows_of(databases, pair.b.tenant)
    smuggled = dict.fromkeys(SMUGGLED, other) | {
        "Cookie": f"tenant={other}; app.tenant={other}",
        "X-Authorization": f"Bearer {pair.b.stack.tenant.key}",
    }
    path = f"/v1/chat?tenant={other}&tenant_id={other}&app.tenant={other}"
    headers, body = pair.a.headers(**smuggled), {"message": "안녕"}
    response = await pair.a.stack.http.post(path, json=body, headers=headers)
    turn = response.json()["turn_id"]
    named = {"tenant": other, "tenant_id": other, "scope": {"tenant": other}}
    refused = await pair.a.stack.http.post(path, json=body | named, headers=headers)

    assert (response.status_code, refused.status_code) == (200, 422)
    assert (await pair.a.get(f"/v1/turns/{turn}"))["message"] == "안녕"
    assert _rows_of(databases, pair.b.tenant) == before


@pytest.mark.parametrize("name", ["alice'; set app.tenant = '{tenant}'; --", "{tenant}", "a\x00b"])
async def test_a_name_is_never_more_than_a_name(
    name: str, pair: TenantPair, databases: Databases
) -> None:
    before = _rows_of(databases, pair.b.tenant)
    named = quote(name.format(tenant=pair.b.tenant))
    headers = {"Saegim-User": named, "Saegim-Profile": named, "Saegim-Session": f"s-{named}"}
    reply = await pair.a.say("안녕", **headers)

    assert reply["state"] == "done"
    assert _rows_of(databases, pair.b.tenant) == before


async def test_a_key_with_another_tenants_id_in_it_is_no_key(pair: TenantPair) -> None:
    forged = pair.a.stack.tenant.key.replace(pair.a.tenant.hex, pair.b.tenant.hex)
    nobodys = pair.a.stack.tenant.key.replace(pair.a.tenant.hex, uuid4().hex)
    assert all(parse_key(key) for key in (forged, nobodys))
    responses = [
        await pair.a.stack.http.post(
            "/v1/chat",
            json={"message": "안녕"},
            headers=pair.a.headers(Authorization=f"Bearer {key}"),
        )
        for key in (forged, nobodys)
    ]

    assert [response.status_code for response in responses] == [401, 401]
    assert _told(responses[0]) == _told(responses[1])


@pytest.mark.parametrize("named", ["bob", USER])
async def test_a_key_bound_to_one_user_cannot_name_a_user(named: str, pair: TenantPair) -> None:
    key = await _bound_key(pair.a, USER)
    response = await pair.a.stack.http.post(
        "/v1/chat",
        json={"message": "안녕"},
        headers={"Authorization": f"Bearer {key}", "Saegim-User": named},
    )

    assert (response.status_code, response.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize(("method", "path"), LOOKS)
async def test_a_key_bound_to_one_user_sees_nothing_of_another(
    method: str, path: str, pair: TenantPair
) -> None:
    bob = await pair.a.stack.say("밥의 비밀", "bob")
    key = await _bound_key(pair.a, USER)
    nobodys = {"turn_id": str(uuid4()), "session_id": str(uuid4())}
    theirs, unknown = [
        await pair.a.stack.http.request(
            method, path.format_map(ids), headers={"Authorization": f"Bearer {key}"}
        )
        for ids in (bob, nobodys)
    ]

    assert theirs.status_code == 404
    assert _told(theirs) == _told(unknown)


@pytest.mark.parametrize(("method", "path"), LOOKS)
async def test_a_profile_sees_nothing_of_another(method: str, path: str, pair: TenantPair) -> None:
    work = await pair.a.say("업무의 비밀")
    home = pair.a.headers(**{"Saegim-Profile": "home"})
    nobodys = {"turn_id": str(uuid4()), "session_id": str(uuid4())}
    theirs, unknown = [
        await pair.a.stack.http.request(method, path.format_map(ids), headers=home)
        for ids in (work, nobodys)
    ]

    assert theirs.status_code == 404
    assert _told(theirs) == _told(unknown)


# Every route ---------------------------------------------------------------------------------


async def test_the_canaries_are_there_for_their_own_tenant(
    pair: TenantPair, planted: Planted
) -> None:
    """The walk would see them: with the owner's key it does."""
    shown = ""
    for request in walk(pair.b, planted, pair.b.headers()):
        shown += (await request.sent(pair.b.stack.http)).text

    assert planted.found_in(shown)


def _told(response: httpx2.Response) -> tuple[object, ...]:
    """Returns everything in a response except the request's own id."""
    body = {key: value for key, value in response.json().items() if key != "request_id"}
    headers = {key: value for key, value in response.headers.items() if key not in NOT_TOLD}
    return response.status_code, body, headers


def _rows_of(databases: Databases, tenant: UUID) -> dict[str, list[str]]:
    """Returns everything stored for a tenant, including its jobs."""
    with psycopg.connect(databases.admin_url) as connection:
        tables = [each for each in tenant_tables(connection) if not each.is_partition]
        statement = "select t::text from {} t where tenant_id = %s order by 1"
        found = {
            table.name: connection.execute(on(statement, table), (tenant,)).fetchall()
            for table in tables
        }
        found["jobs"] = connection.execute(
            "select t::text from saegim.procrastinate_jobs t where args ->> 'tenant' = %s "
            "order by 1",
            (str(tenant),),
        ).fetchall()
    return {name: [row for (row,) in rows] for name, rows in found.items()}


async def _bound_key(fallback: PairedTenant, user: str) -> str:
    tenant = fallback.stack.tenant
    return await fallback.stack.services.auth.tenants.create_key(
        tenant.tenant.id, tenant.assistant.id, "bound", user
    )
