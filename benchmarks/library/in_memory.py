"""The library's search in memory, to try other weights without a stack."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from benchmarks.library.engine import Arm
from benchmarks.library.sets import BenchDocument
from saegim.library.ranking import DEFAULT_WEIGHTS, PER_ARM, PassageCandidate, RankedPassage, rank
from saegim.library.splitting import split
from saegim.library.types import Block, BlockKind, ParsedDocument, ParsedSection, in_context
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.text.analysis import passage_terms, query_terms

K1, B = 1.2, 0.75
_PARAGRAPH = re.compile(r"\n\s*\n")


class MemoryEngine:
    """The library's own splitter, terms, embedder and ranking over arrays instead of an index.

    Its BM25 scores equal LanceDB's (k1 = 1.2, b = 0.75) to four digits.
    """

    def __init__(self) -> None:
        self.weights = DEFAULT_WEIGHTS
        self._embedder = BundledEmbedder()
        self.documents: list[str] = []
        self.texts: dict[UUID, str] = {}
        self._words = Postings([])
        self._vectors: NDArray[np.float32] = np.empty((0, self._embedder.dimensions), np.float32)
        self._asked: dict[str, list[PassageCandidate]] = {}

    async def load(self, documents: Sequence[BenchDocument]) -> None:
        passages = passages_of(documents)
        contexts = [context for _, _, context in passages]
        self.documents = [document.id for document, _, _ in passages]
        self.texts = {UUID(int=number): text for number, text in enumerate(contexts)}
        self._words = Postings([passage_terms(doc.title or "", text) for doc, text, _ in passages])
        self._vectors = np.array(await self._embedder.embed(contexts, "document"), np.float32)
        self._asked = {}

    async def search(self, question: str) -> Mapping[Arm, list[str]]:
        if question not in self._asked:
            self._asked[question] = await self.candidates(question)
        found = self._asked[question]
        ranked = rank(question, found, self.texts, self.weights)
        by_words = [one for one in found if one.lexical is not None]
        return {
            Arm.FUSED: self._own(ranked),
            Arm.LEXICAL: self._own(sorted(by_words, key=lambda one: -(one.lexical or 0.0))),
            Arm.DENSE: self._own(sorted(found, key=lambda one: -(one.dense or 0.0))[:PER_ARM]),
        }

    def _own(self, order: Sequence[PassageCandidate | RankedPassage]) -> list[str]:
        return list(dict.fromkeys(self.documents[one.passage.int] for one in order))

    async def close(self) -> None:
        await self._embedder.close()

    async def candidates(
        self, question: str, among: NDArray[np.bool_] | None = None
    ) -> list[PassageCandidate]:
        """Returns the results of each retriever, with the exact similarity of all."""
        [vector] = await self._embedder.embed([question], "query")
        near = self._vectors @ np.array(vector, np.float32)
        points = self._words.scores(query_terms(question))
        lexical = [at for at in _best(points, among) if points[at] > 0]
        dense = _best(near, among)
        by_words, similarity = frozenset(lexical), self._embedder.scale.similarity
        return [
            PassageCandidate(
                UUID(int=at), float(points[at]) if at in by_words else None, similarity(near[at])
            )
            for at in dict.fromkeys([*lexical, *dense])
        ]


def _best(scores: NDArray[Any], among: NDArray[np.bool_] | None) -> list[int]:
    """Returns the places of the highest scores, among those that a filter allows."""
    order = np.argsort(-scores, kind="stable")
    allowed = order if among is None else order[among[order]]
    return [int(at) for at in allowed[:PER_ARM]]


class Postings:
    """BM25 over lists of terms."""

    def __init__(self, passages: Sequence[Sequence[str]]) -> None:
        self._count = len(passages)
        lengths = np.array([len(terms) for terms in passages], np.float64)
        norms = K1 * (1 - B + B * lengths / lengths.mean()) if passages else lengths
        held: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, terms in enumerate(passages):
            for term, often in Counter(terms).items():
                held[term].append((number, often))
        self._weights = {term: self._weigh(rows, norms) for term, rows in held.items()}

    def _weigh(
        self, rows: list[tuple[int, int]], norms: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        at, often = np.array(rows, np.int64).T
        rarity = np.log1p((self._count - len(rows) + 0.5) / (len(rows) + 0.5))
        return at, rarity * often * (K1 + 1) / (often + norms[at])

    def scores(self, terms: Sequence[str]) -> NDArray[np.float64]:
        """Returns the score of every passage."""
        total = np.zeros(self._count)
        for term in terms:
            if term in self._weights:
                at, weight = self._weights[term]
                total[at] += weight
        return total


def passages_of(documents: Sequence[BenchDocument]) -> list[tuple[BenchDocument, str, str]]:
    """Returns each passage with its document, as text and as it is embedded."""
    return [
        (document, draft.text, in_context(draft.text, (), document.title))
        for document in documents
        for draft in split(parsed(document.title, document.text))
    ]


def parsed(title: str | None, text: str) -> ParsedDocument:
    """Returns a plain text as parsed paragraphs under a title."""
    paragraphs = (part for part in _PARAGRAPH.split(text.strip()) if part.strip())
    blocks = tuple(Block(BlockKind.PARAGRAPH, paragraph) for paragraph in paragraphs)
    return ParsedDocument(title, (ParsedSection((), blocks),))
