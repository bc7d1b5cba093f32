"""Search in the library: candidates and their order, sections, and documents to read whole."""

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from saegim.domain.errors import (
    IndexBroken,
    IndexMissing,
    ModelUnavailable,
    NotFound,
    OptionalServiceDown,
    StillImporting,
    StoreUnavailable,
)
from saegim.domain.scope import Caller
from saegim.library.document_kinds import FAQ_KIND
from saegim.library.duplicates import TELLING_CHARACTERS
from saegim.library.index.sync import MOST_FAULTS, NONE_YET
from saegim.library.index_ports import IndexHit, IndexPointer, PassageIndex
from saegim.library.ports import Reranker
from saegim.library.ranking import PER_ARM, PassageCandidate, RankingWeights, first, rank
from saegim.library.repository import PostgresLibrary
from saegim.library.types import (
    Document,
    FoundPassage,
    PassageLocation,
    PassageSignals,
    ResultCounts,
    SearchFilter,
    in_context,
)
from saegim.llm.ports import SimilarityScale
from saegim.llm.types import Embedders
from saegim.text.analysis import folded_words, query_terms
from saegim.text.questions import is_question

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


FAQ = "faq"
INDEX_PART = "index"
RERANKER_PART = "reranker"
# The reranker reads at least this many of the best passages.
RERANKED = 30


@dataclass(frozen=True, slots=True)
class SearchResults:
    """Passages, best first, and the components that were unavailable.

    `consulted` is False if there was nothing to search in; `usual` is the tenant's result count;
    `stale_weight` is what stale documents lose.
    """

    found: tuple[FoundPassage, ...]
    degraded: tuple[str, ...] = ()
    consulted: bool = True
    usual: ResultCounts = field(default_factory=ResultCounts)
    stale_weight: float = 0.0


# More than any document has.
ALL_PASSAGES = 10_000_000


