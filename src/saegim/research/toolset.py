"""The library's three tools as a pydantic-ai toolset, so that agents use what a turn uses."""

from typing import Literal
from uuid import UUID

from pydantic_ai import ModelRetry
from pydantic_ai.toolsets import FunctionToolset

from saegim.domain.errors import NotFound
from saegim.domain.scope import Caller
from saegim.library.service import Library, SearchResults, title_of
from saegim.library.types import Document, Passage
from saegim.research.types import MOST_CALLS

SPENT = "The library was asked three times for this question. Answer from what you have."
Has = Literal["steps", "conditions", "table"]


def library_toolset(library: Library, caller: Caller) -> FunctionToolset[None]:
    """search_all, search_by_metadata and get_section for one question of one caller.

    After `MOST_CALLS` calls it only says that there are no more.
    """
    left = [MOST_CALLS]

    def spent() -> bool:
        left[0] -= 1
        return left[0] < 0

    async def search_all(query: str) -> list[dict[str, str]] | str:
        """Searches FAQ entries and all other documents.

        Args:
            query: The question, in the words a document would use.
        """
        return SPENT if spent() else _found(await library.search_all(caller, query))

    async def search_by_metadata(
        query: str, doc_type: str | None = None, has: Has | None = None
    ) -> list[dict[str, str]] | str:
        """Searches passages of one type of document, or those that have steps or a table.

        Args:
            query: The question, in the words a document would use.
            doc_type: The type of document, such as faq, guide or ts.
            has: What a passage must have.
        """
        if spent():
            return SPENT
        narrowed: dict[str, object] = {f"has_{has}": True} if has else {}
        if doc_type:
            narrowed["types"] = frozenset({doc_type})
        return _found(await library.search(caller, query, count=None, **narrowed))

    async def get_section(passage_id: str) -> list[dict[str, str]] | str:
        """Opens the whole section around a passage that a search found.

        Args:
            passage_id: The id of the passage.
        """
        if spent():
            return SPENT
        try:
            places = await library.get_section(caller, UUID(passage_id))
        except (ValueError, NotFound):
            raise ModelRetry("There is no such passage.") from None
        return [_shown(place.passage, place.document, place.section.path) for place in places]

    return FunctionToolset([search_all, search_by_metadata, get_section])


def _found(searched: SearchResults) -> list[dict[str, str]]:
    return [_shown(one.passage, one.document, one.path) for one in searched.found]


def _shown(passage: Passage, document: Document, path: tuple[str, ...]) -> dict[str, str]:
    return {
        "passage_id": str(passage.id),
        "document_id": document.outside_id,
        "type": document.type,
        "title": " › ".join([title_of(document, passage.text), *path]),
        "text": passage.text,
    }
