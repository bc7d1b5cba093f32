"""Parse XML listings: sitemaps and buckets. A document type, and so entities, is refused."""

import zlib
from dataclasses import dataclass
from xml.etree import ElementTree

from saegim.domain.errors import Unreadable
from saegim.library.parsing.archive import check_xml
from saegim.library.parsing.limits import ParseLimits
from saegim.net.errors import FetchFailed, FetchFault

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Element:
    """An element with the text of its children by name."""

    name: str
    fields: dict[str, str]

    @classmethod
    def of(cls, node: ElementTree.Element) -> "Element":
        # Of several children with one name, the first counts.
        fields = {_name(child): (child.text or "").strip() for child in reversed(node)}
        return cls(_name(node), fields)


@dataclass(frozen=True, slots=True)
class Tree:
    """The root's name, its own fields, and its repeated elements."""

    root: Element
    elements: list[Element]


def read(content: bytes, repeated: frozenset[str]) -> Tree:
    """Parse a listing. Raises FetchFailed if it is invalid."""
    try:
        check_xml(content, ParseLimits())
        root = ElementTree.fromstring(content)  # noqa: S314 - check_xml refused entities and depth
    except (Unreadable, ElementTree.ParseError, ValueError) as error:
        raise FetchFailed(FetchFault.LISTING) from error
    elements = [Element.of(child) for child in root if _name(child) in repeated]
    return Tree(Element.of(root), elements)


def _name(node: ElementTree.Element) -> str:
    return node.tag.rpartition("}")[2]


def gunzip(content: bytes, most: int) -> bytes:
    """Decompress gzip content; raise FetchFailed beyond `most` bytes."""
    if not content.startswith(_GZIP):
        return content
    unpacking = zlib.decompressobj(31)
    try:
        plain = unpacking.decompress(content, most + 1)
    except zlib.error as error:
        raise FetchFailed(FetchFault.LISTING) from error
    if len(plain) > most:
        raise FetchFailed(FetchFault.TOO_LARGE)
    return plain
