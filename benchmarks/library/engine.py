"""What the retrieval benchmark asks of an engine, and the product itself as one."""

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from benchmarks.library.house import House, Stores, new_house
from benchmarks.library.sets import BenchDocument
from saegim.bootstrap import Services
from saegim.library.service import PER_ARM
from saegim.library.types import FileState, SearchFilter
from saegim.search.analyse import query_terms

# A document may have several passages among the first; this many hold ten documents.
FOUND = 50
DOCUMENTS = b"select document_id, outside_id from document where tenant_id = %s"
STATE = b"""
    select index_version, collection_id from index_state join collection using (tenant_id)
    where tenant_id = %s and subject = 'library'
"""


class Arm(StrEnum):
    LEXICAL = "lexical"
    DENSE = "dense"
    FUSED = "fused"


class Engine(Protocol):
    """Documents in, the best documents for a question out."""

    async def load(self, documents: Sequence[BenchDocument]) -> None:
        """Takes these documents in place of those before."""
        ...

    async def search(self, question: str, arm: Arm) -> list[str]:
        """The ids of the documents whose passages are best, best first, each once."""
        ...


class ServiceEngine:
    """The library as it is served: ingested by its job, searched through its service.

    Each arm alone is what the service asks of the index, in the order the index answers."""

    def __init__(self, stores: Stores, services: Services) -> None:
        self._stores = stores
        self._services = services
        self._house: House | None = None
        self._names: dict[UUID, str] = {}
        self._where = SearchFilter(frozenset())
        self._generation = 0

    async def load(self, documents: Sequence[BenchDocument]) -> None:
        house = await new_house(self._stores, self._services, "벤치마크")
        records = (
            {"id": one.id, "text": one.text, **({"title": one.title} if one.title else {})}
            for one in documents
        )
        async with house.working():
            done = await house.finished((await house.send("set.jsonl", records)).id)
        [file] = done.files
        if file.state is not FileState.DONE or file.documents != len(documents):
            raise RuntimeError(json.dumps([file.state, file.documents, file.error]))
        cell = self._services.cells.home
        async with cell.transaction(house.tenant) as connection:
            rows = await (await connection.execute(DOCUMENTS, (house.tenant,))).fetchall()
            state = await (await connection.execute(STATE, (house.tenant,))).fetchone()
        assert state is not None, "every tenant has an index state"
        self._house = house
        self._names = {row["document_id"]: row["outside_id"] for row in rows}
        self._generation = state["index_version"]
        self._where = SearchFilter(frozenset({state["collection_id"]}))

    async def search(self, question: str, arm: Arm) -> list[str]:
        house = self._house
        assert house is not None, "documents come first"
        index, at = self._services.index, (house.tenant, self._generation)
        match arm:
            case Arm.FUSED:
                found = await self._services.library.search(house.caller, question, count=FOUND)
                return list(dict.fromkeys(one.document.outside_id for one in found.found))
            case Arm.LEXICAL:
                hits = await index.lexical(*at, query_terms(question), self._where, PER_ARM)
            case Arm.DENSE:
                [vector] = await self._services.embedder.embed([question], "query")
                hits = await index.dense(*at, vector, self._where, PER_ARM)
        return list(dict.fromkeys(self._names[hit.document] for hit in hits))
