"""Finds copies of documents: those with the same or nearly the same text."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b, sha256
from typing import Any
from zlib import crc32

import numpy as np

from saegim.library.document_kinds import FAQ_KIND
from saegim.text.analysis import folded_words

PERMUTATIONS = 64
# Texts that share four of five shingles have this many equal values: one word in thirty differs.
NEARLY_SAME = 51
SHINGLE_WORDS = 3
# The first values of a signature make two keys; nearly equal texts share at least one of them.
_KEY_VALUES = 2
# Shorter texts, such as the answer "yes", are copies only under the same headings.
TELLING_CHARACTERS = 60
_PRIME = np.uint64((1 << 61) - 1)


@dataclass(frozen=True, slots=True)
class TextFingerprint:
    """What tells the copies of a document: a hash of its text, its MinHash signature, and two keys
    of the signature to find candidates by. All None for a document without text."""

    text_hash: bytes | None = None
    signature: Sequence[int] | None = None
    near_key: int | None = None
    near_key_2: int | None = None


NO_TEXT = TextFingerprint()


def fingerprint(texts: Iterable[str], title: str | None, type: str) -> TextFingerprint:  # noqa: A002 - the API's word
    """Return the fingerprint of a document with these passages.

    The title of an FAQ entry is its question, so it counts as text."""
    words = [word for text in texts for word in folded_words(text)]
    if not words:
        return NO_TEXT
    if type == FAQ_KIND or sum(map(len, words)) < TELLING_CHARACTERS:
        words = [*folded_words(title or ""), *words]
    digest = sha256(" ".join(words).encode()).digest()
    signature = _signature(words)
    keys = (_key(signature[at : at + _KEY_VALUES]) for at in (0, _KEY_VALUES))
    return TextFingerprint(digest, signature, *keys)


def _signature(words: Sequence[str]) -> list[int]:
    """Return the MinHash of the shingles: the smallest value under each of 64 permutations."""
    last = max(1, len(words) - SHINGLE_WORDS + 1)
    shingles = {" ".join(words[at : at + SHINGLE_WORDS]) for at in range(last)}
    hashes = np.fromiter((crc32(each.encode()) for each in shingles), np.uint64, len(shingles))
    values = [
        int(((hashes * factor + offset) % _PRIME).astype(np.uint32).min())
        for factor, offset in _permutations()
    ]
    # Postgres has no unsigned integers.
    return [value - (1 << 31) for value in values]


@cache
def _permutations() -> list[tuple[Any, Any]]:
    """Return factor and offset of each permutation; they must never change."""
    numbers = [
        int.from_bytes(blake2b(f"minhash {at}".encode(), digest_size=4).digest())
        for at in range(2 * PERMUTATIONS)
    ]
    return [
        (np.uint64(factor | 1), np.uint64(offset))
        for factor, offset in zip(numbers[::2], numbers[1::2], strict=True)
    ]


def _key(values: Sequence[int]) -> int:
    digest = blake2b(repr(list(values)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)
