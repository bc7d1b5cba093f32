"""Checks of TLS and of the public URL, by the settings alone."""

import os

from saegim.app.settings import Settings
from saegim.app.store_tls import Protection, postgres_protection, redis_protection
from saegim.cli.findings import Finding
from saegim.cli.language import _


def tls(settings: Settings) -> list[Finding]:
    """Return a finding for each store that is connected over a network."""
    findings: list[Finding] = []
    chosen = settings.store_tls == "off" and "store_tls" in settings.model_fields_set
    for name, protection in _protections(settings).items():
        if protection == "verified":
            text = _("{store}: TLS with verified certificate and host name", store=name)
            findings.append(Finding("tls", "ok", text))
        elif protection != "local" and chosen:
            text = _("{store}: without verified TLS, as SAEGIM_STORE_TLS=off says", store=name)
            findings.append(Finding("tls", "ok", text))
        elif protection != "local":
            text = _(
                "{store}: connects over the network without verifying the certificate. Set "
                "SAEGIM_STORE_TLS=verify-full.",
                store=name,
            )
            findings.append(Finding("tls", "warning", text))
    return findings or [Finding("tls", "ok", _("all stores are on this machine"))]


def public_url(settings: Settings) -> list[Finding]:
    if "*" in os.environ.get("FORWARDED_ALLOW_IPS", ""):
        text = _(
            "FORWARDED_ALLOW_IPS=* lets clients choose the address that limits count. Name the "
            "proxy's address or network."
        )
        return [Finding("public url", "warning", text)]
    if settings.public_url is None:
        text = _(
            "SAEGIM_PUBLIC_URL is not set. Behind a proxy, cookies and single sign-on need it."
        )
        # The proxies that uvicorn trusts: loopback by default, so perhaps none.
        proxied = os.environ.get("FORWARDED_ALLOW_IPS") not in (None, "", "127.0.0.1")
        return [Finding("public url", "warning" if proxied else "ok", text)]
    return [Finding("public url", "ok", _("public URL {url}", url=settings.public_url))]


def _protections(settings: Settings) -> dict[str, Protection]:
    postgres = {
        "SAEGIM_POSTGRES_URL": settings.postgres_url,
        "SAEGIM_POSTGRES_ADMIN_URL": settings.postgres_admin_url,
        "SAEGIM_KEYRING_URL": settings.keyring_url,
    } | {f"SAEGIM_CELLS {name}": cell.postgres_url for name, cell in settings.cells.items()}
    redis = {"SAEGIM_REDIS_URL": settings.redis_url} | {
        f"SAEGIM_CELLS {name} redis": cell.redis_url for name, cell in settings.cells.items()
    }
    plain = {
        "SAEGIM_BACKUP_ENDPOINT": settings.backup_endpoint,
        "SAEGIM_KMS_URL": settings.kms_url,
    }
    protections: dict[str, Protection] = {}
    for name, url in postgres.items():
        if url is not None:
            protections[name] = postgres_protection(url.get_secret_value())
    for name, url in redis.items():
        if url is not None:
            protections[name] = redis_protection(url.get_secret_value())
    for name, url in plain.items():
        if url is not None:
            protections[name] = "verified" if url.startswith("https://") else "unverified"
    return protections
