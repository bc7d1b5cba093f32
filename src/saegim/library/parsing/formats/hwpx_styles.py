"""Paragraph styles and numbering from the header of a HWPX document."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from saegim.library.parsing.numbering import Level, int_or_1, parse_int

_OUTLINE_NAME = re.compile(r"\s*(?:개요|outline)\s*(\d{1,2})\s*", re.IGNORECASE)
_MOST_LEVELS = 10


def local(element: Element) -> str:
    """Return the element's name without its namespace, which varies by the standard's year."""
    return element.tag.rpartition("}")[2]


def inside(element: Element, name: str) -> Iterator[Element]:
    return (inner for inner in element.iter() if local(inner) == name)


@dataclass(frozen=True, slots=True)
class HwpxParagraphStyle:
    """The heading level of a paragraph, from 1, or its list and level."""

    heading: int | None = None
    list_name: str | None = None
    is_bullet: bool = False
    level: int = 0


@dataclass(slots=True)
class HwpxStyles:
    """Styles by paragraph property and by style; numberings by id."""

    properties: dict[str, HwpxParagraphStyle] = field(default_factory=dict[str, HwpxParagraphStyle])
    styles: dict[str, HwpxParagraphStyle] = field(default_factory=dict[str, HwpxParagraphStyle])
    lists: dict[str, dict[int, Level]] = field(default_factory=dict[str, dict[int, Level]])

    @classmethod
    def of(cls, header: Element) -> "HwpxStyles":
        styles = cls()
        for element in header.iter():
            match local(element):
                case "paraPr":
                    styles.properties[element.get("id", "")] = _property(element)
                case "style":
                    styles.styles[element.get("id", "")] = styles.style(element)
                case "numbering":
                    styles.lists[element.get("id", "")] = dict(_levels(element))
                case _:
                    continue
        return styles

    def style(self, element: Element) -> HwpxParagraphStyle:
        """Return an outline style by its name, or the style of its property."""
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
    at = min(parse_int(heading.get("level")) or 0, _MOST_LEVELS)
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
        level, start = parse_int(head.get("level")), int_or_1(head.get("start"))
        if level is not None:
            yield level - 1, Level(head.text or "", head.get("numFormat", "DIGIT"), start)
