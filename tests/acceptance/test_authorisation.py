"""Every credential against every operation: no escalation of rights.

A sample runs in CI; `make verify-authorisation` runs all of it and writes the figures.
"""

import contextlib
import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx2
import psycopg
import pytest

from benchmarks import results
from benchmarks.authorisation.records import Records
from benchmarks.authorisation.runs import Run, Tally, weakened
from benchmarks.authorisation.trials import of_document
from benchmarks.authorisation.world import (
    AUDIENCE,
    ISSUER,
    Attacker,
    Call,
    World,
    attackers,
    plant,
)
from benchmarks.page import everything, publish
from saegim.api.app import create_app
from saegim.app.container import build
from saegim.app.infrastructure import Fakes
from saegim.domain.scope import Role
from tests.sizes import sized
from tests.stack import Databases, Stack, new_stack, patient
from tests.unit.auth.issuer import SigningKeys

pytestmark = pytest.mark.requirement("OP5")

UNLIMITED = {"limits": "key requests 1000000/60"}
# Enough of them in every run; the others take the same way.
SOME = (
    "without key_person",
    "without linked_role",
    "token with self:link",
)


@dataclass
class AuthStack:
    """A tenant with victims, those who attack it, and a way to ask it with other rules."""

    stack: Stack
    run: Run
    attackers: list[Attacker]
    trials: list[Any]


def calling(http: httpx2.AsyncClient) -> Call:
    async def call(
        method: str,
        path: str,
        headers: Mapping[str, str],
        body: object = None,
        content: bytes | None = None,
    ) -> Any:
        sent = None if content is not None else body
        return await http.request(method, path, headers=dict(headers), json=sent, content=content)

    return call


@pytest.fixture(scope="module")
async def auth_stack(databases: Databases) -> AsyncIterator[AuthStack]:
    signing, whole = SigningKeys(), bool(sized(0, 1))
    async with new_stack(databases, settings=UNLIMITED) as stack:
        tenant = stack.tenant
        owner = await stack.services.auth.tenants.create_key(
            tenant.tenant.id, tenant.assistant.id, "owner", role=Role.OWNER
        )
        headers = {"Authorization": f"Bearer {owner}", "Saegim-User": "first-owner"}

        def sign(subject: str) -> dict[str, str]:
            now = int(datetime.now(UTC).timestamp())
            claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": subject, "iat": now}
            token = signing.sign({**claims, "exp": now + 80_000})
            return {"Authorization": f"Bearer {token}", "Saegim-Tenant": str(tenant.tenant.id)}

        call = calling(stack.http)
        world = World(call, headers, sign)
        await plant(world, signing.jwks())
        tried = await attackers(world, whole=whole)
        with psycopg.connect(databases.admin_url, autocommit=True) as admin:
            records = Records(admin, tenant.tenant.id)
            run = Run(world, records, SigningKeys().jwks(), call)
            trials = of_document(create_app(stack.services).openapi(), world)
            yield AuthStack(stack, run, tried, trials)


@contextlib.asynccontextmanager
async def with_rules(
    auth_stack: AuthStack, databases: Databases, grants: Any
) -> AsyncIterator[Run]:
    """The same tenant, served by an application that keeps other rules."""
    settings = databases.settings().model_copy(update=UNLIMITED)
    services = build(settings, patient(Fakes(grants=grants)))
    await services.open()
    transport = httpx2.ASGITransport(app=create_app(services))
    try:
        async with httpx2.AsyncClient(transport=transport, base_url="http://saegim") as http:
            run = auth_stack.run
            yield Run(run.world, run.records, run.jwks, calling(http))
    finally:
        await services.close()


def told(tally: Tally) -> str:
    return "\n".join(sorted(set(tally.escalations)))


async def test_nobody_obtains_what_they_may_not_grant(auth_stack: AuthStack) -> None:
    every = {trial.label for trial in auth_stack.trials}
    # In a small run the whole document is for some of them only.
    some = auth_stack.attackers if sized(0, 1) else auth_stack.attackers[:1]
    tally = await auth_stack.run.all(some, auth_stack.trials)
    if not sized(0, 1):
        more = await auth_stack.run.all(auth_stack.attackers[1:], ())
        tally.escalations += more.escalations
        tally.combinations += more.combinations
    figures["combinations"] = tally.combinations
    figures["escalations"] = len(tally.escalations)
    figures["credentials"] = len(auth_stack.attackers)
    figures["operations"] = len(tally.operations)

    assert tally.escalations == [], told(tally)
    assert every <= tally.operations
    assert tally.combinations > sized(500, 20_000)
    assert tally.statuses[200] > 20


async def test_planted_holes_are_found(auth_stack: AuthStack, databases: Databases) -> None:
    holes = weakened()
    planted = {name: holes[name] for name in (holes if sized(0, 1) else SOME)}
    missed: list[str] = []
    for name, grants in planted.items():
        async with with_rules(auth_stack, databases, grants) as run:
            tally = await run.all(auth_stack.attackers, (), first=True)
            missed += [] if tally.escalations else [name]
    figures["planted"] = len(planted)
    figures["found"] = len(planted) - len(missed)
    if os.environ.get("SAEGIM_FULL_TESTS"):
        results.write("authorisation", figures, {"credentials": len(auth_stack.attackers)})
        publish("authorisation", everything(figures))

    assert missed == []
    assert len(holes) >= 16


figures: dict[str, float] = {}
