"""The caller of a request, from its credential and the headers that a key may use."""

import hashlib
import hmac
import logging
import unicodedata
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import unquote
from uuid import UUID

from fastapi import Depends, Header, Request
from starlette.datastructures import Headers

from saegim.api.cookies import read_cookie
from saegim.api.load_shedding import verified
from saegim.api.refusal_log import Refusals
from saegim.api.route_policy import PolicyRoute, check
from saegim.app.container import Services
from saegim.app.settings import Settings
from saegim.auth import tokens
from saegim.auth.sign_in import SignIn
from saegim.auth.types import ActAs, parse_key
from saegim.domain.errors import Invalid, PermissionDenied
from saegim.domain.scope import Caller

BEARER = "bearer "
COOKIE = "saegim"
CSRF = "Saegim-Csrf"
# Whoever may change limits can always take one back; this route asks for that permission.
LIMITS = "/v1/limits"
READS = frozenset({"GET", "HEAD"})
REFUSALS = Refusals()


def services_of(request: Request) -> Services:
    return request.app.state.services


# Dependencies are coroutines: for plain functions FastAPI goes through a thread, each time.
async def _services(request: Request) -> Services:
    return services_of(request)


async def act_as_of(
    saegim_user: Annotated[str | None, Header()] = None,
    saegim_profile: Annotated[str | None, Header()] = None,
    saegim_tenant: Annotated[str | None, Header()] = None,
    saegim_assistant: Annotated[str | None, Header()] = None,
    origin: Annotated[str | None, Header()] = None,
) -> ActAs:
    """What the headers of a request say beside its credential. Raises Invalid."""
    return ActAs(
        user=_text(saegim_user),
        profile=_text(saegim_profile),
        tenant=saegim_tenant,
        origin=None if origin is None else origin.lower(),
        assistant=_assistant(saegim_assistant),
    )


async def caller_of(
    request: Request,
    act_as: Annotated[ActAs, Depends(act_as_of)],
    authorization: Annotated[str | None, Header()] = None,
) -> Caller:
    """Who is calling, allowed to use this route; raises Unauthenticated, Forbidden or Invalid, and
    NotFound for an assistant that is not the caller's to use."""
    services = services_of(request)
    if authorization is None and (sign_in := await sign_in_of(request)) is not None:
        if act_as.user is not None or act_as.profile is not None:
            raise PermissionDenied("this session is bound to one user")
        caller = await _signed_in(services, sign_in, act_as.assistant)
    else:
        caller = await services.auth.authentication.authenticate(_credential(authorization), act_as)
    verified(request.scope, caller)
    route = PolicyRoute.of(request.method, request.scope["route"].path)
    try:
        check(caller, route)
    except PermissionDenied:
        await REFUSALS.note(services, caller, route)
        raise
    if route.path != LIMITS:
        await services.quotas.limits.admit(caller)
    return caller


async def _signed_in(services: Services, sign_in: SignIn, assistant: UUID | None) -> Caller:
    """Who signed in; a conversation names the assistant that it was begun with."""
    if assistant is None:
        return await services.auth.sign_ins.caller(sign_in)
    return await services.auth.sign_ins.caller_with(sign_in, assistant)


async def require_credential(services: Services, shown: Mapping[str, str]) -> Caller:
    """Whom these headers name. Raises Unauthenticated, Forbidden or Invalid."""
    act_as = await act_as_of(
        shown.get("saegim-user"),
        shown.get("saegim-profile"),
        shown.get("saegim-tenant"),
        shown.get("saegim-assistant"),
        shown.get("origin"),
    )
    return await services.auth.authentication.authenticate(
        _credential(shown.get("authorization")), act_as
    )


def _assistant(header: str | None) -> UUID | None:
    try:
        return None if header is None else UUID(header)
    except ValueError as error:
        raise Invalid("Saegim-Assistant must be an assistant ID") from error


def _credential(authorization: str | None) -> str | None:
    if authorization is None or not authorization.lower().startswith(BEARER):
        return None
    return authorization[len(BEARER) :].strip()


async def sign_in_of(request: Request) -> SignIn | None:
    """The sign-in that a browser's cookie holds, if it shows one; a change must come from one of
    our pages. Raises Unauthenticated or Forbidden."""
    cookie = read_cookie(request, COOKIE)
    if cookie is None:
        return None
    sign_in = await services_of(request).auth.sign_ins.open(cookie)
    if request.method not in READS:
        sign_in.require_shown(request.headers.get(CSRF))
    return sign_in


async def session_of(saegim_session: Annotated[str | None, Header()] = None) -> str | None:
    """The session a request names; Korean names come percent-encoded, as headers are Latin-1."""
    return _text(saegim_session)


async def profile_of(saegim_profile: Annotated[str | None, Header()] = None) -> str | None:
    """The profile a request names."""
    return _text(saegim_profile)


def _text(header: str | None) -> str | None:
    return None if header is None else unicodedata.normalize("NFC", unquote(header))


CallerDep = Annotated[Caller, Depends(caller_of)]
ServicesDep = Annotated[Services, Depends(_services)]
SessionDep = Annotated[str | None, Depends(session_of)]
ProfileDep = Annotated[str | None, Depends(profile_of)]


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
    elif (key := parse_key(shown)) is not None:
        fingerprint = key.secret_hash[:FINGERPRINT_BYTES].hex()
        fields |= {"tenant": str(key.tenant), "key_hash": fingerprint}
    log.warning("authentication failed", extra={"fields": fields})
