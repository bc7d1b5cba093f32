"""Search in the library: passages, their sections, and documents to read whole."""

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from uuid import UUID

from saegim.domain.errors import (
    IndexBroken,
    IndexMissing,
    NotFound,
    OptionalServiceDown,
    StillImporting,
    StoreUnavailable,
)
from saegim.domain.scope import Caller
from saegim.library.duplicates import fold_copies, text_key
from saegim.library.index.sync import MOST_FAULTS, NONE_YET
from saegim.library.ports import Reranker
from saegim.library.ranking import first
from saegim.library.repository import PostgresLibrary
from saegim.library.retrievers import Retrievers, best, located
from saegim.library.types import (
    Document,
    FoundPassage,
    PassageLocation,
    ResultCounts,
    SearchFilter,
)
from saegim.text.questions import is_question

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
