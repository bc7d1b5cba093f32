"""The audit trail: append-only, chained; one changed, removed or reordered row is found."""

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from saegim.domain.scope import Role
from tests.integration.auth.conftest import (  # noqa: F401 - a fixture
    AuthStack,
    auth_stack,
)
from tests.stack import Databases

pytestmark = pytest.mark.requirement("OP5", "LM7")


@pytest.fixture
async def sealed(auth_stack: AuthStack) -> AuthStack:  # noqa: F811 - the fixture
    """A trail of three batches."""
    tenant = auth_stack.stack.tenant.tenant.id
    for batch in range(3):
        for number in range(4):
            await auth_stack.made("/v1/keys", {"name": f"k{batch}{number}", "role": "member"})
        member = (await auth_stack.call("GET", "/v1/me", auth_stack.admin("bob"))).json()["user_id"]
        path = f"/v1/members/{member}/export?reason=why-{batch}"
        assert (await auth_stack.call("GET", path, auth_stack.owner())).status_code == 200
        auth_stack.clock.ahead += 60
        assert await auth_stack.stack.services.audit.trail.seal(tenant, tenant) >= 5
    return auth_stack


async def broken(auth_stack: AuthStack) -> list[str]:  # noqa: F811
    verified = await auth_stack.call("POST", "/v1/audit/verify", auth_stack.owner())
    assert verified.status_code == 200
    return verified.json()["broken"]


def tamper(databases: Databases, statement: str) -> None:
    """Changes the trail as an attacker with the database, but without the keys."""
    with psycopg.connect(databases.admin_url) as connection:
        connection.execute("set search_path to saegim, public")
        connection.execute("alter table audit_event disable trigger keep_audit_event")
        connection.execute(statement.encode())
        connection.execute("alter table audit_event enable trigger keep_audit_event")


async def test_a_trail_that_nobody_touched_is_whole(sealed: AuthStack) -> None:
    found = (await sealed.call("POST", "/v1/audit/verify", sealed.owner())).json()

    assert (found["batches"], found["broken"]) == (3, [])
    assert found["events"] >= 15
    assert len(found["head"]) == 64


ONE = "(select event_id from audit_event where sealed_in = 2 order by event_id offset 1 limit 1)"
OTHER = "(select event_id from audit_event where sealed_in = 2 order by event_id offset 2 limit 1)"
REASONED = "(select event_id from audit_event where sealed_in = 2 and reason is not null limit 1)"
TAMPERING = {
    "a changed action": f"update audit_event set action = 'nothing' where event_id = {ONE}",
    "a changed actor": f"update audit_event set actor_id = subject_id where event_id = {ONE}",
    "a changed time": f"update audit_event set at = at + interval '1 s' where event_id = {ONE}",
    "a changed subject": f"update audit_event set subject_id = member_id where event_id = {ONE}",
    "a changed reason": (
        f"update audit_event set reason = '\\x0100010203' where event_id = {REASONED}"
    ),
    "a removed reason": f"update audit_event set reason = null where event_id = {REASONED}",
    "a removed event": f"delete from audit_event where event_id = {ONE}",
    "events that changed places": (
        "update audit_event a set action = b.action, at = b.at, subject_id = b.subject_id "
        f"from audit_event b where a.event_id = {ONE} and b.event_id = {OTHER}"
    ),
    "an event in another batch": f"update audit_event set sealed_in = 3 where event_id = {ONE}",
    "an added event": (
        "insert into audit_event (tenant_id, event_id, member_id, profile_id, subject_id, action, "
        "actor, at, sealed_in) select tenant_id, gen_random_uuid(), member_id, profile_id, "
        f"subject_id, action, actor, at, sealed_in from audit_event where event_id = {ONE}"
    ),
    "a removed batch": "delete from audit_seal where number = 2",
    "a tail cut off": (
        "delete from audit_event where sealed_in = 3; delete from audit_seal where number = 3"
    ),
    "the whole trail": "delete from audit_event where sealed_in > 0; delete from audit_seal "
    "where number > 0",
    "a batch sealed again without the key": (
        "update audit_seal set digest = sha256('guess') where number = 3"
    ),
}


