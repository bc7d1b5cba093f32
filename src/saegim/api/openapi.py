"""The OpenAPI document of FastAPI, with the security scheme, error responses and headers added."""

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
        "description": "Version of the resource. Send it as `If-Match` with a change.",
        "schema": {"type": "string"},
    },
    "Link": {
        "description": 'The next page with `rel="next"`, if there is one (RFC 8288).',
        "schema": {"type": "string"},
    },
}
# Covered by the security scheme, or set by browsers.
NOT_PARAMETERS = frozenset({"authorization", "origin"})
DESCRIPTION = (
    "Every route except `/health` and `/metrics` requires `Authorization: Bearer …` with an API "
    "key, a user token, or a JWT of an issuer that the tenant trusts. A key that acts for users "
    "names the user in `Saegim-User`, percent-encoded if it is not ASCII. Lists are paginated: "
    "pass `next_…` of one page as the parameter of the next; array responses name the next page "
    "in the `Link` header. Editable resources have an `ETag`; a change with an outdated `If-Match` "
    "fails with 412. Errors are problem documents (RFC 9457) with a stable `code`."
)


def document(app: FastAPI) -> dict[str, Any]:
    """Returns the document of an app; built once."""
    if app.openapi_schema is None:
        app.openapi_schema = _build(app)
    return app.openapi_schema


def _build(app: FastAPI) -> dict[str, Any]:
    openapi = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        description=DESCRIPTION,
        routes=app.routes,
        servers=app.servers,
    )
    components = openapi.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(problem.pop("$defs", {}))
    schemas["Problem"] = problem
    components["responses"] = {_name(status): _problem(status) for status in _statuses()}
    components["securitySchemes"] = {"credential": {"type": "http", "scheme": "bearer"}}
    headers = _response_headers(app)
    for path, operations in openapi["paths"].items():
        for method, operation in operations.items():
            _complete(operation, public=(method.upper(), path) in PUBLIC)
            for header in headers.get((method.upper(), path), ()):
                _success(operation).setdefault("headers", {})[header] = HEADERS[header]
    return openapi


def _response_headers(app: FastAPI) -> dict[tuple[str, str], list[str]]:
    """Returns the response headers of each operation, from the dependencies of its function."""
    by_operation: dict[tuple[str, str], list[str]] = {}
    for route in iter_route_contexts(app.routes):
        if isfunction(route.endpoint) and route.path is not None:
            hints = get_type_hints(route.endpoint, include_extras=True).values()
            headers = [header for header, sender in SENDERS.items() if sender in hints]
            by_operation |= {(method, route.path): headers for method in route.methods or ()}
    return by_operation


def _success(operation: dict[str, Any]) -> dict[str, Any]:
    return next(response for status, response in operation["responses"].items() if status < "3")


def _complete(operation: dict[str, Any], *, public: bool) -> None:
    parameters = operation.pop("parameters", [])
    if shown := [each for each in parameters if each["name"] not in NOT_PARAMETERS]:
        operation["parameters"] = shown
    responses: dict[str, Any] = operation["responses"]
    responses.pop("422", None)
    if not public:
        operation["security"] = [{"credential": []}]
    elif "requestBody" not in operation:
        return
    for status in _statuses():
        responses[str(status)] = {"$ref": f"#/components/responses/{_name(status)}"}


def _statuses() -> Iterator[int]:
    yield from sorted(set(STATUS.values()))


def _name(status: int) -> str:
    return HTTPStatus(status).phrase.replace(" ", "")


def _problem(status: int) -> dict[str, Any]:
    codes = sorted(kind.code for kind, code in STATUS.items() if code == status)
    content = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {"description": f"`code` is {' or '.join(codes)}", "content": {PROBLEM: content}}
