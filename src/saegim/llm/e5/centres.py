"""Takes what all texts of a language have in common out of their vectors.

All vectors of the model point in one direction (the mean has a length of .9), which differs by
language and by kind. Without most of it, topics decide: vectors of one language are compared
better, and those of two languages much better.
"""

import re
from pathlib import Path

import numpy as np

from saegim.llm.e5.weights import Floats
from saegim.llm.ports import EmbedKind

# Mean vectors by kind and language, of the dev halves of the retrieval sets:
# `python -m benchmarks.library.e5_centres`.
FILE = Path(__file__).with_name("centres.npy")
KINDS: tuple[EmbedKind, ...] = ("query", "document")
# Fitted on the same dev halves; .6 to .9 are about equal.
_SHARE = 0.7
# A syllable of Hangul says about as much as three Latin letters.
_LETTERS_PER_SYLLABLE = 3
_HANGUL = re.compile(r"[가-힣]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_OTHER = re.compile(r"[^\W\d_A-Za-zÀ-ɏ가-힣]")


class Centres:
    def __init__(self, means: Floats | None = None) -> None:
        self._means: Floats = np.load(FILE) if means is None else means

    def remove(self, vector: Floats, text: str, kind: EmbedKind) -> Floats:
        """Return a unit vector without most of the mean of its language."""
        korean = korean_share(text)
        shares = np.array([korean, 1 - korean], np.float32)
        rest: Floats = vector - _SHARE * (shares @ self._means[KINDS.index(kind)])
        return rest / np.float32(np.linalg.norm(rest))


def korean_share(text: str) -> float:
    """Return the share of Hangul against Latin, from 0 to 1; other scripts count half for each."""
    hangul, latin, other = (len(each.findall(text)) for each in (_HANGUL, _LATIN, _OTHER))
    total = hangul + other + latin / _LETTERS_PER_SYLLABLE
    return (hangul + other / 2) / total if total else 0.5
