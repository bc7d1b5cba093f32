"""Splits text into the word pieces of XLM-RoBERTa (a SentencePiece unigram model)."""

from collections import defaultdict
from functools import lru_cache
from math import inf
from unicodedata import normalize

from saegim.llm.e5.weights import WordPieces

# Marks the start of a word. Pieces have it only as their first character, so each word can be
# split by itself.
_START = "▁"
# An unknown character costs this much more than the rarest piece, as in SentencePiece.
_UNKNOWN_PENALTY = 10.0
_CACHED_WORDS = 50_000
_LONGEST_CACHED = 40


class Tokenizer:
    def __init__(self, vocabulary: WordPieces) -> None:
        self._characters = vocabulary.characters
        self._unknown = vocabulary.unknown
        self._ids = {piece: number for number, piece in enumerate(vocabulary.pieces)}
        self._scores: list[float] = vocabulary.scores.tolist()
        self._unknown_score = min(self._scores) - _UNKNOWN_PENALTY
        # The longest piece by its first character.
        self._longest: defaultdict[str, int] = defaultdict(lambda: 1)
        for piece in vocabulary.pieces:
            self._longest[piece[0]] = max(self._longest[piece[0]], len(piece))
        for special in (vocabulary.first, vocabulary.last, vocabulary.unknown):
            del self._ids[vocabulary.pieces[special]]
        self._of_word = lru_cache(_CACHED_WORDS)(self._split)

    def encode(self, text: str) -> list[int]:
        """Return the ids of the pieces, without the first and last marker."""
        found: list[int] = []
        for word in normalize("NFC", text).translate(self._characters).split():
            split = self._of_word if len(word) <= _LONGEST_CACHED else self._split
            found.extend(split(_START + word))
        return found

    def _split(self, word: str) -> tuple[int, ...]:
        """Return the most likely pieces of a word (Viterbi)."""
        size = len(word)
        best = [0.0, *[-inf] * size]
        last: list[tuple[int, int]] = [(0, 0)] * (size + 1)
        for start in range(size):
            until_here = best[start]
            for end in range(start + 1, min(size, start + self._longest[word[start]]) + 1):
                number = self._ids.get(word[start:end])
                if number is not None and until_here + self._scores[number] > best[end]:
                    best[end], last[end] = until_here + self._scores[number], (start, number)
            if until_here + self._unknown_score > best[start + 1]:
                best[start + 1] = until_here + self._unknown_score
                last[start + 1] = (start, self._unknown)
        pieces: list[int] = []
        at = size
        while at:
            at, number = last[at]
            # Unknown characters in a row are one piece.
            if not (number == self._unknown and pieces and pieces[-1] == number):
                pieces.append(number)
        return tuple(reversed(pieces))