class Library:
    def __init__(
        self,
        documents: PostgresLibrary,
        retrievers: Retrievers,
        reranker: Reranker | None = None,
        queue_maintenance: Callable[[UUID], Awaitable[None]] | None = None,
    ) -> None:
        """`queue_maintenance` is called for an index that several searches found broken."""
        self._documents = documents
        self._retrievers = retrievers
        self._reranker = reranker
        self._queue_maintenance = queue_maintenance
        self._faults: Counter[UUID] = Counter()

    async def search_all(
        self, caller: Caller, question: str, counts: ResultCounts | None = None
    ) -> SearchResults:
        """Search FAQ entries and other passages; if one has too few, the other fills up.

        Without `counts` the tenant's own are used.
        """
        [results] = await self.search_together(caller, [question], counts)
        return results

    async def search_together(
        self, caller: Caller, questions: Sequence[str], counts: ResultCounts | None = None
    ) -> list[SearchResults]:
        """Run `search_all` for each question with one read of the database."""
        sides = ({"types": frozenset({FAQ})}, {"without_types": frozenset({FAQ})})
        usual, results = await self._search(caller, questions, sides, counts and counts.total)
        return await asyncio.gather(
            *(
                self._combined(question, both, usual, counts or usual)
                for question, both in zip(questions, results, strict=True)
            )
        )

    async def _combined(
        self,
        question: str,
        sides: Sequence[SearchResults],
        usual: ResultCounts,
        counts: ResultCounts,
    ) -> SearchResults:
        faq, other = sides
        depth = self._depth(counts.total)
        degraded = tuple(dict.fromkeys(faq.degraded + other.degraded))
        # Both in one call, so that their scores are comparable.
        both = await self._reranked(
            question,
            SearchResults(
                faq.found[:depth] + other.found[:depth], degraded, stale_weight=other.stale_weight
            ),
        )
        faqs = [each for each in both.found if each.document.type == FAQ]
        others = [each for each in both.found if each.document.type != FAQ]
        consulted = faq.consulted or other.consulted
        found = tuple(shares(faqs, others, counts))
        return SearchResults(found, both.degraded, consulted, usual)

    async def search(
        self,
        caller: Caller,
        question: str,
        *,
        count: int | None = None,
        **narrowed: object,
    ) -> SearchResults:
        """Return the best passages the caller may see; `narrowed` are fields of SearchFilter."""
        usual, [[results]] = await self._search(caller, [question], [narrowed], count)
        count = usual.total if count is None else count
        results = replace(results, found=results.found[: self._depth(count)])
        ranked = await self._reranked(question, results)
        return replace(ranked, found=ranked.found[:count])

    async def _search(
        self,
        caller: Caller,
        questions: Sequence[str],
        sides: Sequence[Mapping[str, object]],
        count: int | None,
    ) -> tuple[ResultCounts, list[list[SearchResults]]]:
        """Return the tenant's result count, and for each question the ranked results of each side.

        The sides share a question's vector, and all share one read of the database.
        """
        tenant = caller.scope.tenant
        serving, collections = await self._documents.serving_for(caller)
        pointer, usual = serving.pointer, serving.ranking.counts
        if pointer.generation == NONE_YET or not collections:
            return usual, [[SearchResults((), consulted=False) for _ in sides] for _ in questions]
        everything = SearchFilter(collections)
        filters = [replace(everything, **narrowed) for narrowed in sides]  # pyright: ignore[reportArgumentType] - fields of the filter, checked by it
        # A filter by collection never widens what the caller may read.
        filters = [replace(each, collections=each.collections & collections) for each in filters]
        if not serving.has_faq:
            filters = [without_faq(each) for each in filters]
        queries, degraded = await self._retrievers.prepare(questions, pointer)
        try:
            by_side = await asyncio.gather(
                *(self._retrievers.candidates(tenant, pointer, queries, where) for where in filters)
            )
        except (IndexMissing, OptionalServiceDown) as fault:
            await self._note_fault(tenant, fault)
            return usual, [[SearchResults((), (INDEX_PART,)) for _ in sides] for _ in questions]
        weights, depth = serving.ranking.weights, self._depth(count or usual.total)
        lists = [candidates for side in by_side for candidates in side]
        likely = {passage for each in lists for passage in first(each, weights, depth)}
        places, copies = await self._documents.places_with_copies(tenant, likely, collections)
        distinct = len({text_key(place) for place in places.values()})
        if len(places) < len(likely) or distinct < min(depth, len(places)):
            # Some were deleted meanwhile, or are copies of others, so lower candidates move up.
            every = {candidate.passage for each in lists for candidate in each}
            places, copies = await self._documents.places_with_copies(tenant, every, collections)
            by_side = [[located(places, each) for each in side] for side in by_side]
        by_query = zip(queries, zip(*by_side, strict=True), strict=True)
        return usual, [
            [
                SearchResults(
                    tuple(
                        fold_copies(
                            best(query.text, each, places, weights, serving.stale_before), copies
                        )
                    ),
                    degraded,
                    stale_weight=weights.stale,
                )
                for each in sides
            ]
            for query, sides in by_query
        ]

    async def get_section(self, caller: Caller, passage: UUID) -> list[PassageLocation]:
        """Return the whole section around a passage. Raises NotFound."""
        collections = await self._documents.readable_collections(caller)
        places = await self._documents.section_of(caller.scope.tenant, passage, collections)
        if not places:
            raise NotFound("passage")
        return places

    async def lookup(
        self, caller: Caller, document_id: str, count: int = ALL_PASSAGES
    ) -> tuple[Document, list[PassageLocation]]:
        """Return a document by its own or its outside id, and its first passages in order.

        Raises NotFound."""
        collections = await self._documents.readable_collections(caller)
        tenant = caller.scope.tenant
        document = await self._documents.document(tenant, document_id, collections)
        if document is None:
            raise NotFound("document")
        return document, await self._documents.page(tenant, document.id, collections, -1, count)

    async def attachable(self, caller: Caller, document_id: str) -> Document:
        """Return a document to attach to a message. Raises StillImporting and NotFound."""
        collections = await self._documents.readable_collections(caller)
        tenant = caller.scope.tenant
        document = await self._documents.document(tenant, document_id, collections)
        if document is not None:
            return document
        if await self._documents.is_importing(tenant, document_id, collections):
            raise StillImporting
        raise NotFound("document")

    async def related(self, caller: Caller, document: Document, count: int = 3) -> list[Document]:
        """Return other documents that match this one's title and headings."""
        places = await self._documents.page(
            caller.scope.tenant, document.id, [document.collection], -1, 8
        )
        headings = dict.fromkeys(
            text for place in places for text in (*place.path, document.title or "")
        )
        question = " ".join(headings) or document.outside_id
        results = await self.search(caller, question, count=20)
        others = {found.document.id: found.document for found in results.found}
        others.pop(document.id, None)
        return list(others.values())[:count]

    async def _note_fault(self, tenant: UUID, fault: Exception) -> None:
        """Queue maintenance of an index that is repeatedly unreadable; timeouts do not count."""
        if isinstance(fault, IndexBroken | IndexMissing) and self._queue_maintenance is not None:
            self._faults[tenant] += 1
            if self._faults[tenant] >= MOST_FAULTS:
                del self._faults[tenant]
                with suppress(StoreUnavailable):
                    await self._queue_maintenance(tenant)

    def _depth(self, count: int) -> int:
        return count if self._reranker is None else max(count, RERANKED)

    async def _reranked(self, question: str, results: SearchResults) -> SearchResults:
        """Apply the reranker; if it fails, keep the fused order and note it as degraded."""
        if self._reranker is None or not results.found:
            return results
        texts = [
            "\n".join(filter(None, (each.document.title, *each.path, each.passage.text)))
            for each in results.found
        ]
        try:
            scores = await self._reranker.score(question, texts)
        except OptionalServiceDown:
            return replace(results, degraded=(*results.degraded, RERANKER_PART))
        loss = results.stale_weight * (max(scores) - min(scores))
        reranked = [
            replace(each, signals=replace(each.signals, reranked=score - loss * each.is_stale))
            for each, score in zip(results.found, scores, strict=True)
        ]
        return replace(results, found=tuple(sorted(reranked, key=lambda p: -p.signals.order)))


