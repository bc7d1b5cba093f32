"""HttpOnly cookies. Over TLS they have the `__Host-` prefix: no other host and no page without TLS
can set them."""

from fastapi import Request
from fastapi.responses import Response

from saegim.app.settings import Settings

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def public_url(request: Request) -> str | None:
    """Returns `SAEGIM_PUBLIC_URL`, the address that browsers use."""
    settings: Settings = request.app.state.services.settings
    return settings.public_url


def is_secure(request: Request) -> bool:
    """Returns whether browsers use TLS; without a public URL, True except on loopback."""
    public = public_url(request)
    if public is not None:
        return public.startswith("https://")
    return request.url.hostname not in LOOPBACK


def read_cookie(request: Request, name: str) -> str | None:
    return request.cookies.get(_full_name(request, name))


def set_cookie(
    request: Request, response: Response, name: str, value: str, *, seconds: int
) -> None:
    response.set_cookie(
        _full_name(request, name),
        value,
        max_age=seconds,
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )


def delete_cookie(request: Request, response: Response, name: str) -> None:
    secure = is_secure(request)
    response.delete_cookie(_full_name(request, name), httponly=True, samesite="lax", secure=secure)


def _full_name(request: Request, name: str) -> str:
    return f"__Host-{name}" if is_secure(request) else name
