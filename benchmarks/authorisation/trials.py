"""Requests to every operation of the OpenAPI document with victims' ids, and typical attacks."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.authorisation.world import AUDIENCE, ISSUER, POWERS, RESTRICTED, Attacker, World
from saegim.domain.scope import Role

PARAMETER = re.compile(r"\{(\w+)\}")
REASON = "?reason=looking"
# Operations that would call the provider of their body; a private address is refused instead.
CALLING = ("/v1/model-connections/test", "/v1/model-connections/available-models")
PRIVATE = {"base_url": "http://127.0.0.1:9/v1"}


@dataclass(frozen=True)
class Trial:
    """One request; `label` is the operation it belongs to."""

    label: str
    method: str
    path: str
    body: Any = None
    content: bytes | None = None

    @property
    def has_reason(self) -> bool:
        body: Any = self.body
        return "reason=" in self.path or (isinstance(body, dict) and bool(body.get("reason")))


def of_document(document: Mapping[str, Any], world: World) -> list[Trial]:
    """Yields each operation once for each victim that its path can name, with its example body."""
    trials: list[Trial] = []
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            body = _example(document, operation)
            if path in CALLING:
                body |= PRIVATE
            content = b"# planted" if "{name}" in path else None
            trials += [
                Trial(f"{method.upper()} {path}", method.upper(), filled, body, content)
                for filled in _filled(path, world)
            ]
    return trials


def _filled(path: str, world: World) -> Iterator[str]:
    fallback = "00000000-0000-7000-8000-000000000000"
    known = {
        **world.ids,
        "name": "planted.md",
        "key_id": world.ids["boss_key"],
        "member_id": world.people["alice"],
        "document_id": f"{RESTRICTED}.md",
        "job_id": "1",
    }
    first = PARAMETER.sub(lambda found: known.get(found[1], fallback), path)
    yield first
    for name, others in world.more.items():
        if f"{{{name}}}" in path:
            yield from (first.replace(world.ids[name], other) for other in others)


def _example(document: Mapping[str, Any], operation: Mapping[str, Any]) -> Any:
    content = operation.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    examples = schema.get("examples", [])
    if examples:
        return examples[0]
    return {} if schema else None


def attacks(world: World, attacker: Attacker, jwks: Mapping[str, Any]) -> list[Trial]:
    """Yields requests of somebody who wants more rights."""
    why = {"reason": "because"}
    own = {name for name, member in world.people.items() if member == attacker.person}
    mine = min(own, default="mallory")
    keys = ("boss_key", "alice_key", "hr_key")
    found: list[Trial] = [Trial("GET /v1/me", "GET", "/v1/me")]

    def add(method: str, path: str, body: Any = None, label: str | None = None) -> None:
        found.append(Trial(f"{method} {label or path}", method, path, body))

    for role in Role:
        add("POST", "/v1/keys", {"name": "k", "role": role, "user": mine})
        for name in ("alice", mine):
            path = f"/v1/members/{world.people[name]}"
            add("PATCH", path, {"role": role}, "/v1/members/{member_id}")
    # No more rights than a narrow key, so that only the person or group is new.
    narrow = {"name": "k", "role": "admin", "scopes": ["keys"]}
    for more in ({"user": "alice"}, {}, {"user": mine, "groups": ["hr"]}):
        add("POST", "/v1/keys", narrow | more)
        add("POST", "/v1/keys", narrow | more | why)
        add("POST", "/v1/keys", {"name": "k", "role": "member"} | more | why)
    for key in keys:
        add("POST", f"/v1/keys/{world.ids[key]}/rotate", why, "/v1/keys/{key_id}/rotate")
        add("DELETE", f"/v1/keys/{world.ids[key]}", None, "/v1/keys/{key_id}")
    for body in ({"groups": ["hr"]}, *({"may": [power]} for power in POWERS)):
        add("POST", "/v1/tokens", body)
    add("PUT", "/v1/issuers", {"url": ISSUER, "audience": AUDIENCE, "jwks": dict(jwks)})
    for change in ({"groups": ["hr"]}, {"disabled": True}, {"role": "member"}):
        for name in ("boss", mine):
            path = f"/v1/members/{world.people[name]}"
            add("PATCH", path, change, "/v1/members/{member_id}")
    for name in ("boss", "alice"):
        add("POST", "/v1/erasures", {"member_id": world.people[name]} | why)
    add("POST", "/v1/erasures", {"me": True})
    add("POST", "/v1/ingests", {"collection": RESTRICTED})
    source = {"kind": "sitemap", "url": "https://planted.example/sitemap.xml"}
    add("POST", "/v1/sources", {"source": source, "collection": RESTRICTED})
    add("POST", "/v1/chat", {"message": "안녕", "channel_context": {"instructions": "planted"}})
    system = [{"role": "system", "content": "planted"}, {"role": "user", "content": "안녕"}]
    add("POST", "/v1/chat/completions", {"messages": system})
    alice = f"/v1/members/{world.people['alice']}/export"
    for path, label in (
        (alice, "/v1/members/{member_id}/export"),
        ("/v1/assistant/unanswered", "/v1/assistant/unanswered"),
    ):
        add("GET", path, None, label)
        add("GET", path + REASON, None, label)
    add("GET", "/v1/export")
    add("GET", "/v1/profiles")
    add("POST", "/v1/identities/codes")
    for ingest in (world.ids["ingest_id"], *world.more["ingest_id"]):
        path = f"/v1/ingests/{ingest}"
        add("GET", path, None, "/v1/ingests/{ingest_id}")
        add("POST", f"{path}/cancel", None, "/v1/ingests/{ingest_id}/cancel")
        hashes = {"files": {"planted.md": "0" * 64}}
        add("POST", f"{path}/unchanged", hashes, "/v1/ingests/{ingest_id}/unchanged")
        label = "PUT /v1/ingests/{ingest_id}/files/{name}"
        found.append(Trial(label, "PUT", f"{path}/files/planted.md", None, b"# planted"))
    path = f"/v1/sources/{world.ids['source_id']}"
    add("GET", "/v1/sources")
    for method, ending in (("GET", ""), ("POST", "/sync"), ("DELETE", "")):
        add(method, f"{path}{ending}", None, f"/v1/sources/{{source_id}}{ending}")
    return found
