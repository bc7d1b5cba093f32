"""Compound files (OLE) made by code, and the Outlook and HWP files in them."""

import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_SECTOR, _FREE, _END, _FAT = 512, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_NONE, _CUTOFF = 0xFFFFFFFF, 4096


@dataclass(slots=True)
class _Entry:
    name: str
    kind: int
    data: bytes = b""
    children: list["_Entry"] = field(default_factory=list["_Entry"])
    number: int = 0
    start: int = _END
    child: int = _NONE
    right: int = _NONE


@dataclass(slots=True)
class _Sectors:
    size: int
    body: bytes = b""
    fat: list[int] = field(default_factory=list[int])

    def add(self, data: bytes) -> int:
        """Appends a chain of sectors, and returns its first one."""
        start, count = len(self.fat), -(-len(data) // self.size)
        self.fat += [*range(start + 1, start + count), _END]
        self.body += data.ljust(count * self.size, b"\0")
        return start


def ole(streams: Mapping[str, bytes]) -> bytes:
    """A compound file with these streams; a slash separates folders."""
    root = _Entry("Root Entry", 5)
    for path, data in streams.items():
        *folders, name = path.split("/")
        parent = root
        for folder in folders:
            known = next((one for one in parent.children if one.name == folder), None)
            if known is None:
                known = _Entry(folder, 1)
                parent.children.append(known)
            parent = known
        parent.children.append(_Entry(name, 2, data))
    entries = _numbered(root)
    sectors = _Sectors(_SECTOR)
    mini = _Sectors(64)
    for entry in entries:
        if entry.kind == 2 and entry.data:
            entry.start = (mini if len(entry.data) < _CUTOFF else sectors).add(entry.data)
    root.data = mini.body
    root.start = sectors.add(root.data) if root.data else _END
    mini_fat = struct.pack(f"<{len(mini.fat)}I", *mini.fat)
    mini_fat = mini_fat.ljust(-(-len(mini_fat) // _SECTOR) * _SECTOR, b"\xff")
    mini_at = sectors.add(mini_fat) if mini_fat else _END
    directory_at = sectors.add(b"".join(map(_directory_entry, entries)))
    return _with_fat(sectors, directory_at, (mini_at, len(mini_fat) // _SECTOR))


def _numbered(root: _Entry) -> list[_Entry]:
    """All entries, each folder's children linked as a chain to the right, in the order of names."""
    entries = [root]
    at = 0
    while at < len(entries):
        entry = entries[at]
        children = sorted(entry.children, key=lambda one: (len(one.name), one.name.upper()))
        for number, child in enumerate(children, len(entries)):
            child.number = number
            child.right = number + 1 if child is not children[-1] else _NONE
        entry.child = children[0].number if children else _NONE
        entries += children
        at += 1
    return entries


def _directory_entry(entry: _Entry) -> bytes:
    name = entry.name.encode("utf-16-le")
    return struct.pack(
        "<64sHBBIII16sIQQIQ",
        name,
        len(name) + 2,
        entry.kind,
        1,
        _NONE,
        entry.right,
        entry.child,
        b"",
        0,
        0,
        0,
        entry.start,
        len(entry.data),
    )


def _with_fat(content: _Sectors, directory_at: int, mini: tuple[int, int]) -> bytes:
    sectors = 1
    while (len(content.fat) + sectors) * 4 > sectors * _SECTOR:
        sectors += 1
    first = len(content.fat)
    table = content.fat + [_FAT] * sectors
    table += [_FREE] * (sectors * _SECTOR // 4 - len(table))
    places = [*range(first, first + sectors), *[_FREE] * 109][:109]
    versions = struct.pack("<HHHHH6s", 0x3E, 3, 0xFFFE, 9, 6, b"")
    starts = (0, sectors, directory_at, 0, _CUTOFF, *mini, _END, 0)
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16 + versions
    header += struct.pack("<9I109I", *starts, *places)
    return header + content.body + struct.pack(f"<{len(table)}I", *table)


def msg(
    subject: str, body: str, *, html: str = "", attachments: Mapping[str, bytes] | None = None
) -> bytes:
    """An Outlook message from 김하나 to 이두리, sent on 2026-03-02."""

    def text(tag: str, value: str, folder: str = "") -> tuple[str, bytes]:
        return f"{folder}__substg1.0_{tag}001F", value.encode("utf-16-le")

    sent = struct.pack("<IIQ", 0x00390040, 6, 134_169_696_000_000_000)
    streams = dict(
        [
            text("0037", subject),
            text("1000", body),
            text("0C1A", "김하나"),
            text("5D01", "hana@example.com"),
            text("0E04", "이두리"),
            ("__properties_version1.0", b"\0" * 32 + sent),
        ]
    )
    if html:
        streams["__substg1.0_10130102"] = html.encode()
    for number, (name, data) in enumerate((attachments or {}).items()):
        folder = f"__attach_version1.0_#{number:08X}/"
        streams |= dict([text("3707", name, folder), (f"{folder}__substg1.0_37010102", data)])
    return ole(streams)


type HwpCell = tuple[str, int, int, int, int]
"""Text, row, column, rows covered, columns covered."""


def hwp(paragraphs: Sequence[str | Sequence[HwpCell]], *, password: bool = False) -> bytes:
    """An HWP 5 file with these paragraphs and tables."""
    flags = 1 | (2 if password else 0)
    header = struct.pack("<32sII216s", b"HWP Document File", 0x05000300, flags, b"")
    section = b"".join(
        _paragraph(each) if isinstance(each, str) else _table(each) for each in paragraphs
    )
    return ole(
        {
            "FileHeader": header,
            "DocInfo": _packed(_document_properties()),
            "BodyText/Section0": _packed(section),
        }
    )


def _packed(data: bytes) -> bytes:
    return zlib.compress(data)[2:-4]


def _record(tag: int, level: int, data: bytes) -> bytes:
    if len(data) < 0xFFF:
        return struct.pack("<I", tag | level << 10 | len(data) << 20) + data
    return struct.pack("<II", tag | level << 10 | 0xFFF << 20, len(data)) + data


def _document_properties() -> bytes:
    return _record(16, 0, struct.pack("<HHHHHHHIII", 1, 1, 1, 1, 1, 1, 1, 0, 0, 0))


def _paragraph(text: str, level: int = 0) -> bytes:
    units = (text + "\r").encode("utf-16-le")
    head = struct.pack("<IIHBBHHHI", len(units) // 2 | 0x80000000, 0, 0, 0, 0, 1, 0, 0, 0)
    return _record(66, level, head) + _record(67, level + 1, units)


def _table(cells: Sequence[HwpCell]) -> bytes:
    rows = max(row + down for _, row, _, down, _ in cells)
    columns = max(column + across for _, _, column, _, across in cells)
    anchor = b"\x0b\0" + b" lbt" + b"\0" * 8 + b"\x0b\0"
    text = anchor + "\r".encode("utf-16-le")
    head = struct.pack("<IIHBBHHHI", 9 | 0x80000000, 1 << 11, 0, 0, 0, 1, 0, 0, 0)
    control = b" lbt" + b"\0" * 42
    in_rows = [sum(1 for cell in cells if cell[1] == row) for row in range(rows)]
    table = struct.pack("<IHHH8s", 0, rows, columns, 0, b"")
    table += struct.pack(f"<{rows}H", *in_rows) + struct.pack("<HH", 0, 0)
    out = _record(66, 0, head) + _record(67, 1, text) + _record(71, 1, control)
    out += _record(77, 2, table)
    for words, row, column, down, across in cells:
        place = struct.pack("<HHHHII", column, row, across, down, 1000, 1000)
        out += _record(72, 2, struct.pack("<HIH", 1, 0, 0) + place + struct.pack("<8sH", b"", 0))
        out += _paragraph(words, 2)
    return out
