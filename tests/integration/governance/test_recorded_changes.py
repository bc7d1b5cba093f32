"""A change and its audit event are stored in one transaction: neither exists without the other."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.integration.auth.conftest import (  # noqa: F401 - a fixture
    ISSUER,
    AuthStack,
    auth_stack,
)
from tests.stack import Databases

pytestmark = pytest.mark.requirement("OP5")

SOURCE = {"source": {"kind": "sitemap", "url": "https://a.example/sitemap.xml"}}
QUESTIONS = {"questions": [{"question": "언제?", "expected": "7일"}]}
LIMIT = {"subject": "user", "resource": "requests", "window_seconds": 60, "most": 500}
TABLES = """
    select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where n.nspname = 'saegim' and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> 'audit_event'
"""
REFUSE = """
    create function saegim.refuse_event() returns trigger language plpgsql as
    $$ begin raise exception 'no event is taken' using errcode = '57P03'; end $$;
    create trigger refuse_event before insert on saegim.audit_event
    for each row execute function saegim.refuse_event();
"""
ALLOW = "drop trigger refuse_event on saegim.audit_event; drop function saegim.refuse_event()"

Change = tuple[str, str, Any, str]


@contextmanager
def no_events(databases: Databases) -> Iterator[None]:
    """The audit trail takes nothing."""
    with psycopg.connect(databases.admin_url, autocommit=True) as admin:
        admin.execute(REFUSE)
        try:
            yield
        finally:
            admin.execute(ALLOW)


def stored(databases: Databases) -> dict[str, list[Any]]:
    """All rows but events, without when a key was used last."""
    with psycopg.connect(databases.admin_url) as admin:
        return {
            table: admin.execute(
                f"select to_jsonb(t) - 'used_at' from saegim.{table} t order by 1".encode()
            ).fetchall()
            for (table,) in admin.execute(TABLES.encode()).fetchall()
        }


async def changes(auth_stack: AuthStack) -> list[Change]:  # noqa: F811 - the fixture
    """A request for each kind of change, and the event that it leaves."""
    bob = (await auth_stack.call("GET", "/v1/me", auth_stack.admin("bob"))).json()["user_id"]
    keys = [await auth_stack.made("/v1/keys", {"name": "k", "role": "member"}) for _ in range(2)]
    collection = (await auth_stack.made("/v1/collections", {"name": "법무"}))["collection_id"]
    hook = {"url": "https://a.invalid/", "events": ["turn.done"]}
    webhook = (await auth_stack.made("/v1/webhooks", hook))["webhook_id"]
    model = {"provider": "openai", "api_key": "sk-test"}
    connection = (await auth_stack.made("/v1/model-connections", model))["connection_id"]
    source = (await auth_stack.made("/v1/sources", SOURCE))["source_id"]
    written = await auth_stack.made("/v1/team-memory", {"content": "금요일"})
    shared = written["team_memory_id"]
    await auth_stack.call("PUT", "/v1/evaluations/questions", auth_stack.owner(), QUESTIONS)
    [issuer] = (await auth_stack.call("GET", "/v1/issuers", auth_stack.owner())).json()
    planned = await auth_stack.made("/v1/erasures", {"me": True}, auth_stack.admin("cat"))
    other = {"source": SOURCE["source"] | {"url": "https://b.example/sitemap.xml"}}
    signer = {"url": f"{ISSUER}/other", "audience": "a", "jwks_url": "https://a.invalid/keys"}
    return [
        ("POST", "/v1/keys", {"name": "n", "role": "member"}, "key_made"),
        ("POST", f"/v1/keys/{keys[0]['id']}/rotate", {}, "key_rotated"),
        ("DELETE", f"/v1/keys/{keys[1]['id']}", None, "key_revoked"),
        ("PATCH", f"/v1/members/{bob}", {"role": "editor"}, "member_changed"),
        ("PATCH", f"/v1/collections/{collection}", {"audience": ["hr"]}, "audience_changed"),
        ("POST", "/v1/collections", {"name": "인사"}, "audience_changed"),
        ("PUT", "/v1/limits", {"limits": [LIMIT]}, "limits_changed"),
        ("POST", "/v1/webhooks", hook, "webhooks_changed"),
        ("DELETE", f"/v1/webhooks/{webhook}", None, "webhooks_changed"),
        ("POST", "/v1/model-connections", model, "models_changed"),
        ("PUT", "/v1/model-roles", {"roles": ["lite"]}, "models_changed"),
        ("PUT", f"/v1/model-connections/{connection}/egress", {}, "models_changed"),
        ("DELETE", f"/v1/model-connections/{connection}", None, "models_changed"),
        ("POST", "/v1/sources", other, "sources_changed"),
        ("DELETE", f"/v1/sources/{source}", None, "sources_changed"),
        ("PUT", "/v1/issuers", signer, "issuer_changed"),
        ("DELETE", f"/v1/issuers/{issuer['issuer_id']}", None, "issuer_changed"),
        ("PUT", "/v1/assistant/config", {"strict": True}, "assistant_published"),
        ("POST", "/v1/assistants", {"name": "둘째", "persona": "돕습니다."}, "assistant_published"),
        ("PUT", "/v1/evaluations/questions", QUESTIONS, "evaluation_questions_changed"),
        ("POST", "/v1/evaluations", None, "evaluation_started"),
        ("POST", "/v1/team-memory", {"content": "배포는 월요일"}, "team_memory_changed"),
        ("PATCH", f"/v1/team-memory/{shared}", {"content": "화요일"}, "team_memory_changed"),
        ("DELETE", f"/v1/team-memory/{shared}", None, "team_memory_changed"),
        ("PATCH", "/v1/guild", {"persona": "친절하게"}, "guild_changed"),
        ("DELETE", f"/v1/erasures/{planned['erasure_id']}", None, "erasure_cancelled"),
        ("POST", "/v1/erasures", {"member_id": bob, "reason": "asked"}, "erasure_requested"),
    ]


async def test_no_change_is_stored_without_its_event(
    auth_stack: AuthStack,  # noqa: F811 - the fixture
    databases: Databases,
) -> None:
    every = await changes(auth_stack)
    headers = auth_stack.owner() | {"Saegim-Guild": "1"}
    before = stored(databases)
    with no_events(databases):
        for method, path, body, _ in every:
            response = await auth_stack.call(method, path, headers, body)
            assert response.status_code == 503, f"{method} {path}: {response.text}"
            assert stored(databases) == before, f"{method} {path}"
    known = len(await events(auth_stack))
    for method, path, body, action in every:
        response = await auth_stack.call(method, path, headers, body)
        assert response.status_code < 300, f"{method} {path}: {response.text}"
        newest, *older = await events(auth_stack)
        assert (newest, len(older)) == (action, known), f"{method} {path}"
        known += 1


async def events(auth_stack: AuthStack) -> list[str]:  # noqa: F811 - the fixture
    """Returns the audit events, newest first."""
    found = (await auth_stack.call("GET", "/v1/audit", auth_stack.owner())).json()["events"]
    return [each["action"] for each in found]


def test_interfaces_note_only_what_stores_nothing() -> None:
    interfaces = [Path("src/saegim") / name for name in ("api", "channels", "cli", "mcp", "web")]
    noted = {
        found
        for folder in interfaces
        for path in folder.rglob("*.py")
        for found in re.findall(r"trail\.note\([^)]*?AuditAction\.(\w+)", path.read_text("utf-8"))
    }
    # The first account is made before its tenant can record anything.
    assert noted == {"REFUSED", "TOKEN_MINTED", "QUESTIONS_READ", "ACCOUNT_MADE"}
