"""Candidates of both retrievers, and their order."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from saegim.domain.errors import ModelUnavailable
from saegim.library.index_ports import IndexHit, IndexPointer, PassageIndex
from saegim.library.ranking import PER_ARM, PassageCandidate, RankingWeights, rank
from saegim.library.types import (
    Document,
    FoundPassage,
    PassageLocation,
    PassageSignals,
    SearchFilter,
    in_context,
)
from saegim.llm.ports import SimilarityScale
from saegim.llm.types import Embedders
from saegim.text.analysis import query_terms

EMBEDDER_PART = "embedder"


@dataclass(frozen=True, slots=True)
class Query:
    """A question prepared for both retrievers; without a vector if the embedder failed."""

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
        """Prepare questions with the index's own embedder; return them and what was unavailable."""
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
        """Return the candidates of both retrievers for each query, with exact similarities.

        Raises IndexMissing and OptionalServiceDown.
        """
        generation = pointer.generation
        vectors = [query.vector for query in queries if query.vector is not None]
        dense, lexical = await asyncio.gather(
            self._index.dense_of_each(tenant, generation, vectors, where, PER_ARM),
            asyncio.gather(
                *(
                    self._index.lexical(tenant, generation, each.terms, where, PER_ARM, each.vector)
                    for each in queries
                )
            ),
        )
        nearest, embedder = iter(dense), self._embedders.find(pointer.embedder)
        scale = SimilarityScale() if embedder is None else embedder.scale
        return [
            candidates(hits, [] if query.vector is None else next(nearest), scale)
            for query, hits in zip(queries, lexical, strict=True)
        ]


def candidates(
    lexical: Sequence[IndexHit], dense: Sequence[IndexHit], scale: SimilarityScale
) -> list[PassageCandidate]:
    """Merge the hits of both retrievers by passage."""
    scores = {hit.passage: hit.score for hit in lexical}
    cosines = {hit.passage: hit.similarity for hit in lexical}
    cosines |= {hit.passage: hit.score for hit in dense}
    return [
        PassageCandidate(
            passage, scores.get(passage), None if cosine is None else scale.similarity(cosine)
        )
        for passage, cosine in cosines.items()
    ]


def best(
    question: str,
    candidates: Sequence[PassageCandidate],
    places: Mapping[UUID, PassageLocation],
    weights: RankingWeights,
    stale_before: datetime | None = None,
) -> list[FoundPassage]:
    """Rank the candidates that have a location, best first; stale ones lose points if the weights
    say so."""
    texts = {
        each.passage: under_headings(places[each.passage]) for each in located(places, candidates)
    }
    found = [
        replace(
            FoundPassage.of(
                places[each.passage], PassageSignals(each.lexical, each.dense, each.score)
            ),
            is_stale=is_stale(places[each.passage].document, stale_before),
        )
        for each in rank(question, candidates, texts, weights)
        if each.passage in places
    ]
    return lower_stale(found, weights.stale) if weights.stale else found


def lower_stale(found: Sequence[FoundPassage], share: float) -> list[FoundPassage]:
    """Take a share of the best score from stale passages, and sort again."""
    loss = share * max((each.signals.score for each in found), default=0.0)
    lowered = [
        replace(each, signals=replace(each.signals, score=each.signals.score - loss))
        if each.is_stale
        else each
        for each in found
    ]
    return sorted(lowered, key=lambda each: -each.signals.score)


def is_stale(document: Document, stale_before: datetime | None) -> bool:
    return stale_before is not None and document.changed_at < stale_before


def located(
    places: Mapping[UUID, PassageLocation], candidates: Sequence[PassageCandidate]
) -> list[PassageCandidate]:
    return [candidate for candidate in candidates if candidate.passage in places]


def under_headings(place: PassageLocation) -> str:
    """Return the text that is ranked: the passage with its headings."""
    return in_context(place.passage.text, place.path, place.document.title)
