"""Sign-in, permissions and language of the visitor of a page."""

import re
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import parse_qsl, quote, urlsplit

from fastapi import Depends, Request

from saegim.api.caller import services_of, sign_in_of
from saegim.api.cookies import public_url, read_cookie
from saegim.api.load_shedding import verified
from saegim.auth.sign_in import SignIn
from saegim.domain.errors import AuthenticationRequired, Invalid, PermissionDenied
from saegim.domain.policy import Permission, allows, require
from saegim.domain.scope import Caller, Locale

# Pages without sign-in; they contain no data of tenants.
OPEN = frozenset(
    {
        ("GET", "/"),
        ("GET", "/sign-in"),
        ("POST", "/sign-in"),
        ("GET", "/sign-in/once"),
        ("GET", "/invitation"),
        ("POST", "/invitation"),
        ("GET", "/set-up"),
        ("POST", "/set-up"),
        ("GET", "/reset"),
        ("POST", "/reset"),
        ("GET", "/sign-in/with/{tenant_id}"),
        ("GET", "/sign-in/back"),
        ("GET", "/language/{code}"),
        ("GET", "/static/{version}/{name:path}"),
        ("GET", "/widget.js"),
        ("GET", "/manifest.webmanifest"),
        ("GET", "/service-worker.js"),
        ("GET", "/offline"),
        ("GET", "/favicon.ico"),
        ("GET", "/docs"),
        ("GET", "/openapi.json"),
        ("GET", "/redoc"),
    }
)

NEEDED: dict[tuple[str, str], Permission] = {
    ("POST", "/sign-out"): Permission.OWN_DATA,
    ("POST", "/sign-out/everywhere"): Permission.OWN_DATA,
    ("POST", "/profile"): Permission.OWN_DATA,
    ("POST", "/assistant"): Permission.CHAT,
    ("GET", "/chat"): Permission.CHAT,
    ("GET", "/chat/{path:path}"): Permission.CHAT,
    ("GET", "/shared/{share_id}"): Permission.CHAT,
    ("GET", "/settings"): Permission.OWN_DATA,
    ("GET", "/settings/{path:path}"): Permission.OWN_DATA,
    ("GET", "/welcome"): Permission.MANAGE_KEYS,
    ("GET", "/admin"): Permission.OWN_DATA,
    ("GET", "/usage"): Permission.OWN_DATA,
    ("GET", "/memory"): Permission.OWN_DATA,
    ("GET", "/memory/{memory_id}"): Permission.OWN_DATA,
    ("GET", "/library"): Permission.READ_LIBRARY,
    ("GET", "/library/document"): Permission.READ_LIBRARY,
    ("GET", "/library/{path:path}"): Permission.READ_LIBRARY,
    ("GET", "/evaluation"): Permission.OWN_DATA,
}


def check(caller: Caller, method: str, path: str) -> None:
    """Raise PermissionDenied unless the caller may see the page."""
    needed = NEEDED.get(("GET" if method == "HEAD" else method, path))
    if needed is None:
        raise PermissionDenied("this page has no policy")
    require(caller, needed)


LANGUAGE = "saegim_language"
# Browsers drop tabs and line breaks and read a backslash as a slash, so `/\t/evil` would lead to
# another host.
OWN_PATH = re.compile(r"/(?!/)[^\\\x00-\x20\x7f-\x9f]*")
# Characters with a meaning in a URL; others are escaped for the header.
UNQUOTED = ":/%#?=@[]!$&'()*+,;"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in user who may see the page."""

    caller: Caller
    sign_in: SignIn
    language: Locale

    def may(self, permission: str) -> bool:
        return allows(self.caller, Permission(permission))


async def visitor_of(request: Request) -> Visitor:
    """Return the visitor. Raises AuthenticationRequired, PermissionDenied or LimitReached."""
    sign_in = await sign_in_of(request)
    if sign_in is None:
        raise AuthenticationRequired
    services = services_of(request)
    caller = await services.auth.sign_ins.caller(sign_in)
    verified(request.scope, caller)
    check(caller, request.method, request.scope["route"].path)
    await services.quotas.limits.admit(caller)
    return Visitor(caller, sign_in, language_of(request))


def language_of(request: Request) -> Locale:
    """Return the chosen language, or English for browsers that prefer it, else Korean."""
    preferred = request.headers.get("accept-language", "")
    chosen = read_cookie(request, LANGUAGE) or preferred
    return "en" if chosen.lower().startswith("en") else "ko"


async def form_of(request: Request) -> dict[str, str]:
    """Return the fields of a URL-encoded form."""
    body = (await request.body()).decode("utf-8", "replace")
    return {name: value.strip() for name, value in parse_qsl(body, keep_blank_values=True)}


def checked[Body](shape: type[Body], detail: str = "", **fields: Any) -> Body:
    """Return the body of a request with these fields of a form. Raises Invalid."""
    try:
        return shape(**fields)
    except ValueError as error:
        raise Invalid(detail) from error


def inside(address: str | None) -> str:
    """Return the address if it is one of our pages, else the chat."""
    if address is None or OWN_PATH.fullmatch(address) is None:
        return "/chat"
    return quote(address, safe=UNQUOTED)


def require_own_page(request: Request) -> None:
    """Raise PermissionDenied if another site sent the form: it would sign in a visitor as somebody
    else."""
    origin, fetched_by = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    if fetched_by not in (None, "same-origin", "none"):
        raise PermissionDenied("the form was sent by another site")
    if origin is None or origin == public_url(request):
        return
    if urlsplit(origin).netloc != request.headers.get("host"):
        raise PermissionDenied("the form was sent by another site")


VisitorDep = Annotated[Visitor, Depends(visitor_of)]
FormDep = Annotated[dict[str, str], Depends(form_of)]
