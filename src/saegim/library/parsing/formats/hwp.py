"""Parse HWP 5 with unhwp: outline, numbers, lists and tables with merged cells."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, BinaryIO, cast

from saegim.domain.errors import Unreadable
from saegim.library.parsing.items import Items
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.lines import add_lines
from saegim.library.parsing.outline import Outline
from saegim.library.parsing.tables import CellCount, TableCell, grid, table
from saegim.library.types import BlockKind, ParsedDocument

try:
    import unhwp  # pyright: ignore[reportMissingTypeStubs]
except OSError:  # pragma: no cover - its library exists for x86-64 and macOS only
    unhwp = None

_HEADING_LENGTH = 100
_MOST_HEADINGS = 0.7

type _Json = Mapping[str, Any]

# What a distributed document says instead of its text, which is encrypted.
_DISTRIBUTED = re.compile(r"배포용 문서입니다")
_BULLET = re.compile(r"[-•·‣○●◦▪▫□■◆◇▶▷※*]\s*")
_LABEL = re.compile(r"(?P<label>\S{1,8}[.)]|[①-⑳]|제\d+[조항호])\s*")


def read(file: BinaryIO, limits: ParseLimits) -> list[ParsedDocument]:
    if unhwp is None:
        raise Unreadable(Reason.LEGACY)
    try:
        with unhwp.parse_bytes(file.read()) as parsed:
            content = cast("_Json", json.loads(parsed.json))
    except unhwp.UnhwpError as error:
        raise Unreadable(_reason(error)) from error
    outline = Outline()
    nodes = [node for section in content["sections"] for node in section["content"]]
    _HwpReader(outline, CellCount(limits.cells), has_headings=_has_headings(nodes)).read(nodes)
    if not outline.sections and any(_DISTRIBUTED.search(block.text) for block in outline.blocks):
        raise Unreadable(Reason.ENCRYPTED)
    title = str(content["metadata"].get("title") or "").strip()
    return [outline.document(title or outline.first_heading, metadata={"format": "hwp"})]


def _reason(error: Exception) -> Reason:
    text = str(error).lower()
    return Reason.ENCRYPTED if "encrypt" in text or "password" in text else Reason.CORRUPT


def _has_headings(nodes: Iterable[_Json]) -> bool:
    """Whether outline paragraphs are headings; some people number all their text with them."""
    filled = [node for node in nodes if "Table" in node or _text(node["Paragraph"]).strip()]
    outlines = sum(1 for node in filled if "Paragraph" in node and _is_outline(node["Paragraph"]))
    return outlines <= _MOST_HEADINGS * len(filled)


def _is_outline(paragraph: _Json) -> bool:
    return _head(paragraph).get("kind") == "Outline"


def _head(paragraph: _Json) -> _Json:
    return cast("_Json", paragraph["style"].get("head") or {})


class _HwpReader:
    def __init__(self, outline: Outline, cells: CellCount, *, has_headings: bool) -> None:
        self._has_headings = has_headings
        self._outline = outline
        self._cells = cells
        self._items = Items(outline)
        self._plain: list[str] = []

    def read(self, content: Iterable[_Json]) -> None:
        for node in content:
            if (paragraph := node.get("Paragraph")) is not None:
                self._paragraph(paragraph)
            elif (rows := node.get("Table")) is not None:
                self._flush()
                self._table(rows["rows"])
        self._flush()

    def _flush(self) -> None:
        self._items.flush()
        add_lines(self._outline, "\n".join(self._plain))
        self._plain.clear()

    def _paragraph(self, paragraph: _Json) -> None:
        style, text = paragraph["style"], _text(paragraph).strip()
        head = _head(paragraph)
        if not text:
            if self._plain:
                self._plain.append("")
        elif _is_outline(paragraph) and self._has_headings and len(text) <= _HEADING_LENGTH:
            self._flush()
            self._outline.heading(int(head.get("level") or 0) + 1, text)
        elif style.get("heading_level"):
            self._flush()
            self._outline.heading(int(style["heading_level"]), text)
        elif head or style.get("list_style"):
            self._item(int(head.get("level") or style.get("indent_level") or 0), text)
        else:
            self._items.flush()
            self._plain.append(text)

    def _item(self, level: int, text: str) -> None:
        if self._plain:
            self._flush()
        if label := _LABEL.match(text):
            self._items.add(level, label["label"], text[label.end() :])
        else:
            self._items.add(level, "-", _BULLET.sub("", text, count=1))

    def _table(self, rows: Sequence[_Json]) -> None:
        """Read a table; a single column is a text box."""
        self._cells.take(sum(len(row["cells"]) for row in rows))
        if max((len(row["cells"]) for row in rows), default=0) > 1:
            cells = grid([[_cell(cell) for cell in row["cells"]] for row in rows])
            self._outline.add(BlockKind.TABLE, table(cells))
            return
        for row in rows:
            for cell in row["cells"]:
                self.read(_as_node(part) for part in cell["content"])


def _as_node(part: _Json) -> _Json:
    """Return a part of a cell as a node of a section: a cell has bare paragraphs."""
    return part if "Paragraph" in part or "Table" in part else {"Paragraph": part}


def _cell(cell: _Json) -> TableCell:
    text = "\n".join(_inside(_as_node(part)) for part in cell["content"])
    return TableCell(text, int(cell.get("rowspan") or 1), int(cell.get("colspan") or 1))


def _inside(node: _Json) -> str:
    if "Paragraph" in node:
        return _text(node["Paragraph"])
    rows = node["Table"]["rows"]
    return "\n".join(_cell(cell).text for row in rows for cell in row["cells"])


def _text(paragraph: _Json) -> str:
    return "".join(_run(run) for run in paragraph["content"])


def _run(run: Any) -> str:
    if run == "LineBreak":
        return "\n"
    if not isinstance(run, dict):
        return ""
    parts = cast("_Json", run)
    if "Text" in parts:
        return str(parts["Text"]["text"])
    if "Equation" in parts:
        return str(parts["Equation"].get("script") or "")
    if "Link" in parts:
        return str(parts["Link"].get("text") or "")
    if "Footnote" in parts:
        return f" ({parts['Footnote']})" if isinstance(parts["Footnote"], str) else ""
    return ""
