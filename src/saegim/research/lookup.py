"""Opens named or selected documents without a search, and related ones."""

import asyncio
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress

from saegim.domain.errors import NotFound
from saegim.domain.scope import Caller
from saegim.library.service import Library
from saegim.library.types import Document, FoundPassage, PassageLocation
from saegim.research.types import Findings, LibraryCall, Tool
from saegim.text.analysis import index_terms, query_terms

MOST_DOCUMENTS = 3
# The most similar passages of each related document.
RELATED_PASSAGES = 2
# Longer documents are sorted by similarity to the question.
WHOLE_TOKENS = 1_500


async def look_up(
    library: Library,
    caller: Caller,
    ids: Sequence[Sequence[str]],
    message: str,
    *,
    related_seconds: float = 0.0,
) -> Findings:
    """Open the named documents, each by the first of its spellings that is one.

    Passages of related documents follow, if there is time for them. Unknown ids are rejected.
    """
    start = time.perf_counter()
    opened: list[tuple[Document, list[PassageLocation]]] = []
    rejected: list[str] = []
    for spellings in ids[:MOST_DOCUMENTS]:
        match = await _first(library, caller, spellings)
        if match is None:
            rejected.append(spellings[0])
        elif match[0].id not in {document.id for document, _ in opened}:
            opened.append(match)
    rejected += [spellings[0] for spellings in ids[MOST_DOCUMENTS:]]
    ranked = [passage for _, locations in opened for passage in _read(locations, message)]
    call = LibraryCall.since(start, Tool.LOOKUP, [each[0] for each in ids], len(ranked))
    documents = tuple(document for document, _ in opened)
    calls, related, passages = await _related(library, caller, documents, message, related_seconds)
    return Findings(
        ranked=(*ranked, *passages),
        considered=(*ranked, *passages),
        confidence=1.0 if ranked else 0.0,
        is_sufficient=bool(ranked),
        consulted=True,
        library_calls=(call, *calls),
        documents=documents,
        rejected=tuple(rejected),
        related=related,
    )


async def _related(
    library: Library, caller: Caller, opened: Sequence[Document], message: str, seconds: float
) -> tuple[list[LibraryCall], tuple[Document, ...], list[FoundPassage]]:
    """Find documents related to the first opened one, and their passages for the question."""
    if not opened or not seconds:
        return [], (), []
    start, known = time.perf_counter(), {document.id for document in opened}
    related: list[Document] = []
    passages: list[FoundPassage] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            documents = await library.related(caller, opened[0])
            related += [each for each in documents if each.id not in known]
            for each in related:
                with suppress(NotFound):
                    _, locations = await library.lookup(caller, each.outside_id)
                    passages += _about(map(FoundPassage.of, locations), message)[:RELATED_PASSAGES]
    call = LibraryCall.since(start, Tool.RELATED, [opened[0].outside_id], len(related))
    return [call], tuple(related), passages


async def _first(
    library: Library, caller: Caller, spellings: Sequence[str]
) -> tuple[Document, list[PassageLocation]] | None:
    for spelling in spellings:
        with suppress(NotFound):
            return await library.lookup(caller, spelling)
    return None


def _read(locations: Sequence[PassageLocation], message: str) -> list[FoundPassage]:
    """Return passages in document order if all fit, else those closest to the question first."""
    passages = [FoundPassage.of(each) for each in locations]
    if sum(each.passage.tokens for each in passages) <= WHOLE_TOKENS:
        return passages
    return _by_question(passages, message)


def _about(passages: Iterable[FoundPassage], message: str) -> list[FoundPassage]:
    """Return the passages that share a term with the question, most first."""
    terms = set(query_terms(message))
    sharing = [each for each in passages if terms & set(index_terms(each.passage.text))]
    return _by_question(sharing, message)


def _by_question(passages: Sequence[FoundPassage], message: str) -> list[FoundPassage]:
    """Sort by how many terms of the question each passage shares, then by document order."""
    terms = set(query_terms(message))

    def shared(each: FoundPassage) -> int:
        return len(terms & set(index_terms(f"{' '.join(each.path)} {each.passage.text}")))

    return sorted(passages, key=lambda each: (-shared(each), each.passage.ordinal))
