"""Testing an issuer says in words what is wrong with it."""

from typing import Any

import pytest

from saegim.auth.key_sets import HttpKeySets
from saegim.domain.errors import Unavailable
from saegim.domain.scope import Role
from tests.integration.auth.conftest import ISSUER, JWKS_URL, AuthStack

pytestmark = pytest.mark.requirement("OP5")

DISCOVERY = f"{ISSUER}/.well-known/openid-configuration"
GOOD = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{ISSUER}/authorize",
    "token_endpoint": f"{ISSUER}/token",
    "jwks_uri": JWKS_URL,
}


async def _test(auth_stack: AuthStack, document: dict[str, Any]) -> dict[str, Any]:
    auth_stack.key_sets.documents[DISCOVERY] = document
    return await auth_stack.made("/v1/issuers/test", {"url": ISSUER}, auth_stack.owner())


async def test_a_good_issuer_shows_the_address_of_its_keys(auth_stack: AuthStack) -> None:
    found = await _test(auth_stack, GOOD)

    assert found == {"ok": True, "problem": None, "detail": "", "jwks_url": JWKS_URL}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"issuer": "https://evil.example"}, "another issuer"),
        ({"token_endpoint": "http://login.example.com/token"}, "https"),
        ({"authorization_endpoint": None}, "no sign-in page"),
    ],
)
async def test_what_is_wrong_is_said_in_words(
    auth_stack: AuthStack, changed: dict[str, Any], words: str
) -> None:
    found = await _test(auth_stack, GOOD | changed)

    assert not found["ok"]
    assert words in found["problem"]


async def test_an_issuer_without_usable_keys_is_not_ok(auth_stack: AuthStack) -> None:
    auth_stack.key_sets.documents[JWKS_URL] = {"keys": []}
    found = await _test(auth_stack, GOOD)

    assert (found["ok"], "no keys" in found["problem"]) == (False, True)


async def test_only_owners_test_issuers(auth_stack: AuthStack) -> None:
    admin = await auth_stack.key("admin", Role.ADMIN)
    refused = await auth_stack.call("POST", "/v1/issuers/test", admin, {"url": ISSUER})

    assert refused.status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1:9", "10.0.0.1", "[::1]", "169.254.169.254"])
async def test_private_addresses_are_not_fetched(host: str) -> None:
    with pytest.raises(Unavailable):
        await HttpKeySets().fetch(f"https://{host}/.well-known/openid-configuration")
