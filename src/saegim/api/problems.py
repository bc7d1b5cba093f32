"""Maps errors to problem+json responses (RFC 9457)."""

import math
import random
import re
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

from saegim.domain import errors
from saegim.domain.scope import Locale
from saegim.locales import translate
from saegim.telemetry.logs import request_id

STATUS: dict[type[errors.SaegimError], int] = {
    errors.UnsupportedFeature: 400,
    errors.AuthenticationRequired: 401,
    errors.PermissionDenied: 403,
    errors.QuotaExceeded: 403,
    errors.NotFound: 404,
    errors.MethodNotAllowed: 405,
    errors.Conflict: 409,
    errors.UserErased: 410,
    errors.VersionConflict: 412,
    errors.TimedOut: 408,
    errors.TooLarge: 413,
    errors.Invalid: 422,
    errors.LimitReached: 429,
    errors.Unavailable: 503,
    errors.ServerOverloaded: 503,
    errors.StoreUnavailable: 503,
    errors.ModelUnavailable: 503,
    errors.NotYetAnswered: 503,
    errors.OptionalServiceDown: 503,
    errors.IndexMissing: 503,
    errors.Unreadable: 422,
}
LANGUAGE = re.compile(r"(?:^|,)\s*(ko|en)\b")
# Jitter, so that refused clients do not retry at the same moment.
RETRY_AFTER_SECONDS = (1, 4)
# Routes whose clients expect errors in OpenAI's format.
OPENAI_ROUTES = (
    "/v1/chat/completions",
    "/v1/models",
    "/v1/completions",
    "/v1/embeddings",
    "/v1/responses",
)


class OpenAIError(BaseModel):
    """The error in OpenAI's format; only on OpenAI-compatible routes."""

    message: str
    type: str
    param: str | None = None
    code: str


class Problem(BaseModel):
    """An error. `code` is stable; `title` is for people and translated."""

    type: str
    code: str
    title: str
    status: int
    detail: str | None = None
    request_id: str | None = None
    error: OpenAIError | None = None


def locale_of(request: Request) -> Locale:
    """Returns the language of errors: Korean if `Accept-Language` names it before English, else
    English, the language of the details."""
    return locale_of_headers(request.headers)


def locale_of_headers(headers: Headers) -> Locale:
    named = LANGUAGE.findall(headers.get("accept-language", "").lower())
    return "ko" if named[:1] == ["ko"] else "en"


def status_of(error: errors.SaegimError) -> int:
    """Returns the HTTP status of an error, or of its nearest base class with one."""
    kinds = (STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    return next(kinds, 500)


def problem(error: errors.SaegimError, locale: Locale, *, for_openai: bool = False) -> JSONResponse:
    status = status_of(error)
    headers = {"Retry-After": retry_after()} if status == 503 else {}
    if isinstance(error, errors.LimitReached):
        headers["Retry-After"] = str(max(1, math.ceil(error.retry_after)))
    if isinstance(error, errors.NotYetAnswered):
        headers |= {"Retry-After": str(error.retry_after), "Saegim-Turn": str(error.turn)}
    if isinstance(error, errors.MethodNotAllowed):
        headers["Allow"] = ", ".join(error.methods)
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    body = _problem(error.code, status, translate(error.text, locale), error.detail or None)
    if for_openai:
        body.error = openai_error(error, locale)
    return _response(body, headers)


def retry_after() -> str:
    """Returns a random `Retry-After` in seconds."""
    return str(random.randint(*RETRY_AFTER_SECONDS))  # noqa: S311 - spreads load, guards nothing


def openai_error(error: errors.SaegimError, locale: Locale) -> OpenAIError:
    """Returns the error in OpenAI's format."""
    message = " ".join(part for part in (translate(error.text, locale), error.detail) if part)
    refused = isinstance(error, errors.RequestRefused)
    return OpenAIError(
        message=message,
        type="invalid_request_error" if refused else "server_error",
        code=error.code,
    )


def install(app: FastAPI) -> None:
    """Installs handlers that turn every exception into a problem response."""

    def respond(request: Request, error: errors.SaegimError) -> JSONResponse:
        for_openai = request.url.path.startswith(OPENAI_ROUTES)
        return problem(error, locale_of(request), for_openai=for_openai)

    async def ours(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, errors.SaegimError)
        return respond(request, error)

    async def invalid(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        if isinstance(error.body, bytes):
            return respond(request, errors.Invalid("Content-Type must be application/json"))
        # Never the input itself: it may be a user's message.
        detail = "; ".join(f"{_location(item)}: {item['msg']}" for item in error.errors())
        return respond(request, errors.Invalid(detail))

    async def http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        if error.status_code == 404:
            return respond(request, errors.NotFound())
        body = _problem("http_error", error.status_code, str(error.detail), None)
        return _response(body, dict(error.headers or {}))

    async def unexpected(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001
        return respond(request, errors.SaegimError())

    app.add_exception_handler(errors.SaegimError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(Exception, unexpected)


def _location(item: dict[str, Any]) -> str:
    return ".".join(str(part) for part in item["loc"])


def _problem(code: str, status: int, title: str, detail: str | None) -> Problem:
    return Problem(
        type=f"urn:saegim:problem:{code}",
        code=code,
        title=title,
        status=status,
        detail=detail,
        request_id=request_id.get(),
    )


def _response(body: Problem, headers: dict[str, str]) -> JSONResponse:
    return JSONResponse(
        body.model_dump(exclude_none=True),
        status_code=body.status,
        headers=headers,
        media_type="application/problem+json",
    )
