"""Whom clients trust."""

from functools import cache
from ssl import SSLContext

import httpx2


@cache
def trusted(environment: bool) -> SSLContext:
    """The certificates of the machine, or those that the environment names, read once.

    Reading them takes 15 ms and more: too long for whoever makes a client for each request."""
    return httpx2.create_ssl_context(trust_env=environment)
