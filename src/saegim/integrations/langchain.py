"""A LangChain retriever for documents. Requires the extra `langchain`."""

import asyncio

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from saegim.client.blocking import BlockingClient
from saegim.client.library_types import SearchResult


class SaegimRetriever(BaseRetriever):
    """Returns the passages that the user of the client may read, best first."""

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
        future = self.client.submit(lambda client: client.search(query, **self.filters))
        return documents(await asyncio.wrap_future(future))


def documents(result: SearchResult) -> list[Document]:
    return [
        Document(
            page_content=passage.text,
            id=str(passage.passage_id),
            metadata={
                "document_id": passage.document.document_id,
                "title": passage.document.title,
                "type": passage.document.type,
                "path": passage.path,
                "score": passage.score,
            },
        )
        for passage in result.found
    ]
