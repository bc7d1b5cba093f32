"""What the header of a HWPX document says of its paragraphs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from saegim.library.parsing.numbering import Level

_OUTLINE_NAME = re.compile(r"\s*(?:개요|outline)\s*(\d{1,2})\s*", re.IGNORECASE)
_MOST_LEVELS = 10


def local(element: Element) -> str:
    """The element's name without its namespace, which changes with the standard's year."""
    return element.tag.rpartition("}")[2]


def inside(element: Element, name: str) -> Iterator[Element]:
    return (inner for inner in element.iter() if local(inner) == name)


@dataclass(frozen=True, slots=True)
class HwpxParagraphStyle:
    """A paragraph's place: heading level from 1 on, or list and level."""

    heading: int | None = None
    list_name: str | None = None
    is_bullet: bool = False
    level: int = 0


@dataclass(slots=True)
class HwpxStyles:
    """Shapes by paragraph property and by style; numberings by id."""

    properties: dict[str, HwpxParagraphStyle] = field(default_factory=dict[str, HwpxParagraphStyle])
    styles: dict[str, HwpxParagraphStyle] = field(default_factory=dict[str, HwpxParagraphStyle])
    lists: dict[str, dict[int, Level]] = field(default_factory=dict[str, dict[int, Level]])

    @classmethod
    def of(cls, header: Element) -> "HwpxStyles":
        found = cls()
        for element in header.iter():
            match local(element):
                case "paraPr":
                    found.properties[element.get("id", "")] = _property(element)
                case "style":
                    found.styles[element.get("id", "")] = found.style(element)
                case "numbering":
                    found.lists[element.get("id", "")] = dict(_levels(element))
                case _:
                    continue
        return found

    def style(self, element: Element) -> HwpxParagraphStyle:
        """A style named as an outline level is one; others are what their property says."""
        for name in (element.get("name", ""), element.get("engName", "")):
            if outline := _OUTLINE_NAME.fullmatch(name):
                return HwpxParagraphStyle(heading=int(outline[1]))
        return self.properties.get(element.get("paraPrIDRef", ""), HwpxParagraphStyle())

    def shape(self, paragraph: Element) -> HwpxParagraphStyle:
        own = self.properties.get(paragraph.get("paraPrIDRef", ""), HwpxParagraphStyle())
        if own != HwpxParagraphStyle():
            return own
        return self.styles.get(paragraph.get("styleIDRef", ""), HwpxParagraphStyle())


def _property(element: Element) -> HwpxParagraphStyle:
    heading = next(inside(element, "heading"), None)
    if heading is None:
        return HwpxParagraphStyle()
    level = heading.get("level", "0")
    at = min(int(level), _MOST_LEVELS) if level.isascii() and level.isdecimal() else 0
    match heading.get("type"):
        case "OUTLINE":
            return HwpxParagraphStyle(heading=at + 1)
        case "NUMBER":
            return HwpxParagraphStyle(list_name=heading.get("idRef", ""), level=at)
        case "BULLET":
            return HwpxParagraphStyle(list_name="", is_bullet=True, level=at)
        case _:
            return HwpxParagraphStyle()


def _levels(numbering: Element) -> Iterator[tuple[int, Level]]:
    for head in inside(numbering, "paraHead"):
        level, start = head.get("level", ""), head.get("start", "1")
        if level.isascii() and level.isdecimal():
            first = int(start) if start.isascii() and start.isdecimal() else 1
            yield int(level) - 1, Level(head.text or "", head.get("numFormat", "DIGIT"), first)
