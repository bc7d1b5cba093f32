"""What callers ask of the library: search, open a section, look a document up."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol
from uuid import UUID

from saegim.domain.errors import Degraded, IndexMissing, ModelUnavailable, NotFound
from saegim.domain.scope import Caller, Role
from saegim.domain.tenancy import Assistant
from saegim.library.indexing import NONE_YET
from saegim.library.ingest import in_context
from saegim.library.ports import DocumentStore, Hit, IndexPointer, PassageIndex, Place
from saegim.library.rank import PER_ARM, Candidate, rank
from saegim.library.types import Document, Found, SearchFilter, Signals
from saegim.search.analyse import query_terms
from saegim.steps.ports import Embedder

FAQ = "faq"
INDEX_PART = "index"
EMBEDDER_PART = "embedder"


class Assistants(Protocol):
    """Tells which collections an assistant may read."""

    async def assistant(self, tenant: UUID, assistant: UUID) -> Assistant:
        """An assistant of the tenant; raises NotFound."""
        ...


@dataclass(frozen=True, slots=True)
class Counts:
    """How many passages a search gives: FAQ entries, and all other types (LB3)."""

    faq: int = 3
    other: int = 7

    @property
    def total(self) -> int:
        return self.faq + self.other


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found, best first, and which parts it had to do without."""

    found: tuple[Found, ...]
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A question made ready for both arms; no vector where the embedder failed."""

    text: str
    terms: Sequence[str]
    vector: Sequence[float] | None


class Library:
    def __init__(
        self,
        documents: DocumentStore,
        index: PassageIndex,
        assistants: Assistants,
        embedder: Embedder,
    ) -> None:
        self._documents = documents
        self._index = index
        self._assistants = assistants
        self._embedder = embedder

    async def search_all(
        self, caller: Caller, question: str, counts: Counts | None = None
    ) -> Searched:
        """FAQ entries and other passages in their shares; a short side is filled by the other."""
        counts = counts or Counts()
        sides = ({"types": frozenset({FAQ})}, {"without_types": frozenset({FAQ})})
        faq, other = await self._search(caller, question, sides, counts.total)
        degraded = tuple(dict.fromkeys(faq.degraded + other.degraded))
        return Searched(tuple(shares(faq.found, other.found, counts)), degraded)

    async def search(
        self,
        caller: Caller,
        question: str,
        *,
        count: int = 10,
        **narrowed: object,
    ) -> Searched:
        """The best passages that the caller may see, narrowed by what the index knows of them."""
        [searched] = await self._search(caller, question, [narrowed], count)
        return searched

    async def _search(
        self, caller: Caller, question: str, sides: Sequence[Mapping[str, object]], count: int
    ) -> list[Searched]:
        """A search of each side; they share the question's vector and one read of the record."""
        tenant = caller.scope.tenant
        collections, pointer = await asyncio.gather(
            self._readable(caller), self._documents.pointer(tenant)
        )
        if pointer.generation == NONE_YET or not collections:
            return [Searched(()) for _ in sides]
        everything = SearchFilter(collections)
        filters = [replace(everything, **narrowed) for narrowed in sides]  # pyright: ignore[reportArgumentType] - fields of the filter, checked by it
        query, degraded = await self._prepare(question, pointer)
        try:
            gathered = await asyncio.gather(
                *(self._gather(tenant, pointer, query, where) for where in filters)
            )
        except (IndexMissing, Degraded):
            return [Searched((), (INDEX_PART,)) for _ in sides]
        wanted = {one.passage for candidates in gathered for one in candidates}
        places = await self._documents.places(tenant, wanted, collections)
        return [
            Searched(tuple(best(question, candidates, places, count)), degraded)
            for candidates in gathered
        ]

    async def get_section(self, caller: Caller, passage: UUID) -> list[Place]:
        """The whole section around a passage. Raises NotFound, whatever the reason."""
        collections = await self._readable(caller)
        places = await self._documents.section_of(caller.scope.tenant, passage, collections)
        if not places:
            raise NotFound("passage")
        return places

    async def lookup(self, caller: Caller, outside_id: str) -> tuple[Document, list[Place]]:
        """A document and its passages in order, with no search. Raises NotFound."""
        collections = await self._readable(caller)
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

    async def remove(self, caller: Caller, outside_id: str) -> None:
        """Removes a document; no search shows it from now on."""
        if caller.role not in (Role.OWNER, Role.ADMIN, Role.EDITOR):
            raise NotFound("document")
        document, _ = await self.lookup(caller, outside_id)
        await self._documents.remove(caller, document.id)

    async def _readable(self, caller: Caller) -> frozenset[UUID]:
        assistant = await self._assistants.assistant(caller.scope.tenant, caller.assistant)
        return await self._documents.readable_collections(caller, assistant.collections)

    async def _prepare(self, question: str, pointer: IndexPointer) -> tuple[Query, tuple[str, ...]]:
        terms = query_terms(question)
        if self._embedder.name != pointer.embedder:
            return Query(question, terms, None), (EMBEDDER_PART,)
        try:
            [vector] = await self._embedder.embed([question], "query")
        except ModelUnavailable:
            return Query(question, terms, None), (EMBEDDER_PART,)
        return Query(question, terms, vector), ()

    async def _gather(
        self, tenant: UUID, pointer: IndexPointer, query: Query, where: SearchFilter
    ) -> list[Candidate]:
        """Both arms at once, and the exact similarity of what the dense one left out."""
        generation = pointer.generation
        lexical = self._index.lexical(tenant, generation, query.terms, where, PER_ARM)
        if query.vector is None:
            return candidates(await lexical, [], {})
        dense = self._index.dense(tenant, generation, query.vector, where, PER_ARM)
        by_words, by_meaning = await asyncio.gather(lexical, dense)
        left_out = {hit.passage for hit in by_words} - {hit.passage for hit in by_meaning}
        similar = await self._index.similarities(tenant, generation, query.vector, left_out)
        return candidates(by_words, by_meaning, similar)


