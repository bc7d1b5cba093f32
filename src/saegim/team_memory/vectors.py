"""How near shared records are to a question by meaning."""

from collections import OrderedDict
from collections.abc import Sequence
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from saegim.domain.errors import ModelUnavailable
from saegim.llm.ports import Embedder
from saegim.team_memory.types import TeamRecord

MOST_CACHED = 5_000
# Vectors that one question waits for; others are compared by words until a later one.
MOST_NEW = 12

Vector = NDArray[np.float32]


class TeamVectors:
    """In-process cache of vectors by record and version. The oldest are dropped."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors = OrderedDict[tuple[UUID, int], Vector]()

    async def similarities(self, message: str, records: Sequence[TeamRecord]) -> dict[UUID, float]:
        """Return the similarity of records to a message, from 0 (unrelated) to 1 (matching).

        {} if the embedder fails.
        """
        if not records:
            return {}
        try:
            await self.add([each for each in records if _key(each) not in self._vectors][:MOST_NEW])
            [question] = await self._embedder.embed([message], "query")
        except ModelUnavailable:
            return {}
        asked, scale = np.asarray(question, np.float32), self._embedder.scale
        return {
            each.id: scale.similarity(float(asked @ vector))
            for each in records
            if (vector := self._vectors.get(_key(each))) is not None
        }

    async def add(self, records: Sequence[TeamRecord]) -> None:
        """Embed records. Raises ModelUnavailable."""
        if not records:
            return
        vectors = await self._embedder.embed(list(map(text_of, records)), "document")
        for record, vector in zip(records, vectors, strict=True):
            self._vectors[_key(record)] = np.asarray(vector, np.float32)
        while len(self._vectors) > MOST_CACHED:
            self._vectors.popitem(last=False)

    def drop(self, record: UUID) -> None:
        """Forget the vectors of a deleted record."""
        for key in [key for key in self._vectors if key[0] == record]:
            del self._vectors[key]


def text_of(record: TeamRecord) -> str:
    return f"{record.statement.topic} {record.statement.content}".strip()


def _key(record: TeamRecord) -> tuple[UUID, int]:
    return record.id, record.version
