"""Parse XML listings: sitemaps and buckets. A document type, and so entities, is refused."""

import zlib
from dataclasses import dataclass, field
from xml.parsers import expat

from saegim.net.errors import FetchFailed, FetchFault

_GZIP = b"\x1f\x8b"
_MOST_TEXT = 4_096


@dataclass(slots=True)
class Element:
    """An element with the text of its children by name."""

    name: str
    fields: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class Tree:
    """The root's name, its own fields, and its repeated elements."""

    root: Element
    elements: list[Element]


class _ListingReader:
    def __init__(self, repeated: frozenset[str]) -> None:
        self._repeated = repeated
        self.root: Element | None = None
        self.elements: list[Element] = []
        self._open: list[str] = []
        self._current: Element | None = None
        self._text: list[str] = []

    def start(self, name: str, _: object) -> None:
        name = name.rpartition(" ")[2]
        if self.root is None:
            self.root = self._current = Element(name)
        elif name in self._repeated and len(self._open) == 1:
            self._current = Element(name)
            self.elements.append(self._current)
        self._open.append(name)
        self._text = []

    def end(self, name: str) -> None:
        self._open.pop()
        name, text = name.rpartition(" ")[2], "".join(self._text).strip()
        if self._current is not None and self._current.name != name and len(self._open) <= 2:
            self._current.fields.setdefault(name, text)
        if len(self._open) == 1:
            self._current = self.root
        self._text = []

    def characters(self, text: str) -> None:
        if sum(map(len, self._text)) < _MOST_TEXT:
            self._text.append(text)


def read(content: bytes, repeated: frozenset[str]) -> Tree:
    """Parse a listing. Raises FetchFailed if it is invalid."""
    reader = _ListingReader(repeated)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters
    parser.StartDoctypeDeclHandler = _refuse
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError) as error:
        raise FetchFailed(FetchFault.LISTING) from error
    assert reader.root is not None, "a document that parses has a root"
    return Tree(reader.root, reader.elements)


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


def _refuse(*_: object) -> None:
    raise ValueError("a listing has no document type")
