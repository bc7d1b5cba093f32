"""FastAPI dependencies that authenticate and authorise the caller of a request."""

import hashlib
import hmac
import logging
import re
import unicodedata
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated
from urllib.parse import unquote
from uuid import UUID

from fastapi import Depends, Header, Request
from fastapi.responses import Response
from starlette.datastructures import Headers

from saegim.api.cookies import read_cookie, set_cookie
from saegim.api.load_shedding import verified
from saegim.api.route_policy import Route, check
from saegim.app.container import Services
from saegim.app.settings import Settings
from saegim.audit.types import AuditAction
from saegim.auth import tokens
from saegim.auth.sign_in import LASTS, SignIn
from saegim.auth.types import ActAs, parse_key
from saegim.domain.errors import Invalid, PermissionDenied
from saegim.domain.scope import Caller, Scope

BEARER = "bearer "
COOKIE = "saegim"
CSRF = "Saegim-Csrf"
# Exempt from request limits, so that an admin can always lift a limit or replace a key.
UNLIMITED = ("/v1/limits", "/v1/keys")
# Of a path, which the table of permissions does not have.
_CONVERTER = re.compile(r":(?:path|uuid)}")
READS = frozenset({"GET", "HEAD"})
# A refused request is recorded once in this time for each credential and route.
RECORDED_ONCE_IN = timedelta(minutes=1)
MOST_REFUSALS = 10_000


class Refusals:
    """Records refused requests in the audit trail; forgets the oldest."""

    def __init__(self) -> None:
        self._noted: OrderedDict[tuple[UUID, UUID, Route], datetime] = OrderedDict()

    async def note(self, services: Services, caller: Caller, route: Route) -> None:
        """Records a refusal, unless the same one was recorded within `RECORDED_ONCE_IN`."""
        now, refusal = services.clock.now(), (caller.key, caller.scope.user, route)
        last = self._noted.pop(refusal, None)
        self._noted[refusal] = now if last is None or now - last >= RECORDED_ONCE_IN else last
        if len(self._noted) > MOST_REFUSALS:
            self._noted.popitem(last=False)
        if self._noted[refusal] is now:
            reason = " ".join(route)
            await services.audit.trail.note(caller, AuditAction.REFUSED, caller.key, reason)


REFUSALS = Refusals()


def services_of(request: Request) -> Services:
    return request.app.state.services


# A coroutine: FastAPI runs plain functions in a thread.
async def _services(request: Request) -> Services:
    return services_of(request)


UserHeader = Annotated[
    str | None,
    Header(description="User, for a key that acts for users. Percent-encoded if not ASCII."),
]
ProfileHeader = Annotated[
    str | None, Header(description="Profile of the user: a separate memory. Default: `default`.")
]
TenantHeader = Annotated[
    str | None, Header(description="Tenant ID, only for a JWT whose issuer several tenants trust.")
]
AssistantHeader = Annotated[
    str | None, Header(description="Assistant ID. Default: the assistant of the credential.")
]
SessionHeader = Annotated[
    str | None,
    Header(description="Session ID, or a name of your own. Default: a new session."),
]


async def act_as_of(
    saegim_user: UserHeader = None,
    saegim_profile: ProfileHeader = None,
    saegim_tenant: TenantHeader = None,
    saegim_assistant: AssistantHeader = None,
    origin: Annotated[str | None, Header()] = None,
) -> ActAs:
    """Reads the headers that select user, profile, tenant and assistant. Raises Invalid."""
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
    """Returns the caller that the headers name; see `authorise`."""
    return await authorise(request, act_as, authorization)


async def authorise(request: Request, act_as: ActAs, authorization: str | None) -> Caller:
    """Returns the authenticated caller. Raises AuthenticationRequired, PermissionDenied, Invalid,
    and NotFound for an assistant that the caller may not use."""
    services = services_of(request)
    if authorization is None and (sign_in := await sign_in_of(request)) is not None:
        if act_as.user is not None or act_as.profile is not None:
            raise PermissionDenied("this session is bound to one user")
        caller = await _signed_in(services, sign_in, act_as.assistant)
    else:
        caller = await services.auth.authentication.authenticate(_credential(authorization), act_as)
    verified(request.scope, caller)
    route = request.method, _CONVERTER.sub("}", request.scope["route"].path)
    try:
        check(caller, route)
    except PermissionDenied:
        await REFUSALS.note(services, caller, route)
        raise
    if not route[1].startswith(UNLIMITED):
        await services.quotas.limits.admit(caller)
    return caller


