"""Sign-in, sign-out, and the choice of profile, assistant and language."""

import math
from typing import Any, Literal
from urllib.parse import urlsplit
from uuid import UUID

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.background import BackgroundTask

from saegim.api.caller import COOKIE, services_of, set_sign_in
from saegim.api.cookies import delete_cookie, public_url, read_cookie, set_cookie
from saegim.api.load_shedding import network_of
from saegim.app.container import Services
from saegim.audit.types import AuditAction
from saegim.auth import oidc_flow
from saegim.auth.accounts import SignInRequest
from saegim.auth.types import Account, ActAs
from saegim.domain.errors import AuthenticationRequired, Invalid, LimitReached, RequestRefused
from saegim.web.auth import LANGUAGE, FormDep, inside, require_own_page
from saegim.web.rendering import Page, PageDep, render

router = APIRouter()

LONGEST_PROFILE = 60
OIDC_STATE_COOKIE = "saegim_on_the_way"
LANGUAGE_SECONDS = 365 * 86_400
# Marks a browser that has signed in to an account before.
BROWSER_COOKIE = "saegim_browser"
BROWSER_SECONDS = 365 * 86_400


@router.get("/")
async def begin(request: Request) -> RedirectResponse:
    needed = await services_of(request).auth.set_up.needed()
    return RedirectResponse("/set-up" if needed else "/chat", 303)


@router.get("/sign-in")
async def show_sign_in(request: Request) -> Response:
    query = request.query_params
    if await services_of(request).auth.set_up.needed():
        return RedirectResponse("/set-up", 303)
    expired, tenant = "expired" in query, _tenant_id(query.get("tenant"))
    return _form(request, query.get("next"), expired=expired, tenant=tenant or "")


def _form(request: Request, next_page: str | None, **values: Any) -> HTMLResponse:
    defaults: dict[str, Any] = {
        "expired": False,
        "refused": None,
        "user": "",
        "tenant": "",
        "email": "",
        "organisations": (),
        "minutes": 0,
        # Without the token of a link.
        "here": "/sign-in",
    }
    return render(request, "sign_in.html", next=inside(next_page), **defaults | values)


@router.post("/sign-in")
async def take_credential(request: Request, form: FormDep) -> Response:
    """Sign in with e-mail and password, or with a key."""
    require_own_page(request)
    return await (_take_key if "key" in form else _take_password)(request, form)


async def _take_password(request: Request, form: dict[str, str]) -> Response:
    services, email = services_of(request), form.get("email", "")
    attempt = SignInRequest(
        email=email,
        password=form.get("password", ""),
        address=network_of(request),
        browser=read_cookie(request, BROWSER_COOKIE),
        tenant=_tenant_id(form.get("organisation")),
    )
    try:
        accounts = await services.auth.accounts.verify(attempt)
        if len(accounts) > 1:
            choices = await services.auth.accounts.organisations(accounts)
            return _form(
                request,
                form.get("next"),
                email=email,
                organisations=choices,
                refused="choose_organisation",
            )
        cookie = await sign_in_account(services, accounts[0])
    except LimitReached as error:
        minutes = math.ceil(error.retry_after / 60)
        page = _form(
            request, form.get("next"), email=email, refused="too_many_attempts", minutes=minutes
        )
        page.status_code = 429
        page.headers["Retry-After"] = str(max(1, math.ceil(error.retry_after)))
        return page
    except AuthenticationRequired:
        page = _form(request, form.get("next"), email=email, refused="wrong_password")
        page.status_code = 401
        # After the response, so that its time does not tell whether there is such an account.
        page.background = BackgroundTask(_record_failure, services, email)
        return page
    response = RedirectResponse(inside(form.get("next")), 303)
    set_sign_in(request, response, cookie)
    await remember_browser(request, response, accounts[0])
    return response


async def _record_failure(services: Services, email: str) -> None:
    for account in await services.auth.accounts.affected(email):
        await services.audit.trail.done(
            account.tenant, account.member, AuditAction.SIGN_IN_FAILED, account.member
        )


async def sign_in_account(services: Services, account: Account) -> str:
    """Sign in with an account and return the cookie. Raises AuthenticationRequired."""
    caller = await services.auth.sign_ins.account_caller(account)
    async with services.audit.trail.recording(caller, AuditAction.SIGNED_IN):
        return await services.auth.sign_ins.begin_with_account(account)


async def remember_browser(request: Request, response: Response, account: Account) -> None:
    """Let this browser sign in to the account even while others guess its password."""
    cookie = await services_of(request).auth.accounts.browser_cookie(account)
    set_cookie(request, response, BROWSER_COOKIE, cookie, seconds=BROWSER_SECONDS)


async def _take_key(request: Request, form: dict[str, str]) -> Response:
    """Sign in with a key, and a user name if the key can act as other users."""
    act_as = ActAs(user=form.get("user") or None, tenant=form.get("tenant") or None)
    try:
        cookie = await _sign_in(services_of(request), form.get("key", ""), act_as)
    except RequestRefused as error:
        reason = "needs_name" if isinstance(error, Invalid) else "wrong_key"
        page = _form(request, form.get("next"), refused=reason, user=form.get("user", ""))
        page.status_code = 422 if isinstance(error, Invalid) else 401
        return page
    response = RedirectResponse(inside(form.get("next")), 303)
    set_sign_in(request, response, cookie)
    return response


