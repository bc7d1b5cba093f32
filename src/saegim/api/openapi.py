"""The OpenAPI document: what FastAPI finds, with the credential and every error it may meet."""

from collections.abc import Iterator
from http import HTTPStatus
from inspect import isfunction
from typing import Any, get_type_hints

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import iter_route_contexts

from saegim.api.etags import TagDep
from saegim.api.pagination import PageDep
from saegim.api.problems import STATUS, Problem
from saegim.api.route_policy import PUBLIC

PROBLEM = "application/problem+json"
SENDERS: dict[str, object] = {"ETag": TagDep, "Link": PageDep}
HEADERS: dict[str, Any] = {
    "ETag": {
        "description": "Names what is shown; goes into `If-Match` of a change.",
        "schema": {"type": "string"},
    },
    "Link": {
        "description": 'The next page, with `rel="next"`, where there is one (RFC 8288).',
        "schema": {"type": "string"},
    },
}
# Said by the security scheme, or by a browser itself.
NOT_PARAMETERS = frozenset({"authorization", "origin"})
DESCRIPTION = (
    "Every call but `/health` and `/metrics` takes a key, a token or a signed token of the "
    "tenant's own sign-in as `Authorization: Bearer …`. A key that acts for others names the user "
    "in `Saegim-User`, percent-encoded where it is not ASCII. Lists come in pages: `next_…` of one "
    "is the parameter of the next; a list that is an array names it in `Link`. What two may edit "
    "has an `ETag`, and a change with `If-Match` of another one is refused (412). Errors are "
    "problems (RFC 9457) with a stable `code`."
)


def document(app: FastAPI) -> dict[str, Any]:
    """The document of an app; made once."""
    if app.openapi_schema is None:
        app.openapi_schema = _made(app)
    return app.openapi_schema


def _made(app: FastAPI) -> dict[str, Any]:
    made = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        description=DESCRIPTION,
        routes=app.routes,
    )
    parts = made.setdefault("components", {})
    schemas = parts.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    own = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(own.pop("$defs", {}))
    schemas["Problem"] = own
    parts["responses"] = {_name(status): _problem(status) for status in _statuses()}
    parts["securitySchemes"] = {"credential": {"type": "http", "scheme": "bearer"}}
    sent = _sent(app)
    for path, operations in made["paths"].items():
        for method, operation in operations.items():
            _complete(operation, public=(method.upper(), path) in PUBLIC)
            for header in sent.get((method.upper(), path), ()):
                _good(operation).setdefault("headers", {})[header] = HEADERS[header]
    return made


def _sent(app: FastAPI) -> dict[tuple[str, str], list[str]]:
    """The headers that each operation sends, by what its function takes to send them."""
    found: dict[tuple[str, str], list[str]] = {}
    for route in iter_route_contexts(app.routes):
        if isfunction(route.endpoint) and route.path is not None:
            taken = get_type_hints(route.endpoint, include_extras=True).values()
            headers = [header for header, sender in SENDERS.items() if sender in taken]
            found |= {(method, route.path): headers for method in route.methods or ()}
    return found


def _good(operation: dict[str, Any]) -> dict[str, Any]:
    """The response of a call that went well."""
    return next(found for status, found in operation["responses"].items() if status < "3")


def _complete(operation: dict[str, Any], *, public: bool) -> None:
    kept = [each for each in operation.get("parameters", []) if each["name"] not in NOT_PARAMETERS]
    if kept:
        operation["parameters"] = kept
    else:
        operation.pop("parameters", None)
    responses: dict[str, Any] = operation["responses"]
    responses.pop("422", None)
    if public:
        return
    operation["security"] = [{"credential": []}]
    for status in _statuses():
        responses[str(status)] = {"$ref": f"#/components/responses/{_name(status)}"}


def _statuses() -> Iterator[int]:
    yield from sorted(set(STATUS.values()))


def _name(status: int) -> str:
    return HTTPStatus(status).phrase.replace(" ", "")


def _problem(status: int) -> dict[str, Any]:
    codes = sorted(kind.code for kind, found in STATUS.items() if found == status)
    shape = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {"description": f"`code` is {' or '.join(codes)}", "content": {PROBLEM: shape}}
