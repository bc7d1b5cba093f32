"""The library as a pydantic-ai toolset, for agents."""

from typing import Literal
from uuid import UUID

from pydantic_ai import ModelRetry
from pydantic_ai.toolsets import FunctionToolset

from saegim.domain.errors import NotFound
from saegim.domain.scope import Caller
from saegim.library.service import Library, SearchResults, title_of
from saegim.library.types import PassageLocation
from saegim.research.types import MOST_CALLS

SPENT = "The library was asked three times for this question. Answer from what you have."
Has = Literal["steps", "conditions", "table"]


def library_toolset(library: Library, caller: Caller) -> FunctionToolset[None]:
    """Return search_all, search_by_metadata and get_section, for `MOST_CALLS` calls in total."""
    left = [MOST_CALLS]

    def exhausted() -> bool:
        left[0] -= 1
        return left[0] < 0

    async def search_all(query: str) -> list[dict[str, str]] | str:
        """Searches FAQ entries and all other documents.

        Args:
            query: The question, in the words a document would use.
        """
        return SPENT if exhausted() else _results(await library.search_all(caller, query))

    async def search_by_metadata(
        query: str, doc_type: str | None = None, has: Has | None = None
    ) -> list[dict[str, str]] | str:
        """Searches passages of one type of document, or those that have steps or a table.

        Args:
            query: The question, in the words a document would use.
            doc_type: The type of document, such as faq, guide or ts.
            has: What a passage must have.
        """
        if exhausted():
            return SPENT
        filters: dict[str, object] = {f"has_{has}": True} if has else {}
        if doc_type:
            filters["types"] = frozenset({doc_type})
        return _results(await library.search(caller, query, count=None, **filters))

    async def get_section(passage_id: str) -> list[dict[str, str]] | str:
        """Opens the whole section around a passage that a search found.

        Args:
            passage_id: The id of the passage.
        """
        if exhausted():
            return SPENT
        try:
            section = await library.get_section(caller, UUID(passage_id))
        except (ValueError, NotFound):
            raise ModelRetry("There is no such passage.") from None
        return [_result(each) for each in section]

    return FunctionToolset([search_all, search_by_metadata, get_section])


def _results(results: SearchResults) -> list[dict[str, str]]:
    return [_result(each) for each in results.found]


def _result(place: PassageLocation) -> dict[str, str]:
    passage, document = place.passage, place.document
    return {
        "passage_id": str(passage.id),
        "document_id": document.outside_id,
        "type": document.type,
        "title": " › ".join([title_of(document, passage.text), *place.path]),
        "text": passage.text,
    }
