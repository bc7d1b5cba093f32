"""Signed tokens: every algorithm that counts, and every trick that does not."""

import hmac
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from saegim.auth.jwt import BadToken, ExpectedClaims, VerifyKey, parse_jwks, verify
from tests.unit.auth.issuer import SigningKeys, b64, number, part

pytestmark = pytest.mark.requirement("OP5")

NOW = datetime(2026, 11, 15, tzinfo=UTC)
AT = int(NOW.timestamp())
KEYS, OTHERS = SigningKeys(), SigningKeys()
EXPECTED = ExpectedClaims("https://login.example.com", "saegim", NOW)


def claims(**changed: object) -> dict[str, Any]:
    said = {
        "iss": "https://login.example.com",
        "aud": "saegim",
        "sub": "kim",
        "iat": AT - 10,
        "exp": AT + 600,
    } | changed
    return {name: value for name, value in said.items() if value is not None}


def known() -> tuple[VerifyKey, ...]:
    return parse_jwks(KEYS.jwks())


@pytest.mark.parametrize("alg", ["RS256", "ES256", "EdDSA"])
def test_a_good_token_gives_its_claims(alg: str) -> None:
    assert verify(KEYS.sign(claims(), alg), known(), EXPECTED)["sub"] == "kim"


def test_a_list_of_audiences_may_hold_ours() -> None:
    assert verify(KEYS.sign(claims(aud=["other", "saegim"])), known(), EXPECTED)


def with_parts(token: str, at: int, text: str) -> str:
    pieces = token.split(".")
    pieces[at] = text
    return ".".join(pieces)


def signed_with_the_public_key() -> str:
    """The old trick: HS256 with the public modulus as its secret."""
    signed = f"{part({'alg': 'HS256', 'kid': 'r'})}.{part(claims())}"
    secret = KEYS.jwks()["keys"][0]["n"].encode()
    return f"{signed}.{b64(hmac.digest(secret, signed.encode(), 'sha256'))}"


GOOD = KEYS.sign(claims())
BAD: dict[str, Callable[[], str]] = {
    "no signature": lambda: f"{part({'alg': 'none'})}.{part(claims())}.",
    "none in capitals": lambda: f"{part({'alg': 'NoNe'})}.{part(claims())}.AA",
    "a symmetric algorithm": signed_with_the_public_key,
    "another's key": lambda: OTHERS.sign(claims()),
    "one key under another's name": lambda: KEYS.sign(claims(), "RS256", kid="e"),
    "an unknown key": lambda: KEYS.sign(claims(), kid="../../r"),
    "a key name that is no text": lambda: KEYS.sign(claims(), kid=7),
    "an algorithm that is not its key's": lambda: KEYS.sign(claims(), "RS256", alg="ES256"),
    "a key of its own": lambda: OTHERS.sign(claims(), jwk=OTHERS.jwks()["keys"][0]),
    "an address of its own": lambda: OTHERS.sign(claims(), jku="https://evil.example.com/jwks"),
    "something critical": lambda: KEYS.sign(claims(), crit=["b64"], b64=False),
    "another type": lambda: KEYS.sign(claims(), typ="logout+jwt"),
    "changed claims": lambda: with_parts(GOOD, 1, part(claims(sub="admin"))),
    "a cut signature": lambda: GOOD[:-4],
    "padding": lambda: f"{GOOD}==",
    "expired": lambda: KEYS.sign(claims(exp=AT - 61)),
    "never expires": lambda: KEYS.sign(claims(exp=None)),
    "expires in a year": lambda: KEYS.sign(claims(exp=AT + 365 * 86400)),
    "an end that is no number": lambda: KEYS.sign(claims(exp="9999999999")),
    "an end that is true": lambda: KEYS.sign(claims(exp=True)),
    "an end that is NaN": lambda: KEYS.sign(claims(exp=float("nan"))),
    "an end that is infinite": lambda: KEYS.sign(claims(exp=float("inf"))),
    "an end beyond all numbers": lambda: KEYS.sign(claims(exp=10**400)),
    "a beginning that is NaN": lambda: KEYS.sign(claims(nbf=float("nan"))),
    "not valid yet": lambda: KEYS.sign(claims(nbf=AT + 120)),
    "made in the future": lambda: KEYS.sign(claims(iat=AT + 120)),
    "another audience": lambda: KEYS.sign(claims(aud="other")),
    "no audience": lambda: KEYS.sign(claims(aud=None)),
    "an audience that begins like ours": lambda: KEYS.sign(claims(aud="saegim-evil")),
    "another issuer": lambda: KEYS.sign(claims(iss="https://login.example.com.evil.com")),
    "an issuer with a slash more": lambda: KEYS.sign(claims(iss="https://login.example.com/")),
    "four parts": lambda: f"{GOOD}.AA",
    "two parts": lambda: GOOD.rpartition(".")[0],
    "not JSON": lambda: with_parts(GOOD, 0, b64(b"{")),
    "a list": lambda: with_parts(GOOD, 0, part([])),
    "a name that stands twice": lambda: with_parts(
        GOOD, 0, b64(b'{"alg":"none","alg":"RS256","kid":"r"}')
    ),
    "very long": lambda: KEYS.sign(claims(more="x" * 10_000)),
}


@pytest.mark.parametrize("trick", BAD)
def test_a_token_that_proves_nothing_is_refused(trick: str) -> None:
    with pytest.raises(BadToken):
        verify(BAD[trick](), known(), EXPECTED)


def test_without_a_key_name_one_key_of_the_algorithm_must_fit() -> None:
    token = KEYS.sign(claims(), kid=None)
    two = [*known(), *parse_jwks(OTHERS.jwks())]

    assert verify(token, known(), EXPECTED)
    with pytest.raises(BadToken):
        verify(token, two, EXPECTED)


WEAK: dict[str, dict[str, Any]] = {
    "a symmetric key": {"kty": "oct", "k": b64(b"secret")},
    "an RSA key of 1,024 bits": {"kty": "RSA", "e": "AQAB", "n": number((1 << 1023) + 1)},
    "a key for encryption": KEYS.jwks()["keys"][1] | {"use": "enc"},
    "operations that are no list": KEYS.jwks()["keys"][0] | {"key_ops": 5},
    "a key for another algorithm": KEYS.jwks()["keys"][0] | {"alg": "RS512"},
    "a point off the curve": {"kty": "EC", "crv": "P-256", "x": b64(b"\1" * 32), "y": b64(b"\1")},
    "another curve": KEYS.jwks()["keys"][1] | {"crv": "secp256k1"},
    "nothing": {},
}


@pytest.mark.parametrize("kind", WEAK)
def test_a_key_that_is_not_good_enough_is_left_out(kind: str) -> None:
    assert parse_jwks({"keys": [WEAK[kind]]}) == ()
