"""Write docs/reference/api.md from the OpenAPI document, or check that it is current.

python scripts/api_docs.py [--check]
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from fastapi import FastAPI

from saegim.api.app import add_routes
from saegim.api.openapi import document
from saegim.api.route_policy import NEEDED, PUBLIC

PAGE = PurePosixPath("docs/reference/api.md")
HEAD = """\
<!-- Written by scripts/api_docs.py from the OpenAPI document. Do not edit. -->

# HTTP API

Look up an operation and the permission it needs. A running server shows every operation at `/docs`,
with the fields of requests and responses and an example call, and has the OpenAPI document at
`/v1/openapi.json`.
[Interfaces and clients](interfaces.md) explains authentication, errors, pagination, ETags,
idempotency and streaming. [Security](../concepts/security.md) explains roles and permissions.

*public* needs no credential.
"""


def permission(method: str, path: str) -> str:
    """Returns the permission that an operation needs."""
    if (method, path) in PUBLIC:
        return "*public*"
    return f"`{NEEDED[method, path].value}`"


def first_line(operation: Mapping[str, Any]) -> str:
    """Returns the first sentence of an operation's description, else its summary."""
    text = " ".join((operation.get("description") or operation["summary"]).split())
    sentence = text.partition(". ")[0].rstrip(".")
    return sentence.replace("|", "\\|")


def render(api: Mapping[str, Any]) -> str:
    """Returns the page: one table per tag, with the operations sorted by path."""
    rows: dict[str, list[str]] = defaultdict(list)
    for path, operations in sorted(api["paths"].items()):
        for method, operation in operations.items():
            name = f"`{method.upper()} {path}`"
            needed = permission(method.upper(), path)
            tag = operation.get("tags", ["other"])[0]
            rows[tag].append(f"| {name} | {needed} | {first_line(operation)} |")
    head = "| operation | permission | description |\n| --- | --- | --- |"
    tables = (
        f"## {tag[:1].upper()}{tag[1:]}\n\n{head}\n" + "\n".join(rows[tag]) + "\n"
        for tag in sorted(rows)
    )
    return "\n".join((HEAD, *tables))


def main(arguments: Sequence[str], root: Path) -> int:
    parser = argparse.ArgumentParser(description=f"Write {PAGE}, or check it.")
    parser.add_argument("--check", action="store_true", help="fail if the page is stale")
    check: bool = parser.parse_args(arguments).check

    app = FastAPI(title="Saegim")
    add_routes(app)
    page, text = root / PAGE, render(document(app))
    if not check:
        page.write_text(text, encoding="utf-8")
    elif not page.is_file() or page.read_text(encoding="utf-8") != text:
        print(f"{PAGE}: stale, run scripts/api_docs.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).resolve().parent.parent))
