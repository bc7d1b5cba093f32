"""What callers ask of the library: search, open a section, look a document up."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from uuid import UUID

from saegim.domain import pending_audit_event
from saegim.domain.errors import (
    IndexBroken,
    IndexMissing,
    ModelUnavailable,
    NotFound,
    OptionalServiceDown,
    StoreUnavailable,
)
from saegim.domain.scope import Caller, Role
from saegim.library.index.sync import MOST_FAULTS, NONE_YET
from saegim.library.index_ports import IndexHit, IndexPointer, PassageIndex, PassageLocation
from saegim.library.ports import Reranker
from saegim.library.ranking import PER_ARM, PassageCandidate, RankingWeights, first, rank
from saegim.library.repository import PostgresLibrary
from saegim.library.types import (
    Document,
    DocumentFilter,
    FoundPassage,
    ListedDocument,
    PassageSignals,
    ResultCounts,
    SearchFilter,
    in_context,
)
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


FAQ = "faq"
INDEX_PART = "index"
RERANKER_PART = "reranker"
# What a reranker reads, at least: the best of the fused order, beyond what is asked for.
RERANKED = 30


@dataclass(frozen=True, slots=True)
class SearchResults:
    """What a search found, best first, and which parts it had to do without.

    Not `consulted` means that there was nothing to search in; `usual` is how many passages the
    tenant wants of a search."""

    found: tuple[FoundPassage, ...]
    degraded: tuple[str, ...] = ()
    consulted: bool = True
    usual: ResultCounts = field(default_factory=ResultCounts)


class Library:
    def __init__(
        self,
        documents: PostgresLibrary,
        arms: Retrievers,
        reranker: Reranker | None = None,
        look_after: Callable[[UUID], Awaitable[None]] | None = None,
    ) -> None:
        """`look_after` queues a look at a tenant's index that several searches found broken."""
        self._documents = documents
        self._arms = arms
        self._reranker = reranker
        self._look_after = look_after
        self._faults: Counter[UUID] = Counter()

    async def search_all(
        self, caller: Caller, question: str, counts: ResultCounts | None = None
    ) -> SearchResults:
        """FAQ entries and other passages in their shares; a short side is filled by the other.

        Without `counts` the shares are the tenant's own."""
        [searched] = await self.search_together(caller, [question], counts)
        return searched

    async def search_together(
        self, caller: Caller, questions: Sequence[str], counts: ResultCounts | None = None
    ) -> list[SearchResults]:
        """`search_all` of each question; they share what is read of the record for them."""
        sides = ({"types": frozenset({FAQ})}, {"without_types": frozenset({FAQ})})
        usual, searched = await self._search(caller, questions, sides, counts and counts.total)
        return await asyncio.gather(
            *(
                self._in_shares(question, both, usual, counts or usual)
                for question, both in zip(questions, searched, strict=True)
            )
        )

    async def _in_shares(
        self,
        question: str,
        sides: Sequence[SearchResults],
        usual: ResultCounts,
        counts: ResultCounts,
    ) -> SearchResults:
        faq, other = sides
        depth = self._depth(counts.total)
        degraded = tuple(dict.fromkeys(faq.degraded + other.degraded))
        # Both in one call, so that their scores can be compared.
        both = await self._reranked(
            question, SearchResults(faq.found[:depth] + other.found[:depth], degraded)
        )
        faqs = [one for one in both.found if one.document.type == FAQ]
        others = [one for one in both.found if one.document.type != FAQ]
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
        """The best passages that the caller may see, narrowed by what the index knows of them."""
        usual, [[searched]] = await self._search(caller, [question], [narrowed], count)
        count = usual.total if count is None else count
        searched = replace(searched, found=searched.found[: self._depth(count)])
        ranked = await self._reranked(question, searched)
        return replace(ranked, found=ranked.found[:count])

    async def _search(
        self,
        caller: Caller,
        questions: Sequence[str],
        sides: Sequence[Mapping[str, object]],
        count: int | None,
    ) -> tuple[ResultCounts, list[list[SearchResults]]]:
        """The best that a search of each side ranks for each question, and how many of it the
        tenant usually wants.

        The sides share a question's vector, and all of them one read of the record."""
        tenant = caller.scope.tenant
        serving, collections = await self._documents.serving_for(caller)
        pointer, usual = serving.pointer, serving.ranking.counts
        if pointer.generation == NONE_YET or not collections:
            return usual, [[SearchResults((), consulted=False) for _ in sides] for _ in questions]
        everything = SearchFilter(collections)
        filters = [replace(everything, **narrowed) for narrowed in sides]  # pyright: ignore[reportArgumentType] - fields of the filter, checked by it
        queries, degraded = await self._arms.prepare(questions, pointer)
        try:
            by_side = await asyncio.gather(
                *(self._arms.candidates(tenant, pointer, queries, where) for where in filters)
            )
        except (IndexMissing, OptionalServiceDown) as fault:
            await self._note_fault(tenant, fault)
            return usual, [[SearchResults((), (INDEX_PART,)) for _ in sides] for _ in questions]
        weights, depth = serving.ranking.weights, self._depth(count or usual.total)
        likely = {
            passage
            for side in by_side
            for found in side
            for passage in first(found, weights, depth)
        }
        places = await self._documents.places(tenant, likely, collections)
        if len(places) < len(likely):
            # What stands behind those that are gone moves up.
            every = {one.passage for side in by_side for found in side for one in found}
            places = await self._documents.places(tenant, every, collections)
            by_side = [[_among(places, found) for found in side] for side in by_side]
        ranked = _ranked(queries, by_side, places, weights)
        return usual, [
            [SearchResults(found, degraded) for found in of_query] for of_query in ranked
        ]

    async def get_section(self, caller: Caller, passage: UUID) -> list[PassageLocation]:
        """The whole section around a passage. Raises NotFound, whatever the reason."""
        collections = await self._documents.readable_collections(caller)
        places = await self._documents.section_of(caller.scope.tenant, passage, collections)
        if not places:
            raise NotFound("passage")
        return places

    async def listed(self, caller: Caller, sought: DocumentFilter) -> list[ListedDocument]:
        """The documents that the caller may read, the newest first."""
        collections = await self._documents.readable_collections(caller)
        return await self._documents.listed(caller.scope.tenant, collections, sought)

    async def lookup(
        self, caller: Caller, outside_id: str
    ) -> tuple[Document, list[PassageLocation]]:
        """A document and its passages in order, with no search. Raises NotFound."""
        collections = await self._documents.readable_collections(caller)
        tenant = caller.scope.tenant
        document = await self._documents.document(tenant, outside_id, collections)
        if document is None:
            raise NotFound("document")
        return document, await self._documents.passages_in(tenant, document.id, collections)

    async def related(self, caller: Caller, document: Document, count: int = 3) -> list[Document]:
        """Other documents that say much the same as this one's title and headings (LB7)."""
        places = await self._documents.passages_in(
            caller.scope.tenant, document.id, [document.collection]
        )
        about = " ".join(
            dict.fromkeys(
                word for place in places[:8] for word in (*place.section.path, document.title or "")
            )
        )
        searched = await self.search(caller, about or document.outside_id, count=20)
        others = {found.document.id: found.document for found in searched.found}
        others.pop(document.id, None)
        return list(others.values())[:count]

    async def remove(self, caller: Caller, outside_id: str) -> UUID:
        """Removes a document, by the id it has outside; no search shows it from now on. Returns its
        own id."""
        if caller.role not in (Role.OWNER, Role.ADMIN, Role.EDITOR):
            raise NotFound("document")
        document, _ = await self.lookup(caller, outside_id)
        pending_audit_event.about(document.id)
        await self._documents.remove(caller, document.id)
        return document.id

    async def _note_fault(self, tenant: UUID, fault: Exception) -> None:
        """Has an index looked after that cannot be read again and again; a timeout passes."""
        if isinstance(fault, IndexBroken | IndexMissing) and self._look_after is not None:
            self._faults[tenant] += 1
            if self._faults[tenant] >= MOST_FAULTS:
                del self._faults[tenant]
                with suppress(StoreUnavailable):
                    await self._look_after(tenant)

    def _depth(self, count: int) -> int:
        return count if self._reranker is None else max(count, RERANKED)

    async def _reranked(self, question: str, searched: SearchResults) -> SearchResults:
        """In the reranker's order; where it fails the fused one stands, and the result says so."""
        if self._reranker is None or not searched.found:
            return searched
        texts = [
            "\n".join(filter(None, (one.document.title, *one.path, one.passage.text)))
            for one in searched.found
        ]
        try:
            scores = await self._reranker.score(question, texts)
        except OptionalServiceDown:
            return replace(searched, degraded=(*searched.degraded, RERANKER_PART))
        read = [
            replace(one, signals=replace(one.signals, reranked=score))
            for one, score in zip(searched.found, scores, strict=True)
        ]
        return replace(searched, found=tuple(sorted(read, key=lambda one: -one.signals.order)))


