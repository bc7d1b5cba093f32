"""Browsers, and people with accounts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2

from saegim.api.caller import COOKIE, CSRF
from saegim.domain.scope import Role
from saegim.web.app import create_site
from tests.integration.auth.conftest import AuthStack
from tests.stack import Stack

PASSWORD = "correct horse battery"
OTHER = "another long password"


@asynccontextmanager
async def browser(stack: Stack, address: str = "127.0.0.1") -> AsyncIterator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(app=create_site(stack.services), client=(address, 1))
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as http:
        yield http


async def invited(auth_stack: AuthStack, email: str, role: Role = Role.MEMBER, **more: Any) -> str:
    """Returns the token of a new invitation."""
    body = {"email": email, "role": role, **more}
    made = await auth_stack.made("/v1/invitations", body, auth_stack.owner())
    return token_in(made["link"])


def token_in(link: str) -> str:
    return parse_qs(urlsplit(link).query)["token"][0]


async def accept(http: httpx2.AsyncClient, token: str, password: str = PASSWORD) -> httpx2.Response:
    form = {"token": token, "name": "김새김", "password": password, "again": password}
    return await http.post("/invitation", data=form)


async def joined(
    auth_stack: AuthStack, http: httpx2.AsyncClient, email: str, role: Role = Role.MEMBER
) -> str:
    """Lets somebody accept an invitation; returns the member's ID."""
    response = await accept(http, await invited(auth_stack, email, role))
    assert (response.status_code, response.headers.get("location")) == (303, "/chat")
    return (await http.get("/v1/me")).json()["user_id"]


async def sign_in(
    http: httpx2.AsyncClient, email: str, password: str = PASSWORD, **more: str
) -> httpx2.Response:
    return await http.post("/sign-in", data={"email": email, "password": password, **more})


async def shown(stack: Stack, http: httpx2.AsyncClient) -> dict[str, str]:
    """Returns the header that every change needs."""
    return {CSRF: (await stack.services.auth.sign_ins.open(http.cookies[COOKIE])).csrf}


async def actions(auth_stack: AuthStack) -> list[str]:
    """Returns the actions of the audit trail, oldest first."""
    events = (await auth_stack.call("GET", "/v1/audit", auth_stack.owner())).json()["events"]
    return [each["action"] for each in reversed(events)]
