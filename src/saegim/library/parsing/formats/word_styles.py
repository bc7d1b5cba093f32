"""Resolve styles and numbering of Word paragraphs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from saegim.library.parsing.numbering import Level, int_or_1, parse_int

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_BODY_LEVEL = 9
_INHERITED = 20


class Node(Protocol):
    """The part of an XML element that is used here."""

    tag: object
    text: str | None

    def get(self, key: str, default: str | None = None) -> str | None: ...
    def __iter__(self) -> Iterator["Node"]: ...


def name_of(node: Node) -> str:
    """Return the element's name without Word's namespace; empty for comments."""
    return node.tag.removeprefix(_WORD) if isinstance(node.tag, str) else ""


def child(node: Node | None, *path: str) -> Node | None:
    """Return the element at a path below a node, if any."""
    for step in path:
        if node is None:
            return None
        node = next((inner for inner in node if name_of(inner) == step), None)
    return node


def value(node: Node | None, *path: str) -> str | None:
    """Return `w:val` of the element at a path below a node."""
    element = child(node, *path)
    return element.get(f"{_WORD}val") if element is not None else None


def attribute(node: Node, name: str) -> str | None:
    return node.get(f"{_WORD}{name}")


@dataclass(frozen=True, slots=True)
class WordParagraphStyle:
    """The heading level of a paragraph, from 1, or its list and level."""

    style: str = ""
    heading: int | None = None
    list_name: str | None = None
    list_level: int = 0


class WordStyles:
    """Resolves inherited paragraph properties."""

    def __init__(self, styles: Node | None, numbering: Node | None) -> None:
        self._styles = {
            attribute(node, "styleId") or "": node
            for node in (styles if styles is not None else ())
            if name_of(node) == "style"
        }
        self.lists = dict(_lists(numbering)) if numbering is not None else {}

    def shape(self, paragraph: Node) -> WordParagraphStyle:
        """Resolve a paragraph's own properties, then its style and base styles."""
        properties = child(paragraph, "pPr")
        style_id = value(properties, "pStyle") or ""
        style, heading, list_name, list_level = "", None, None, None
        for source in (properties, *self._inherited(style_id)):
            inner = source if source is properties else child(source, "pPr")
            style = style or (value(source, "name") or "").lower()
            heading = heading if heading is not None else parse_int(value(inner, "outlineLvl"))
            numbering = child(inner, "numPr")
            list_name = list_name if list_name is not None else value(numbering, "numId")
            list_level = (
                list_level if list_level is not None else parse_int(value(numbering, "ilvl"))
            )
        if heading is None and style.startswith("heading "):
            heading = (parse_int(style.removeprefix("heading ")) or 1) - 1
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
        at = parse_int(attribute(level, "ilvl"))
        if name_of(level) == "lvl" and at is not None:
            style = value(level, "numFmt") or "decimal"
            start = int_or_1(value(level, "start"))
            yield at, Level(value(level, "lvlText") or "", style, start)
