"""Decode text by byte order mark, declaration or trial, Korean encodings first."""

import codecs
import re

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import Reason

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]{2,40})""")
# Declared names and their Windows supersets, which files actually use.
_SUPERSETS = {
    "euc_kr": "cp949",
    "ksc5601": "cp949",
    "ks_c_5601_1987": "cp949",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso8859-1": "cp1252",
    "ascii": "utf-8",
}
# Python-only codecs, which no page uses and some of which are very slow.
_NO_CHARSETS = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "utf-7"}
_SAMPLE = 256 * 1024
_ODD = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]")
_ODD_SHARE = 0.02
_LIKELY_SHARE = 0.2
_NEVER = re.compile(r"(?!)")
_KANA = re.compile("[\u3041-\u30ff]")
_HAN = re.compile("[\u4e00-\u9fff\uf900-\ufaff]")


def decode(data: bytes, *, declared: bool = False) -> str:
    """Decode bytes; with `declared`, look for a charset in the first lines. Raises Unreadable."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _checked(data[len(mark) :].decode(encoding, "replace"))
    charset = _declaration(data) if declared else None
    for encoding in (charset, _wide(data), "utf-8"):
        if encoding and (text := _strict(data, encoding)) is not None:
            return _checked(text)
    return _checked(data.decode(charset or _by_trial(data), "replace"))


def _declaration(data: bytes) -> str | None:
    match = _DECLARED.search(data, 0, 2048)
    if match is None:
        return None
    try:
        name = codecs.lookup(match[1].decode("ascii")).name
        "a".encode(name)  # raises LookupError for binary codecs
    except LookupError:
        return None
    return _SUPERSETS.get(name, name) if name not in _NO_CHARSETS else None


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _wide(data: bytes) -> str | None:
    """Detect UTF-16 without a mark by zero bytes on one side."""
    sample = data[:_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if max(even, odd) * 20 < len(sample) or min(even, odd) * 10 > max(even, odd):
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def _by_trial(data: bytes) -> str:
    """Return the first encoding that yields text of its language; a file may be truncated."""
    sample = data[:_SAMPLE]
    utf8 = sample.decode("utf-8", "replace")
    if utf8.count("\ufffd") <= max(1, len(utf8) * _ODD_SHARE):
        return "utf-8"
    for encoding, own, foreign in _trials():
        text = "".join(c for c in sample.decode(encoding, "replace") if not c.isascii())
        wrong = _count(foreign, text) * 2 + _count(_ODD, text) * 3
        if _count(own, text) - wrong >= _LIKELY_SHARE * len(text):
            return encoding
    return "cp1252"


def _trials() -> tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]:
    """Return encodings by likelihood, with expected letters and letters of a wrong encoding.

    Kana decoded as cp949 give unused syllables, so only the 2,350 of the Korean standard count."""
    rows, cells = range(0xB0, 0xC9), range(0xA1, 0xFF)
    syllables = bytes(byte for row in rows for cell in cells for byte in (row, cell))
    hangul = re.compile(f"[{syllables.decode('euc_kr')}]")
    return ("cp949", hangul, _HAN), ("cp932", _KANA, _NEVER), ("gb18030", _HAN, _NEVER)


def _count(letters: re.Pattern[str], text: str) -> int:
    return len(letters.findall(text))


def _checked(text: str) -> str:
    """Raise Unreadable for anything but text."""
    sample = text[:_SAMPLE]
    if "\0" in sample and sample.count("\0") * 100 > len(sample):
        raise Unreadable(Reason.UNSUPPORTED)
    if _count(_ODD, sample) * 10 > len(sample):
        raise Unreadable(Reason.UNSUPPORTED)
    return text
