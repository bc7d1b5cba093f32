"""Signing in and out, and the choice of language."""

from typing import Literal
from urllib.parse import urlsplit
from uuid import UUID

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from saegim.access.types import ActAs
from saegim.domain.errors import Forbidden, Invalid, Refused
from saegim.entrypoints.api.caller import COOKIE, services_of
from saegim.entrypoints.web.door import (
    LANGUAGE,
    FormDep,
    VisitorDep,
    inside,
    keep_cookie,
    language_of,
)
from saegim.entrypoints.web.render import render

router = APIRouter()

LONGEST_PROFILE = 60
ON_THE_WAY = "saegim_on_the_way"


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
async def sign_in(request: Request, form: FormDep) -> Response:
    """Takes a key, and the person's name where the key acts for others."""
    _require_own_page(request)
    act_as = ActAs(user=form.get("user") or None, tenant=form.get("tenant") or None)
    try:
        cookie = await services_of(request).sign_ins.begin(form.get("key", ""), act_as)
    except Refused as error:
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
    keep_cookie(request, response, COOKIE, cookie)
    return response


@router.get("/sign-in/with/{tenant_id}")
async def leave_for_issuer(tenant_id: UUID, request: Request) -> Response:
    """To the sign-in page of the tenant's own."""
    wanted = inside(request.query_params.get("next"))
    begun = await services_of(request).code_flow.begin(tenant_id, _back(request), wanted)
    response = RedirectResponse(begun.url, 303)
    keep_cookie(request, response, ON_THE_WAY, begun.cookie)
    return response


@router.get("/sign-in/back")
async def return_from_issuer(request: Request) -> Response:
    """From there, with a code for a token, or without one."""
    services, query = services_of(request), request.query_params
    try:
        returned = await services.code_flow.finish(
            request.cookies.get(ON_THE_WAY, ""),
            query.get("state", ""),
            query.get("code", ""),
            _back(request),
        )
        act_as = ActAs(tenant=str(returned.tenant))
        cookie = await services.sign_ins.begin(returned.token, act_as)
    except Refused:
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
        page.delete_cookie(ON_THE_WAY)
        return page
    response = RedirectResponse(returned.wanted, 303)
    keep_cookie(request, response, COOKIE, cookie)
    response.delete_cookie(ON_THE_WAY)
    return response


def _back(request: Request) -> str:
    return str(request.url.replace(path="/sign-in/back", query=""))


@router.post("/sign-out")
async def sign_out(visitor: VisitorDep) -> Response:  # noqa: ARG001 - only who is in can leave
    """Forgets the sign-in."""
    response = Response(status_code=204, headers={"HX-Redirect": "/sign-in"})
    response.delete_cookie(COOKIE)
    return response


@router.post("/profile")
async def choose_profile(request: Request, visitor: VisitorDep, form: FormDep) -> Response:
    """Goes on in another of the person's profiles, which has memories of its own."""
    name = form.get("new") or form.get("profile", "")
    if not 0 < len(name) <= LONGEST_PROFILE:
        raise Invalid("profile")
    cookie = await services_of(request).sign_ins.switch(visitor.sign_in, name)
    onward = inside(form.get("next") or "/memory")
    response = Response(status_code=204, headers={"HX-Redirect": onward})
    keep_cookie(request, response, COOKIE, cookie)
    return response


@router.post("/assistant")
async def choose_assistant(request: Request, visitor: VisitorDep, form: FormDep) -> Response:
    """Begins a new conversation with another of the assistants that the person may use."""
    try:
        chosen = UUID(form.get("assistant", ""))
    except ValueError as error:
        raise Invalid("assistant") from error
    cookie = await services_of(request).sign_ins.choose(visitor.sign_in, chosen)
    response = Response(status_code=204, headers={"HX-Redirect": "/chat"})
    keep_cookie(request, response, COOKIE, cookie)
    return response


@router.get("/language/{code}")
async def choose_language(code: Literal["ko", "en"], request: Request) -> RedirectResponse:
    """Changes the language of the pages."""
    response = RedirectResponse(inside(request.query_params.get("next")), 303)
    keep_cookie(request, response, LANGUAGE, code)
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
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise Forbidden(language_of(request))
