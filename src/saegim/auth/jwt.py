"""Verification of JWTs (RFC 7519) with joserfc.

The issuer's key decides the algorithm. Keys and URLs in the token are ignored."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import Key, import_key
from joserfc.jws import JWSRegistry
from joserfc.util import base64_to_int, urlsafe_b64decode

Algorithm = Literal["RS256", "ES256", "EdDSA"]

LONGEST_TOKEN = 8_192
LEAST_RSA_BITS = 2_048
LEEWAY_SECONDS = 60
LONGEST_LIFE_SECONDS = 24 * 60 * 60
TYPES = frozenset({"jwt", "at+jwt", "application/at+jwt"})
ALGORITHMS: Mapping[tuple[object, object], Algorithm] = {
    ("RSA", None): "RS256",
    ("EC", "P-256"): "ES256",
    ("OKP", "Ed25519"): "EdDSA",
}


class BadToken(Exception):
    """An invalid token. The reason is for tests and is never shown to the caller."""


@dataclass(frozen=True, slots=True)
class VerifyKey:
    """A public key of an issuer, for one algorithm."""

    kid: str | None
    algorithm: Algorithm
    key: Key


@dataclass(frozen=True, slots=True)
class ExpectedClaims:
    """Claims that a token must have."""

    issuer: str
    audience: str
    now: datetime


class _Registry(JWSRegistry):
    max_header_length = LONGEST_TOKEN

    def get_alg(self, name: str):  # its type is not exported
        # joserfc warns of EdDSA, which RFC 9864 renames; issuers still sign with it.
        return self.algorithms[name] if name == "EdDSA" else super().get_alg(name)


_REGISTRY = _Registry(algorithms=set(ALGORITHMS.values()), strict_check_header=False)


class _Decoder(json.JSONDecoder):
    """Strict JSON: no duplicate names, no NaN, no Infinity."""

    def __init__(self) -> None:
        super().__init__(object_pairs_hook=_reject_duplicates, parse_constant=_reject_constant)


def issuer_of(token: str) -> str:
    """Returns the unverified `iss` claim. Raises BadToken."""
    issuer = _unverified(token, 1).get("iss")
    if not isinstance(issuer, str):
        raise BadToken("no issuer")
    return issuer


def nonce_of(token: str) -> str:
    """Returns the unverified `nonce` claim, or an empty string."""
    nonce = _unverified(token, 1).get("nonce")
    return nonce if isinstance(nonce, str) and nonce.isascii() else ""


def kid_of(token: str) -> str | None:
    """Returns the unverified key ID of the header."""
    kid = _unverified(token, 0).get("kid")
    return kid if isinstance(kid, str) else None


def parse_jwks(document: Mapping[str, Any]) -> tuple[VerifyKey, ...]:
    """Returns the signature keys of a key set, without symmetric and weak ones."""
    listed = document.get("keys")
    if not isinstance(listed, list):
        return ()
    parsed = (
        _parse_key(cast("dict[str, Any]", each))
        for each in cast("list[object]", listed)
        if isinstance(each, dict)
    )
    return tuple(key for key in parsed if key is not None)


def verify(token: str, keys: Sequence[VerifyKey], expected: ExpectedClaims) -> Mapping[str, Any]:
    """Returns the claims of a valid token. Raises BadToken."""
    key = _choose(_unverified(token, 0), keys)
    rules = jwt.JWTClaimsRegistry(
        # Only compared, so a float is fine.
        now=cast("int", expected.now.timestamp()),
        leeway=LEEWAY_SECONDS,
        iss={"essential": True, "value": expected.issuer},
        aud={"essential": True, "value": expected.audience},
        exp={"essential": True},
    )
    try:
        claims = jwt.decode(token, key.key, registry=_REGISTRY, decoder_cls=_Decoder).claims
        rules.validate(claims)
    except (JoseError, TypeError, ValueError, RecursionError) as error:
        raise BadToken("the signature or the claims are wrong") from error
    issued_at = claims.get("iat", expected.now.timestamp())
    if claims["exp"] > issued_at + LONGEST_LIFE_SECONDS + LEEWAY_SECONDS:
        raise BadToken("lifetime is too long")
    return claims


def _unverified(token: str, part: Literal[0, 1]) -> dict[str, Any]:
    """Decodes the header (0) or the claims (1) without verification."""
    pieces = token.split(".") if len(token) <= LONGEST_TOKEN and token.isascii() else []
    if len(pieces) != 3 or not all(pieces):
        raise BadToken("not a signed token")
    try:
        content = json.loads(urlsafe_b64decode(pieces[part].encode()), cls=_Decoder)
    except (ValueError, RecursionError) as error:
        raise BadToken("not JSON") from error
    if not isinstance(content, dict):
        raise BadToken("not an object")
    return cast("dict[str, Any]", content)


def _reject_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise BadToken("duplicate name")
    return dict(pairs)


def _reject_constant(constant: str) -> float:
    raise BadToken(f"{constant} is not JSON")


def _choose(header: Mapping[str, Any], keys: Sequence[VerifyKey]) -> VerifyKey:
    if "crit" in header:
        raise BadToken("unknown critical header")
    kind = header.get("typ", "JWT")
    if not isinstance(kind, str) or kind.lower() not in TYPES:
        raise BadToken("wrong type of token")
    kid = header.get("kid")
    matching = [key for key in keys if key.algorithm == header.get("alg")]
    if kid is not None:
        matching = [key for key in matching if key.kid == kid]
    if len(matching) != 1:
        raise BadToken("no key, or several keys")
    return matching[0]


def _parse_key(jwk: dict[str, Any]) -> VerifyKey | None:
    """Parses a signature key; returns None for other kinds and weak keys."""
    try:
        algorithm = ALGORITHMS.get((jwk.get("kty"), jwk.get("crv")))
        if algorithm is None or jwk.get("alg", algorithm) != algorithm:
            return None
        if jwk.get("use", "sig") != "sig" or "verify" not in jwk.get("key_ops", ["verify"]):
            return None
        if algorithm == "RS256" and base64_to_int(jwk["n"]).bit_length() < LEAST_RSA_BITS:
            return None
        key = import_key(jwk)
    except (JoseError, KeyError, TypeError, ValueError):
        return None
    return VerifyKey(key.kid, algorithm, key)
