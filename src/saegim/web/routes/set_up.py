"""The page of the first set-up."""

import math
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from saegim.api.caller import services_of, set_sign_in
from saegim.api.load_shedding import network_of
from saegim.api.problems import status_of
from saegim.api.routes.setup import SetUpBody, first_sign_in
from saegim.auth.set_up import SetUpOrder
from saegim.domain.errors import (
    Conflict,
    Invalid,
    LimitReached,
    RequestRefused,
    SetUpRefused,
    WeakPassword,
)
from saegim.web.auth import FormDep, checked, language_of, require_own_page
from saegim.web.rendering import render
from saegim.web.routes.sign_in import remember_browser

router = APIRouter()

FIELDS = ("organisation", "name", "email")


@router.get("/set-up")
async def show_set_up(request: Request) -> Response:
    """Ask for the code, or with it for the organisation and the owner."""
    services, code = services_of(request), request.query_params.get("code", "")
    if not await services.auth.set_up.needed():
        return RedirectResponse("/sign-in", 303)
    if not code:
        return _page(request, code)
    try:
        if not await services.auth.set_up.accepts(code, network_of(request)):
            raise SetUpRefused
    except RequestRefused as error:
        return _again(request, error, {})
    return _page(request, code)


@router.post("/set-up")
async def set_up(request: Request, form: FormDep) -> Response:
    """Create the organisation and its owner, and sign in."""
    require_own_page(request)
    services = services_of(request)
    try:
        if form.get("password", "") != form.get("again", ""):
            raise Invalid("the passwords differ")
        fields = {name: form.get(name, "") for name in ("code", *FIELDS, "password")}
        body = checked(SetUpBody, "fields", **fields, language=language_of(request))
        account = await services.auth.set_up.create(
            SetUpOrder(**body.model_dump()), network_of(request)
        )
    except Conflict:
        return RedirectResponse("/sign-in", 303)
    except RequestRefused as error:
        return _again(request, error, form)
    response = RedirectResponse("/welcome", 303)
    set_sign_in(request, response, await first_sign_in(services, account))
    await remember_browser(request, response, account)
    return response


def _again(request: Request, error: RequestRefused, form: dict[str, str]) -> HTMLResponse:
    """Show the form again with what is wrong."""
    if isinstance(error, SetUpRefused):
        page = _page(request, "", refused="wrong_code")
    elif isinstance(error, LimitReached):
        minutes = math.ceil(error.retry_after / 60)
        page = _page(request, "", refused="too_many_attempts", minutes=minutes)
    else:
        reasons = {"the passwords differ": "different_passwords", "fields": "empty_fields"}
        reason = reasons.get(error.detail, "wrong_email")
        reason = "weak_password" if isinstance(error, WeakPassword) else reason
        values = {name: form.get(name, "") for name in FIELDS}
        page = _page(request, form.get("code", ""), refused=reason, values=values)
    page.status_code = status_of(error)
    return page


def _page(request: Request, code: str, **more: Any) -> HTMLResponse:
    here = f"/set-up?{urlencode({'code': code})}" if code else "/set-up"
    values: dict[str, Any] = {
        "refused": None,
        "minutes": 0,
        "values": dict.fromkeys(FIELDS, ""),
    } | more
    return render(request, "set_up.html", code_given=code, here=here, **values)
