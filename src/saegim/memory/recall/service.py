"""Recall: find the memories relevant to a message.

No model is called; a question costs one embedding and a scan of the user's rows.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import log
from uuid import UUID

import numpy as np

from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.recall.scoring import (
    EpisodeWeights,
    RecordWeights,
    RowScores,
    chance_known,
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
    """The remaining budget; `seen` are the terms of texts that must not be repeated."""

    items: int
    tokens: int
    header: int
    seen: list[Terms]
    taken: list[RecallCandidate] = field(default_factory=list[RecallCandidate])

    def take(self, candidate: RecallCandidate, terms: Terms, *, duplicates: bool) -> Fate:
        """Add a candidate that fits and, unless allowed, is no near duplicate; return its fate."""
        if self.items <= 0:
            return Fate.BELOW_THE_REST
        if candidate.tokens + self.header > self.tokens:
            return Fate.OVER_BUDGET
        if not duplicates and any(_overlap(terms, other) >= _SAME for other in self.seen):
            return Fate.NEAR_DUPLICATE
        self.items -= 1
        self.tokens -= candidate.tokens + self.header
        self.seen.append(terms)
        self.taken.append(candidate)
        return Fate.TAKEN


def fit(
    pinned: Sequence[RecallCandidate],
    chosen: Sequence[RecallCandidate],
    records: Sequence[RecallCandidate],
    episodes: Sequence[RecallCandidate],
    budget: RecallBudget,
    margin: float = 0.0,
) -> Recollection:
    """Select all pinned facts, then chosen records, then recalled ones, best first.

    Records and episodes have their shares of the tokens; each may use what the other leaves.
    Episodes within `margin` of an older one on the same subject come before it.
    """
    every = (*pinned, *chosen, *records, *episodes)
    terms = {each.id: frozenset(analysis.terms(each.text)) for each in every}
    episodes = newer_first(episodes, terms, margin)
    known = {each.id for each in pinned}
    seen = [terms[each.id] for each in pinned]
    most = len(records) + len(chosen) if budget.count is None else budget.count
    for_records = _TokenBudget(most, budget.tokens, budget.header, seen)
    new = [each for each in chosen if each.id not in known]
    left = _fill(for_records, new, terms, duplicates=True)
    known |= {each.id for each in chosen}
    recalled = [each for each in records if each.id not in known]
    share = int(budget.tokens * budget.episodes_share) if episodes else 0
    reserved = min(share, for_records.tokens)
    for_records.tokens -= reserved
    left += _fill(for_records, diversify(recalled, terms, budget.diversity), terms)
    tokens_left = for_records.tokens + reserved
    for_episodes = _TokenBudget(len(episodes), tokens_left, budget.header, seen)
    episodes_left = _fill(for_episodes, episodes, terms)
    for_records.tokens = for_episodes.tokens
    return Recollection(
        pinned=tuple(pinned),
        dropped=(*_fill(for_records, left, terms), *episodes_left),
        records=tuple(for_records.taken),
        episodes=tuple(for_episodes.taken),
    )


def shorten(text: str, each: int) -> tuple[str, int]:
    """Cut a text to at most `each` tokens; return it with its token count."""
    size = tokens.count(text)
    if size <= each:
        return text, size
    cut = tokens.cut(text, each)
    return cut, tokens.count(cut)


def diversify(
    candidates: Sequence[RecallCandidate], terms: Mapping[UUID, Terms], diversity: float
) -> list[RecallCandidate]:
    """Order by score minus similarity to those before (maximal marginal relevance)."""
    left = list(candidates)
    nearest = {each.id: 0.0 for each in left}
    ordered: list[RecallCandidate] = []
    while left:
        taken = max(left, key=lambda each: each.signals.score - diversity * nearest[each.id])
        left.remove(taken)
        ordered.append(taken)
        for each in left:
            nearest[each.id] = max(nearest[each.id], _overlap(terms[each.id], terms[taken.id]))
    return ordered


# Turns this similar by their rarer words are about the same subject, and may be a value and its
# change; a newer one within so many standard deviations of the scores comes first.
_SAME_SUBJECT = 0.1
_NEWER = 1.5
# Only among the first: further down nothing is on the subject.
_REORDERED = 10


def newer_first(
    candidates: Sequence[RecallCandidate], terms: Mapping[UUID, Terms], margin: float
) -> list[RecallCandidate]:
    """Move newer candidates before older ones on the same subject that score little more."""
    counts = Counter(term for each in candidates for term in terms[each.id])
    rarity = {term: log((len(candidates) + 1) / count) ** 2 for term, count in counts.items()}
    length = {each.id: _weight(terms[each.id], rarity) ** 0.5 or 1.0 for each in candidates}

    def same_subject(one: RecallCandidate, other: RecallCandidate) -> bool:
        common = _weight(terms[one.id] & terms[other.id], rarity)
        return common >= _SAME_SUBJECT * length[one.id] * length[other.id]

    ordered = list(candidates)
    for older in reversed(candidates[:_REORDERED]):
        for newer in candidates[:_REORDERED]:
            close = newer.signals.score >= older.signals.score - margin
            if not close or newer.said_at <= older.said_at:
                continue
            here, there = ordered.index(older), ordered.index(newer)
            if here < there and same_subject(older, newer):
                ordered.insert(here, ordered.pop(there))
    return ordered


def _weight(terms: Terms, rarity: Mapping[str, float]) -> float:
    return sum(rarity[term] for term in terms)


def _fill(
    budget: _TokenBudget,
    candidates: Iterable[RecallCandidate],
    terms: Mapping[UUID, Terms],
    *,
    duplicates: bool = False,
) -> list[RecallCandidate]:
    """Take the candidates that fit; return the others with their fate."""
    left: list[RecallCandidate] = []
    for candidate in candidates:
        fate = budget.take(candidate, terms[candidate.id], duplicates=duplicates)
        if fate is not Fate.TAKEN:
            left.append(replace(candidate, fate=fate))
    return left


def _overlap(one: Terms, other: Terms) -> float:
    """Return the Jaccard similarity of two sets of terms."""
    if not one and not other:
        return 1.0
    common = len(one & other)
    return common / (len(one) + len(other) - common)


# How many records outside the time span of the question are reported.
_OUT_OF_TIME = 3


@dataclass(frozen=True, eq=False)
class Recall:
    """Recalls from `store`; without one, memory is off."""

    store: RecallStore | None
    embedder: MemoryEmbedder
    weights: EpisodeWeights = EpisodeWeights()  # noqa: RUF009 - frozen
    record_weights: RecordWeights = RecordWeights()  # noqa: RUF009 - frozen
    budget: RecallBudget = RecallBudget()  # noqa: RUF009 - frozen

    async def recall(self, request: RecallRequest) -> Recollection:
        """Return pinned facts, records and episodes within the budget. Raises Degraded."""
        store = self.store
        if store is None or not request.memory:
            return Recollection(off=True)
        question, budget = question_of(request), self.budget.within(request.limits)
        scan = await self._scan(store, request, question)
        if scan is None:
            return Recollection(off=True)
        record_scores = rank_records(scan.records, question, request.now, self.record_weights)
        episode_scores = rank_episodes(scan.episodes, question, request.now, self.weights)
        ids = scan.records.ids
        records = _signals(ids, record_scores, record_scores.best(budget.candidates))
        late = _signals(ids, record_scores, record_scores.best_out_of_time(_OUT_OF_TIME))
        rows = _not_in_context(scan.episodes, episode_scores, request, budget.candidates)
        episodes = _signals(scan.episodes.ids, episode_scores, rows)
        opened = await store.open(request.scope, [*records, *late, *request.chosen], list(episodes))
        each = budget.each
        records = _beside_digests(records, opened, self.record_weights.in_digest)
        recollection = fit(
            pinned=[_pinned(record, each) for record in scan.kept],
            chosen=_records(opened.records, dict.fromkeys(request.chosen, _CHOSEN), each),
            records=_records(opened.records, records, each),
            episodes=[
                _turn(identifier, opened.turns[identifier], signals, each)
                for identifier, signals in episodes.items()
                if identifier in opened.turns
            ],
            budget=budget,
            margin=_NEWER * float(episode_scores.score.std()) if len(episodes) else 0.0,
        )
        missed = _records(opened.records, late, each, Fate.OUT_OF_TIME)
        dropped = (*recollection.dropped, *missed)
        pinned = recollection.pinned if request.pinned else ()
        known = chance_known(scan.episodes)
        return replace(recollection, pinned=pinned, dropped=dropped, known=known)

    async def _scan(
        self, store: RecallStore, request: RecallRequest, question: RecallQuestion
    ) -> Scan | None:
        """Score all rows; the vector is computed while the terms are counted."""
        vector = self.embedder.question(request.scope.tenant, question.text)
        try:
            return await store.scan(request.scope, question, vector.by, _narrowing(request))
        finally:
            vector.drop()


_CHOSEN = RecallSignals(score=1.0)


def _narrowing(request: RecallRequest) -> ScanFilter:
    as_of = request.as_of or request.now
    return ScanFilter(as_of, request.session, **asdict(request.filters))


def _not_in_context(
    scores: EpisodeScores, ranking: RowScores, request: RecallRequest, most: int
) -> list[int]:
    """Return the best episodes without those whose turn is in the context."""
    if request.session is None or request.recent_from is None:
        return ranking.best(most)
    recent = (scores.session == session_code(request.session)) & (
        scores.turn >= request.recent_from
    )
    best = ranking.best(most + int(np.count_nonzero(recent)))
    return [row for row in best if not recent[row]][:most]


def _beside_digests(
    signals: Mapping[UUID, RecallSignals], opened: CandidateTexts, factor: float
) -> dict[UUID, RecallSignals]:
    """Lower the score of records whose digest scores at least as high."""
    lowered = dict(signals)
    for digest, sources in opened.digests.items():
        if digest not in opened.records or digest not in signals:
            continue
        for source in sources & signals.keys():
            if signals[source].score <= signals[digest].score:
                lowered[source] = replace(signals[source], score=factor * signals[source].score)
    return lowered


def _signals(ids: Ids, ranking: RowScores, rows: Iterable[int]) -> dict[UUID, RecallSignals]:
    return {UUID(bytes=bytes(ids[row])): ranking.signals(row) for row in rows}


def _pinned(record: Record, each: int) -> RecallCandidate:
    signals = RecallSignals(score=1.0, importance=record.importance)
    return replace(_record(record, signals, each), kind=CandidateKind.PINNED)


def _records(
    opened: Mapping[UUID, Record],
    signals: Mapping[UUID, RecallSignals],
    each: int,
    fate: Fate = Fate.TAKEN,
) -> list[RecallCandidate]:
    return [
        replace(_record(opened[identifier], signal, each), fate=fate)
        for identifier, signal in signals.items()
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
