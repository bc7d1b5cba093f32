"""Encrypted and authenticated files of several parts.

Each file has its own key (AES-256-GCM), wrapped in the header by the master key or a passphrase.
Every piece is bound to its number and to the header, and the last one is marked, so a file that was
changed, truncated or combined from others cannot be read."""

import base64
import json
import os
import zlib
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import scrypt, sha256
from pathlib import Path
from typing import Any, BinaryIO, Protocol, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from saegim.domain.errors import Conflict, Invalid
from saegim.encryption.cipher import FieldLocation, SealBroken, new_key, unwrap, wrap
from saegim.encryption.master_key import MasterKey
from saegim.encryption.types import NOBODY

MAGIC = b"saegim-sealed-1\n"
MOST_HEADER_BYTES = 1 << 16
MOST_PIECE_BYTES = 1 << 30
COMPRESSION = 1
SHORTEST_PASSPHRASE = 12
# 128 MB and about half a second per guess.
SCRYPT = {"n": 2**17, "r": 8, "p": 1}
FILE_KEY = FieldLocation("file", NOBODY)
NAME, CONTENT, RAW, LAST = b"N", b"C", b"R", b"L"


class Lock(Protocol):
    """Wraps the key of a file."""

    async def close(self, key: bytes) -> dict[str, Any]:
        """Wrap the key, and return the header entry."""
        ...

    async def open(self, entry: Mapping[str, Any]) -> bytes:
        """Unwrap the key. Raises SealBroken, KeyError."""
        ...


class MasterLock:
    def __init__(self, master: MasterKey) -> None:
        self._master = master

    async def close(self, key: bytes) -> dict[str, Any]:
        wrapped = await self._master.wrap(key, FILE_KEY)
        return {"master": wrapped.outer, "wrapped": _text(wrapped.content)}

    async def open(self, entry: Mapping[str, Any]) -> bytes:
        return await self._master.unwrap(_bytes(entry["wrapped"]), entry["master"], FILE_KEY)


class PassphraseLock:
    def __init__(self, passphrase: str) -> None:
        if len(passphrase) < SHORTEST_PASSPHRASE:
            raise Invalid(f"a passphrase needs at least {SHORTEST_PASSPHRASE} characters")
        self._passphrase = passphrase.encode()

    async def close(self, key: bytes) -> dict[str, Any]:
        salt = os.urandom(16)
        return {"salt": _text(salt), "wrapped": _text(wrap(self._outer(salt), key, FILE_KEY))}

    async def open(self, entry: Mapping[str, Any]) -> bytes:
        return unwrap(self._outer(_bytes(entry["salt"])), _bytes(entry["wrapped"]), FILE_KEY)

    def _outer(self, salt: bytes) -> bytes:
        return scrypt(self._passphrase, salt=salt, **SCRYPT, maxmem=1 << 28, dklen=32)


@dataclass(frozen=True, slots=True)
class FilePart:
    """The start of a part: its name and properties."""

    name: str
    about: Mapping[str, Any]


class SealedWriter:
    """Writes a temporary file with owner-only access; `finish` renames it."""

    def __init__(self, path: Path, header: bytes, key: bytes) -> None:
        self._path = path
        self._part = path.with_name(f"{path.name}.part")
        self._part.unlink(missing_ok=True)
        descriptor = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        self._file = os.fdopen(descriptor, "wb")
        self._seal = _Pieces(header, key)
        self._file.write(MAGIC + len(header).to_bytes(4) + header)

    @classmethod
    @asynccontextmanager
    async def create(
        cls, path: Path, about: Mapping[str, Any], lock: Lock
    ) -> AsyncGenerator["SealedWriter"]:
        """Create a file; an error removes it. `about` is authenticated but not encrypted."""
        key = new_key()
        header = json.dumps({**about, "key": await lock.close(key)}).encode()
        writer = cls(path, header, key)
        try:
            yield writer
        except BaseException:
            writer._file.close()
            writer._part.unlink(missing_ok=True)
            raise

    def begin(self, name: str, **about: Any) -> None:
        self._write(NAME + json.dumps({"name": name, **about}).encode())

    def write(self, content: bytes, *, compress: bool = True) -> None:
        """Add a piece to the current part."""
        packed = CONTENT + zlib.compress(content, COMPRESSION) if compress else RAW + content
        self._write(packed)

    def finish(self, **about: Any) -> None:
        self._write(LAST + json.dumps(about).encode(), last=True)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._part.replace(self._path)

    def _write(self, content: bytes, *, last: bool = False) -> None:
        sealed = self._seal.seal(content, last=last)
        self._file.write(len(sealed).to_bytes(4) + sealed)


