"""What the two arms of search bring for a question: words and meaning, with both scores of each."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from saegim.domain.errors import ModelUnavailable
from saegim.library.index_ports import IndexHit, IndexPointer, PassageIndex
from saegim.library.ranking import PER_ARM, PassageCandidate
from saegim.library.types import SearchFilter
from saegim.llm.types import Embedders
from saegim.text.analysis import query_terms

EMBEDDER_PART = "embedder"


@dataclass(frozen=True, slots=True)
class Query:
    """A question made ready for both arms; no vector where the embedder failed."""

    text: str
    terms: Sequence[str]
    vector: Sequence[float] | None


class Retrievers:
    def __init__(self, index: PassageIndex, embedders: Embedders) -> None:
        self._index = index
        self._embedders = embedders

    async def prepare(
        self, questions: Sequence[str], pointer: IndexPointer
    ) -> tuple[list[Query], tuple[str, ...]]:
        """The questions for an index, and which part is missing where no vectors could be made.

        Vectors of another embedder than the index was made with would find nothing but noise."""
        embedder = self._embedders.find(pointer.embedder)
        vectors: Sequence[Sequence[float] | None] = [None] * len(questions)
        degraded: tuple[str, ...] = (EMBEDDER_PART,)
        if embedder is not None:
            with suppress(ModelUnavailable):
                vectors, degraded = await embedder.embed(questions, "query"), ()
        return [
            Query(question, query_terms(question), vector)
            for question, vector in zip(questions, vectors, strict=True)
        ], degraded

    async def candidates(
        self, tenant: UUID, pointer: IndexPointer, queries: Sequence[Query], where: SearchFilter
    ) -> list[list[PassageCandidate]]:
        """What both arms bring for each query, all at once, with the exact similarity of what the
        dense one left out.

        Raises IndexMissing and Degraded."""
        generation = pointer.generation
        vectors = [query.vector for query in queries if query.vector is not None]
        by_meaning, by_words = await asyncio.gather(
            self._index.dense_of_each(tenant, generation, vectors, where, PER_ARM),
            asyncio.gather(
                *(
                    self._index.lexical(tenant, generation, each.terms, where, PER_ARM, each.vector)
                    for each in queries
                )
            ),
        )
        nearest = iter(by_meaning)
        return [
            candidates(words, [] if query.vector is None else next(nearest))
            for query, words in zip(queries, by_words, strict=True)
        ]


def candidates(lexical: Sequence[IndexHit], dense: Sequence[IndexHit]) -> list[PassageCandidate]:
    """Every passage that an arm found, with what each arm says of it."""
    words = {hit.passage: hit.score for hit in lexical}
    similar = {hit.passage: hit.similarity for hit in lexical}
    meaning = similar | {hit.passage: hit.score for hit in dense}
    return [
        PassageCandidate(passage, words.get(passage), meaning[passage])
        for passage in dict.fromkeys([*words, *meaning])
    ]