def without_faq(where: SearchFilter) -> SearchFilter:
    """Return the filter for a library without FAQ entries: it asks for none and excludes none."""
    if where.types == frozenset({FAQ}):
        return replace(where, collections=frozenset())
    return replace(where, without_types=where.without_types - {FAQ})


def shares(
    faq: Sequence[FoundPassage], other: Sequence[FoundPassage], counts: ResultCounts
) -> list[FoundPassage]:
    """Take the requested number of each, filling up with the other, best first."""
    faq_count = min(len(faq), max(counts.faq, counts.total - len(other)))
    taken = [*faq[:faq_count], *other[: counts.total - faq_count]]
    return sorted(taken, key=lambda found: -found.signals.order)


def title_of(document: Document, text: str) -> str:
    """Return the title of a document, else its id as words, else the start of the text."""
    if document.title:
        return document.title
    words = document.outside_id.replace("_", " ").replace("-", " ").strip()
    return words or " ".join(text.split())[:40]


def asks(document: Document) -> bool:
    """Return whether the title is a question that the document answers."""
    title = (document.title or "").rstrip()
    return title.endswith(("?", "？")) or (document.type == FAQ and is_question(title))


def is_file_name(title: str) -> bool:
    """Return whether a title is the name of a file: sample_basic, 2026-plan."""
    return "_" in title or (" " not in title and re.search(r"\d\d|\.\w{2,4}\Z", title) is not None)


def text_key(place: PassageLocation) -> str:
    """Return what is equal for copies of a passage: all words, as a search must find both of two
    versions that differ in a number."""
    words = folded_words(place.passage.text)
    text = " ".join(words)
    if place.document.type == FAQ_KIND or len(text) < TELLING_CHARACTERS:
        headings = " ".join((place.document.title or "", *place.path))
        return " ".join((*folded_words(headings), "|", *words))
    return text


def fold_copies(
    found: Sequence[FoundPassage], copies: Mapping[UUID, Sequence[Document]] | None = None
) -> list[FoundPassage]:
    """Return the passages, best first, each text once and with the other documents that have it.

    `copies` are documents with the whole text of a document. Which copy stands for all does not
    depend on the scores, so that several queries choose the same.
    """
    groups: dict[str, list[FoundPassage]] = {}
    for each in found:
        groups.setdefault(text_key(each), []).append(each)
    return [_folded(group, copies or {}) for group in groups.values()]


def _folded(
    group: Sequence[FoundPassage], copies: Mapping[UUID, Sequence[Document]]
) -> FoundPassage:
    best = min(group, key=lambda each: (each.is_stale, each.passage.id))
    others = {
        document.id: document
        for each in group
        for document in (each.document, *each.copies, *copies.get(each.document.id, ()))
    }
    others.pop(best.document.id, None)
    return replace(best, signals=group[0].signals, copies=tuple(others.values()))
