"""Searchers over memory: recall as a turn uses it, and each retriever alone."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from math import inf
from uuid import UUID

import numpy as np

from saegim.domain.scope import Caller
from saegim.evaluation.retrieval import Case, RetrievalHit
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.recall.service import Recall
from saegim.memory.recall.types import (
    RecallBudget,
    RecallCandidate,
    RecallRequest,
    RecallStore,
    ScanFilter,
    question_of,
)
from saegim.text import tokens

# No limit for a single retriever: the harness cuts by rank and by tokens.
EVERYTHING = RecallBudget(tokens=10**6, each=10**6, candidates=40, floor=-inf)


class RecollectionPart(StrEnum):
    """The part of a recollection to search: everything a turn gets, or one retriever."""

    RECORDS = "records"
    EPISODES = "episodes"
    GIVEN = "given"


@dataclass(frozen=True, slots=True)
class MemoryOwner:
    """The user to search for, the time, and the name of each turn in the set."""

    caller: Caller
    now: datetime
    names: Mapping[UUID, str]

    def request(self, case: Case) -> RecallRequest:
        return RecallRequest(
            scope=self.caller.scope,
            message=case.question,
            now=self.now,
            time_zone=self.caller.time_zone,
        )


class RecallSearcher:
    """Recall with its own budget, as turns of the set.

    `GIVEN` follows the order of a turn's context. Pinned facts do not depend on the query, so they
    come last."""

    def __init__(self, recall: Recall, person: MemoryOwner, part: RecollectionPart) -> None:
        self._recall = recall
        self._person = person
        self._part = part

    async def search(self, case: Case) -> Sequence[RetrievalHit]:
        recalled = await self._recall.recall(self._person.request(case))
        candidates = {
            RecollectionPart.RECORDS: (*recalled.records, *recalled.pinned),
            RecollectionPart.EPISODES: recalled.episodes,
            RecollectionPart.GIVEN: (*recalled.recalled, *recalled.pinned),
        }[self._part]
        return list(hits_of(candidates, self._person.names).values())


def hits_of(
    candidates: Sequence[RecallCandidate], names: Mapping[UUID, str]
) -> dict[str, RetrievalHit]:
    """Return each turn once, with its best candidate."""
    hits: dict[str, RetrievalHit] = {}
    for each in candidates:
        for name in (names[source] for source in each.sources if source in names):
            hits.setdefault(
                name,
                RetrievalHit(
                    id=name,
                    score=each.signals.score,
                    tokens=each.tokens,
                    text=each.text,
                    kind=each.kind.value,
                    signals=asdict(each.signals),
                ),
            )
    return hits


class Signal(StrEnum):
    """One retriever of recall."""

    WORDS = "own"
    MEANING = "dense"


class SignalSearcher:
    """Search turns by keyword (BM25) or by the vector of their window."""

    def __init__(
        self, store: RecallStore, embedder: MemoryEmbedder, person: MemoryOwner, signal: Signal
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._person = person
        self._signal = signal

    async def search(self, case: Case) -> Sequence[RetrievalHit]:
        request = self._person.request(case)
        question = question_of(request)
        vector = self._embedder.question(request.scope.tenant, question.text)
        scan = await self._store.scan(request.scope, question, vector.by, ScanFilter(request.now))
        if scan is None:
            return []
        scores = getattr(scan.episodes, self._signal.value)
        best = [int(row) for row in np.argsort(-scores, kind="stable")[: EVERYTHING.candidates]]
        ids = [UUID(bytes=bytes(scan.episodes.ids[row])) for row in best]
        opened = await self._store.open(request.scope, [], ids)
        return [
            RetrievalHit(
                id=self._person.names[opened.turns[episode].turn],
                score=float(scores[row]),
                tokens=tokens.count(opened.turns[episode].text),
                text=opened.turns[episode].text,
                kind=self._signal.value,
                signals={self._signal.value: float(scores[row])},
            )
            for row, episode in zip(best, ids, strict=True)
            if scores[row] > 0 and episode in opened.turns
        ]
