"""Parse Outlook messages (MSG): properties of an OLE file, attachments included."""

import struct
from datetime import UTC, datetime, timedelta
from email.parser import HeaderParser
from typing import BinaryIO

from saegim.library.parsing.decode import decode
from saegim.library.parsing.formats.messages import MessageText, message_documents
from saegim.library.parsing.inner_files import InnerFiles
from saegim.library.parsing.limits import ParseLimits
from saegim.library.parsing.ole import OleStreams
from saegim.library.types import ParsedDocument

_SUBJECT, _BODY, _HTML, _HEADERS = "0037", "1000", "1013", "007D"
_SENDER, _SENDER_ADDRESS, _SENDER_SMTP, _TO, _CC = "0C1A", "0C1F", "5D01", "0E04", "0E03"
_LONG_NAME, _SHORT_NAME, _DATA = "3707", "3704", "3701"
_UNICODE, _ANSI, _BINARY = "001F", "001E", "0102"
_SENT, _DELIVERED = 0x00390040, 0x0E060040
_PROPERTIES = "__properties_version1.0"
_LATEST = 265_046_774_400_000_000
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


def read(file: BinaryIO, limits: ParseLimits, inner: InnerFiles) -> list[ParsedDocument]:
    streams = OleStreams(file)
    message = _message(_Properties(streams, limits))
    attached = list(_attachments(streams, limits))
    for name, data in attached:
        inner.add(name, data)
    return message_documents(message, inner, "msg")


class _Properties:
    """The properties of a message, or of an attachment in a folder."""

    def __init__(self, streams: OleStreams, limits: ParseLimits, folder: str = "") -> None:
        self._streams = streams
        self._limits = limits
        self._folder = f"{folder}/" if folder else ""

    def stream(self, name: str) -> bytes:
        return self._streams.read(self._folder + name, self._limits)

    def binary(self, tag: str, kind: str = _BINARY) -> bytes:
        return self.stream(f"__substg1.0_{tag}{kind}")

    def text(self, tag: str) -> str:
        if wide := self.binary(tag, _UNICODE):
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        narrow = self.binary(tag, _ANSI).rstrip(b"\0")
        return decode(narrow) if narrow else ""

    def date(self) -> str:
        """Return when the message was sent or delivered; "" if it does not say."""
        data = self.stream(_PROPERTIES)[32:]
        for wanted in (_SENT, _DELIVERED):
            for at in range(0, len(data) - 15, 16):
                tag, _flags, value = struct.unpack_from("<IIQ", data, at)
                if tag == wanted and value < _LATEST:
                    return f"{_EPOCH + timedelta(microseconds=value // 10):%Y-%m-%d %H:%M} UTC"
        return ""


def _message(properties: _Properties) -> MessageText:
    headers = HeaderParser().parsestr(properties.text(_HEADERS))
    address = properties.text(_SENDER_SMTP) or properties.text(_SENDER_ADDRESS)
    sender = " ".join(filter(None, (properties.text(_SENDER), f"<{address}>" if address else "")))
    html = properties.binary(_HTML)
    return MessageText(
        subject=properties.text(_SUBJECT),
        headers={
            "From": sender,
            "To": properties.text(_TO),
            "Cc": properties.text(_CC),
            "Date": str(headers.get("Date") or "") or properties.date(),
        },
        plain=properties.text(_BODY),
        html=decode(html, declared=True) if html else properties.text(_HTML),
    )


def _attachments(streams: OleStreams, limits: ParseLimits) -> list[tuple[str, bytes]]:
    folders = [each for each in streams.folders() if each.startswith("__attach_version1.0_")]
    found: list[tuple[str, bytes]] = []
    for number, folder in enumerate(folders[: limits.entries], 1):
        properties = _Properties(streams, limits, folder)
        name = properties.text(_LONG_NAME) or properties.text(_SHORT_NAME)
        if data := properties.binary(_DATA):
            found.append(((name or f"attachment-{number}").replace("/", "_"), data))
    return found
