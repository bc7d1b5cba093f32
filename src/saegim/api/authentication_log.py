"""What a log may say of a request's sender: ids, and a keyed hash of the address."""

import hashlib
import hmac
import logging

from starlette.datastructures import Headers

from saegim.app.settings import Settings
from saegim.auth import keys, tokens

log = logging.getLogger("saegim.authentication")

HASH_BYTES = 6
FINGERPRINT_BYTES = 4


class AddressHash:
    """Hashes addresses with a key, so that logs tell senders apart but not where they are.

    The key is derived from the installation's secret: all its processes write the same hash."""

    def __init__(self, settings: Settings) -> None:
        secret = settings.master_key or settings.kms_token
        text = "" if secret is None else secret.get_secret_value()
        self._key = hashlib.sha256(b"saegim log address" + text.encode()).digest()

    def of(self, address: str | None) -> str:
        digest = hmac.digest(self._key, (address or "").encode(), "sha256")
        return digest[:HASH_BYTES].hex()


def kind_of(headers: Headers) -> str:
    """Which kind of credential a request shows."""
    shown = headers.get("authorization", "").partition(" ")[2].strip()
    if not shown:
        return "sign_in" if "cookie" in headers else "none"
    if shown.startswith("sgt_"):
        return "token"
    return "issuer" if shown.count(".") == 2 else "key"


def log_failure(headers: Headers, client: str) -> None:
    """A line on a credential that was refused: whose it claims to be, never the credential."""
    shown = headers.get("authorization", "").partition(" ")[2].strip()
    fields = {"client": client, "credential": kind_of(headers)}
    if (token := tokens.parse(shown)) is not None:
        fields |= {"tenant": str(token.tenant), "key": str(token.key)}
    elif (key := keys.parse(shown)) is not None:
        fingerprint = key.secret_hash[:FINGERPRINT_BYTES].hex()
        fields |= {"tenant": str(key.tenant), "key_hash": fingerprint}
    log.warning("authentication failed", extra={"fields": fields})
