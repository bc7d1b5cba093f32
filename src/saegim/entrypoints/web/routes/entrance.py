"""Signing in and out, and the choice of language."""

from typing import Literal
from urllib.parse import urlsplit

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
        )
        page.status_code = 422 if isinstance(error, Invalid) else 401
        return page
    response = RedirectResponse(inside(form.get("next")), 303)
    keep_cookie(request, response, COOKIE, cookie)
    return response


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
    response = Response(status_code=204, headers={"HX-Redirect": "/memory"})
    keep_cookie(request, response, COOKIE, cookie)
    return response


@router.get("/language/{code}")
async def choose_language(code: Literal["ko", "en"], request: Request) -> RedirectResponse:
    """Changes the language of the pages."""
    response = RedirectResponse(inside(request.query_params.get("next")), 303)
    keep_cookie(request, response, LANGUAGE, code)
    return response


def _require_own_page(request: Request) -> None:
    """Another site cannot sign its visitor in here as somebody else."""
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise Forbidden(language_of(request))
