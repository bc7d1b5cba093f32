"""Documents as a LangChain retriever. Needs the extra `langchain`."""

import asyncio

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from saegim.client.blocking import BlockingClient
from saegim.client.library_types import FoundPassage, SearchResult


class SaegimRetriever(BaseRetriever):
    """Passages that the client's user may read, best first, with their place as metadata."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    client: BlockingClient
    filters: dict[str, object] = Field(default_factory=dict[str, object])

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain's signature
    ) -> list[Document]:
        return documents(self.client.search(query, **self.filters))

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain's signature
    ) -> list[Document]:
        asked = self.client.submit(lambda client: client.search(query, **self.filters))
        return documents(await asyncio.wrap_future(asked))


def documents(result: SearchResult) -> list[Document]:
    return [_document(found) for found in result.found]


def _document(found: FoundPassage) -> Document:
    return Document(
        page_content=found.text,
        id=str(found.passage_id),
        metadata={
            "document_id": found.document.document_id,
            "title": found.document.title,
            "type": found.document.type,
            "path": found.path,
            "score": found.score,
        },
    )
