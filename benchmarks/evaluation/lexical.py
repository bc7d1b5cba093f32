"""BM25 with any analyser over any texts, to compare analysers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.library.in_memory import Postings
from saegim.evaluation.retrieval import Case, RetrievalHit
from saegim.text import analysis, tokens

Terms = Callable[[str], list[str]]
# Part-of-speech tags of content words; endings, particles and punctuation are ignored.
_KIWI_TAGS = ("N", "V", "MA", "XR", "SL", "SN", "SH")
COUNT = 50


class LexicalSearcher:
    """Returns the best texts by BM25 only."""

    def __init__(self, texts: Mapping[str, str], of_text: Terms, of_question: Terms) -> None:
        self._names = list(texts)
        self._texts = texts
        self._of_question = of_question
        self._words = Postings([of_text(text) for text in texts.values()])

    async def search(self, case: Case) -> Sequence[RetrievalHit]:
        points = self._words.scores(list(dict.fromkeys(self._of_question(case.question))))
        best = [int(at) for at in np.argsort(-points, kind="stable")[:COUNT] if points[at] > 0]
        return [
            RetrievalHit(
                id=self._names[at],
                score=float(points[at]),
                tokens=tokens.count(self._texts[self._names[at]]),
                text=self._texts[self._names[at]],
                kind="text",
            )
            for at in best
        ]


def bigrams(texts: Mapping[str, str]) -> LexicalSearcher:
    """Analyses as the product does."""
    return LexicalSearcher(texts, analysis.index_terms, analysis.query_terms)


def kiwi(texts: Mapping[str, str]) -> LexicalSearcher:
    """Analyses with Kiwi; needs the extra `kiwi`."""
    terms = kiwi_terms()
    return LexicalSearcher(texts, terms, terms)


def kiwi_terms() -> Terms:
    """Returns the analysis of Kiwi."""
    from kiwipiepy import Kiwi  # noqa: PLC0415 - seconds, and an extra

    analyser: Any = Kiwi()

    def terms(text: str) -> list[str]:
        return [
            token.form.lower()
            for token in analyser.tokenize(text)
            if token.tag.startswith(_KIWI_TAGS)
        ]

    return terms
