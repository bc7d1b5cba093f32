"""The caller of a request, from its credential and the headers that a key may use."""

import unicodedata
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import unquote

from fastapi import Depends, Header, Request

from saegim.access.sign_in import SignIn
from saegim.access.types import ActAs
from saegim.bootstrap import Services
from saegim.domain.errors import Forbidden
from saegim.domain.scope import Caller
from saegim.entrypoints.api.route_policy import Route, check

BEARER = "bearer "
COOKIE = "saegim"
CSRF = "Saegim-Csrf"
READS = frozenset({"GET", "HEAD"})


def services_of(request: Request) -> Services:
    return request.app.state.services


async def caller_of(
    request: Request,
    authorization: Annotated[str | None, Header()] = None,
    saegim_user: Annotated[str | None, Header()] = None,
    saegim_profile: Annotated[str | None, Header()] = None,
    saegim_tenant: Annotated[str | None, Header()] = None,
    origin: Annotated[str | None, Header()] = None,
) -> Caller:
    """Who is calling, allowed to use this route; raises Unauthenticated, Forbidden or Invalid."""
    act_as = _act_as(saegim_user, saegim_profile, saegim_tenant, origin)
    credential, services = _credential(authorization), services_of(request)
    if authorization is None and (sign_in := await sign_in_of(request)) is not None:
        if act_as.user is not None or act_as.profile is not None:
            raise Forbidden("a sign-in is bound to one user")
        credential, act_as = sign_in.credential, sign_in.act_as
    caller = await services.access.authenticate(credential, act_as)
    check(caller, Route.of(request.method, request.scope["route"].path))
    await services.limits.admit(caller)
    return caller


async def require_credential(services: Services, shown: Mapping[str, str]) -> None:
    """Raises Unauthenticated, Forbidden or Invalid unless these headers name a caller."""
    act_as = _act_as(
        shown.get("saegim-user"),
        shown.get("saegim-profile"),
        shown.get("saegim-tenant"),
        shown.get("origin"),
    )
    await services.access.authenticate(_credential(shown.get("authorization")), act_as)


def _act_as(user: str | None, profile: str | None, tenant: str | None, origin: str | None) -> ActAs:
    return ActAs(
        user=_text(user),
        profile=_text(profile),
        tenant=tenant,
        origin=None if origin is None else origin.lower(),
    )


def _credential(authorization: str | None) -> str | None:
    if authorization is None or not authorization.lower().startswith(BEARER):
        return None
    return authorization[len(BEARER) :].strip()


async def sign_in_of(request: Request) -> SignIn | None:
    """The sign-in that a browser's cookie holds, if it shows one; a change must come from one of
    our pages. Raises Unauthenticated or Forbidden."""
    cookie = request.cookies.get(COOKIE)
    if cookie is None:
        return None
    sign_in = await services_of(request).sign_ins.open(cookie)
    if request.method not in READS:
        sign_in.require_shown(request.headers.get(CSRF))
    return sign_in


def session_of(saegim_session: Annotated[str | None, Header()] = None) -> str | None:
    """The session a request names; Korean names come percent-encoded, as headers are Latin-1."""
    return _text(saegim_session)


def profile_of(saegim_profile: Annotated[str | None, Header()] = None) -> str | None:
    """The profile a request names."""
    return _text(saegim_profile)


def _text(header: str | None) -> str | None:
    return None if header is None else unicodedata.normalize("NFC", unquote(header))


CallerDep = Annotated[Caller, Depends(caller_of)]
ServicesDep = Annotated[Services, Depends(services_of)]
SessionDep = Annotated[str | None, Depends(session_of)]
ProfileDep = Annotated[str | None, Depends(profile_of)]
