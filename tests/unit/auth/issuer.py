"""An issuer of a tenant's own users, with real keys of every kind."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def part(value: object) -> str:
    return b64(json.dumps(value).encode())


def number(value: int) -> str:
    return b64(value.to_bytes((value.bit_length() + 7) // 8))


@dataclass
class SigningKeys:
    """One key for each algorithm, and their public halves as a key set."""

    rsa_key: rsa.RSAPrivateKey = field(
        default_factory=lambda: rsa.generate_private_key(public_exponent=65537, key_size=2048)
    )
    ec_key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    ed_key: ed25519.Ed25519PrivateKey = field(default_factory=ed25519.Ed25519PrivateKey.generate)

    def jwks(self) -> dict[str, Any]:
        modulus = self.rsa_key.public_key().public_numbers()
        point = self.ec_key.public_key().public_numbers()
        return {
            "keys": [
                {"kty": "RSA", "kid": "r", "n": number(modulus.n), "e": number(modulus.e)},
                {
                    "kty": "EC",
                    "crv": "P-256",
                    "kid": "e",
                    "x": b64(point.x.to_bytes(32)),
                    "y": b64(point.y.to_bytes(32)),
                },
                {
                    "kty": "OKP",
                    "crv": "Ed25519",
                    "kid": "d",
                    "x": b64(self.ed_key.public_key().public_bytes_raw()),
                },
            ]
        }

    def sign(self, claims: Mapping[str, Any], alg: str = "RS256", /, **header: object) -> str:
        """Returns a token signed with `alg`, with additional header fields; a `kid` of None is
        omitted."""
        kid = {"RS256": "r", "ES256": "e", "EdDSA": "d"}[alg]
        head = {"alg": alg, "kid": kid, "typ": "JWT"} | header
        if head["kid"] is None:
            del head["kid"]
        signed = f"{part(head)}.{part(dict(claims))}"
        return f"{signed}.{b64(self._signature(signed.encode(), alg))}"

    def _signature(self, signed: bytes, alg: str) -> bytes:
        if alg == "RS256":
            return self.rsa_key.sign(signed, padding.PKCS1v15(), SHA256())
        if alg == "EdDSA":
            return self.ed_key.sign(signed)
        r, s = decode_dss_signature(self.ec_key.sign(signed, ec.ECDSA(SHA256())))
        return r.to_bytes(32) + s.to_bytes(32)
