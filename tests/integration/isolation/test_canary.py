"""One tenant's key against another tenant's data, over every route that the API has."""

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid4

import httpx2
import psycopg
import pytest
from pydantic_ai.models import override_allow_model_requests

from saegim.api.app import create_app
from saegim.auth.types import parse_key
from saegim.domain.scope import Role
from tests.integration.isolation.attacks import on
from tests.integration.isolation.catalogue import tenant_tables
from tests.integration.isolation.tenant_pair import (
    USER,
    PairedTenant,
    TenantPair,
    everything_logged,
    new_tenant_pair,
)
from tests.integration.library.conftest import bring_in, search
from tests.stack import Databases, Stack

pytestmark = pytest.mark.requirement("OP5")

PLANTED = 12
NOT_TOLD = {"x-request-id", "content-length"}


@dataclass
class Planted:
    """Secrets of one tenant, and the ids under which they are stored."""

    words: list[str] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)

    def word(self) -> str:
        self.words.append(f"카나리아{uuid4().hex}")
        return self.words[-1]

    def found_in(self, text: str) -> set[str]:
        return {word for word in self.words if word in text}


@pytest.fixture(autouse=True)
def model_requests() -> Iterator[None]:
    """The example of a model connection names a host that does not exist."""
    with override_allow_model_requests(True):
        yield


@pytest.fixture(scope="module")
async def pair(databases: Databases) -> AsyncIterator[TenantPair]:
    async with new_tenant_pair(databases) as pair:
        yield pair


@pytest.fixture(scope="module")
async def planted(pair: TenantPair) -> Planted:
    """Canaries in all texts and names of the second tenant."""
    planted = Planted()
    for _ in range(PLANTED):
        headers = {"Saegim-Session": quote(planted.word()), "Idempotency-Key": uuid4().hex}
        reply = await pair.b.say(planted.word(), **headers)
        # The model repeats the message, so the reply has the canary too.
        assert planted.words[-1] in reply["answer"]
        planted.ids = {"turn_id": reply["turn_id"], "session_id": reply["session_id"]}
    name = quote(planted.word())
    await pair.b.stack.say(planted.word(), name, **{"Saegim-Profile": name})
    planted.ids |= await _document(pair.b.stack, f"# {planted.word()}\n\n{planted.word()}")
    planted.ids |= await _access(pair.b, planted)
    planted.ids["source_id"] = await _source(pair.b, f"https://{planted.word()}.invalid/")
    planted.words += [str(pair.b.tenant), pair.b.tenant.hex]
    assert len(planted.words) > 20
    return planted


async def _document(stack: Stack, text: str) -> dict[str, str]:
    """A document of the library, and the ids that lead to it."""
    await stack.services.warm_up()
    report = await bring_in(stack, {"canary.md": text})
    found = await search(stack, text)
    return {
        "ingest_id": report["ingest_id"],
        "name": "canary.md",
        "document_id": "canary.md",
        "passage_id": found["found"][0]["passage_id"],
    }


