"""Credentials of every kind, for one tenant."""

import functools
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from saegim.app.infrastructure import Fakes
from saegim.domain.errors import AuthenticationRequired
from saegim.domain.scope import Role
from tests.stack import Databases, Stack, new_stack
from tests.unit.auth.issuer import SigningKeys

ISSUER, AUDIENCE = "https://login.example.com", "saegim"
JWKS_URL = "https://login.example.com/jwks.json"


@dataclass
class Clock:
    """The time, which a test can move."""

    ahead: float = 0.0

    def now(self) -> datetime:
        return datetime.fromtimestamp(datetime.now(UTC).timestamp() + self.ahead, UTC)


@dataclass
class KeySets:
    """Documents of issuers by address."""

    documents: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    codes: dict[str, str] = field(default_factory=dict)
    forms: list[Mapping[str, str]] = field(default_factory=list)

    async def fetch(self, url: str) -> Mapping[str, Any]:
        self.asked.append(url)
        return self.documents[url]

    async def exchange(self, url: str, form: Mapping[str, str]) -> Mapping[str, Any]:
        self.asked.append(url)
        self.forms.append(form)
        if form["code"] not in self.codes:
            raise AuthenticationRequired
        return {"id_token": self.codes.pop(form["code"])}


@dataclass
class AuthStack:
    """A tenant, its issuer and the time."""

    stack: Stack
    clock: Clock
    key_sets: KeySets
    signing: SigningKeys

    def admin(self, user: str = "관리자", **more: str) -> dict[str, str]:
        from urllib.parse import quote

        return self.stack.headers(quote(user), **more)

    async def call(
        self, method: str, path: str, headers: Mapping[str, str], body: object = None
    ) -> Any:
        return await self.stack.http.request(method, path, headers=dict(headers), json=body)

    async def made(self, path: str, body: object, headers: Mapping[str, str] | None = None) -> Any:
        response = await self.call("POST", path, headers or self.admin(), body)
        assert response.status_code in (200, 201, 202), response.text
        return response.json()

    async def key(self, user: str, role: Role = Role.MEMBER, **more: object) -> dict[str, str]:
        """Headers with a new key of a user's own."""
        body = {"name": "k", "user": user, "role": role, **more}
        made = await self.made("/v1/keys", body, self.owner())
        return {"Authorization": f"Bearer {made['secret']}"}

    def owner(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.owner_key}", "Saegim-User": "owner"}

    owner_key: str = ""

    def claims(self, **changed: object) -> dict[str, Any]:
        at = int(self.clock.now().timestamp())
        said = {"iss": ISSUER, "aud": AUDIENCE, "sub": "kim", "iat": at, "exp": at + 600} | changed
        return {name: value for name, value in said.items() if value is not None}

    def signed(self, **changed: object) -> dict[str, str]:
        """Headers with a token of the tenant's own sign-in."""
        token = self.signing.sign(self.claims(**changed))
        return self.bearing(token)

    def bearing(self, token: str) -> dict[str, str]:
        tenant = self.stack.tenant.tenant.id
        return {"Authorization": f"Bearer {token}", "Saegim-Tenant": str(tenant)}


# Made once: an RSA key takes a while.
signing_keys = functools.cache(SigningKeys)


@pytest.fixture
async def auth_stack(databases: Databases) -> AsyncIterator[AuthStack]:
    clock, key_sets, signing = Clock(), KeySets(), signing_keys()
    key_sets.documents[JWKS_URL] = signing.jwks()
    async with new_stack(databases, Fakes(clock=clock, key_sets=key_sets)) as stack:
        auth_stack = AuthStack(stack, clock, key_sets, signing)
        tenant = stack.tenant
        auth_stack.owner_key = await stack.services.auth.tenants.create_key(
            tenant.tenant.id, tenant.assistant.id, "owner", role=Role.OWNER
        )
        body = {"url": ISSUER, "audience": AUDIENCE, "jwks_url": JWKS_URL, "groups_claim": "groups"}
        response = await auth_stack.call("PUT", "/v1/issuers", auth_stack.owner(), body)
        assert response.status_code == 204, response.text
        yield auth_stack
