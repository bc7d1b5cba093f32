"""Trusted certificates, cached: loading them takes 50 ms."""

import ssl
from functools import cache

import httpx2


@cache
def public_certificates() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=False)


@cache
def system_certificates() -> ssl.SSLContext:
    """Return the machine's certificates, which may include private ones."""
    return ssl.create_default_context()
