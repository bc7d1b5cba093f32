"""Tokens that a tenant's own issuer signed (RFC 7519, 7515, 7517). The issuer's key decides which
algorithm counts; nothing that the token says about keys or addresses is followed."""

import base64
import binascii
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePublicKey,
    EllipticCurvePublicNumbers,
)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey, RSAPublicNumbers
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

Algorithm = Literal["RS256", "ES256", "EdDSA"]
PublicKey = RSAPublicKey | EllipticCurvePublicKey | Ed25519PublicKey

LONGEST_TOKEN = 8_192
LEAST_RSA_BITS = 2_048
LEEWAY_SECONDS = 60
LONGEST_LIFE_SECONDS = 24 * 60 * 60
TYPES = frozenset({"jwt", "at+jwt", "application/at+jwt"})


class BadToken(Exception):
    """A token that proves nothing; why is for tests and never for the caller."""


@dataclass(frozen=True, slots=True)
class VerifyKey:
    """A public key of an issuer, good for one algorithm."""

    kid: str | None
    algorithm: Algorithm
    key: PublicKey


@dataclass(frozen=True, slots=True)
class Expected:
    """What a token must say."""

    issuer: str
    audience: str
    now: datetime


def issuer_of(token: str) -> str:
    """The issuer that a token names, before anything about it is believed."""
    found = _claims(_parts(token)[1]).get("iss")
    if not isinstance(found, str):
        raise BadToken("no issuer")
    return found


def nonce_of(token: str) -> str:
    """What a token answers to, before anything about it is believed; empty where it says none."""
    found = _claims(_parts(token)[1]).get("nonce")
    return found if isinstance(found, str) and found.isascii() else ""


def kid_of(token: str) -> str | None:
    """The key that a token names, to tell whether the issuer's keys must be looked up anew."""
    kid = _object(_parts(token)[0]).get("kid")
    return kid if isinstance(kid, str) else None


def parse_jwks(document: Mapping[str, Any]) -> tuple[VerifyKey, ...]:
    """The keys that sign, out of an issuer's key set; symmetric and weak ones are left out."""
    listed = document.get("keys")
    if not isinstance(listed, list):
        return ()
    found = [
        _parse_key(cast("Mapping[str, Any]", each))
        for each in cast("list[object]", listed)
        if isinstance(each, dict)
    ]
    return tuple(key for key in found if key is not None)


def verify(token: str, keys: Sequence[VerifyKey], expected: Expected) -> Mapping[str, Any]:
    """The claims of a token that one of the keys signed for us, now. Raises BadToken."""
    header_text, claims_text, signature_text = _parts(token)
    header = _object(header_text)
    key = _choose(header, keys)
    _check_signature(key, f"{header_text}.{claims_text}".encode(), _decode(signature_text))
    claims = _claims(claims_text)
    _check_claims(claims, expected)
    return claims


def _parts(token: str) -> tuple[str, str, str]:
    pieces = token.split(".") if len(token) <= LONGEST_TOKEN and token.isascii() else []
    if len(pieces) != 3 or not all(pieces):
        raise BadToken("not a signed token")
    return pieces[0], pieces[1], pieces[2]


def _decode(text: str) -> bytes:
    if "=" in text or "+" in text or "/" in text:
        raise BadToken("not base64url")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadToken("not base64url") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise BadToken("a name stands twice")
    return dict(pairs)


def _no_number(constant: str) -> float:
    """NaN and Infinity, which Python reads and JSON does not have."""
    raise BadToken(f"{constant} is not JSON")


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(_decode(text), object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise BadToken("not JSON") from error
    if not isinstance(found, dict):
        raise BadToken("not an object")
    return cast("dict[str, Any]", found)


def _claims(text: str) -> dict[str, Any]:
    return _object(text)


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


def _check_signature(key: VerifyKey, signed: bytes, signature: bytes) -> None:
    public = key.key
    try:
        if isinstance(public, RSAPublicKey):
            public.verify(signature, signed, PKCS1v15(), SHA256())
        elif isinstance(public, Ed25519PublicKey):
            public.verify(signature, signed)
        else:
            public.verify(_dss(signature), signed, ECDSA(SHA256()))
    except InvalidSignature as error:
        raise BadToken("the signature is wrong") from error


def _dss(signature: bytes) -> bytes:
    if len(signature) != 64:
        raise BadToken("the signature has another form")
    return encode_dss_signature(int.from_bytes(signature[:32]), int.from_bytes(signature[32:]))


def _check_claims(claims: Mapping[str, Any], expected: Expected) -> None:
    now = expected.now.timestamp()
    if claims.get("iss") != expected.issuer:
        raise BadToken("another issuer")
    named = claims.get("aud")
    audience: list[object] = cast("list[object]", named) if isinstance(named, list) else [named]
    if expected.audience not in audience:
        raise BadToken("for somebody else")
    expires = _instant(claims, "exp")
    if expires is None or expires <= now - LEEWAY_SECONDS:
        raise BadToken("expired, or never does")
    begins = max(_instant(claims, "nbf") or 0.0, _instant(claims, "iat") or 0.0)
    if begins > now + LEEWAY_SECONDS:
        raise BadToken("not valid yet")
    if expires - (_instant(claims, "iat") or now) > LONGEST_LIFE_SECONDS + LEEWAY_SECONDS:
        raise BadToken("lives too long")


def _instant(claims: Mapping[str, Any], name: str) -> float | None:
    value = claims.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadToken(f"{name} is no time")
    try:
        instant = float(value)
    except OverflowError as error:
        raise BadToken(f"{name} is no time") from error
    if not math.isfinite(instant):
        raise BadToken(f"{name} is no time")
    return instant


def _parse_key(jwk: Mapping[str, Any]) -> VerifyKey | None:
    """A key for signatures; None for any other kind, or one that is too weak."""
    if jwk.get("use", "sig") != "sig" or "verify" not in jwk.get("key_ops", ["verify"]):
        return None
    kid = jwk.get("kid")
    name = kid if isinstance(kid, str) else None
    try:
        found = _public_key(jwk)
    except (KeyError, TypeError, ValueError, BadToken):
        return None
    if found is None or jwk.get("alg", found[0]) != found[0]:
        return None
    return VerifyKey(name, *found)


def _public_key(jwk: Mapping[str, Any]) -> tuple[Algorithm, PublicKey] | None:
    match jwk.get("kty"), jwk.get("crv"):
        case "RSA", None:
            numbers = RSAPublicNumbers(_number(jwk["e"]), _number(jwk["n"]))
            public = numbers.public_key()
            return ("RS256", public) if public.key_size >= LEAST_RSA_BITS else None
        case "EC", "P-256":
            point = EllipticCurvePublicNumbers(_number(jwk["x"]), _number(jwk["y"]), SECP256R1())
            return "ES256", point.public_key()
        case "OKP", "Ed25519":
            return "EdDSA", Ed25519PublicKey.from_public_bytes(_decode(jwk["x"]))
        case _:
            return None


def _number(text: str) -> int:
    return int.from_bytes(_decode(text))
