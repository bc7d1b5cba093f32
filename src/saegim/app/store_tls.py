"""URLs of the stores with TLS, verifying certificate and host name."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

Protection = Literal["verified", "local", "unverified"]
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
VERIFY = "verify-full"


def secure_postgres(url: str, ca: Path | None) -> str:
    """Returns the URL with `sslmode=verify-full`; keeps a CA that it has."""
    if "://" not in url:
        own = "" if "sslrootcert=" in url else f" sslrootcert='{ca or 'system'}'"
        return f"{url} sslmode={VERIFY}{own}"
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    options["sslmode"] = VERIFY
    options.setdefault("sslrootcert", str(ca or "system"))
    return _with(url, options)


def secure_redis(url: str, ca: Path | None) -> str:
    """Returns the URL with TLS and verification."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return url
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    options |= {"ssl_cert_reqs": "required", "ssl_check_hostname": "true"}
    if ca is not None:
        options.setdefault("ssl_ca_certs", str(ca))
    return _with(url.replace("redis://", "rediss://", 1), options)


def require_https(name: str, url: str | None) -> None:
    """Raises ValueError for a URL without TLS."""
    if url is not None and not url.lower().startswith("https://"):
        raise ValueError(f"{name} must be https while SAEGIM_STORE_TLS is {VERIFY}")


def require_secure_index(options: Mapping[str, str] | None) -> None:
    """Raises ValueError if the options of an object store allow plain HTTP."""
    for name, value in (options or {}).items():
        plain = "allow_http" in name.lower() and value.lower() in ("true", "1")
        if plain or value.lower().startswith("http://"):
            raise ValueError(f"SAEGIM_INDEX_OPTIONS: {name} allows http")


def postgres_protection(url: str) -> Protection:
    """Returns how a connection to Postgres is protected, from its URL."""
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query)) if "://" in url else _words(url)
    host = (parts.hostname if "://" in url else None) or options.get("host", "")
    if options.get("sslmode") == VERIFY:
        return "verified"
    return "local" if not host or host.startswith("/") or host in LOOPBACK else "unverified"


def redis_protection(url: str) -> Protection:
    """Returns how a connection to Redis is protected, from its URL."""
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query))
    checks = options.get("ssl_cert_reqs", "required") == "required"
    if parts.scheme == "rediss" and checks and options.get("ssl_check_hostname") != "false":
        return "verified"
    return "local" if parts.scheme == "unix" or parts.hostname in LOOPBACK else "unverified"


def _with(url: str, options: Mapping[str, str]) -> str:
    # libpq does not decode a plus as a space.
    query = urlencode(options, quote_via=quote, safe="/")
    return urlunsplit(urlsplit(url)._replace(query=query))


def _words(url: str) -> dict[str, str]:
    pairs = (word.partition("=") for word in url.split())
    return {name: value.strip("'") for name, _, value in pairs}