async def _signed_in(services: Services, sign_in: SignIn, assistant: UUID | None) -> Caller:
    if assistant is None:
        return await services.auth.sign_ins.caller(sign_in)
    return await services.auth.sign_ins.caller_with(sign_in, assistant)


async def require_credential(services: Services, headers: Mapping[str, str]) -> Caller:
    """Authenticates plain headers. Raises AuthenticationRequired, PermissionDenied or Invalid."""
    act_as = await act_as_of(
        headers.get("saegim-user"),
        headers.get("saegim-profile"),
        headers.get("saegim-tenant"),
        headers.get("saegim-assistant"),
        headers.get("origin"),
    )
    return await services.auth.authentication.authenticate(
        _credential(headers.get("authorization")), act_as
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
    """Returns the sign-in of the session cookie, if there is one; changes need a CSRF token.
    Raises AuthenticationRequired or PermissionDenied."""
    cookie = read_cookie(request, COOKIE)
    if cookie is None:
        return None
    sign_in = await services_of(request).auth.sign_ins.open(cookie)
    if request.method not in READS:
        sign_in.require_shown(request.headers.get(CSRF))
    return sign_in


def set_sign_in(request: Request, response: Response, cookie: str) -> None:
    """Sets the session cookie."""
    set_cookie(request, response, COOKIE, cookie, seconds=int(LASTS.total_seconds()))


async def session_of(saegim_session: SessionHeader = None) -> str | None:
    """Reads `Saegim-Session`; percent-encoded if it is not Latin-1."""
    return _text(saegim_session)


async def profile_of(saegim_profile: ProfileHeader = None) -> str | None:
    """Reads `Saegim-Profile`."""
    return _text(saegim_profile)


def _text(header: str | None) -> str | None:
    return None if header is None else unicodedata.normalize("NFC", unquote(header))


CallerDep = Annotated[Caller, Depends(caller_of)]
ServicesDep = Annotated[Services, Depends(_services)]


@dataclass(frozen=True, slots=True)
class Call:
    """A request of an authenticated caller, with the services that answer it."""

    request: Request
    services: Services
    caller: Caller

    @property
    def scope(self) -> Scope:
        return self.caller.scope

    @property
    def tenant(self) -> UUID:
        return self.caller.scope.tenant

    def recording(
        self, action: AuditAction, subject: UUID | None = None, reason: str = ""
    ) -> AbstractAsyncContextManager[None]:
        """Records a change in the audit trail, in the transaction that makes it."""
        return self.services.audit.trail.recording(self.caller, action, subject, reason)


async def call_of(request: Request, services: ServicesDep, caller: CallerDep) -> Call:
    return Call(request, services, caller)


CallDep = Annotated[Call, Depends(call_of)]
SessionDep = Annotated[str | None, Depends(session_of)]
ProfileDep = Annotated[str | None, Depends(profile_of)]


log = logging.getLogger("saegim.authentication")

HASH_BYTES = 6
FINGERPRINT_BYTES = 4


class AddressHash:
    """Keyed hash of client addresses for logs, the same in all processes of an installation."""

    def __init__(self, settings: Settings) -> None:
        secret = settings.master_key or settings.kms_token
        text = "" if secret is None else secret.get_secret_value()
        self._key = hashlib.sha256(b"saegim log address" + text.encode()).digest()

    def of(self, address: str | None) -> str:
        digest = hmac.digest(self._key, (address or "").encode(), "sha256")
        return digest[:HASH_BYTES].hex()


def kind_of(headers: Headers) -> str:
    """Returns the kind of credential in the headers, for metrics and logs."""
    text = headers.get("authorization", "").partition(" ")[2].strip()
    if not text:
        return "sign_in" if "cookie" in headers else "none"
    if text.startswith("sgt_"):
        return "token"
    return "issuer" if text.count(".") == 2 else "key"


def log_failure(headers: Headers, client: str) -> None:
    """Logs a refused credential by tenant and key, never the credential itself."""
    text = headers.get("authorization", "").partition(" ")[2].strip()
    fields = {"client": client, "credential": kind_of(headers)}
    if (token := tokens.parse(text)) is not None:
        fields |= {"tenant": str(token.tenant), "key": str(token.key)}
    elif (key := parse_key(text)) is not None:
        fingerprint = key.secret_hash[:FINGERPRINT_BYTES].hex()
        fields |= {"tenant": str(key.tenant), "key_hash": fingerprint}
    log.warning("authentication failed", extra={"fields": fields})
