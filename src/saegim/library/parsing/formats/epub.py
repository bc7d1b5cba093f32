"""Parse EPUB: the chapters of the spine, in order, as HTML."""

import posixpath
import zipfile
from collections.abc import Iterator
from typing import BinaryIO
from urllib.parse import unquote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from saegim.domain.errors import Unreadable
from saegim.library.parsing.archive import open_archive, read_bytes, read_part
from saegim.library.parsing.decode import decode
from saegim.library.parsing.formats.html import add_html
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.outline import Outline
from saegim.library.types import ParsedDocument
from saegim.text.analysis import normalise

_CONTAINER = "META-INF/container.xml"
_RIGHTS = "META-INF/encryption.xml"
_FONTS = (b"http://www.idpf.org/2008/embedding", b"http://ns.adobe.com/pdf/enc#RC")


def read(file: BinaryIO, limits: ParseLimits) -> list[ParsedDocument]:
    archive = open_archive(file, limits)
    _refuse_protected(archive, limits)
    container = _tree(archive, _CONTAINER, limits)
    path = next((each.get("full-path", "") for each in _inside(container, "rootfile")), "")
    package = _tree(archive, path, limits)
    outline = Outline()
    for name in _chapters(package, posixpath.dirname(path)):
        if name in archive.namelist():
            add_html(outline, normalise(decode(read_bytes(archive, name, limits), declared=True)))
    title = next((each.text or "" for each in _inside(package, "title")), "")
    return [outline.document(title or outline.first_heading, metadata={"format": "epub"})]


def _refuse_protected(archive: zipfile.ZipFile, limits: ParseLimits) -> None:
    """Raise Unreadable if more than fonts is encrypted."""
    if _RIGHTS not in archive.namelist():
        return
    rights = read_part(archive, _RIGHTS, limits)
    methods = rights.count(b"EncryptionMethod")
    if methods > sum(rights.count(algorithm) for algorithm in _FONTS):
        raise Unreadable(Reason.ENCRYPTED)


def _tree(archive: zipfile.ZipFile, name: str, limits: ParseLimits) -> Element:
    if name not in archive.namelist():
        raise Unreadable(Reason.CORRUPT)
    data = read_part(archive, name, limits)
    return ElementTree.fromstring(data)  # noqa: S314  read_part refused entities and depth


def _inside(element: Element, name: str) -> Iterator[Element]:
    return (inner for inner in element.iter() if inner.tag.rpartition("}")[2] == name)


def _chapters(package: Element, folder: str) -> Iterator[str]:
    """Yield the parts of the spine, once each, without the table of contents."""
    parts = {item.get("id", ""): item for item in _inside(package, "item")}
    for reference in dict.fromkeys(each.get("idref", "") for each in _inside(package, "itemref")):
        item = parts.get(reference)
        if item is not None and "nav" not in item.get("properties", "").split():
            yield posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))
