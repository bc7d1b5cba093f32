"""AWS Signature Version 4 for S3-compatible services."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from urllib.parse import quote

EMPTY_BODY = sha256(b"").hexdigest()
SERVICE = "s3"


@dataclass(frozen=True, slots=True)
class SigningCredentials:
    access_key: str
    secret_key: str
    region: str


def query_string(query: Mapping[str, str]) -> str:
    """Return the canonical query string."""
    pairs = sorted((quote(name, safe="-_.~"), quote(query[name], safe="-_.~")) for name in query)
    return "&".join(f"{name}={value}" for name, value in pairs)


def path_of(path: str) -> str:
    """Return the canonical path."""
    return quote(path, safe="/-_.~")


def sign(
    credentials: SigningCredentials, host: str, path: str, query: Mapping[str, str], at: datetime
) -> dict[str, str]:
    """Return the headers of a GET request; `path` is unescaped."""
    stamp = at.strftime("%Y%m%dT%H%M%SZ")
    headers = {"host": host, "x-amz-content-sha256": EMPTY_BODY, "x-amz-date": stamp}
    names = ";".join(sorted(headers))
    lines = [f"{name}:{headers[name]}" for name in sorted(headers)]
    target = ["GET", path_of(path), query_string(query)]
    canonical = "\n".join([*target, *lines, "", names, EMPTY_BODY])
    scope = f"{stamp[:8]}/{credentials.region}/{SERVICE}/aws4_request"
    digest = sha256(canonical.encode()).hexdigest()
    signature = hmac.digest(
        signing_key(credentials, stamp[:8]),
        f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{digest}".encode(),
        "sha256",
    ).hex()
    return {
        "x-amz-content-sha256": EMPTY_BODY,
        "x-amz-date": stamp,
        "Authorization": f"AWS4-HMAC-SHA256 Credential={credentials.access_key}/{scope}, "
        f"SignedHeaders={names}, Signature={signature}",
    }


def signing_key(credentials: SigningCredentials, day: str) -> bytes:
    """Return the key of one day, region and service."""
    key = f"AWS4{credentials.secret_key}".encode()
    for part in (day, credentials.region, SERVICE, "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    return key
