"""The site: the API and the pages in one process."""

from functools import cache

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from saegim.api import app as api, load_shedding
from saegim.api.caller import COOKIE
from saegim.api.cookies import delete_cookie, read_cookie
from saegim.api.problems import problem, status_of
from saegim.app.container import Services
from saegim.domain import errors
from saegim.locales import N_, translate
from saegim.web import assets, auth
from saegim.web.rendering import environment, render
from saegim.web.routes import (
    accounts,
    api_reference,
    application,
    install,
    set_up,
    sign_in,
)

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
# A year; without subdomains, which may host other services.
STRICT_TRANSPORT = {"Strict-Transport-Security": "max-age=31536000"}


class Protection:
    """Adds the headers to every response, also to errors; `tls` if the site is only reached over
    TLS."""

    def __init__(self, app: ASGIApp, *, tls: bool = False) -> None:
        self._app = app
        self._headers = HEADERS | STRICT_TRANSPORT if tls else HEADERS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, protected)


# Pages of other products call the API with a token, without cookies.
ALLOWED_HEADERS = [
    "Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID", "Saegim-Session",
]  # fmt: skip
EXPOSED_HEADERS = ["Saegim-Turn", "Saegim-Session", "Retry-After"]
# What a page says in place of the API's text, by status.
ERRORS = {
    403: (
        N_("No access"),
        N_("You do not have permission for this page. Ask your administrator for access."),
    ),
    404: (
        N_("Page not found"),
        N_("The page does not exist, was moved, or belongs to somebody else."),
    ),
}


class ApiCorsMiddleware:
    """CORS for the API only."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._shared = CORSMiddleware(
            app,
            allow_origins=["*"],
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=ALLOWED_HEADERS,
            expose_headers=EXPOSED_HEADERS,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        of_api = scope["type"] == "http" and scope["path"].startswith("/v1/")
        await (self._shared if of_api else self._app)(scope, receive, send)


def create_site(services: Services) -> FastAPI:
    """Return the API, which opens and closes the services, with the pages."""
    site = api.create_app(services)
    site.add_middleware(ApiCorsMiddleware)
    public = services.settings.public_url
    site.add_middleware(Protection, tls=public is not None and public.startswith("https://"))
    pages = create_pages(services)
    pages.state.openapi = site.openapi
    site.mount("", pages)
    return site


def create_pages(services: Services) -> FastAPI:
    """Return the pages alone."""
    pages = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    pages.state.services = services
    pages.state.assets = _assets()
    pages.state.templates = environment(pages.state.assets)
    pages.router.routes.extend(_routes())
    pages.add_exception_handler(errors.SaegimError, _refused)
    pages.add_exception_handler(RequestValidationError, _invalid)
    pages.add_exception_handler(HTTPException, _http)
    pages.add_exception_handler(Exception, _unexpected)
    return pages


@cache
def _assets() -> assets.Assets:
    """Return the files of the pages; cached, because compressing them is slow."""
    return assets.load()


@cache
def _routes() -> tuple[BaseRoute, ...]:
    """Return the routes; cached, because building them is slow."""
    shared = APIRouter()
    for module in (
        sign_in, set_up, accounts, api_reference, assets, application, install,
    ):  # fmt: skip
        shared.include_router(module.router)
    return tuple(shared.routes)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, errors.SaegimError)
    if request.url.path.startswith("/v1/"):
        return problem(error, auth.language_of(request))
    if isinstance(error, errors.AuthenticationRequired):
        if read_cookie(request, COOKIE) is not None:
            load_shedding.failed(request.scope)
        return _to_sign_in(request)
    language = auth.language_of(request)
    status = status_of(error)
    heading, text = ERRORS.get(status, (N_("Something went wrong"), error.text))
    page = render(
        request,
        "error.html",
        heading=translate(heading, language),
        message=translate(text, language),
    )
    page.status_code = status
    return page


async def _invalid(request: Request, error: Exception) -> Response:  # noqa: ARG001 - FastAPI's
    return await _refused(request, errors.Invalid())


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return await _refused(request, errors.NotFound())
    return Response(status_code=error.status_code, headers=error.headers)


async def _unexpected(request: Request, error: Exception) -> Response:  # noqa: ARG001 - FastAPI's
    return await _refused(request, errors.SaegimError())


def _to_sign_in(request: Request) -> Response:
    """Redirect to the sign-in, and from there back."""
    address = request.url.path
    expired = "&expired=1" if read_cookie(request, COOKIE) is not None else ""
    response = RedirectResponse(f"/sign-in?next={address}{expired}", 303)
    delete_cookie(request, response, COOKIE)
    return response