@pytest.mark.parametrize("what", TAMPERING)
async def test_whatever_is_done_to_a_row_is_found(
    what: str, sealed: AuthStack, databases: Databases
) -> None:
    assert await broken(sealed) == []
    tenant = sealed.stack.tenant.tenant.id
    scoped = (
        TAMPERING[what]
        .replace("where sealed_in", f"where tenant_id = '{tenant}' and sealed_in")
        .replace("where number", f"where tenant_id = '{tenant}' and number")
    )
    tamper(databases, scoped)

    assert await broken(sealed) != []


@pytest.mark.parametrize(
    "statement",
    [
        "delete from audit_event",
        "update audit_event set action = 'x'",
        "update audit_event set sealed_in = 9 where sealed_in is not null",
        "delete from audit_seal",
        "update audit_seal set events = 0",
    ],
)
async def test_the_app_itself_cannot_change_the_trail(
    statement: str, sealed: AuthStack, databases: Databases
) -> None:
    with psycopg.connect(databases.app_url) as connection:
        connection.execute(
            "select set_config('app.tenant', %s, false)", (str(sealed.stack.tenant.tenant.id),)
        )
        with pytest.raises(InsufficientPrivilege):
            connection.execute(statement.encode())


async def test_a_cut_trail_stays_broken_when_sealing_goes_on(
    sealed: AuthStack, databases: Databases, caplog: pytest.LogCaptureFixture
) -> None:
    services, tenant = sealed.stack.services, sealed.stack.tenant.tenant.id
    cut = f"where tenant_id = '{tenant}' and"
    tamper(
        databases,
        f"delete from audit_event {cut} sealed_in > 1; delete from audit_seal {cut} number > 1",
    )
    for _ in range(3):
        await sealed.made("/v1/keys", {"name": "later", "role": "member"})
        sealed.clock.ahead += 60
        assert await services.audit.trail.seal(tenant, tenant) > 0

    assert await broken(sealed) == ["batch 3 is not the one that the keyring recorded"]
    assert "was cut" in caplog.text
    await services.audit.trail.accept_head(tenant)
    assert await broken(sealed) == []


async def test_the_trail_says_who_when_what_why_and_from_where(sealed: AuthStack) -> None:
    page = (await sealed.call("GET", "/v1/audit", sealed.owner())).json()
    read = next(each for each in page["events"] if each["action"] == "read_by_other")
    me = (await sealed.call("GET", "/v1/me", sealed.owner())).json()["user_id"]

    assert (read["actor"], read["actor_id"], read["reason"]) == ("owner", me, "why-2")
    assert read["origin"] == "key"
    assert read["subject_id"] != me


async def test_reading_another_person_needs_a_reason_and_a_role(auth_stack: AuthStack) -> None:  # noqa: F811
    bob = (await auth_stack.call("GET", "/v1/me", auth_stack.admin("bob"))).json()["user_id"]
    path = f"/v1/members/{bob}/export"
    auditor = await auth_stack.key("audi", Role.AUDITOR)

    assert (await auth_stack.call("GET", path, auth_stack.admin())).status_code == 403
    assert (await auth_stack.call("GET", path, auditor)).status_code == 422
    assert (await auth_stack.call("GET", f"{path}?reason=case-7", auditor)).status_code == 200


async def test_a_rotated_key_leaves_the_chain_whole(sealed: AuthStack) -> None:
    services, tenant = sealed.stack.services, sealed.stack.tenant.tenant.id
    member = (await sealed.call("GET", "/v1/me", sealed.owner())).json()["user_id"]
    from uuid import UUID

    from saegim.encryption.rotation import KeyRotation
    from saegim.governance.reencryption import Reencryption

    rotation = KeyRotation(
        services.encryption.keyring, margin=-services.encryption.keyring.remember_seconds
    )
    resealing = Reencryption(
        services.db.cells, services.encryption.keyring, rotation, services.jobs.queue
    )
    await resealing.begin(tenant, UUID(member))
    assert await resealing.reseal(tenant, UUID(member)) > 0
    assert await resealing.reseal(tenant, UUID(member)) == 0

    assert await rotation.versions(tenant, UUID(member)) == (2,)
    assert await broken(sealed) == []
