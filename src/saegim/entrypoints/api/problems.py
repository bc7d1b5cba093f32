"""Errors as problem+json (RFC 9457): the one place where they become HTTP."""

import math
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from saegim.domain import errors
from saegim.domain.scope import Locale
from saegim.entrypoints.logs import request_id

STATUS: dict[type[errors.SaegimError], int] = {
    errors.Unauthenticated: 401,
    errors.Forbidden: 403,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.Gone: 410,
    errors.TooLarge: 413,
    errors.Invalid: 422,
    errors.LimitReached: 429,
    errors.Unavailable: 503,
    errors.StoreUnavailable: 503,
    errors.ModelUnavailable: 503,
    errors.Degraded: 503,
}
RETRY_AFTER_SECONDS = 2


class Problem(BaseModel):
    """What went wrong; `code` is stable, `title` is for people."""

    type: str
    code: str
    title: str
    status: int
    detail: str | None = None
    request_id: str | None = None


def locale_of(request: Request) -> Locale:
    """The language of an error: English where the client asks for it, Korean otherwise."""
    wanted = request.headers.get("accept-language", "")
    return "en" if wanted.lower().startswith("en") else "ko"


def problem(error: errors.SaegimError, locale: Locale) -> JSONResponse:
    status = STATUS.get(type(error), 500)
    headers = {"Retry-After": str(RETRY_AFTER_SECONDS)} if status == 503 else {}
    if isinstance(error, errors.LimitReached):
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after)))
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return _response(error.code, status, error.text[locale], error.detail or None, headers)


def install(app: FastAPI) -> None:
    """Every error of the app leaves as a problem."""

    async def ours(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, errors.SaegimError)
        return problem(error, locale_of(request))

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        # Where and what, but never the input itself: it may be a message.
        found = "; ".join(f"{_place(item)}: {item['msg']}" for item in error.errors())
        return problem(errors.Invalid(found), locale_of(request))

    async def http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        if error.status_code == 404:
            return problem(errors.NotFound(), locale_of(request))
        headers = dict(error.headers or {})
        return _response("http_error", error.status_code, str(error.detail), None, headers)

    async def unexpected(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
        return problem(errors.SaegimError(), locale_of(request))

    app.add_exception_handler(errors.SaegimError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(Exception, unexpected)


def _place(item: dict[str, Any]) -> str:
    return ".".join(str(part) for part in item["loc"])


def _response(
    code: str, status: int, title: str, detail: str | None, headers: dict[str, str]
) -> JSONResponse:
    body = Problem(
        type=f"urn:saegim:problem:{code}",
        code=code,
        title=title,
        status=status,
        detail=detail,
        request_id=request_id.get(),
    )
    return JSONResponse(
        body.model_dump(exclude_none=True),
        status_code=status,
        headers=headers,
        media_type="application/problem+json",
    )
