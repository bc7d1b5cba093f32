"""Write the types of the TypeScript client from the OpenAPI document, or check that they are
current.

python scripts/typescript_types.py [--check]
"""

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from saegim.api.app import add_routes
from saegim.api.openapi import document

TARGET = Path(__file__).parents[1] / "clients" / "typescript" / "src" / "types.ts"
HEAD = "// Written by scripts/typescript_types.py from the OpenAPI document. Do not edit.\n"
PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
NAME = re.compile(r"^[A-Za-z_$][\w$]*$")

type Schema = Mapping[str, Any]


def typed(schema: Schema) -> str:
    """Returns a schema as a TypeScript type."""
    if "$ref" in schema:
        return _name(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return _literal(schema["const"])
    if "enum" in schema:
        return " | ".join(_literal(value) for value in schema["enum"])
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return " | ".join(dict.fromkeys(typed(each) for each in schema[word]))
    if "allOf" in schema:
        return " & ".join(typed(each) for each in schema["allOf"])
    match schema.get("type"):
        case "array":
            inner = typed(schema.get("items", {}))
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        case "object":
            return _object(schema)
        case str(name):
            return PLAIN[name]
        case _:
            return "unknown"


def declared(name: str, schema: Schema) -> str:
    """Returns a schema as a declaration, with its description."""
    said = schema.get("description")
    comment = f"/** {' '.join(said.split())} */\n" if said else ""
    if schema.get("type") == "object" and "properties" in schema:
        return f"{comment}export interface {_name(name)} {_object(schema)}\n"
    return f"{comment}export type {_name(name)} = {typed(schema)};\n"


def operations(paths: Mapping[str, Any]) -> str:
    """Returns every operation with its parameters and response, and whether it accepts
    `If-Match`."""
    lines = [
        f'  "{method.upper()} {path}": '
        f"{{ body: {_body(each)}; response: {_response(each)}; ifMatch: {_if_match(each)} }};"
        for path, found in paths.items()
        for method, each in found.items()
    ]
    head = "/** Every operation: what it takes and gives, and whether `If-Match` goes with it. */\n"
    return head + "export interface Operations {\n" + "\n".join(sorted(lines)) + "\n}\n"


def written(api: Schema) -> str:
    schemas = api["components"]["schemas"]
    parts = [declared(name, schemas[name]) for name in sorted(schemas)]
    return "\n".join([HEAD, *parts, operations(api["paths"])])


def _object(schema: Schema) -> str:
    fields = schema.get("properties")
    if not fields:
        further = schema.get("additionalProperties")
        inner = typed(further) if isinstance(further, dict) else "unknown"
        return f"Record<string, {inner}>"
    needed = set(schema.get("required", ()))
    lines = [
        f"  {_key(name)}{'' if name in needed else '?'}: {typed(field)};"
        for name, field in fields.items()
    ]
    return "{\n" + "\n".join(lines) + "\n}"


def _body(operation: Schema) -> str:
    content = operation.get("requestBody", {}).get("content", {})
    if not content:
        return "undefined"
    json = content.get("application/json")
    return typed(json["schema"]) if json else "Uint8Array"


def _response(operation: Schema) -> str:
    good = next(found for status, found in operation["responses"].items() if status < "3")
    json = good.get("content", {}).get("application/json")
    return typed(json["schema"]) if json and json.get("schema") else "undefined"


def _if_match(operation: Schema) -> str:
    names = {each["name"].lower() for each in operation.get("parameters", ())}
    return "true" if "if-match" in names else "false"


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def _key(name: str) -> str:
    return name if NAME.match(name) else f'"{name}"'


def _name(name: str) -> str:
    """Returns the name of a model; FastAPI adds the module to names that occur twice."""
    *modules, own = name.split("__")
    said = modules[-1].title().replace("_", "") if modules else ""
    return re.sub(r"\W", "_", said + own)


def main() -> int:
    app = FastAPI(title="Saegim")
    add_routes(app)
    text = written(document(app))
    if "--check" not in sys.argv:
        TARGET.parent.mkdir(parents=True, exist_ok=True)
        TARGET.write_text(text, "utf-8")
        return 0
    if TARGET.exists() and TARGET.read_text("utf-8") == text:
        return 0
    print(f"{TARGET} is stale, run make docs", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
