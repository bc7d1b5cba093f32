"""Recall before each turn: what was told and said, as far as it helps with the message (LM3-LM5).

No model is called; a question costs one embedding and a scan over the person's own rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

import numpy as np

from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.recall.scoring import (
    EpisodeWeights,
    RecordWeights,
    RowScores,
    rank_episodes,
    rank_records,
)
from saegim.memory.recall.types import (
    CandidateKind,
    CandidateTexts,
    EpisodeScores,
    Fate,
    Ids,
    RecallBudget,
    RecallCandidate,
    RecallQuestion,
    RecallRequest,
    RecallSignals,
    RecallStore,
    Recollection,
    Scan,
    ScanFilter,
    TranscriptTurn,
    question_of,
    session_code,
)
from saegim.memory.types import Record
from saegim.text import analysis, tokens

_SAME = 0.85

type Terms = frozenset[str]


@dataclass(slots=True)
class _TokenBudget:
    """What is left of the budget. `said` are the texts that need not come back a second time."""

    items: int
    tokens: int
    header: int
    said: list[Terms]
    taken: list[RecallCandidate] = field(default_factory=list[RecallCandidate])

    def take(self, candidate: RecallCandidate, terms: Terms) -> Fate:
        """Takes a candidate that fits and says something new; returns what became of it."""
        fate = self.refuses(candidate)
        if fate is None and any(_overlap(terms, other) >= _SAME for other in self.said):
            fate = Fate.NEAR_DUPLICATE
        if fate is not None:
            return fate
        self.keep(candidate, terms)
        return Fate.TAKEN

    def refuses(self, candidate: RecallCandidate) -> Fate | None:
        """Why there is no room for a candidate, or None."""
        if self.items <= 0:
            return Fate.BELOW_THE_REST
        if candidate.tokens + self.header > self.tokens:
            return Fate.OVER_BUDGET
        return None

    def keep(self, candidate: RecallCandidate, terms: Terms) -> None:
        """Takes a candidate whatever else says the same."""
        self.items -= 1
        self.tokens -= candidate.tokens + self.header
        self.said.append(terms)
        self.taken.append(candidate)


def fit(
    pinned: Sequence[RecallCandidate],
    chosen: Sequence[RecallCandidate],
    records: Sequence[RecallCandidate],
    episodes: Sequence[RecallCandidate],
    budget: RecallBudget,
) -> Recollection:
    """All pinned facts; then what a person chose, then what was recalled, best first.

    Records and episodes have their shares of the tokens; what one leaves is the other's.
    """
    every = (*pinned, *chosen, *records, *episodes)
    said = {each.id: frozenset(analysis.terms(each.text)) for each in every}
    known = {each.id for each in pinned}
    shown = [said[each.id] for each in pinned]
    most = len(records) + len(chosen) if budget.count is None else budget.count
    room = _TokenBudget(most, budget.tokens, budget.header, shown)
    left = _must_fill(room, [each for each in chosen if each.id not in known], said)
    known |= {each.id for each in chosen}
    recalled = [each for each in records if each.id not in known]
    spared = min(int(budget.tokens * budget.episodes_share) if episodes else 0, room.tokens)
    room.tokens -= spared
    left += _fill(room, diversify(recalled, said, budget.diversity), said)
    talk = _TokenBudget(len(episodes), room.tokens + spared, budget.header, shown)
    unsaid = _fill(talk, episodes, said)
    # What the episodes leave is the records' again.
    room.tokens = talk.tokens
    return Recollection(
        pinned=tuple(pinned),
        dropped=(*_fill(room, left, said), *unsaid),
        records=tuple(room.taken),
        episodes=tuple(talk.taken),
    )


def shorten(text: str, each: int) -> tuple[str, int]:
    """A text of at most so many tokens, and how many it has."""
    size = tokens.count(text)
    if size <= each:
        return text, size
    cut = tokens.cut(text, each)
    return cut, tokens.count(cut)


def diversify(
    candidates: Sequence[RecallCandidate], said: Mapping[UUID, Terms], diversity: float
) -> list[RecallCandidate]:
    """Best first, but each a little less for being like what stands before it (MMR)."""
    left = list(candidates)
    nearest = {each.id: 0.0 for each in left}
    ordered: list[RecallCandidate] = []
    while left:
        taken = max(left, key=lambda each: each.signals.score - diversity * nearest[each.id])
        left.remove(taken)
        ordered.append(taken)
        for each in left:
            nearest[each.id] = max(nearest[each.id], _overlap(said[each.id], said[taken.id]))
    return ordered


def _must_fill(
    room: _TokenBudget, candidates: Iterable[RecallCandidate], said: Mapping[UUID, Terms]
) -> list[RecallCandidate]:
    """Takes all that fits, alike or not; returns the others with why they do not."""
    left: list[RecallCandidate] = []
    for candidate in candidates:
        fate = room.refuses(candidate)
        if fate is None:
            room.keep(candidate, said[candidate.id])
        else:
            left.append(replace(candidate, fate=fate))
    return left


def _fill(
    room: _TokenBudget, candidates: Iterable[RecallCandidate], said: Mapping[UUID, Terms]
) -> list[RecallCandidate]:
    """Takes what fits and says something new; returns the others with why they do not."""
    left: list[RecallCandidate] = []
    for candidate in candidates:
        fate = room.take(candidate, said[candidate.id])
        if fate is not Fate.TAKEN:
            left.append(replace(candidate, fate=fate))
    return left


def _overlap(one: Terms, other: Terms) -> float:
    """The share of terms that two texts have in common."""
    if not one and not other:
        return 1.0
    common = len(one & other)
    return common / (len(one) + len(other) - common)


# How many of those that lie outside the time asked for are reported.
_OUT_OF_TIME = 3


class Recall:
    """Answers what a person's memory has to a message."""

    def __init__(
        self,
        store: RecallStore,
        embedder: MemoryEmbedder,
        weights: EpisodeWeights | None = None,
        record_weights: RecordWeights | None = None,
        budget: RecallBudget | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._weights = weights or EpisodeWeights()
        self._record_weights = record_weights or RecordWeights()
        self._budget = budget or RecallBudget()

    async def recall(self, request: RecallRequest) -> Recollection:
        """Pinned facts, records and episodes within their budgets, each with its reason. Raises
        Degraded."""
        if not request.memory:
            return Recollection()
        question, budget = question_of(request), self._budget.within(request.limits)
        scan = await self._scan(request, question)
        if scan is None:
            return Recollection()
        record_scores = rank_records(scan.records, question, request.now, self._record_weights)
        said = rank_episodes(scan.episodes, question, request.now, self._weights)
        records = _found(scan.records.ids, record_scores, record_scores.best(budget.candidates))
        late = _found(scan.records.ids, record_scores, record_scores.best_out_of_time(_OUT_OF_TIME))
        rows = _not_at_hand(scan.episodes, said, request, budget.candidates)
        episodes = _found(scan.episodes.ids, said, rows)
        opened = await self._store.open(
            request.scope, [*records, *late, *request.chosen], list(episodes)
        )
        each = budget.each
        records = _beside_digests(records, opened, self._record_weights.in_digest)
        recollection = fit(
            pinned=[_kept(record, each) for record in scan.kept],
            chosen=_records(opened.records, dict.fromkeys(request.chosen, _CHOSEN), each),
            records=_records(opened.records, records, each),
            episodes=[
                _turn(identifier, opened.turns[identifier], signals, each)
                for identifier, signals in episodes.items()
                if identifier in opened.turns
            ],
            budget=budget,
        )
        missed = _records(opened.records, late, each, Fate.OUT_OF_TIME)
        dropped = (*recollection.dropped, *missed)
        pinned = recollection.pinned if request.pinned else ()
        return replace(recollection, pinned=pinned, dropped=dropped)

    async def _scan(self, request: RecallRequest, question: RecallQuestion) -> Scan | None:
        """Every score; the vector is made while the terms are counted."""
        vector = self._embedder.question(request.scope.tenant, question.text)
        try:
            return await self._store.scan(request.scope, question, vector.by, _narrowing(request))
        finally:
            vector.drop()


_CHOSEN = RecallSignals(score=1.0)


def _narrowing(request: RecallRequest) -> ScanFilter:
    return ScanFilter(
        as_of=request.as_of or request.now,
        session=request.session,
        types=request.filters.types,
        said_from=request.filters.said_from,
        said_until=request.filters.said_until,
    )


def _not_at_hand(
    scores: EpisodeScores, ranking: RowScores, request: RecallRequest, most: int
) -> list[int]:
    """The best episodes but for those whose turn stands in the context anyway."""
    if request.session is None or request.recent_from is None:
        return ranking.best(most)
    recent = (scores.session == session_code(request.session)) & (
        scores.turn >= request.recent_from
    )
    best = ranking.best(most + int(np.count_nonzero(recent)))
    return [row for row in best if not recent[row]][:most]


def _beside_digests(
    found: Mapping[UUID, RecallSignals], opened: CandidateTexts, factor: float
) -> dict[UUID, RecallSignals]:
    """Candidates with less weight where a digest tells them and fits the question as well.

    A source that fits better than its digest is what is needed, and keeps its score."""
    lowered = dict(found)
    for digest, sources in opened.digests.items():
        if digest not in opened.records or digest not in found:
            continue
        for source in sources & found.keys():
            if found[source].score <= found[digest].score:
                lowered[source] = replace(found[source], score=factor * found[source].score)
    return lowered


def _found(ids: Ids, ranking: RowScores, rows: Iterable[int]) -> dict[UUID, RecallSignals]:
    return {UUID(bytes=bytes(ids[row])): ranking.signals(row) for row in rows}


def _kept(record: Record, each: int) -> RecallCandidate:
    signals = RecallSignals(score=1.0, importance=record.importance)
    return replace(_record(record, signals, each), kind=CandidateKind.PINNED)


def _records(
    opened: Mapping[UUID, Record],
    found: Mapping[UUID, RecallSignals],
    each: int,
    fate: Fate = Fate.TAKEN,
) -> list[RecallCandidate]:
    """The records that are still there."""
    return [
        replace(_record(opened[identifier], signals, each), fate=fate)
        for identifier, signals in found.items()
        if identifier in opened
    ]


def _record(record: Record, signals: RecallSignals, each: int) -> RecallCandidate:
    text, size = shorten(record.content, each)
    return RecallCandidate(
        kind=CandidateKind.RECORD,
        id=record.id,
        text=text,
        said_at=record.said_at,
        signals=signals,
        tokens=size,
        sources=record.sources,
    )


def _turn(
    episode: UUID, turn: TranscriptTurn, signals: RecallSignals, each: int
) -> RecallCandidate:
    text, size = shorten(turn.text, each)
    return RecallCandidate(
        kind=CandidateKind.EPISODE,
        id=episode,
        text=text,
        said_at=turn.at,
        signals=signals,
        tokens=size,
        sources=(turn.turn,),
    )
