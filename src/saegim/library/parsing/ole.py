"""Open OLE compound files: HWP, XLS and Outlook messages."""

import struct
from typing import Any, BinaryIO, cast

import olefile

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import ParseLimits, Reason

# What olefile raises for damaged files.
OLE_FAULTS = (
    OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError,
    struct.error,
)  # fmt: skip


class OleStreams:
    """The streams of a compound file by path. Raises Unreadable."""

    def __init__(self, file: BinaryIO) -> None:
        file.seek(0)
        try:
            # The package has no types.
            self._ole: Any = cast("Any", olefile).OleFileIO(file)
        except OLE_FAULTS as error:
            raise Unreadable(Reason.CORRUPT) from error

    def __contains__(self, path: str) -> bool:
        return bool(self._ole.exists(path))

    def folders(self) -> list[str]:
        """Return the names at the top, once each and sorted."""
        return sorted({str(path[0]) for path in self._ole.listdir()})

    def read(self, path: str, limits: ParseLimits) -> bytes:
        """Return a stream; empty if there is none."""
        try:
            if path not in self:
                return b""
            if self._ole.get_size(path) > limits.part_bytes:
                raise Unreadable(Reason.TOO_LARGE)
            return bytes(self._ole.openstream(path).read())
        except OLE_FAULTS as error:
            raise Unreadable(Reason.CORRUPT) from error
