"""Forged, expired, foreign, downgraded and replayed credentials: one answer for all of them."""

import base64
import hmac
from typing import Any

import pytest

from saegim.auth.types import mint_key
from saegim.db.cells import HOME_CELL
from saegim.domain.scope import Role
from tests.integration.auth.conftest import AuthStack
from tests.unit.auth.issuer import SigningKeys, b64, part

pytestmark = pytest.mark.requirement("OP5")

NOT_TOLD = {"x-request-id", "content-length"}


@pytest.fixture
async def forged(auth_stack: AuthStack) -> dict[str, dict[str, str]]:
    """More than fifty forged credentials with their descriptions."""
    stack = auth_stack.stack
    other = await stack.services.auth.tenants.create("다른 상사", "ko", HOME_CELL)
    ways: dict[str, dict[str, str]] = {}

    def bear(name: str, credential: str, **more: str) -> None:
        ways[name] = {"Authorization": f"Bearer {credential}", **more}

    _keys(auth_stack, other.tenant.id.hex, bear)
    await _ended_keys(auth_stack, bear)
    await _tokens(auth_stack, other.key, other.tenant.id.hex, bear)
    _signed(auth_stack, bear)
    mine = auth_stack.signing.sign(auth_stack.claims())
    bear("a signed token at another tenant", mine, **{"Saegim-Tenant": str(other.tenant.id)})
    bear("a signed token at no tenant", mine)
    bear("a signed token at nobody's tenant", mine, **{"Saegim-Tenant": "0" * 32})
    bear("a signed token at a name", mine, **{"Saegim-Tenant": "'; drop table tenant; --"})
    ways["no credential"] = {}
    ways["basic"] = {"Authorization": f"Basic {base64.b64encode(b'admin:admin').decode()}"}
    ways["a key without Bearer"] = {"Authorization": stack.tenant.key}
    ways["a key in another header"] = {"X-Api-Key": stack.tenant.key, "Saegim-User": "alice"}
    ways["an empty credential"] = {"Authorization": "Bearer "}
    return ways


def _keys(auth_stack: AuthStack, other: str, bear: Any) -> None:
    key = auth_stack.stack.tenant.key
    tenant = auth_stack.stack.tenant.tenant.id
    user = {"Saegim-User": "alice"}
    bear("a key with another tenant in it", key.replace(tenant.hex, other), **user)
    bear("a key of nobody's tenant", key.replace(tenant.hex, "0" * 32), **user)
    bear("a guessed key", mint_key(tenant).text, **user)
    bear("a cut key", key[:-1], **user)
    bear("a longer key", f"{key}A", **user)
    bear("a key in capitals", key.upper(), **user)
    bear("its prefix alone", key[:43], **user)
    bear("the hash instead of the secret", f"sgm_{tenant.hex}_{'A' * 43}", **user)
    bear("SQL", f"sgm_{tenant.hex}_' or '1'='1", **user)
    bear("a key as a token", key.replace("sgm_", "sgt_"), **user)


async def _ended_keys(auth_stack: AuthStack, bear: Any) -> None:
    made = await auth_stack.made("/v1/keys", {"name": "r", "role": "admin"})
    await auth_stack.call("DELETE", f"/v1/keys/{made['id']}", auth_stack.admin())
    bear("a revoked key", made["secret"], **{"Saegim-User": "alice"})
    rotated = await auth_stack.made("/v1/keys", {"name": "r", "role": "admin"})
    await auth_stack.made(f"/v1/keys/{rotated['id']}/rotate", {"overlap_seconds": 0})
    bear("a rotated key after its overlap", rotated["secret"], **{"Saegim-User": "alice"})
    stepped = await auth_stack.key("eve", Role.EDITOR)
    member = (await auth_stack.call("GET", "/v1/me", stepped)).json()["user_id"]
    await auth_stack.call("PATCH", f"/v1/members/{member}", auth_stack.admin(), {"role": "member"})
    bear("a key of a role that was taken away", stepped["Authorization"][7:])
    locked = await auth_stack.key("mallory")
    member = (await auth_stack.call("GET", "/v1/me", locked)).json()["user_id"]
    await auth_stack.call("PATCH", f"/v1/members/{member}", auth_stack.admin(), {"disabled": True})
    bear("a key of somebody locked out", locked["Authorization"][7:])


