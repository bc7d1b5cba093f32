"""Self-erasure has a grace period, in which it changes nothing and can be cancelled."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from typer.testing import CliRunner

from saegim.app.infrastructure import Fakes
from saegim.cli.main import app
from saegim.encryption.types import KeyDestroyed
from saegim.governance.erasure.repository import continue_erasures
from tests.stack import Databases, Stack, new_stack, served

pytestmark = pytest.mark.requirement("OP5")

DAY = timedelta(hours=24)


@dataclass
class MovableClock:
    ahead: timedelta = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead


CLOCK = MovableClock()


@pytest.fixture(scope="module")
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases, Fakes(clock=CLOCK)) as running:
        yield running


async def call(
    stack: Stack, method: str, path: str, user: str, body: Any = None, status: int = 200
) -> Any:
    """Sends a request as a member with their own key."""
    response = await stack.http.request(method, path, json=body, headers=await member(stack, user))
    assert response.status_code == status, response.text
    return response.json()


async def member(stack: Stack, user: str) -> dict[str, str]:
    tenant = stack.tenant
    key = await stack.services.auth.tenants.create_key(
        tenant.tenant.id, tenant.assistant.id, user, user=user
    )
    return {"Authorization": f"Bearer {key}"}


async def planned(stack: Stack, user: str) -> dict[str, Any]:
    return await call(stack, "POST", "/v1/erasures", user, {"me": True}, 202)


async def run_job(stack: Stack, erasure: dict[str, Any], *, late: timedelta = DAY) -> None:
    """The job, so much later."""
    CLOCK.ahead += late
    try:
        await stack.services.governance.erasures.erase(
            stack.tenant.tenant.id, UUID(erasure["erasure_id"])
        )
    finally:
        CLOCK.ahead -= late


async def state(stack: Stack, erasure: dict[str, Any]) -> str:
    response = await stack.http.get(
        f"/v1/erasures/{erasure['erasure_id']}", headers=stack.headers("admin")
    )
    return response.json()["state"]


async def has_key(stack: Stack, erasure: dict[str, Any]) -> bool:
    tenant, owner = stack.tenant.tenant.id, UUID(erasure["member_id"])
    try:
        await stack.services.encryption.keyring.refresh(tenant, owner)
    except KeyDestroyed:
        return False
    return True


def jobs(stack: Stack, erasure: dict[str, Any]) -> list[tuple[datetime]]:
    """Returns when the waiting jobs of an erasure are due."""
    with psycopg.connect(stack.databases.admin_url) as admin:
        found = admin.execute(
            "select scheduled_at from saegim.procrastinate_jobs "
            "where status = 'todo' and args->>'subject' = %s",
            [erasure["erasure_id"]],
        )
        return found.fetchall()


async def actions(stack: Stack, erasure: dict[str, Any]) -> list[str]:
    """The audit events about the person of an erasure, oldest first."""
    events = await stack.services.audit.trail.events(stack.tenant.tenant.id, None, 100)
    about = {UUID(erasure["member_id"]), UUID(erasure["erasure_id"])}
    return [
        each.event.action
        for each in reversed(events)
        if each.event.subject in about and each.event.action.startswith("eras")
    ]


async def test_self_erasure_is_planned_and_changes_nothing_until_it_runs(stack: Stack) -> None:
    erasure = await planned(stack, "ann")
    asked, runs = (datetime.fromisoformat(erasure[each]) for each in ("requested_at", "runs_at"))
    assert (erasure["state"], runs - asked) == ("planned", DAY)
    again = await planned(stack, "ann")
    await run_job(stack, erasure, late=DAY - timedelta(minutes=1))

    assert again["erasure_id"] == erasure["erasure_id"]
    assert await call(stack, "GET", "/v1/erasures", "ann") == [erasure]
    assert await has_key(stack, erasure)
    assert await state(stack, erasure) == "planned"


async def test_a_planned_erasure_runs_after_the_grace_period(stack: Stack) -> None:
    erasure = await planned(stack, "ben")
    headers = await member(stack, "ben")
    await run_job(stack, erasure)
    locked_out = await stack.http.get("/v1/me", headers=headers)
    cancelled = await stack.http.delete(
        f"/v1/erasures/{erasure['erasure_id']}", headers=stack.headers("admin")
    )

    assert locked_out.status_code in (401, 403)
    assert cancelled.status_code == 409
    assert not await has_key(stack, erasure)
    assert await state(stack, erasure) == "key_destroyed"
    await run_job(stack, erasure)
    assert await state(stack, erasure) == "done"
    await run_job(stack, erasure)
    assert await actions(stack, erasure) == ["erasure_planned", "erased"]


async def test_a_cancelled_erasure_never_runs(stack: Stack) -> None:
    erasure = await planned(stack, "cat")
    path = f"/v1/erasures/{erasure['erasure_id']}"
    found = await call(stack, "DELETE", path, "cat")
    assert found == erasure | {"state": "cancelled"}
    await run_job(stack, erasure)

    assert await state(stack, erasure) == "cancelled"
    assert await has_key(stack, erasure)
    await call(stack, "DELETE", path, "cat", status=409)
    second = await planned(stack, "cat")
    assert second["erasure_id"] != erasure["erasure_id"]
    assert (await actions(stack, erasure))[:2] == ["erasure_planned", "erasure_cancelled"]


async def test_nobody_but_the_person_and_admins_cancels(stack: Stack) -> None:
    erasure = await planned(stack, "dan")
    path = f"/v1/erasures/{erasure['erasure_id']}"
    for method in ("GET", "DELETE"):
        await call(stack, method, path, "eve", status=404)
    assert await call(stack, "GET", "/v1/erasures", "eve") == []
    assert await state(stack, erasure) == "planned"
    by_admin = await stack.http.delete(path, headers=stack.headers("admin"))
    assert (by_admin.status_code, by_admin.json()["state"]) == (200, "cancelled")


async def test_an_admins_order_runs_at_once_and_ends_a_grace_period(stack: Stack) -> None:
    erasure = await planned(stack, "fay")
    body = {"member_id": erasure["member_id"], "reason": "asked by mail"}
    headers = stack.headers("admin")
    ordered = (await stack.http.post("/v1/erasures", json=body, headers=headers)).json()
    assert (ordered["erasure_id"], ordered["state"]) == (erasure["erasure_id"], "started")
    await run_job(stack, erasure, late=timedelta())
    assert not await has_key(stack, erasure)


async def test_the_job_waits_for_the_time_that_is_shown(stack: Stack) -> None:
    erasure = await planned(stack, "gus")
    [(due,)] = jobs(stack, erasure)
    assert abs(due - datetime.fromisoformat(erasure["runs_at"])) < timedelta(minutes=10)
    # A worker whose clock is behind puts it off, once.
    await run_job(stack, erasure, late=timedelta())
    await run_job(stack, erasure, late=timedelta())
    assert len(jobs(stack, erasure)) == 1


async def test_a_restored_plan_has_its_grace_period_again(stack: Stack) -> None:
    erasure = await planned(stack, "hal")
    tenant = stack.tenant.tenant.id
    with psycopg.connect(stack.databases.admin_url) as admin:
        admin.execute("set search_path = saegim")
        admin.execute(
            "delete from procrastinate_jobs where args->>'subject' = %s", [erasure["erasure_id"]]
        )
        admin.execute(
            "update erasure set requested_at = requested_at - interval '9 days', "
            "runs_at = runs_at - interval '9 days' where erasure_id = %s",
            [erasure["erasure_id"]],
        )
    cell = await stack.services.db.cells.for_tenant(tenant)
    async with cell.transaction(tenant) as connection:
        await continue_erasures(connection, tenant)
    await run_job(stack, erasure, late=DAY - timedelta(minutes=1))
    [(due,)] = jobs(stack, erasure)

    assert await state(stack, erasure) == "planned"
    assert due - datetime.now(UTC) > DAY - timedelta(minutes=10)


async def test_commands_request_list_and_cancel_ones_erasure(stack: Stack) -> None:
    headers = await member(stack, "joe")
    async with served(stack.services) as http:

        async def command(*arguments: str) -> Any:
            environment = {
                "SAEGIM_KEY": headers["Authorization"].removeprefix("Bearer "),
                "SAEGIM_POSTGRES_URL": "set",
            }
            options = ["--json", "--url", str(http.base_url)]
            result = await asyncio.to_thread(
                CliRunner().invoke, app, ["erasure", *arguments, *options], env=environment
            )
            assert result.exit_code == 0, result.output
            return json.loads(result.stdout)

        asked = await command("request", "--yes")
        assert asked["state"] == "planned"
        assert await command("list") == [asked]
        cancelled = await command("cancel", asked["erasure_id"])
    assert cancelled["state"] == "cancelled"


async def test_without_a_grace_period_self_erasure_begins_at_once(databases: Databases) -> None:
    async with new_stack(databases, settings={"erasure_grace_hours": 0}) as stack:
        erasure = await planned(stack, "ivy")
        assert (erasure["state"], erasure["runs_at"]) == ("started", erasure["requested_at"])
        assert await actions(stack, erasure) == ["erasure_requested"]


async def test_no_job_about_a_person_waits_after_the_lock_out(
    stack: Stack, databases: Databases
) -> None:
    said = await stack.http.post(
        "/v1/chat",
        json={"message": "나는 땅콩 알레르기가 있어."},
        headers=await member(stack, "eve"),
    )
    assert said.status_code == 200, said.text
    eve = (await call(stack, "GET", "/v1/me", "eve"))["user_id"]
    about = [said.json()["turn_id"], said.json()["session_id"]]
    assert "extract" in _jobs(databases, about)
    body = {"member_id": eve, "reason": "asked"}
    asked = await stack.http.post("/v1/erasures", json=body, headers=stack.headers("root"))
    assert asked.status_code == 202, asked.text

    assert _jobs(databases, about) == []


def _jobs(databases: Databases, subjects: list[str]) -> list[str]:
    with psycopg.connect(databases.admin_url) as admin:
        rows = admin.execute(
            "select task_name from saegim.procrastinate_jobs where args ->> 'subject' = any(%s)",
            [subjects],
        ).fetchall()
    return [row[0] for row in rows]
