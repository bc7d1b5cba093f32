"""Tokens that a tenant's own issuer signed (RFC 7519), verified by joserfc. The issuer's key
decides which algorithm counts; nothing that the token says about keys or addresses is followed."""

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
    """A token that proves nothing; why is for tests and never for the caller."""


@dataclass(frozen=True, slots=True)
class VerifyKey:
    """A public key of an issuer, good for one algorithm."""

    kid: str | None
    algorithm: Algorithm
    key: Key


@dataclass(frozen=True, slots=True)
class ExpectedClaims:
    """What a token must say."""

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
    """JSON as its RFC has it: no name twice in an object, no NaN and no Infinity."""

    def __init__(self) -> None:
        super().__init__(object_pairs_hook=_once, parse_constant=_no_number)


def issuer_of(token: str) -> str:
    """The issuer that a token names, before anything about it is believed."""
    found = _unverified(token, 1).get("iss")
    if not isinstance(found, str):
        raise BadToken("no issuer")
    return found


def nonce_of(token: str) -> str:
    """What a token answers to, before anything about it is believed; empty where it says none."""
    found = _unverified(token, 1).get("nonce")
    return found if isinstance(found, str) and found.isascii() else ""


def kid_of(token: str) -> str | None:
    """The key that a token names, to tell whether the issuer's keys must be looked up anew."""
    kid = _unverified(token, 0).get("kid")
    return kid if isinstance(kid, str) else None


def parse_jwks(document: Mapping[str, Any]) -> tuple[VerifyKey, ...]:
    """The keys that sign, out of an issuer's key set; symmetric and weak ones are left out."""
    listed = document.get("keys")
    if not isinstance(listed, list):
        return ()
    found = [
        _parse_key(cast("dict[str, Any]", each))
        for each in cast("list[object]", listed)
        if isinstance(each, dict)
    ]
    return tuple(key for key in found if key is not None)


def verify(token: str, keys: Sequence[VerifyKey], expected: ExpectedClaims) -> Mapping[str, Any]:
    """The claims of a token that one of the keys signed for us, now. Raises BadToken."""
    key = _choose(_unverified(token, 0), keys)
    rules = jwt.JWTClaimsRegistry(
        # It is only compared, so a fraction of a second counts.
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
        raise BadToken("lives too long")
    return claims


def _unverified(token: str, part: Literal[0, 1]) -> dict[str, Any]:
    """The header or the claims, before anything about them is believed."""
    pieces = token.split(".") if len(token) <= LONGEST_TOKEN and token.isascii() else []
    if len(pieces) != 3 or not all(pieces):
        raise BadToken("not a signed token")
    try:
        found = json.loads(urlsafe_b64decode(pieces[part].encode()), cls=_Decoder)
    except (ValueError, RecursionError) as error:
        raise BadToken("not JSON") from error
    if not isinstance(found, dict):
        raise BadToken("not an object")
    return cast("dict[str, Any]", found)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise BadToken("a name stands twice")
    return dict(pairs)


def _no_number(constant: str) -> float:
    raise BadToken(f"{constant} is not JSON")


def _choose(header: Mapping[str, Any], keys: Sequence[VerifyKey]) -> VerifyKey:
    if "crit" in header:
        raise BadToken("it asks for what we do not know")
    kind = header.get("typ", "JWT")
    if not isinstance(kind, str) or kind.lower() not in TYPES:
        raise BadToken("another type of token")
    kid = header.get("kid")
    fitting = [key for key in keys if key.algorithm == header.get("alg")]
    if kid is not None:
        fitting = [key for key in fitting if key.kid == kid]
    if len(fitting) != 1:
        raise BadToken("no key, or no telling which")
    return fitting[0]


def _parse_key(jwk: dict[str, Any]) -> VerifyKey | None:
    """A key for signatures; None for any other kind, or one that is too weak."""
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
