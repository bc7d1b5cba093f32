"""Open named or chosen documents without a search, and what is related to them."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress

from saegim.domain.errors import NotFound
from saegim.domain.scope import Caller
from saegim.library.index_ports import PassageLocation
from saegim.library.service import Library
from saegim.library.types import Document, FoundPassage, PassageSignals
from saegim.research.types import Findings, LibraryCall, Tool
from saegim.text.analysis import index_terms, query_terms

MOST_DOCUMENTS = 3
# Of each related document, the passages that share the most with the question.
RELATED_PASSAGES = 2
RELATED_SECONDS = 1.5
# A document that an answer can take in whole is read in its order; a longer one by the question.
WHOLE_TOKENS = 1_500


async def look_up(
    library: Library,
    caller: Caller,
    ids: Sequence[Sequence[str]],
    message: str,
    *,
    expand: bool = True,
) -> Findings:
    """Open the named documents, each by the first of its spellings that is one.

    With `expand`, passages of related documents follow. Unknown ids are rejected.
    """
    began = time.perf_counter()
    opened: list[tuple[Document, list[PassageLocation]]] = []
    rejected: list[str] = []
    for spellings in ids[:MOST_DOCUMENTS]:
        found = await _first(library, caller, spellings)
        if found is None:
            rejected.append(spellings[0])
        elif found[0].id not in {document.id for document, _ in opened}:
            opened.append(found)
    rejected += [spellings[0] for spellings in ids[MOST_DOCUMENTS:]]
    ranked = [one for document in opened for one in _read(document[1], message)]
    took = round((time.perf_counter() - began) * 1000, 3)
    asked = tuple(spellings[0] for spellings in ids)
    documents = tuple(document for document, _ in opened)
    expanded = documents if expand else ()
    calls, related, beside = await _related(library, caller, expanded, message)
    return Findings(
        ranked=(*ranked, *beside),
        considered=(*ranked, *beside),
        confidence=1.0 if ranked else 0.0,
        is_sufficient=bool(ranked),
        consulted=True,
        library_calls=(LibraryCall(Tool.LOOKUP, asked, (), len(ranked), took), *calls),
        documents=documents,
        rejected=tuple(rejected),
        related=related,
    )


async def _related(
    library: Library, caller: Caller, opened: Sequence[Document], message: str
) -> tuple[list[LibraryCall], tuple[Document, ...], list[FoundPassage]]:
    """Find documents related to the first opened one, and their passages for the question.

    What is not read within `RELATED_SECONDS` is left out.
    """
    if not opened:
        return [], (), []
    began, known = time.perf_counter(), {document.id for document in opened}
    related: list[Document] = []
    passages: list[FoundPassage] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(RELATED_SECONDS):
            found = await library.related(caller, opened[0])
            related += [one for one in found if one.id not in known]
            for one in related:
                with suppress(NotFound):
                    _, places = await library.lookup(caller, one.outside_id)
                    passages += _about(_found(places), message)[:RELATED_PASSAGES]
    took = round((time.perf_counter() - began) * 1000, 3)
    call = LibraryCall(Tool.RELATED, (opened[0].outside_id,), (), len(related), took)
    return [call], tuple(related), passages


async def _first(
    library: Library, caller: Caller, spellings: Sequence[str]
) -> tuple[Document, list[PassageLocation]] | None:
    for spelling in spellings:
        try:
            return await library.lookup(caller, spelling)
        except NotFound:
            continue
    return None


def _read(places: Sequence[PassageLocation], message: str) -> list[FoundPassage]:
    """Return passages in document order if all fit, else those closest to the question first."""
    found = _found(places)
    if sum(one.passage.tokens for one in found) <= WHOLE_TOKENS:
        return found
    return _by_question(found, message)


def _found(places: Sequence[PassageLocation]) -> list[FoundPassage]:
    return [
        FoundPassage(
            place.passage, place.document, place.section.path, PassageSignals(None, None, 0.0)
        )
        for place in places
    ]


def _about(found: Sequence[FoundPassage], message: str) -> list[FoundPassage]:
    """Those that share a term with the question, most first."""
    wanted = set(query_terms(message))
    sharing = [one for one in found if wanted & set(index_terms(one.passage.text))]
    return _by_question(sharing, message)


def _by_question(found: Sequence[FoundPassage], message: str) -> list[FoundPassage]:
    """Sort by how many terms of the question each passage shares, then by document order."""
    wanted = set(query_terms(message))

    def shared(one: FoundPassage) -> int:
        return len(wanted & set(index_terms(f"{' '.join(one.path)} {one.passage.text}")))

    return sorted(found, key=lambda one: (-shared(one), one.passage.ordinal))