@router.get("/sign-in/once")
async def follow_link(request: Request) -> Response:
    """Sign in with the link that `saegim dev` prints. It works once."""
    services, token = services_of(request), request.query_params.get("token", "")
    try:
        cookie = await _sign_in(services, services.auth.sign_in_links.redeem(token), ActAs())
    except RequestRefused:
        page = _form(request, "/chat", refused="link_refused")
        page.status_code = 401
        return page
    # To an address without the token, so that the history does not keep it.
    response = RedirectResponse("/chat", 303)
    set_sign_in(request, response, cookie)
    return response


@router.get("/sign-in/with/{tenant_id}")
async def leave_for_issuer(tenant_id: UUID, request: Request) -> Response:
    """Show a link to the issuer of the tenant.

    No redirect: an admin of any tenant could use it to send our visitors to any address."""
    next_page = inside(request.query_params.get("next"))
    flow = await services_of(request).auth.oidc.begin(tenant_id, _callback(request), next_page)
    page = render(request, "leave.html", host=urlsplit(flow.url).netloc, address=flow.url)
    seconds = int(oidc_flow.LASTS.total_seconds())
    set_cookie(request, page, OIDC_STATE_COOKIE, flow.cookie, seconds=seconds)
    return page


@router.get("/sign-in/back")
async def return_from_issuer(request: Request) -> Response:
    """Sign in with the code of the issuer."""
    services, query = services_of(request), request.query_params
    try:
        returned = await services.auth.oidc.finish(
            read_cookie(request, OIDC_STATE_COOKIE) or "",
            query.get("state", ""),
            query.get("code", ""),
            _callback(request),
        )
        act_as = ActAs(tenant=str(returned.tenant))
        cookie = await _sign_in(services, returned.token, act_as)
    except RequestRefused:
        page = _form(request, "/chat", refused="issuer_refused")
        page.status_code = 401
        delete_cookie(request, page, OIDC_STATE_COOKIE)
        return page
    response = RedirectResponse(returned.wanted, 303)
    set_sign_in(request, response, cookie)
    delete_cookie(request, response, OIDC_STATE_COOKIE)
    return response


async def _sign_in(services: Services, credential: str, act_as: ActAs) -> str:
    """Sign in and return the cookie. Raises as `authenticate` does."""
    caller = await services.auth.authentication.authenticate(credential, act_as)
    async with services.audit.trail.recording(caller, AuditAction.SIGNED_IN):
        return await services.auth.sign_ins.begin(credential, act_as)


def _callback(request: Request) -> str:
    """Return the URL that the issuer redirects to."""
    public = public_url(request)
    if public is not None:
        return f"{public}/sign-in/back"
    return str(request.url.replace(path="/sign-in/back", query=""))


@router.post("/sign-out")
async def sign_out(page: PageDep) -> Response:
    """End the sign-in."""
    sign_in = page.visitor.sign_in
    async with page.recording(AuditAction.SIGNED_OUT, sign_in.id):
        await page.services.auth.sign_ins.end(page.caller, sign_in)
    return _signed_out(page.request)


@router.post("/sign-out/everywhere")
async def sign_out_everywhere(page: PageDep) -> Response:
    """End all sign-ins of the user."""
    async with page.recording(AuditAction.SIGNED_OUT, page.scope.user):
        await page.services.auth.sign_ins.end_all(page.caller)
    return _signed_out(page.request)


def _signed_out(request: Request) -> Response:
    response = Response(status_code=204)
    delete_cookie(request, response, COOKIE)
    return response


@router.post("/profile")
async def choose_profile(page: PageDep, form: FormDep) -> Response:
    """Switch to another profile of the user."""
    name = form.get("new") or form.get("profile", "")
    if not 0 < len(name) <= LONGEST_PROFILE:
        raise Invalid("profile")
    cookie = await page.services.auth.sign_ins.switch(page.visitor.sign_in, name)
    return _switched(page, cookie)


@router.post("/assistant")
async def choose_assistant(page: PageDep, form: FormDep) -> Response:
    """Switch to another assistant, in a new conversation."""
    try:
        chosen = UUID(form.get("assistant", ""))
    except ValueError as error:
        raise Invalid("assistant") from error
    cookie = await page.services.auth.sign_ins.choose(page.visitor.sign_in, chosen)
    return _switched(page, cookie)


def _switched(page: Page, cookie: str) -> Response:
    response = Response(status_code=204)
    set_sign_in(page.request, response, cookie)
    return response


@router.get("/language/{code}")
async def choose_language(code: Literal["ko", "en"], request: Request) -> RedirectResponse:
    """Change the language of the pages."""
    response = RedirectResponse(inside(request.query_params.get("next")), 303)
    set_cookie(request, response, LANGUAGE, code, seconds=LANGUAGE_SECONDS)
    return response


def _tenant_id(text: str | None) -> UUID | None:
    """Return a tenant ID, or None if it is not one."""
    try:
        return UUID(text or "")
    except ValueError:
        return None
