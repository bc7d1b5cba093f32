"""The output of the child: small lines of JSON."""

import json
import struct
from collections.abc import Iterable, Iterator

from saegim.library.types import ParsedDocument

ORDER = "SAEGIM_PARSE"
"""Environment variable with the file name and limits, invisible to other users."""

STATUS = struct.Struct("iq")
"""How a forked child ended: its exit code, and the most bytes of memory it used."""

# Exit codes of the child; others are crashes.
DONE = 0
CRASHED = 1
OUT_OF_MEMORY = 77


def encode(documents: Iterable[ParsedDocument]) -> Iterator[bytes]:
    """Encode the documents, and an end line that proves completeness."""
    for document in documents:
        yield _line(
            "document",
            title=document.title,
            outside_id=document.outside_id,
            type=document.type,
            metadata=dict(document.metadata),
            modified=None if document.modified_at is None else document.modified_at.isoformat(),
        )
        for section in document.sections:
            yield _line("section", path=section.path)
            for block in section.blocks:
                locator = {} if block.locator is None else block.locator.parts()
                yield _line("block", kind=block.kind, text=block.text, **locator)
    yield _line("end")


def refused(reason: str) -> bytes:
    return _line("refusal", reason=reason)


def crashed(where: str) -> bytes:
    return _line("crash", where=where)


def _line(line: str, **values: object) -> bytes:
    return json.dumps({"line": line, **values}, ensure_ascii=False).encode() + b"\n"
