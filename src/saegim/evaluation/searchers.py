"""Memory and library as searchers of the harness: what a turn is given, each retriever alone."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

import numpy as np

from saegim.domain.scope import Caller
from saegim.evaluation.retrieval import Case, RetrievalHit
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.recall.ports import RecallStore, ScanFilter
from saegim.memory.recall.question import question_of
from saegim.memory.recall.service import Recall
from saegim.memory.types import RecallBudget, RecallCandidate, RecallRequest
from saegim.text import tokens

# For a retriever by itself: the harness cuts by rank and by tokens.
EVERYTHING = RecallBudget(tokens=10**6, each=10**6, candidates=40)


class RecollectionPart(StrEnum):
    """Which part of a recollection counts: all that a turn is given, or one retriever of it."""

    RECORDS = "records"
    EPISODES = "episodes"
    GIVEN = "given"


@dataclass(frozen=True, slots=True)
class MemoryOwner:
    """Whose memory is asked, when, and what the set calls each of their turns."""

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
    """Recall under the budget it was built with, as turns of the set.

    `GIVEN` is what a turn's context is given, in the order of the context: records, then episodes.
    Pinned facts are there whatever is asked, so they stand last."""

    def __init__(self, recall: Recall, person: MemoryOwner, part: RecollectionPart) -> None:
        self._recall = recall
        self._person = person
        self._part = part

    async def search(self, case: Case) -> Sequence[RetrievalHit]:
        found = await self._recall.recall(self._person.request(case))
        records, episodes = (*found.records, *found.pinned), found.episodes
        match self._part:
            case RecollectionPart.RECORDS:
                shown = records
            case RecollectionPart.EPISODES:
                shown = episodes
            case RecollectionPart.GIVEN:
                shown = (*found.records, *episodes, *found.pinned)
        return list(_hits(shown, self._person.names).values())


def _hits(
    candidates: Sequence[RecallCandidate], names: Mapping[UUID, str]
) -> dict[str, RetrievalHit]:
    """Each turn once, with the best of what was found of it."""
    found: dict[str, RetrievalHit] = {}
    for each in candidates:
        signals = asdict(each.signals)
        for source in each.sources:
            if source in names:
                hit = RetrievalHit(
                    id=names[source],
                    score=each.signals.score,
                    tokens=each.tokens,
                    text=each.text,
                    kind=each.kind.value,
                    signals=signals,
                )
                found.setdefault(names[source], hit)
    return found


class Signal(StrEnum):
    """One arm of recall by itself."""

    WORDS = "own"
    MEANING = "dense"


class SignalSearcher:
    """Turns by the words of each alone (BM25), or by the meaning of its window."""

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
