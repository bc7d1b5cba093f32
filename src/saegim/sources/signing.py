"""AWS Signature Version 4, as S3 and its like want it."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from urllib.parse import quote

EMPTY_BODY = sha256(b"").hexdigest()
SERVICE = "s3"


@dataclass(frozen=True, slots=True)
class SigningCredentials:
    """Who signs, and for which region."""

    access_key: str
    secret_key: str
    region: str


@dataclass(frozen=True, slots=True)
class Signable:
    """What is signed of a request; `path` is not escaped yet, `body` is a hash."""

    host: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    method: str = "GET"
    body: str = EMPTY_BODY


def query_string(query: Mapping[str, str]) -> str:
    """Query parameters in the one order and spelling that is signed."""
    pairs = sorted((quote(name, safe="-_.~"), quote(query[name], safe="-_.~")) for name in query)
    return "&".join(f"{name}={value}" for name, value in pairs)


def path_of(path: str) -> str:
    """A path in the one spelling that is signed."""
    return quote(path, safe="/-_.~")


def sign(who: SigningCredentials, what: Signable, at: datetime) -> dict[str, str]:
    """The headers of a signed request."""
    stamp = at.strftime("%Y%m%dT%H%M%SZ")
    headers = {"host": what.host, "x-amz-content-sha256": what.body, "x-amz-date": stamp}
    names = ";".join(sorted(headers))
    lines = [f"{name}:{headers[name]}" for name in sorted(headers)]
    asked = [what.method, path_of(what.path), query_string(what.query)]
    canonical = "\n".join([*asked, *lines, "", names, what.body])
    scope = f"{stamp[:8]}/{who.region}/{SERVICE}/aws4_request"
    digest = sha256(canonical.encode()).hexdigest()
    signature = hmac.digest(
        signing_key(who, stamp[:8]),
        f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{digest}".encode(),
        "sha256",
    ).hex()
    return {
        "x-amz-content-sha256": what.body,
        "x-amz-date": stamp,
        "Authorization": f"AWS4-HMAC-SHA256 Credential={who.access_key}/{scope}, "
        f"SignedHeaders={names}, Signature={signature}",
    }


def signing_key(who: SigningCredentials, day: str) -> bytes:
    """The key of one day, region and service."""
    key = f"AWS4{who.secret_key}".encode()
    for part in (day, who.region, SERVICE, "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    return key
