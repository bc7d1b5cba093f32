"""Parse JSON: one document per question or titled text, otherwise a listing."""

import json
from collections.abc import Iterable, Iterator
from itertools import batched
from typing import cast

from saegim.domain.errors import Unreadable
from saegim.library.parsing.formats.records import documents_of
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.outline import Outline
from saegim.library.types import BlockKind, ParsedDocument

type _Json = dict[str, "_Json"] | list["_Json"] | str | int | float | bool | None

_DEPTH = 50
_BLOCK_LINES = 50
_TITLE_NAMES = ("title", "제목", "name", "이름")


def read(text: str, limits: ParseLimits) -> list[ParsedDocument]:
    value = _parse(text)
    records = _records(value)
    if records:
        rows = [{name: _text(inner) for name, inner in record.items()} for record in records]
        documents = documents_of(rows, "json", limits.documents)
        if documents is not None:
            return documents
    return [_listing(value)]


def _parse(text: str) -> _Json:
    """Parse one JSON value, or one value per line."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) < 2 or not lines[0].lstrip().startswith("{"):
            raise Unreadable(Reason.CORRUPT) from error
    try:
        return [json.loads(line) for line in lines]
    except (ValueError, RecursionError) as error:
        raise Unreadable(Reason.CORRUPT) from error


def _records(value: _Json) -> list[dict[str, _Json]]:
    """Return the objects of a list, or of the only list of objects in an object."""
    if isinstance(value, list):
        records = [entry for entry in value if isinstance(entry, dict)]
        return records if len(records) == len(value) else []
    if isinstance(value, dict):
        lists = [_records(inner) for inner in value.values() if isinstance(inner, list)]
        non_empty = [records for records in lists if records]
        return non_empty[0] if len(non_empty) == 1 else []
    return []


def _text(value: _Json) -> str:
    match value:
        case str():
            return value
        case None:
            return ""
        case bool() | int() | float():
            return json.dumps(value)
        case list() if all(isinstance(entry, str) for entry in value):
            return "\n".join(cast("list[str]", value))
        case _:
            return json.dumps(value, ensure_ascii=False)


def _listing(value: _Json) -> ParsedDocument:
    """List every value with its path; one section per top-level name."""
    outline = Outline()
    if not isinstance(value, dict):
        _add(outline, _lines(value, "", 0))
        return outline.document(metadata={"format": "json"})
    nested = {name: inner for name, inner in value.items() if isinstance(inner, dict | list)}
    _add(
        outline,
        (line for name in value if name not in nested for line in _lines(value[name], name, 0)),
    )
    for name, inner in nested.items():
        outline.heading(1, name)
        _add(outline, _lines(inner, "", 0))
    titles = [inner for name in _TITLE_NAMES if isinstance(inner := value.get(name), str)]
    return outline.document(titles[0] if titles else None, metadata={"format": "json"})


def _add(outline: Outline, lines: Iterable[str]) -> None:
    for group in batched(lines, _BLOCK_LINES):
        outline.add(BlockKind.LIST, "\n".join(group))


def _lines(value: _Json, name: str, depth: int) -> Iterator[str]:
    if depth > _DEPTH:
        raise Unreadable(Reason.UNSAFE)
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _lines(inner, f"{name}.{key}" if name else key, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _lines(inner, name, depth + 1)
    elif value is not None and value != "":
        yield f"- {name}: {_text(value)}" if name else f"- {_text(value)}"
