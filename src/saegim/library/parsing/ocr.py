"""Recognise text in pictures with Tesseract, if it is installed (Debian: tesseract-ocr-kor).

Its library is called in this process: the sandbox starts no programs."""

import ctypes
import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.text.analysis import normalise

_TESSERACT = ("libtesseract.so.5", "libtesseract.so.4", "libtesseract.5.dylib")
_LEPTONICA = ("libleptonica.so.6", "liblept.so.5", "libleptonica.6.dylib")
_LANGUAGES = (b"kor+eng", b"eng")
# The share of the time of a file after which no further page is begun.
_TIME_SHARE = 0.7
_MOST_PIXELS = 100_000_000


@dataclass(frozen=True, slots=True)
class Bitmap:
    """A picture in memory: gray, one byte per pixel."""

    data: Any
    width: int
    height: int
    stride: int


class TextRecognition:
    """Recognises text. Raises Unreadable if Tesseract or its languages are not installed."""

    def __init__(self, limits: ParseLimits) -> None:
        # One thread: the sandbox limits the CPU time of a file, not of a thread.
        os.environ.setdefault("OMP_THREAD_LIMIT", "1")
        self._tesseract = _load(_TESSERACT)
        self._leptonica = _load(_LEPTONICA)
        self._api = self._start()
        self._until = time.process_time() + _TIME_SHARE * limits.cpu_seconds

    @property
    def has_time(self) -> bool:
        return time.process_time() < self._until

    def of_picture(self, data: bytes) -> str:
        """Return the text of a picture file. Raises Unreadable if it is not one."""
        picture = self._leptonica.pixReadMem(data, ctypes.c_size_t(len(data)))
        if not picture:
            raise Unreadable(Reason.UNSUPPORTED)
        pixels = self._leptonica.pixGetWidth(picture) * self._leptonica.pixGetHeight(picture)
        if pixels > _MOST_PIXELS:
            raise Unreadable(Reason.TOO_LARGE)
        self._tesseract.TessBaseAPISetImage2(self._api, picture)
        return self._text()

    def of_bitmap(self, bitmap: Bitmap) -> str:
        self._tesseract.TessBaseAPISetImage(
            self._api, bitmap.data, bitmap.width, bitmap.height, 1, bitmap.stride
        )
        return self._text()

    def _text(self) -> str:
        found = self._tesseract.TessBaseAPIGetUTF8Text(self._api)
        if not found:
            return ""
        text = ctypes.string_at(found).decode("utf-8", "replace")
        self._tesseract.TessDeleteText(found)
        return normalise(text).strip()

    def _start(self) -> ctypes.c_void_p:
        library = self._tesseract
        for name in ("TessBaseAPICreate", "TessBaseAPIGetUTF8Text"):
            getattr(library, name).restype = ctypes.c_void_p
        self._leptonica.pixReadMem.restype = ctypes.c_void_p
        self._leptonica.pixReadMem.argtypes = (ctypes.c_char_p, ctypes.c_size_t)
        for name in ("pixGetWidth", "pixGetHeight"):
            getattr(self._leptonica, name).argtypes = (ctypes.c_void_p,)
        pointer, number = ctypes.c_void_p, ctypes.c_int
        library.TessBaseAPIInit3.argtypes = (pointer, ctypes.c_char_p, ctypes.c_char_p)
        library.TessBaseAPISetImage2.argtypes = (pointer, pointer)
        library.TessBaseAPISetImage.argtypes = (pointer, pointer, number, number, number, number)
        library.TessBaseAPIGetUTF8Text.argtypes = (pointer,)
        library.TessDeleteText.argtypes = (pointer,)
        api = ctypes.c_void_p(library.TessBaseAPICreate())
        if any(library.TessBaseAPIInit3(api, None, languages) == 0 for languages in _LANGUAGES):
            return api
        raise Unreadable(Reason.NO_RECOGNITION)


def _load(names: Iterable[str]) -> Any:
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise Unreadable(Reason.NO_RECOGNITION)
