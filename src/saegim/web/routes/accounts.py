"""Pages of links: accept an invitation, choose a new password."""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from saegim.api.caller import services_of, set_sign_in
from saegim.api.problems import status_of
from saegim.audit.types import AuditAction
from saegim.auth.accounts import OpenedLink
from saegim.auth.types import Account
from saegim.domain.errors import Conflict, Invalid, NotFound, RequestRefused, WeakPassword
from saegim.domain.scope import Caller, CredentialKind, Role, Scope
from saegim.web.auth import FormDep, language_of, require_own_page
from saegim.web.rendering import render
from saegim.web.routes.sign_in import remember_browser, sign_in_account

router = APIRouter()


@router.get("/invitation")
async def show_invitation(request: Request) -> HTMLResponse:
    """Show who is invited where, and ask for a password."""
    return await _show(request, "invitation", services_of(request).auth.accounts.open_invitation)


@router.post("/invitation")
async def accept_invitation(request: Request, form: FormDep) -> Response:
    """Open the account and sign in."""
    require_own_page(request)
    services, token, opened = services_of(request), form.get("token", ""), None
    try:
        opened = await services.auth.accounts.open_invitation(token)
        password = _password(form)
        async with services.audit.trail.recording(
            _nobody_yet(opened), AuditAction.ACCOUNT_MADE, opened.member
        ):
            account = await services.auth.accounts.accept(
                token, form.get("name", ""), password, language_of(request)
            )
    except RequestRefused as error:
        return _again(request, "invitation", token, opened, error, person_name=form.get("name", ""))
    return await _inside(request, account)


@router.get("/reset")
async def show_reset(request: Request) -> HTMLResponse:
    """Show whose password the link sets, and ask for a new one."""
    return await _show(request, "reset", services_of(request).auth.accounts.open_reset)


@router.post("/reset")
async def reset_password(request: Request, form: FormDep) -> Response:
    """Set the new password and sign in."""
    require_own_page(request)
    services, token, opened = services_of(request), form.get("token", ""), None
    try:
        opened = await services.auth.accounts.open_reset(token)
        password = _password(form)
        async with services.audit.trail.recording(
            _nobody_yet(opened), AuditAction.PASSWORD_CHANGED, opened.member
        ):
            account = await services.auth.accounts.reset(token, password)
    except RequestRefused as error:
        return _again(request, "reset", token, opened, error)
    return await _inside(request, account)


async def _inside(request: Request, account: Account) -> Response:
    """Sign in, and go to an address without the token."""
    response = RedirectResponse("/chat", 303)
    set_sign_in(request, response, await sign_in_account(services_of(request), account))
    await remember_browser(request, response, account)
    return response


async def _show(
    request: Request, kind: str, open_link: Callable[[str], Awaitable[OpenedLink]]
) -> HTMLResponse:
    token = request.query_params.get("token", "")
    try:
        opened = await open_link(token)
    except RequestRefused as error:
        return _refused(request, error)
    return _page(request, kind, token, opened)


def _page(request: Request, kind: str, token: str, opened: OpenedLink, **more: Any) -> HTMLResponse:
    here = f"/{kind}?{urlencode({'token': token})}"
    values: dict[str, Any] = {"refused": None, "person_name": opened.name, "here": here} | more
    return render(request, "password.html", kind=kind, token=token, opened=opened, **values)


def _again(
    request: Request,
    kind: str,
    token: str,
    opened: OpenedLink | None,
    error: RequestRefused,
    **more: Any,
) -> HTMLResponse:
    """Show the form again with what is wrong, or that the link is no longer valid."""
    if opened is None or not isinstance(error, Invalid):
        return _refused(request, error)
    reason = "weak_password" if isinstance(error, WeakPassword) else "different_passwords"
    page = _page(request, kind, token, opened, refused=reason, **more)
    page.status_code = status_of(error)
    return page


def _refused(request: Request, error: RequestRefused) -> HTMLResponse:
    if not isinstance(error, NotFound | Conflict):
        raise error
    page = render(request, "link_expired.html")
    page.status_code = status_of(error)
    return page


def _password(form: dict[str, str]) -> str:
    """Return the password that was typed twice. Raises Invalid."""
    if form.get("password", "") != form.get("again", ""):
        raise Invalid("the passwords differ")
    return form.get("password", "")


def _nobody_yet(opened: OpenedLink) -> Caller:
    """Return the person of a link as the actor of an audit event."""
    return Caller(
        scope=Scope(opened.tenant, opened.member, opened.member),
        role=Role.MEMBER,
        assistant=opened.member,
        key=opened.member,
        credential=CredentialKind.ACCOUNT,
    )