def candidates(
    lexical: Sequence[Hit], dense: Sequence[Hit], similar: dict[UUID, float]
) -> list[Candidate]:
    """Every passage that an arm found, with what each arm says of it."""
    words = {hit.passage: hit.score for hit in lexical}
    meaning = {hit.passage: hit.score for hit in dense} | similar
    return [
        Candidate(passage, words.get(passage), meaning.get(passage))
        for passage in dict.fromkeys([*words, *meaning])
    ]


def best(
    question: str, candidates: Sequence[Candidate], places: Mapping[UUID, Place], count: int
) -> list[Found]:
    """The first of the candidates that may be shown, by what both arms and their text say."""
    shown = [candidate for candidate in candidates if candidate.passage in places]
    texts = {one.passage: _under_headings(places[one.passage]) for one in shown}
    return [
        Found(
            passage=places[one.passage].passage,
            document=places[one.passage].document,
            path=places[one.passage].section.path,
            signals=Signals(one.lexical, one.dense, one.score),
        )
        for one in rank(question, shown, texts)[:count]
    ]


def _under_headings(place: Place) -> str:
    return in_context(place.passage.text, place.section.path, place.document.title)


def shares(faq: Sequence[Found], other: Sequence[Found], counts: Counts) -> list[Found]:
    """The asked-for share of each, the other filling a short side, best first."""
    of_faq = min(len(faq), max(counts.faq, counts.total - len(other)))
    of_other = min(len(other), counts.total - of_faq)
    chosen = [*faq[:of_faq], *other[:of_other]]
    return sorted(chosen, key=lambda found: -found.signals.score)


def titles(found: Collection[Found]) -> list[str]:
    """How documents appear in `refs`: title, else one made from the id, else a snippet (LB9)."""
    named = [title_of(one.document, one.passage.text) for one in found]
    return list(dict.fromkeys(named))


def title_of(document: Document, text: str) -> str:
    if document.title:
        return document.title
    made = document.outside_id.replace("_", " ").replace("-", " ").strip()
    return made or " ".join(text.split())[:40]
