"""Trusted certificates, read once per process: reading them takes a twentieth of a second."""

import ssl
from functools import cache

import httpx2


@cache
def public_certificates() -> ssl.SSLContext:
    """Those that public sites are verified by."""
    return httpx2.create_ssl_context(trust_env=False)


@cache
def system_certificates() -> ssl.SSLContext:
    """Those of the machine, which may hold a company's own."""
    return ssl.create_default_context()
