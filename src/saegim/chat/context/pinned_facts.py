"""Pinned facts within their token budget: shortened where they must be, never dropped."""

import re
from collections.abc import Sequence
from dataclasses import replace

from saegim.chat.context.evidence import CUT_MARK, Piece, unmarked
from saegim.text import function_words
from saegim.text.analysis import fold
from saegim.text.tokens import count, cut

# A fact is never shorter than this, whatever the budget: fewer words would say nothing.
LEAST_FACT_TOKENS = 8
_FILLER_WORDS = """
정말 진짜 아주 매우 너무 조금 약간 그냥 사실 역시 아마 보통 주로 가끔 특히 다시 계속
really very just quite actually usually often sometimes also probably basically
"""
_FILLERS = frozenset(_FILLER_WORDS.split())
# Numbers, negations and words of harm: what a fact must not lose.
_VITAL = re.compile(
    r"\d|^(?:안|못|no|not|never|without|avoid)$|않|없|못하|못해|금지|금기|아니|말아|알레르기|알러지"
    r"|n't$|cannot|allerg|contraindicat",
    re.IGNORECASE,
)
_EDGES = re.compile(r"^\W+|\W+$")


def fit_pinned(pieces: Sequence[Piece], budget: int) -> tuple[Piece, ...]:
    """Returns every piece: whole within the budget, else without dates, else shortened alike.

    The block grows past its budget only where every fact is at its shortest.
    """
    if sum(piece.tokens for piece in pieces) <= budget:
        return tuple(pieces)
    bare = [_shown_as(piece, unmarked(piece.evidence.text)) for piece in pieces]
    if sum(piece.tokens for piece in bare) <= budget:
        return tuple(bare)
    most = _level([piece.tokens for piece in bare], budget)
    return tuple(piece if piece.tokens <= most else _shortened(piece, most) for piece in bare)


def is_shortened(before: Piece, after: Piece) -> bool:
    """Whether a fact lost words; its date is not one of them."""
    return after.shown != before.shown and after.shown.endswith(CUT_MARK)


def without_least(text: str, tokens: int) -> str:
    """A text of at most so many tokens, without its least important words.

    Fillers go first, then words from the middle, then numbers, negations and words of harm.
    """
    words = text.split()
    order = sorted(range(len(words)), key=lambda at: (_weight(words[at]), _inside(at, len(words))))
    left = set(range(len(words)))
    shown = " ".join(words)
    for at in order[:-1]:
        if count(shown) <= tokens:
            break
        left.remove(at)
        shown = " ".join(words[each] for each in sorted(left))
    return shown if count(shown) <= tokens else cut(shown, tokens)


def _shortened(piece: Piece, most: int) -> Piece:
    text = unmarked(piece.evidence.text)
    around = piece.tokens - count(text) + count(CUT_MARK)
    text = without_least(text, max(most - around, LEAST_FACT_TOKENS))
    return _shown_as(piece, text + CUT_MARK)


def _shown_as(piece: Piece, text: str) -> Piece:
    shown = f"[{piece.evidence.marker}] {text}"
    return replace(piece, shown=shown, tokens=count(shown) + 1)


def _level(sizes: Sequence[int], budget: int) -> int:
    """The most that each may have so that all together fit; what is smaller stays whole."""
    left = budget
    for place, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - place)
        if size > share:
            return share
        left -= size
    return left


def _weight(word: str) -> int:
    plain = _EDGES.sub("", fold(word))
    if _VITAL.search(plain):
        return 2
    idle = plain in _FILLERS or plain in function_words.KOREAN or plain in function_words.ENGLISH
    return 0 if idle or not plain else 1


def _inside(at: int, words: int) -> int:
    """Sorts the middle first: a statement's subject and verb stand at its ends."""
    return -min(at, words - 1 - at)
