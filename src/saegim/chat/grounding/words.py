"""The content words of a sentence, and how much of one a text has."""

import re
from dataclasses import dataclass

from saegim.text import function_words, stemming
from saegim.text.analysis import fold

_WORD = re.compile(r"[가-힣]{2,}|[^\W\d_가-힣]{2,}")
_VERB = re.compile(r".*(?:다|요|죠|까)(?<!입니다|이에요)(?<!이다|예요)")
_VERB_WEIGHT = 0.5
# What an answer calls itself and its sources.
_OWN_WORDS = """
문서 자료 근거 정보 내용 질문 답 답변 정답 결과 document sourc context question answer accord
"""
_OWN = frozenset(_OWN_WORDS.split())
# Shorter words match whole: half of a name of three syllables is another name.
_LEAST_PARTS, _PARTIAL = 3, 0.6


@dataclass(frozen=True, slots=True)
class ContentWord:
    """The stem of a word; of a Korean one `parts` are its bigrams. Verbs weigh less."""

    term: str
    parts: tuple[str, ...] = ()
    weight: float = 1.0

    def found_in(self, terms: frozenset[str]) -> float:
        """Return how much of the word the index terms of a text have: 1 for all of it."""
        if self.term in terms:
            return 1.0
        share = sum(part in terms for part in self.parts) / max(1, len(self.parts))
        is_part = len(self.parts) >= _LEAST_PARTS and share >= _PARTIAL
        return share if share == 1.0 or is_part else 0.0


def content_words(text: str) -> list[ContentWord]:
    """Return the distinct words of a text without function words."""
    words: dict[str, ContentWord] = {}
    for written in _WORD.findall(fold(text)):
        if "가" <= written[0] <= "힣":
            stem = stemming.korean(written)
            pairs = zip(stem.written, stem.written[1:], strict=False)
            weight = _VERB_WEIGHT if _VERB.fullmatch(written) else 1.0
            word = ContentWord(stem.term, tuple(map("".join, pairs)), weight)
            forms = {written, stem.written}
        else:
            word, forms = ContentWord(stemming.english(written)), {written}
        known = (function_words.KOREAN, function_words.ENGLISH)
        if word.term.lstrip(stemming.MARK) not in _OWN and all(map(forms.isdisjoint, known)):
            words[word.term] = word
    return list(words.values())
