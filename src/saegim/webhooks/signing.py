"""How a receiver knows that it is us: an HMAC over the time and the very bytes that were sent."""

import hashlib
import hmac
import secrets

PREFIX = "whsec_"
TOLERANCE_SECONDS = 300


def new_secret() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def sign(secret: str, at: int, body: bytes) -> str:
    """The value of `Saegim-Signature`: `t=<seconds>,v1=<hex>`."""
    return f"t={at},v1={_digest(secret, at, body)}"


def genuine(secret: str, signature: str, body: bytes, now: int) -> bool:
    """Whether a body was signed with the secret, not long ago. For receivers, and our tests."""
    parts = {name: value for name, _, value in (p.partition("=") for p in signature.split(","))}
    at = parts.get("t", "")
    if not (at.isascii() and at.isdigit()) or abs(now - int(at)) > TOLERANCE_SECONDS:
        return False
    return hmac.compare_digest(_digest(secret, int(at), body), parts.get("v1", ""))


def _digest(secret: str, at: int, body: bytes) -> str:
    signed = f"{at}.".encode() + body
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