class SealedReader:
    """Reads a file from start to end. Raises Conflict if it was changed."""

    def __init__(self, file: BinaryIO, header: bytes, key: bytes) -> None:
        self.about: Mapping[str, Any] = json.loads(header)
        self.end: Mapping[str, Any] | None = None
        self._file = file
        self._seal = _Pieces(header, key)

    @classmethod
    async def open(cls, file: BinaryIO, lock: Lock) -> Self:
        header = _header(file)
        try:
            key = await lock.open(json.loads(header)["key"])
        except (SealBroken, KeyError, ValueError, TypeError) as error:
            raise Conflict("wrong master key or passphrase") from error
        return cls(file, header, key)

    def parts(self) -> Iterator[FilePart | bytes]:
        """Yield the start of each part, followed by its pieces."""
        while True:
            kind, content = self._next()
            if kind == NAME:
                about = json.loads(content)
                yield FilePart(about.pop("name"), about)
            elif kind == CONTENT:
                yield zlib.decompress(content)
            elif kind == RAW:
                yield content
            else:
                self.end = json.loads(content)
                return

    def sections(self) -> Iterator[tuple[FilePart, Iterator[bytes]]]:
        """Yield each part with its pieces, which are valid until the next part."""
        items = self.parts()
        upcoming = [next(items, None)]

        def pieces() -> Iterator[bytes]:
            for item in items:
                if isinstance(item, FilePart):
                    upcoming.append(item)
                    return
                yield item

        while upcoming and (part := upcoming.pop()) is not None:
            assert isinstance(part, FilePart), "a file begins with a part"
            stream = pieces()
            yield part, stream
            for _ in stream:  # skip what was not read
                pass

    def _next(self) -> tuple[bytes, bytes]:
        size = int.from_bytes(self._exactly(4))
        if size > MOST_PIECE_BYTES:
            raise Conflict("the file is damaged")
        piece = self._seal.open(self._exactly(size))
        kind = piece[:1]
        if kind == LAST and self._file.read(1):
            raise Conflict("the file has trailing data")
        return kind, piece[1:]

    def _exactly(self, size: int) -> bytes:
        content = self._file.read(size)
        if len(content) < size:
            raise Conflict("the file is truncated")
        return content


class _Pieces:
    def __init__(self, header: bytes, key: bytes) -> None:
        self._gcm = AESGCM(key)
        self._bound = sha256(MAGIC + header).digest()
        self._number = 0

    def seal(self, content: bytes, *, last: bool) -> bytes:
        return self._gcm.encrypt(self._nonce(last), content, self._bound)

    def open(self, sealed: bytes) -> bytes:
        number = self._number
        for last in (False, True):
            self._number = number
            try:
                opened = self._gcm.decrypt(self._nonce(last), sealed, self._bound)
            except InvalidTag:
                continue
            if opened.startswith(LAST) is last:
                return opened
        raise Conflict("the file was modified or is damaged")

    def _nonce(self, last: bool) -> bytes:
        self._number += 1
        return self._number.to_bytes(11) + bytes([last])


def _header(file: BinaryIO) -> bytes:
    if file.read(len(MAGIC)) != MAGIC:
        raise Conflict("not a Saegim file")
    size = int.from_bytes(file.read(4))
    header = file.read(size) if size <= MOST_HEADER_BYTES else b""
    if not header or len(header) < size:
        raise Conflict("the file is truncated")
    return header


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
