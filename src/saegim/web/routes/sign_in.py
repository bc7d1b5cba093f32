"""Signing in and out, and the choice of language."""

from typing import Literal
from urllib.parse import urlsplit
from uuid import UUID

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from saegim.api.caller import COOKIE, services_of
from saegim.api.cookies import delete_cookie, public_url, read_cookie, set_cookie
from saegim.app.container import Services
from saegim.audit.types import AuditAction
from saegim.auth import oidc_flow, sign_in
from saegim.auth.types import ActAs
from saegim.domain.errors import Invalid, PermissionDenied, RequestRefused
from saegim.web.auth import LANGUAGE, FormDep, VisitorDep, inside, language_of
from saegim.web.rendering import render

router = APIRouter()

LONGEST_PROFILE = 60
OIDC_STATE_COOKIE = "saegim_on_the_way"
LANGUAGE_SECONDS = 365 * 86_400


@router.get("/")
async def begin() -> RedirectResponse:
    return RedirectResponse("/chat", 303)


@router.get("/sign-in")
async def show_sign_in(request: Request) -> HTMLResponse:
    """The entrance."""
    query = request.query_params
    return render(
        request,
        "sign_in.html",
        next=inside(query.get("next")),
        expired="expired" in query,
        refused=None,
        user="",
        tenant=_tenant(query.get("tenant")),
    )


@router.post("/sign-in")
async def take_key(request: Request, form: FormDep) -> Response:
    """Takes a key, and the person's name where the key acts for others."""
    _require_own_page(request)
    act_as = ActAs(user=form.get("user") or None, tenant=form.get("tenant") or None)
    try:
        cookie = await _signed_in(services_of(request), form.get("key", ""), act_as)
    except RequestRefused as error:
        page = render(
            request,
            "sign_in.html",
            next=inside(form.get("next")),
            expired=False,
            refused="needs_name" if isinstance(error, Invalid) else "wrong_key",
            user=form.get("user", ""),
            tenant="",
        )
        page.status_code = 422 if isinstance(error, Invalid) else 401
        return page
    response = RedirectResponse(inside(form.get("next")), 303)
    _keep_sign_in(request, response, cookie)
    return response


@router.get("/sign-in/with/{tenant_id}")
async def leave_for_issuer(tenant_id: UUID, request: Request) -> Response:
    """Names the host where the tenant's users sign in, with a link to it.

    No redirect: the tenant's issuer decides the address, so a redirect would lend our name to any
    address that an admin of some tenant likes."""
    wanted = inside(request.query_params.get("next"))
    begun = await services_of(request).auth.oidc.begin(tenant_id, _back(request), wanted)
    page = render(request, "leave.html", host=urlsplit(begun.url).netloc, address=begun.url)
    seconds = int(oidc_flow.LASTS.total_seconds())
    set_cookie(request, page, OIDC_STATE_COOKIE, begun.cookie, seconds=seconds)
    return page


@router.get("/sign-in/back")
async def return_from_issuer(request: Request) -> Response:
    """From there, with a code for a token, or without one."""
    services, query = services_of(request), request.query_params
    try:
        returned = await services.auth.oidc.finish(
            read_cookie(request, OIDC_STATE_COOKIE) or "",
            query.get("state", ""),
            query.get("code", ""),
            _back(request),
        )
        act_as = ActAs(tenant=str(returned.tenant))
        cookie = await _signed_in(services, returned.token, act_as)
    except RequestRefused:
        page = render(
            request,
            "sign_in.html",
            next="/chat",
            expired=False,
            refused="issuer_refused",
            user="",
            tenant="",
        )
        page.status_code = 401
        delete_cookie(request, page, OIDC_STATE_COOKIE)
        return page
    response = RedirectResponse(returned.wanted, 303)
    _keep_sign_in(request, response, cookie)
    delete_cookie(request, response, OIDC_STATE_COOKIE)
    return response


async def _signed_in(services: Services, credential: str, act_as: ActAs) -> str:
    """The cookie of a sign-in that the audit trail knows of. Raises as `authenticate` does."""
    caller = await services.auth.authentication.authenticate(credential, act_as)
    async with services.audit.trail.recording(caller, AuditAction.SIGNED_IN):
        return await services.auth.sign_ins.begin(credential, act_as)


def _back(request: Request) -> str:
    """The address to which the issuer sends people back, as browsers see it."""
    public = public_url(request)
    if public is not None:
        return f"{public}/sign-in/back"
    return str(request.url.replace(path="/sign-in/back", query=""))


def _keep_sign_in(request: Request, response: Response, cookie: str) -> None:
    set_cookie(request, response, COOKIE, cookie, seconds=int(sign_in.LASTS.total_seconds()))


@router.post("/sign-out")
async def sign_out(request: Request, visitor: VisitorDep) -> Response:
    """Ends the sign-in."""
    services = services_of(request)
    caller, sign_in = visitor.caller, visitor.sign_in
    async with services.audit.trail.recording(caller, AuditAction.SIGNED_OUT, sign_in.id):
        await services.auth.sign_ins.end(caller, sign_in)
    return _signed_out(request)


@router.post("/sign-out/everywhere")
async def sign_out_everywhere(request: Request, visitor: VisitorDep) -> Response:
    """Ends every sign-in of the person."""
    services = services_of(request)
    caller = visitor.caller
    async with services.audit.trail.recording(caller, AuditAction.SIGNED_OUT, caller.scope.user):
        await services.auth.sign_ins.end_all(caller)
    return _signed_out(request)


def _signed_out(request: Request) -> Response:
    response = Response(status_code=204, headers={"HX-Redirect": "/sign-in"})
    delete_cookie(request, response, COOKIE)
    return response


@router.post("/profile")
async def choose_profile(request: Request, visitor: VisitorDep, form: FormDep) -> Response:
    """Goes on in another of the person's profiles, which has memories of its own."""
    name = form.get("new") or form.get("profile", "")
    if not 0 < len(name) <= LONGEST_PROFILE:
        raise Invalid("profile")
    cookie = await services_of(request).auth.sign_ins.switch(visitor.sign_in, name)
    onward = inside(form.get("next") or "/memory")
    response = Response(status_code=204, headers={"HX-Redirect": onward})
    _keep_sign_in(request, response, cookie)
    return response


@router.post("/assistant")
async def choose_assistant(request: Request, visitor: VisitorDep, form: FormDep) -> Response:
    """Begins a new conversation with another of the assistants that the person may use."""
    try:
        chosen = UUID(form.get("assistant", ""))
    except ValueError as error:
        raise Invalid("assistant") from error
    cookie = await services_of(request).auth.sign_ins.choose(visitor.sign_in, chosen)
    response = Response(status_code=204, headers={"HX-Redirect": "/chat"})
    _keep_sign_in(request, response, cookie)
    return response


@router.get("/language/{code}")
async def choose_language(code: Literal["ko", "en"], request: Request) -> RedirectResponse:
    """Changes the language of the pages."""
    response = RedirectResponse(inside(request.query_params.get("next")), 303)
    set_cookie(request, response, LANGUAGE, code, seconds=LANGUAGE_SECONDS)
    return response


def _tenant(named: str | None) -> str:
    """The tenant that an address names; empty where it is none."""
    try:
        return str(UUID(named or ""))
    except ValueError:
        return ""


def _require_own_page(request: Request) -> None:
    """Another site cannot sign its visitor in here as somebody else."""
    origin = request.headers.get("origin")
    if origin is None or origin == public_url(request):
        return
    if urlsplit(origin).netloc != request.headers.get("host"):
        raise PermissionDenied(language_of(request))
