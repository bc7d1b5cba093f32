"""What the styles and numberings of a Word document say of a paragraph."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from saegim.library.parsing.numbering import Level

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_BODY_LEVEL = 9
_INHERITED = 20


class Node(Protocol):
    """An XML element, as far as it is read here."""

    tag: object
    text: str | None

    def get(self, key: str, default: str | None = None) -> str | None: ...
    def __iter__(self) -> Iterator["Node"]: ...


def name_of(node: Node) -> str:
    """The element's name, without the namespace for Word's own; comments have none."""
    return node.tag.removeprefix(_WORD) if isinstance(node.tag, str) else ""


def child(node: Node | None, *path: str) -> Node | None:
    """The element at a path below a node, if all of the path is there."""
    for step in path:
        if node is None:
            return None
        node = next((inner for inner in node if name_of(inner) == step), None)
    return node


def value(node: Node | None, *path: str) -> str | None:
    """The `w:val` of the element at the path below a node."""
    found = child(node, *path)
    return found.get(f"{_WORD}val") if found is not None else None


def attribute(node: Node, name: str) -> str | None:
    return node.get(f"{_WORD}{name}")


def whole(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 10 else None


@dataclass(frozen=True, slots=True)
class WordParagraphStyle:
    """A paragraph's place: its heading level from 1 on, its list and level, or none of these."""

    style: str = ""
    heading: int | None = None
    list_name: str | None = None
    list_level: int = 0


class WordStyles:
    """Looks up what a paragraph inherits."""

    def __init__(self, styles: Node | None, numbering: Node | None) -> None:
        self._styles = {
            attribute(node, "styleId") or "": node
            for node in (styles if styles is not None else ())
            if name_of(node) == "style"
        }
        self.lists = dict(_lists(numbering)) if numbering is not None else {}

    def shape(self, paragraph: Node) -> WordParagraphStyle:
        """What the paragraph says itself, else its style, else the style that is based on."""
        properties = child(paragraph, "pPr")
        style_id = value(properties, "pStyle") or ""
        style, heading, list_name, list_level = "", None, None, None
        for source in (properties, *self._inherited(style_id)):
            inner = source if source is properties else child(source, "pPr")
            style = style or (value(source, "name") or "").lower()
            heading = heading if heading is not None else whole(value(inner, "outlineLvl"))
            numbered = child(inner, "numPr")
            list_name = list_name if list_name is not None else value(numbered, "numId")
            list_level = list_level if list_level is not None else whole(value(numbered, "ilvl"))
        if heading is None and style.startswith("heading "):
            heading = (whole(style.removeprefix("heading ")) or 1) - 1
        return WordParagraphStyle(
            style=style,
            heading=heading + 1 if heading is not None and heading < _BODY_LEVEL else None,
            list_name=list_name if list_name in self.lists else None,
            list_level=list_level or 0,
        )

    def _inherited(self, style_id: str) -> Iterator[Node]:
        for _ in range(_INHERITED):
            style = self._styles.get(style_id)
            if style is None:
                return
            yield style
            style_id = value(style, "basedOn") or ""


def _lists(numbering: Node) -> Iterator[tuple[str, dict[int, Level]]]:
    abstract = {
        attribute(node, "abstractNumId"): dict(_levels(node))
        for node in numbering
        if name_of(node) == "abstractNum"
    }
    for node in numbering:
        levels = abstract.get(value(node, "abstractNumId")) if name_of(node) == "num" else None
        if levels:
            yield attribute(node, "numId") or "", levels


def _levels(node: Node) -> Iterator[tuple[int, Level]]:
    for level in node:
        at = whole(attribute(level, "ilvl"))
        if name_of(level) == "lvl" and at is not None:
            style = value(level, "numFmt") or "decimal"
            start = whole(value(level, "start"))
            yield at, Level(value(level, "lvlText") or "", style, 1 if start is None else start)
