"""Recall: find the memories relevant to a message.

No model is called; a question costs one embedding and a scan of the user's rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from uuid import UUID

import numpy as np

from saegim.llm.ports import DERIVED, SimilarityScale
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.recall.scoring import (
    NEWER,
    EpisodeWeights,
    RankingContext,
    RecordWeights,
    RowScores,
    Terms,
    asks_of_the_past,
    chance_known,
    newer_first,
    one_ranking,
    rank_episodes,
    rank_records,
    signals_of,
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
from saegim.memory.synthesis.profile import fit_profile
from saegim.memory.synthesis.types import DerivedMemory
from saegim.memory.types import Record
from saegim.text import analysis, tokens
from saegim.text.questions import LONGEST_QUESTION, is_question

_SAME = 0.85


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
    context: RankingContext = RankingContext(),  # noqa: B008 - frozen
) -> Recollection:
    """Select all pinned facts, then chosen records, then recalled ones, best first; those that have
    a fate already are dropped.

    Records and episodes have their shares of the tokens; each may use what the other leaves.
    """
    every = (*pinned, *chosen, *records, *episodes)
    terms = {each.id: frozenset(analysis.terms(each.text)) for each in every}
    signals = signals_of(context.question, episodes, terms, context.similarity)
    known = chance_known(signals) if episodes else 0.0
    cut = [each for each in (*records, *episodes) if each.fate is not Fate.TAKEN]
    records = [each for each in records if each.fate is Fate.TAKEN]
    episodes = [each for each in episodes if each.fate is Fate.TAKEN]
    episodes = newer_first(episodes, terms, NEWER * context.spread)
    included = {each.id for each in pinned}
    seen = [terms[each.id] for each in pinned]
    most = len(records) + len(chosen) if budget.count is None else budget.count
    for_records = _TokenBudget(most, budget.tokens, budget.header, seen)
    new = [each for each in chosen if each.id not in included]
    left = _fill(for_records, new, terms, duplicates=True)
    included |= {each.id for each in chosen}
    recalled = [each for each in records if each.id not in included]
    share = int(budget.tokens * budget.episodes_share) if episodes else 0
    reserved = min(share, for_records.tokens)
    for_records.tokens -= reserved
    left += _fill(for_records, diversify(recalled, terms, budget.diversity), terms)
    tokens_left = for_records.tokens + reserved
    for_episodes = _TokenBudget(len(episodes), tokens_left, budget.header, seen)
    episodes_left = _fill(for_episodes, episodes, terms)
    for_records.tokens = for_episodes.tokens
    dropped = (*_fill(for_records, left, terms), *episodes_left, *cut)
    wanted = {each.id for each in chosen}
    first = [each for each in for_records.taken if each.id in wanted]
    others = [each for each in for_records.taken if each.id not in wanted]
    return Recollection(
        pinned=tuple(pinned),
        dropped=dropped,
        records=tuple(for_records.taken),
        episodes=tuple(for_episodes.taken),
        ranked=(*first, *one_ranking(others, for_episodes.taken, context)),
        known=known,
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
        scan, scale = await self._scan(store, request, question)
        if scan is None:
            return Recollection(off=True)
        of_the_past = asks_of_the_past(request.message)
        floor = _Floor(budget.floor, analysis.word_keys(question.text), of_the_past)
        record_scores = rank_records(scan.records, question, request.now, self.record_weights)
        episode_scores = rank_episodes(scan.episodes, question, request.now, self.weights)
        ids = scan.records.ids
        records = _signals(ids, record_scores, record_scores.best(budget.candidates), scale)
        late = _signals(ids, record_scores, record_scores.best_out_of_time(_OUT_OF_TIME), scale)
        rows = _not_in_context(scan.episodes, episode_scores, request, budget.candidates)
        episodes = _signals(scan.episodes.ids, episode_scores, rows, scale)
        opened = await store.open(request.scope, [*records, *late, *request.chosen], list(episodes))
        each = budget.each
        records = _beside_digests(records, opened, self.record_weights.in_digest)
        records = _less_sure(records, opened, self.record_weights.unsure)
        recollection = fit(
            pinned=[_pinned(record, each) for record in scan.kept],
            chosen=_records(opened.records, dict.fromkeys(request.chosen, _CHOSEN), each),
            records=[
                replace(record, fate=floor.fate(record.signals, opened.records[record.id].content))
                for record in _records(opened.records, records, each)
            ],
            episodes=[
                _turn(identifier, opened.turns[identifier], signals, each, floor)
                for identifier, signals in episodes.items()
                if identifier in opened.turns
            ],
            budget=budget,
            context=_context(request.message, question, scan.episodes, episode_scores),
        )
        missed = _records(opened.records, late, each, Fate.OUT_OF_TIME)
        dropped = (*recollection.dropped, *missed)
        recollection = replace(recollection, time_zone=request.time_zone)
        if not request.pinned:
            return replace(recollection, pinned=(), dropped=dropped)
        if request.as_of or not scan.profile:
            return replace(recollection, dropped=dropped)
        profile = _profile(scan.profile, recollection, request)
        return replace(recollection, profile=profile, dropped=dropped)

    async def _scan(
        self, store: RecallStore, request: RecallRequest, question: RecallQuestion
    ) -> tuple[Scan | None, SimilarityScale]:
        """Score all rows; the vector is computed while the terms are counted."""
        vector = self.embedder.question(request.scope.tenant, question.text)
        try:
            scan = await store.scan(request.scope, question, vector.by, _narrowing(request))
            return scan, vector.scale
        finally:
            vector.drop()


# A question that the user asked before is given if it is this much above the floor.
_ASKED_BEFORE = 0.2
# Fewer words than this tell nothing: thanks, a yes.
_FEW_WORDS = 2


@dataclass(frozen=True, slots=True)
class _Floor:
    """Cuts what is clearly unrelated to a question, and turns that tell nothing.

    A question about the past may ask for what the user asked or said before.
    """

    least: float
    words: Terms
    of_the_past: bool

    def fate(self, signals: RecallSignals, text: str) -> Fate:
        similarity = signals.similarity
        near = similarity is None or similarity >= self.least or signals.time > 0
        return Fate.TAKEN if near or self.words & analysis.word_keys(text) else Fate.BELOW_THE_REST

    def fate_of_turn(self, signals: RecallSignals, turn: TranscriptTurn) -> Fate:
        if not self.of_the_past and self._tells_nothing(signals, turn.message):
            return Fate.BELOW_THE_REST
        return self.fate(signals, turn.text)

    def _tells_nothing(self, signals: RecallSignals, message: str) -> bool:
        if len(analysis.word_keys(message)) < _FEW_WORDS:
            return True
        similarity = signals.similarity
        if similarity is None or similarity >= self.least + _ASKED_BEFORE or signals.time > 0:
            return False
        return all(map(is_question, analysis.sentences(message[:LONGEST_QUESTION])))


_CHOSEN = RecallSignals(score=1.0)
_IN_PROFILE = RecallSignals(score=0.0)


def _context(
    message: str, question: RecallQuestion, scores: EpisodeScores, ranking: RowScores
) -> RankingContext:
    return RankingContext(
        asked=frozenset(question.terms),
        spread=float(ranking.score.std()) if len(ranking.score) else 0.0,
        of_the_past=asks_of_the_past(message),
        question=message[:LONGEST_QUESTION],
        similarity=float(scores.own_dense.max(initial=0.0)),
    )


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


def _less_sure(
    signals: Mapping[UUID, RecallSignals], opened: CandidateTexts, factor: float
) -> dict[UUID, RecallSignals]:
    """Lower the score of records that rest on something that has changed."""
    lowered = dict(signals)
    for record in signals.keys() & opened.records.keys():
        if opened.records[record].unsure_since is not None:
            lowered[record] = replace(signals[record], score=factor * signals[record].score)
    return lowered


def _signals(
    ids: Ids, ranking: RowScores, rows: Iterable[int], scale: SimilarityScale
) -> dict[UUID, RecallSignals]:
    return {UUID(bytes=bytes(ids[row])): ranking.signals(row, scale) for row in rows}


def _profile(
    lines: Sequence[DerivedMemory], recollection: Recollection, request: RecallRequest
) -> tuple[RecallCandidate, ...]:
    """Return the lines of the profile that fit, with the scores of recalled records."""
    present = {each.id for each in recollection.pinned}
    scores = {each.id: each.signals for each in recollection.records}
    return tuple(
        RecallCandidate(
            kind=CandidateKind.RECORD,
            id=line.sources[-1],
            text=line.content,
            said_at=line.last_seen,
            signals=scores.get(line.sources[-1], _IN_PROFILE),
            tokens=tokens.count(line.content),
            record_type=DERIVED,
        )
        for line in fit_profile(lines, request.now, present)
    )


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
        unsure_since=record.unsure_since,
        is_asked=record.asked_in is not None,
        record_type=record.type.value,
    )


def _turn(
    episode: UUID, turn: TranscriptTurn, signals: RecallSignals, each: int, floor: _Floor
) -> RecallCandidate:
    text, size = shorten(turn.text, each)
    return RecallCandidate(
        kind=CandidateKind.EPISODE,
        id=episode,
        fate=floor.fate_of_turn(signals, turn),
        text=text,
        said_at=turn.at,
        signals=signals,
        tokens=size,
        sources=(turn.turn,),
        # A long message is cut with the rest.
        message=turn.message if text.startswith(turn.message) else text,
    )
