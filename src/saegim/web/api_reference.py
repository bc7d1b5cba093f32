"""The OpenAPI document as values that the page `/docs` shows."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from saegim.api.route_policy import NEEDED

JSON = "application/json"
BODY_ARGUMENT = " \\\n  "


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A parameter, or a field of a schema. `refers_to` is the schema of its type, if it has one."""

    name: str
    kind: str
    required: bool
    about: str
    refers_to: str | None = None


@dataclass(frozen=True, slots=True)
class OperationEntry:
    """An operation with an example call."""

    method: str
    path: str
    about: str
    permission: str | None
    parameters: Sequence[FieldRow]
    body: str | None
    response: str | None
    curl: str

    @property
    def summary(self) -> str:
        """The first sentence of the description."""
        return " ".join(self.about.split()).partition(". ")[0].rstrip(".")

    @property
    def anchor(self) -> str:
        return f"{self.method} {self.path}".replace(" ", "-").replace("/", "-").strip("-")


@dataclass(frozen=True, slots=True)
class SchemaEntry:
    name: str
    about: str
    fields: Sequence[FieldRow]


@dataclass(frozen=True, slots=True)
class ApiReference:
    """All operations by tag, and all schemas."""

    about: str
    version: str
    operations: Mapping[str, Sequence[OperationEntry]]
    schemas: Sequence[SchemaEntry]


def read(document: Mapping[str, Any], server: str) -> ApiReference:
    """Read a document; `server` is the URL in the example calls."""
    schemas: Mapping[str, Any] = document["components"]["schemas"]
    by_tag: dict[str, list[OperationEntry]] = defaultdict(list)
    for path, operations in sorted(document["paths"].items()):
        for method, operation in operations.items():
            entry = _operation(method.upper(), path, operation, schemas, server)
            by_tag[operation.get("tags", ["other"])[0]].append(entry)
    return ApiReference(
        document["info"].get("description", ""),
        document["info"]["version"],
        dict(sorted(by_tag.items())),
        [
            SchemaEntry(name, schema.get("description", ""), list(_fields(schema)))
            for name, schema in sorted(schemas.items())
        ],
    )


def _operation(
    method: str, path: str, operation: Mapping[str, Any], schemas: Mapping[str, Any], server: str
) -> OperationEntry:
    body = operation.get("requestBody", {}).get("content", {}).get(JSON, {}).get("schema")
    permission = NEEDED.get((method, path))
    return OperationEntry(
        method,
        path,
        operation.get("description") or operation["summary"],
        None if permission is None else permission.value,
        [_parameter(each) for each in operation.get("parameters", ())],
        None if body is None else _name(body),
        _response(operation),
        _curl(method, f"{server}{path}", _example(body, schemas), public=permission is None),
    )


def _response(operation: Mapping[str, Any]) -> str | None:
    """Return the schema of a successful response."""
    success = next(each for status, each in operation["responses"].items() if status < "3")
    schema = success.get("content", {}).get(JSON, {}).get("schema", {})
    return _name(schema) or _name(schema.get("items", {}))


def _parameter(parameter: Mapping[str, Any]) -> FieldRow:
    kind = f"{parameter['in']}, {_kind(parameter.get('schema', {}))}"
    about = parameter.get("description", "")
    return FieldRow(parameter["name"], kind, parameter.get("required", False), about)


def _fields(schema: Mapping[str, Any]) -> Iterator[FieldRow]:
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        about, refers_to = field.get("description", ""), next(_references(field), None)
        yield FieldRow(name, _kind(field), name in required, about, refers_to)


def _kind(schema: Mapping[str, Any]) -> str:
    """Return the type of a value in a few words."""
    if name := _name(schema):
        return name
    if variants := schema.get("anyOf") or schema.get("oneOf"):
        kinds = [each for each in variants if each.get("type") != "null"]
        return " or ".join(dict.fromkeys(map(_kind, kinds)))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if values := schema.get("enum"):
        return " or ".join(json.dumps(value) for value in values)
    if "const" in schema:
        return json.dumps(schema["const"])
    return schema.get("format") or schema.get("type") or "any"


def _references(schema: Mapping[str, Any]) -> Iterator[str]:
    if name := _name(schema):
        yield name
    items = [schema["items"]] if "items" in schema else []
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *items):
        yield from _references(part)


def _name(schema: Mapping[str, Any]) -> str | None:
    return schema.get("$ref", "").rpartition("/")[2] or None


def _example(schema: Mapping[str, Any] | None, schemas: Mapping[str, Any]) -> Any:
    """Return the example of a body; None without a body."""
    if schema is None:
        return None
    name = _name(schema)
    examples: list[Any] = (schemas[name] if name else schema).get("examples", [])
    return examples[0] if examples else None


def _curl(method: str, url: str, body: Any, *, public: bool) -> str:
    parts = ["curl" if method == "GET" else f"curl -X {method}", f"'{url}'"]
    if not public:
        parts.append('-H "Authorization: Bearer $SAEGIM_KEY"')
    if body is not None:
        text = json.dumps(body, ensure_ascii=False).replace("'", "'\\''")
        parts += ["-H 'Content-Type: application/json'", f"-d '{text}'"]
    return f"{parts[0]} {BODY_ARGUMENT.join(parts[1:])}"