def _ranked(
    queries: Sequence[Query],
    by_side: Sequence[Sequence[Sequence[PassageCandidate]]],
    places: Mapping[UUID, PassageLocation],
    weights: RankingWeights,
) -> list[list[tuple[FoundPassage, ...]]]:
    """For each query what each side has, best first."""
    by_query = zip(queries, zip(*by_side, strict=True), strict=True)
    return [
        [tuple(best(query.text, found, places, weights)) for found in sides]
        for query, sides in by_query
    ]


def best(
    question: str,
    candidates: Sequence[PassageCandidate],
    places: Mapping[UUID, PassageLocation],
    weights: RankingWeights,
) -> list[FoundPassage]:
    """Those candidates that have a place, best first by what both arms and their text say."""
    texts = {one.passage: under_headings(places[one.passage]) for one in _among(places, candidates)}
    return [
        FoundPassage(
            passage=places[one.passage].passage,
            document=places[one.passage].document,
            path=places[one.passage].section.path,
            signals=PassageSignals(one.lexical, one.dense, one.score),
        )
        for one in rank(question, candidates, texts, weights)
        if one.passage in places
    ]


def _among(
    places: Mapping[UUID, PassageLocation], candidates: Sequence[PassageCandidate]
) -> list[PassageCandidate]:
    return [candidate for candidate in candidates if candidate.passage in places]


def under_headings(place: PassageLocation) -> str:
    """A passage as it is ranked: with the words above it."""
    return in_context(place.passage.text, place.section.path, place.document.title)


def shares(
    faq: Sequence[FoundPassage], other: Sequence[FoundPassage], counts: ResultCounts
) -> list[FoundPassage]:
    """The asked-for share of each, the other filling a short side, best first."""
    of_faq = min(len(faq), max(counts.faq, counts.total - len(other)))
    of_other = min(len(other), counts.total - of_faq)
    chosen = [*faq[:of_faq], *other[:of_other]]
    return sorted(chosen, key=lambda found: -found.signals.order)


def title_of(document: Document, text: str) -> str:
    """How a document appears in `refs`: title, else one made from the id, else a snippet."""
    if document.title:
        return document.title
    made = document.outside_id.replace("_", " ").replace("-", " ").strip()
    return made or " ".join(text.split())[:40]
