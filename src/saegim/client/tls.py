"""Shared TLS context."""

from functools import cache
from ssl import SSLContext

import httpx2


@cache
def trusted(environment: bool) -> SSLContext:
    """Return the certificates of the system or of the environment.

    Cached: loading them takes 15 ms or more, too long for a client per request."""
    return httpx2.create_ssl_context(trust_env=environment)
