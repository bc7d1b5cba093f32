"""Canaries in the data of one tenant, and requests to every route that name them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import httpx2
import pytest

from saegim.api.app import create_app
from saegim.app.container import Services
from saegim.domain.scope import Role
from tests.integration.isolation.tenant_pair import PairedTenant
from tests.integration.library.conftest import bring_in, search
from tests.stack import Stack

PLANTED = 12


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


async def plant(owner: PairedTenant) -> Planted:
    """Put canaries in all texts and names of a tenant."""
    planted = Planted()
    for _ in range(PLANTED):
        headers = {"Saegim-Session": quote(planted.word()), "Idempotency-Key": uuid4().hex}
        reply = await owner.say(planted.word(), **headers)
        # The model repeats the message, so the reply has the canary too.
        assert planted.words[-1] in reply["answer"]
        planted.ids = {"turn_id": reply["turn_id"], "session_id": reply["session_id"]}
    name = quote(planted.word())
    await owner.stack.say(planted.word(), name, **{"Saegim-Profile": name})
    planted.ids |= await _document(owner.stack, f"# {planted.word()}\n\n{planted.word()}")
    planted.ids |= await _access(owner, planted)
    planted.ids["share_id"] = await _share(owner, planted.ids["session_id"])
    planted.ids["source_id"] = await _source(owner, f"https://{planted.word()}.invalid/")
    planted.words += [str(owner.tenant), owner.tenant.hex]
    assert len(planted.words) > 20
    return planted


async def _document(stack: Stack, text: str) -> dict[str, str]:
    """A document of the library, and the ids that lead to it."""
    await stack.services.warm_up()
    report = await bring_in(stack, {"canary.md": text})
    found = await search(stack, text)
    listed = await stack.http.get("/v1/documents", headers=stack.headers())
    return {
        "id": listed.json()["documents"][0]["id"],
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
    invitation = {"email": f"{planted.word()}@example.com", "name": planted.word()}
    invited = await made("POST", "/v1/invitations", invitation)
    collection = await made("POST", "/v1/collections", {"name": planted.word()})
    assistant = str(fallback.stack.tenant.assistant.id)
    draft = {"name": planted.word(), "persona": planted.word()}
    await made("PUT", f"/v1/assistants/{assistant}/draft", draft)
    questions = [{"question": planted.word(), "expected": planted.word()}]
    await made("PUT", "/v1/evaluations/questions", {"questions": questions})
    run = await made("POST", "/v1/evaluations")
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
    shared = await made("POST", "/v1/team-memory", {"content": planted.word()})
    told = {"type": "fact", "importance": 0.5, "said_at": "2026-01-01T00:00:00Z"}
    brought = {"format": "saegim-memory/1", "memories": [told | {"content": planted.word()}]}
    imported = await made("POST", "/v1/memories/import", brought)
    again = {"content": planted.word(), "topic": "취향", "type": "preference"}
    for _ in range(2):
        await made("POST", "/v1/memories", again)
    scope = (await fallback.caller()).scope
    await fallback.stack.services.memory.synthesis.synthesise(scope.tenant, scope.profile)
    derived = (await made("GET", "/v1/memory/derived"))["derived"]
    return {
        "derived_id": derived[0]["derived_id"],
        "import_id": imported["import_id"],
        "memory_id": memory["memory_id"],
        "team_memory_id": shared["team_memory_id"],
        "webhook_id": webhook["webhook_id"],
        "connection_id": connection["connection_id"],
        "notice_id": notice["notice_id"],
        "run_id": run["run_id"],
        "key_id": key["id"],
        "invitation_id": invited["invitation_id"],
        "member_id": next(each["member_id"] for each in members if each["name"] == name),
        "identity_id": (await made("GET", "/v1/identities"))[0]["identity_id"],
        "erasure_id": erasure["erasure_id"],
        "issuer_id": (await made("GET", "/v1/issuers"))[0]["issuer_id"],
        "collection_id": collection["collection_id"],
        "assistant_id": assistant,
        "model_id": assistant,
        "job_id": str(fallback.stack.job("failed")),
    }


async def _share(owner: PairedTenant, session: str) -> str:
    path = f"/v1/sessions/{session}/share"
    response = await owner.stack.http.post(path, headers=owner.headers())
    assert response.status_code == 200, response.text
    return response.json()["share_id"]


async def _source(fallback: PairedTenant, url: str) -> str:
    body = {"source": {"kind": "urls", "urls": [url]}}
    response = await fallback.stack.http.post("/v1/sources", json=body, headers=fallback.headers())
    assert response.status_code == 201, response.text
    return response.json()["source_id"]


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
    document = _openapi(fallback.stack.services)
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


_OPENAPI: dict[str, Any] = {}


def _openapi(services: Services) -> dict[str, Any]:
    """Return the description of the API, which is the same for every stack."""
    if not _OPENAPI:
        _OPENAPI.update(create_app(services).openapi())
    return _OPENAPI


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