async def _tokens(auth_stack: AuthStack, other_key: str, other: str, bear: Any) -> None:
    tenant = auth_stack.stack.tenant.tenant.id
    minted = (await auth_stack.made("/v1/tokens", {}, auth_stack.admin("alice")))["secret"]
    page = {"origins": ["https://app.example.com"]}
    bound = (await auth_stack.made("/v1/tokens", page, auth_stack.admin("alice")))["secret"]
    short = (await auth_stack.made("/v1/tokens", {"seconds": 1}, auth_stack.admin("alice")))[
        "secret"
    ]
    response = await auth_stack.stack.http.post(
        "/v1/tokens",
        json={},
        headers={"Authorization": f"Bearer {other_key}", "Saegim-User": "alice"},
    )
    foreign = response.json()["secret"]
    head, sealed = minted[: -len(minted.split("_", 3)[3])], minted.split("_", 3)[3]
    raw = bytearray(base64.urlsafe_b64decode(sealed + "=" * (-len(sealed) % 4)))
    for at, what in ((0, "format"), (2, "version"), (5, "nonce"), (20, "body"), (-1, "tag")):
        changed = bytearray(raw)
        changed[at] ^= 1
        text = base64.urlsafe_b64encode(bytes(changed)).rstrip(b"=").decode()
        bear(f"a token with a changed {what}", head + text)
    bear("a token with another tenant in it", minted.replace(tenant.hex, other))
    bear("another tenant's token as ours", foreign.replace(other, tenant.hex))
    bear("a token of another key", _with_key(minted, "0" * 32))
    bear("a cut token", minted[:-3])
    bear("a token as a key", minted.replace("sgt_", "sgm_"))
    bear("a token from another page", bound, Origin="https://evil.example.com")
    bear("a token from no page", bound)
    bear("a token from a page below", bound, Origin="https://app.example.com.evil.com")
    bear("a token from a page over http", bound, Origin="http://app.example.com")
    revoked = await auth_stack.made("/v1/keys", {"name": "web", "role": "admin"})
    backend = {"Authorization": f"Bearer {revoked['secret']}", "Saegim-User": "alice"}
    token = (await auth_stack.made("/v1/tokens", {}, backend))["secret"]
    await auth_stack.call("DELETE", f"/v1/keys/{revoked['id']}", auth_stack.admin())
    bear("a token replayed after its key was revoked", token)
    auth_stack.clock.ahead = 2
    bear("an expired token", short)


def _with_key(token: str, key: str) -> str:
    start, tenant, _, sealed = token.split("_", 3)
    return "_".join((start, tenant, key, sealed))


def _signed(auth_stack: AuthStack, bear: Any) -> None:
    at = int(auth_stack.clock.now().timestamp())
    where = {"Saegim-Tenant": str(auth_stack.stack.tenant.tenant.id)}
    others, good = SigningKeys(), auth_stack.signing.sign(auth_stack.claims())
    wrong: dict[str, dict[str, Any]] = {
        "expired": {"exp": at - 61},
        "without end": {"exp": None},
        "endless": {"exp": at + 10**9},
        "not valid yet": {"nbf": at + 300},
        "from the future": {"iat": at + 300},
        "for somebody else": {"aud": "other"},
        "for nobody": {"aud": None},
        "of another issuer": {"iss": "https://evil.example.com"},
        "of no issuer": {"iss": None},
        "of an issuer that is a list": {"iss": ["https://login.example.com"]},
        "naming nobody": {"sub": None},
        "naming a number": {"sub": 7},
    }
    for name, changed in wrong.items():
        bear(
            f"a signed token {name}", auth_stack.signing.sign(auth_stack.claims(**changed)), **where
        )
    unsigned = f"{part({'alg': 'none', 'kid': 'r'})}.{part(auth_stack.claims())}"
    bear("an unsigned token", f"{unsigned}.", **where)
    bear("a token downgraded to none", f"{unsigned}.{good.rpartition('.')[2]}", **where)
    modulus = auth_stack.signing.jwks()["keys"][0]["n"].encode()
    symmetric = f"{part({'alg': 'HS256', 'kid': 'r'})}.{part(auth_stack.claims())}"
    mac = b64(hmac.digest(modulus, symmetric.encode(), "sha256"))
    bear("a token downgraded to HS256", f"{symmetric}.{mac}", **where)
    bear("a token of another's key", others.sign(auth_stack.claims()), **where)
    bear(
        "a key of its own", others.sign(auth_stack.claims(), jwk=others.jwks()["keys"][0]), **where
    )
    bear("an address of its own", others.sign(auth_stack.claims(), jku="https://evil.com"), **where)
    bear(
        "a path as its key's name",
        auth_stack.signing.sign(auth_stack.claims(), kid="/dev/null"),
        **where,
    )
    bear("something critical", auth_stack.signing.sign(auth_stack.claims(), crit=["exp"]), **where)
    head, _, signature = good.split(".")
    bear("other claims", f"{head}.{part(auth_stack.claims(sub='owner'))}.{signature}", **where)


async def test_every_wrong_credential_gets_the_same_answer(
    auth_stack: AuthStack, forged: dict[str, dict[str, str]]
) -> None:
    told: dict[str, Any] = {}
    for name, headers in forged.items():
        response = await auth_stack.call("GET", "/v1/me", headers)
        body = {key: value for key, value in response.json().items() if key != "request_id"}
        shown = {key: value for key, value in response.headers.items() if key not in NOT_TOLD}
        told[name] = (response.status_code, body, shown)

    assert len(forged) >= 50
    assert {name: answer[0] for name, answer in told.items() if answer[0] != 401} == {}
    assert len({str(answer) for answer in told.values()}) == 1


async def test_what_they_were_forged_from_works(auth_stack: AuthStack) -> None:
    minted = (await auth_stack.made("/v1/tokens", {}, auth_stack.admin("alice")))["secret"]
    ways = [auth_stack.admin(), auth_stack.signed(), {"Authorization": f"Bearer {minted}"}]

    assert [(await auth_stack.call("GET", "/v1/me", each)).status_code for each in ways] == [
        200
    ] * 3