async def _access(fallback: PairedTenant, planted: Planted) -> dict[str, str]:
    """Creates the tenant's access data, and returns the ids that lead to it."""
    http, headers = fallback.stack.http, fallback.headers()

    async def made(method: str, path: str, body: object = None, **more: str) -> Any:
        response = await http.request(method, path, json=body, headers=headers | more)
        assert response.is_success, response.text
        return response.json() if response.content else {}

    name = planted.word()
    key = await made("POST", "/v1/keys", {"name": name, "user": name})
    code = await made("POST", "/v1/identities/codes")
    await made("POST", "/v1/identities", {"code": code["code"]}, **{"Saegim-User": quote(name)})
    issuer = {"url": planted.word(), "audience": planted.word(), "jwks_url": "https://a.com/k"}
    owner = await fallback.stack.services.auth.tenants.create_key(
        fallback.tenant, fallback.stack.tenant.assistant.id, "owner", role=Role.OWNER
    )
    await made("PUT", "/v1/issuers", issuer, Authorization=f"Bearer {owner}")
    collection = await made("POST", "/v1/collections", {"name": planted.word()})
    assistant = str(fallback.stack.tenant.assistant.id)
    draft = {"name": planted.word(), "persona": planted.word()}
    await made("PUT", f"/v1/assistants/{assistant}/draft", draft)
    members = (await made("GET", "/v1/members"))["members"]
    nobody = await made("GET", "/v1/me", **{"Saegim-User": "to-be-erased"})
    erasure = await made(
        "POST", "/v1/erasures", {"member_id": nobody["user_id"], "reason": planted.word()}
    )
    told = {"url": f"https://{planted.word()}.invalid/", "events": ["turn.handed_off"]}
    webhook = await made("POST", "/v1/webhooks", told)
    model = {"provider": "openai", "api_key": planted.word(), "name": planted.word()}
    connection = await made("POST", "/v1/model-connections", model)
    # No role uses it: nothing here may call a provider.
    await made("PUT", "/v1/model-roles", {})
    guild = {"Saegim-Guild": "7"}
    await made("PATCH", "/v1/guild", {"persona": planted.word()}, **guild)
    wish = {"channel_id": "42", "place": planted.word(), "at": "07:30"}
    notice = await made("POST", "/v1/guild/notices", wish, **guild)
    memory = await made("POST", "/v1/memories", {"content": planted.word()})
    told = {"type": "fact", "importance": 0.5, "said_at": "2026-01-01T00:00:00Z"}
    brought = {"format": "saegim-memory/1", "memories": [told | {"content": planted.word()}]}
    imported = await made("POST", "/v1/memories/import", brought)
    return {
        "import_id": imported["import_id"],
        "memory_id": memory["memory_id"],
        "webhook_id": webhook["webhook_id"],
        "connection_id": connection["connection_id"],
        "notice_id": notice["notice_id"],
        "key_id": key["id"],
        "member_id": next(each["member_id"] for each in members if each["name"] == name),
        "identity_id": (await made("GET", "/v1/identities"))[0]["identity_id"],
        "erasure_id": erasure["erasure_id"],
        "issuer_id": (await made("GET", "/v1/issuers"))[0]["issuer_id"],
        "collection_id": collection["collection_id"],
        "assistant_id": assistant,
        "model_id": assistant,
        "job_id": str(fallback.stack.job("failed")),
    }


async def _source(fallback: PairedTenant, url: str) -> str:
    body = {"source": {"kind": "urls", "urls": [url]}}
    response = await fallback.stack.http.post("/v1/sources", json=body, headers=fallback.headers())
    assert response.status_code == 201, response.text
    return response.json()["source_id"]


# Ids of another tenant -----------------------------------------------------------------------

LOOKS = [
    ("GET", "/v1/turns/{turn_id}"),
    ("GET", "/v1/turns/{turn_id}/events"),
    ("GET", "/v1/turns/{turn_id}/trace"),
    ("POST", "/v1/turns/{turn_id}/cancel"),
    ("GET", "/v1/sessions/{session_id}/turns"),
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
                assert response.status_code < 500, request.path
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


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    names_another: bool

    async def sent(self, http: httpx2.AsyncClient) -> httpx2.Response:
        body = dict(self.body)
        headers = {**self.headers, **body.pop("headers", {})}
        return await http.request(self.method, self.path, headers=headers, **body)


def walk(fallback: PairedTenant, planted: Planted, headers: Mapping[str, str]) -> Iterator[Request]:
    """A request to every operation of the API, with the canaries' ids wherever one is taken."""
    document = create_app(fallback.stack.services).openapi()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            names = set(re.findall(r"\{(\w+)\}", path))
            unknown = names - planted.ids.keys()
            if unknown:
                pytest.fail(f"{path}: say in `planted` which of the tenant's ids fill {unknown}")
            yield Request(
                method.upper(),
                path.format(**planted.ids),
                headers,
                _body(document, path, operation),
                bool(names),
            )


def _body(document: dict[str, Any], path: str, operation: dict[str, Any]) -> dict[str, Any]:
    content = operation.get("requestBody", {}).get("content", {})
    if not content:
        return {}
    if "application/json" not in content:
        return {"content": b"{}", "headers": {"Content-Type": next(iter(content))}}
    reference = content["application/json"]["schema"].get("$ref", "").rpartition("/")[2]
    examples = document["components"]["schemas"].get(reference, {}).get("examples")
    if not examples:
        pytest.fail(f"{path}: its body has no example")
    return {"json": examples[0]}


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
