"""Score records and episodes for a question, put them in order, and tell if they answer it."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields, replace
from datetime import datetime
from math import log
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from saegim.llm.ports import SimilarityScale
from saegim.memory.recall.types import (
    CandidateKind,
    EpisodeScores,
    Numbers,
    RecallCandidate,
    RecallQuestion,
    RecallSignals,
    RecordScores,
    Seconds,
)
from saegim.memory.types import TurnFeature
from saegim.text import analysis

Values = NDArray[np.float64]

# Records --------------------------------------------------------------------------------

DECAY_PER_DAY = 0.002
IN_TIME = 0.2
DAY = 86_400.0
# Lower bound of the best similarity, so that the best of poor matches is no full match.
_LEAST_BEST = 0.2
# The time span of a question is a filter if a record within it is at least this similar.
_SIMILAR = 0.5


@dataclass(frozen=True, slots=True)
class RecordWeights:
    """Weights of the signals, decay of recency, and factors for records with a matching digest and
    for unsure ones."""

    similarity: float = 0.7
    recency: float = 0.2
    importance: float = 0.1
    decay_per_day: float = 0.002
    in_digest: float = 0.5
    unsure: float = 0.5


@dataclass(frozen=True, slots=True)
class RowScores:
    """Scores of all rows of a table; each signal from 0 to 1. `cosine` is that of the nearest
    vector of a row."""

    score: Values
    lexical: Values
    dense: Values
    recency: Values
    importance: Values
    speaker: Values
    time: Values
    out_of_time: NDArray[np.bool_]
    cosine: NDArray[np.float32]

    def best(self, count: int) -> list[int]:
        """Return the rows with the highest scores, without those out of time."""
        return self._first(count, np.flatnonzero(~self.out_of_time))

    def best_out_of_time(self, count: int) -> list[int]:
        """Return the best rows outside the time span of the question."""
        return self._first(count, np.flatnonzero(self.out_of_time))

    def _first(self, count: int, rows: Numbers) -> list[int]:
        if 0 < count < len(rows):
            cut = len(rows) - count
            edge = np.partition(self.score[rows], cut)[cut]
            rows = rows[self.score[rows] >= edge]
        order = rows[np.argsort(-self.score[rows], kind="stable")][:count]
        return [int(row) for row in order]

    def signals(self, row: int, scale: SimilarityScale) -> RecallSignals:
        names = (each.name for each in fields(RecallSignals) if each.name != "similarity")
        signals = RecallSignals(**{name: float(getattr(self, name)[row]) for name in names})
        cosine = float(self.cosine[row])
        return replace(signals, similarity=scale.similarity(cosine)) if cosine else signals


def rank_records(
    scores: RecordScores,
    question: RecallQuestion,
    now: datetime,
    weights: RecordWeights = RecordWeights(),  # noqa: B008 - frozen
) -> RowScores:
    """Score by `0.7·similarity + 0.2·exp(-0.002·age) + 0.1·importance`, plus the time span.

    Similarity is relative to the best match: a record less than 5/7 as similar is never ranked
    above it for being newer.
    """
    lexical = np.clip(scores.lexical / (scores.most or 1.0), 0.0, 1.0).astype(np.float64)
    dense = _above_mean(scores.dense)
    combined = (lexical + dense) / 2
    similarity = combined / max(float(combined.max(initial=0.0)), _LEAST_BEST)
    age = np.maximum(now.timestamp() - scores.said, 0.0) / DAY
    recency = np.exp(-weights.decay_per_day * age)
    importance = np.clip(scores.importance, 0.0, 1.0).astype(np.float64)
    time = np.maximum(_in_time(scores.said, question), _in_time(scores.holds, question))
    within = float(similarity[time > 0].max(initial=0.0))
    return RowScores(
        score=weights.similarity * similarity
        + weights.recency * recency
        + weights.importance * importance
        + IN_TIME * time,
        lexical=lexical,
        dense=dense,
        recency=recency,
        importance=importance,
        speaker=np.zeros(len(lexical)),
        time=time,
        out_of_time=(time == 0) & (within >= _SIMILAR),
        cosine=scores.dense,
    )


def _above_mean(dense: NDArray[np.float32]) -> Values:
    """Scale from the mean to 1: the similarity of unrelated texts depends on the embedder."""
    mean = float(dense.mean()) if len(dense) else 0.0
    return np.clip((dense - mean) / max(1.0 - mean, 1e-6), 0.0, 1.0).astype(np.float64)


def _in_time(said: Seconds, question: RecallQuestion) -> Values:
    within = np.zeros(len(said))
    for span in question.spans:
        within[(said >= span.first.timestamp()) & (said < span.past.timestamp())] = 1.0
    return within


def _soon_after(said: Seconds, question: RecallQuestion) -> Values:
    soon = np.zeros(len(said))
    for span in question.spans:
        past = span.past.timestamp()
        soon[(said >= past) & (said < past + _SOON)] = 1.0
    return soon


# Episodes -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EpisodeWeights:
    """Weights of the signals of a turn, fitted with the embedder `accurate` to the dev halves of
    LoCoMo, the copilot set and the Korean set, each with the same weight, near the weights before
    (`python -m benchmarks.memory.weights`).

    Words of the turn and of its message, relative to the best turn, and the rank of the message;
    words of its window and around it; meaning of the windows and of the turn alone, and what the
    turn has in common with all turns; speaker; session; form of the message, also if the question
    names a speaker; the score of a question before it; scores of the neighbouring turns; order;
    time, and the days after it. `own` and `before` are bounded by hand, where the fit gains little:
    in a short conversation the turn itself must win.
    """

    own: float = 0.2
    message: float = 0.33
    message_rank: float = 2.45
    window: float = 0.68
    around: float = 1.24
    dense: float = 0.4
    own_dense: float = 0.49
    common: float = -0.23
    speaker: float = 1.06
    session: float = 0.3
    asks: float = -0.32
    length: float = 0.22
    tells_when: float = 1.98
    tells_how_many: float = 1.14
    of_oneself: float = 0.17
    of_named: float = 0.66
    answers: float = 1.89
    before: float = 0.4
    after: float = -0.63
    recency: float = 0.29
    time: float = 3.18
    soon_after: float = 1.24

    def vector(self) -> Values:
        return np.array([getattr(self, name) for name in SIGNALS])


SIGNALS: tuple[str, ...] = tuple(EpisodeWeights.__dataclass_fields__)


def rank_episodes(
    scores: EpisodeScores, question: RecallQuestion, now: datetime, weights: EpisodeWeights
) -> RowScores:
    """Rank the turns of all conversations."""
    columns = episode_signals(scores, question)
    age = np.maximum(now.timestamp() - scores.said, 0.0) / DAY
    none = np.zeros(len(scores.said))
    return RowScores(
        score=columns @ weights.vector(),
        lexical=np.clip(scores.own / (scores.most or 1.0), 0.0, 1.0).astype(np.float64),
        dense=np.clip(scores.own_dense, 0.0, 1.0).astype(np.float64),
        recency=np.exp(-DECAY_PER_DAY * age),
        importance=none,
        speaker=columns[:, SIGNALS.index("speaker")],
        time=columns[:, SIGNALS.index("time")],
        out_of_time=none > 0,
        cosine=np.maximum(scores.dense, scores.own_dense),
    )


def episode_signals(scores: EpisodeScores, question: RecallQuestion) -> Values:
    """Return a row for each episode and a column for each of `SIGNALS`.

    A window ends with its turn, so the window around a turn is that of the next turn.
    """
    near = _SessionNeighbours.of(scores.session, scores.turn)
    most = scores.most or 1.0
    own, window = scores.own / most, scores.window / most
    dense = scores.dense.astype(np.float64)
    middle = window[near.next]
    asks = _marked(scores, TurnFeature.ASKS)
    follows = near.previous != near.here
    after_question = asks[near.previous] * follows
    of_oneself = _marked(scores, TurnFeature.OF_ONESELF)
    about = _standard(own) + _standard(middle) + _standard(dense[near.next])
    # Turns that are like most others are similar to every question.
    distinct = _standard(scores.own_dense - _COMMON * scores.common)
    columns = {
        "own": _of_best(scores.own),
        "message": _of_best(scores.message),
        "message_rank": _ranks(scores.message, scores.own_dense),
        "window": middle,
        "around": (window[near.back(2)] + middle + window[near.ahead(4)]) / 3,
        "dense": _standard(dense + dense[near.next] + dense[near.ahead(2)]),
        "own_dense": _standard(scores.own_dense),
        "common": _standard(scores.common),
        "speaker": np.isin(scores.speaker, list(scores.speakers)).astype(np.float64),
        "session": _standard(_of_session(near, about + distinct)),
        "asks": asks,
        "length": _standard(np.log1p(np.minimum(scores.length, _LONG))),
        "tells_when": _marked(scores, TurnFeature.TELLS_WHEN) * question.asks_when,
        "tells_how_many": _marked(scores, TurnFeature.TELLS_HOW_MANY) * question.asks_how_many,
        "of_oneself": of_oneself,
        "of_named": of_oneself * bool(scores.speakers),
        "answers": after_question * own[near.previous],
        "before": own[near.previous] * follows,
        "after": own[near.next] * (near.next != near.here),
        "recency": _newness(scores.said),
        "time": _in_time(scores.said, question),
        "soon_after": _soon_after(scores.said, question),
    }
    return np.stack([columns[name] for name in SIGNALS], axis=1).astype(np.float64)


@dataclass(frozen=True, slots=True)
class _SessionNeighbours:
    """Indices of the neighbours of each row in its session; the ends are their own neighbours."""

    here: Numbers
    next: Numbers
    previous: Numbers
    order: Numbers
    starts: Numbers

    @staticmethod
    def of(session: Numbers, turn: Numbers) -> "_SessionNeighbours":
        here = np.arange(len(session))
        order = np.lexsort((turn, session))
        same = session[order[1:]] == session[order[:-1]]
        following, previous = here.copy(), here.copy()
        following[order[:-1][same]] = order[1:][same]
        previous[order[1:][same]] = order[:-1][same]
        starts = np.flatnonzero(np.concatenate([[True], ~same])) if len(here) else here
        return _SessionNeighbours(here, following, previous, order, starts)

    def ahead(self, steps: int) -> Numbers:
        return _repeated(self.next, steps)

    def back(self, steps: int) -> Numbers:
        return _repeated(self.previous, steps)


def _repeated(step: Numbers, times: int) -> Numbers:
    at = step
    for _ in range(times - 1):
        at = step[at]
    return at


def _of_session(near: _SessionNeighbours, fit: Values) -> Values:
    """Return for each row the mean of the three best of its session."""
    if not len(fit):
        return fit
    sizes = np.diff(np.append(near.starts, len(fit)))
    number = np.repeat(np.arange(len(sizes)), sizes)
    best_first = np.lexsort((-fit[near.order], number))
    rank = np.arange(len(fit)) - np.repeat(near.starts, sizes)
    counted = np.where(rank < _SESSION_BEST, fit[near.order][best_first], 0.0)
    means = np.add.reduceat(counted, near.starts) / np.minimum(sizes, _SESSION_BEST)
    spread = np.empty(len(fit))
    spread[near.order] = np.repeat(means, sizes)
    return spread


_SESSION_BEST = 3
# Share of what a turn has in common with all turns that is taken from its similarity.
_COMMON = 0.8
_TIE = 1e-6
# Below this rank nothing is likely; a first rank counts 1/3.
_RANKED, _FIRST_RANK = 100, 3
# People tell of a day on that day or soon after.
_SOON = 3 * DAY
# Messages with more terms have no advantage: they are pasted texts as often as stories.
_LONG = 100


def _of_best(scores: NDArray[np.float32]) -> Values:
    """Scale so that the best is 1: a long question has words that no turn has."""
    return (scores / max(float(scores.max(initial=0.0)), 1e-9)).astype(np.float64)


def _ranks(words: NDArray[np.float32], similarity: NDArray[np.float32]) -> Values:
    """Return a value that falls with the rank by words, and among equals by similarity; 0 without
    a word."""
    order = words + _TIE * similarity.astype(np.float64)
    edge = np.partition(order, -_RANKED)[-_RANKED] if len(order) > _RANKED else -np.inf
    first = np.flatnonzero(order >= edge)
    better = len(first) - np.searchsorted(np.sort(order[first]), order[first], "right")
    ranks = np.zeros(len(order))
    ranks[first] = 1 / (_FIRST_RANK + better)
    return np.where(words > 0, ranks, 0.0)


def _newness(said: Seconds) -> Values:
    """Return the place of each row in time, from 0 for the oldest to 1 for the newest."""
    return np.searchsorted(np.sort(said), said) / max(len(said) - 1, 1)


def _marked(scores: EpisodeScores, mark: TurnFeature) -> Values:
    return ((scores.marks & int(mark)) > 0).astype(np.float64)


def _standard(values: NDArray[np.floating]) -> Values:
    """Return the standard scores of the values."""
    if not len(values):
        return values.astype(np.float64)
    width = float(values.std())
    centred = values - values.mean()
    return (centred / width if width > 0 else centred).astype(np.float64)


type Terms = frozenset[str]

# Turns this similar by their rarer words are about the same subject, and may be a value and its
# change; a newer one within so many standard deviations of the scores comes first.
_SAME_SUBJECT = 0.1
NEWER = 0.75
# Only among the first: further down nothing is on the subject.
_REORDERED = 10


def newer_first(
    candidates: Sequence[RecallCandidate], terms: Mapping[UUID, Terms], margin: float
) -> list[RecallCandidate]:
    """Move newer candidates before older ones on the same subject that score little more."""
    subjects = _Subjects.of({each.id: terms[each.id] for each in candidates})
    ordered = list(candidates)
    for older in reversed(candidates[:_REORDERED]):
        for newer in candidates[:_REORDERED]:
            close = newer.signals.score >= older.signals.score - margin
            if not close or newer.said_at <= older.said_at:
                continue
            here, there = ordered.index(older), ordered.index(newer)
            if here < there and subjects.similarity(older.id, newer.id) >= _SAME_SUBJECT:
                ordered.insert(here, ordered.pop(there))
    return ordered


@dataclass(frozen=True, slots=True)
class _Subjects:
    """Compares texts by their words; words that few of the texts have weigh more."""

    terms: Mapping[UUID, Terms]
    rarity: Mapping[str, float]
    length: Mapping[UUID, float]

    @staticmethod
    def of(terms: Mapping[UUID, Terms]) -> "_Subjects":
        counts = Counter(term for each in terms.values() for term in each)
        rarity = {term: log((len(terms) + 1) / count) ** 2 for term, count in counts.items()}
        length = {
            name: sum(rarity[term] for term in each) ** 0.5 or 1.0 for name, each in terms.items()
        }
        return _Subjects(terms, rarity, length)

    def similarity(self, one: UUID, other: UUID) -> float:
        """Return the cosine of two texts."""
        common = sum(self.rarity[term] for term in self.terms[one] & self.terms[other])
        return common / (self.length[one] * self.length[other])

    def share(self, asked: Terms, one: UUID, other: UUID) -> float:
        """Return the share of the asked words that both texts have."""
        rarest = log(len(self.terms) + 1) ** 2
        every = sum(self.rarity.get(term, rarest) for term in asked)
        both = asked & self.terms[one] & self.terms[other]
        return sum(self.rarity[term] for term in both) / (every or 1.0)


# A record's own score counts this much beside that of its turn, in standard deviations.
_RECORD = 0.6


def _any_of(english: Iterable[str], korean: Iterable[str]) -> re.Pattern[str]:
    """Match any of the words: English ones as wholes, Korean ones anywhere."""
    return re.compile(rf"\b(?:{'|'.join(english)})\b|{'|'.join(korean)}", re.IGNORECASE)


# A correction says that the earlier value never held.
_CORRECTIONS = (
    *("actually", "correction", "scratch that", "i was wrong", "my mistake", "i meant"),
    "turns out",
)
_KOREAN_CORRECTIONS = ("아니고", "아니라", "정정", "잘못", "틀렸", "아니었")
_CORRECTS = _any_of(_CORRECTIONS, _KOREAN_CORRECTIONS)
_CHANGES = _any_of(
    (
        *_CORRECTIONS,
        *("now", "moved", "changed?", "instead", "no longer", "any ?more", "replace[sd]?", "new"),
        *("bumped", "pushed", "postponed", "delayed", "switched", "update", "raised", "dropped"),
        *("cancell?ed", "quit", "left", "leaves", "stopped", "sorry", "so far", "already"),
        *("up to", "down to", "brought forward"),
    ),
    (
        *_KOREAN_CORRECTIONS,
        *("이제", "바[뀌뀐뀜꿨꾸꿔]", "밀[렸림려]", "미[뤄뤘]", "연기", "앞당", "당겨", "옮[겼기]"),
        *("변경", "대신", "말고", "사실", "취소", "그만", "새로", "다시", "늘[었려]", "줄[었여]"),
        *("올[랐려]", "내렸", "결국", "확정", "최종", "더 이상", "조정", "교체", "끊었"),
    ),
)
_OF_THE_PAST = _any_of(
    (
        *("before", "originally", "at first", "initially", "used to", "previous(?:ly)?"),
        *("earlier", "(?<!how )old", "ago"),
    ),
    ("(?<!오)전에", "원래", "처음", "예전", "이전", "옛날", "당시", "[했였]었"),
)


def asks_of_the_past(message: str) -> bool:
    """Return whether a question asks for an earlier value: "원래 어디 살았지?"."""
    return _OF_THE_PAST.search(message) is not None


@dataclass(frozen=True, slots=True)
class RankingContext:
    """The search terms of the question, the standard deviation of the scores of all turns, whether
    the question is about the past, its text, and the similarity of the best turn."""

    asked: Terms = frozenset()
    spread: float = 0.0
    of_the_past: bool = False
    question: str = ""
    similarity: float = 0.0


@dataclass(slots=True, eq=False)
class _TurnItems:
    """The records and the episode of one turn."""

    turn: UUID
    said_at: datetime
    said: str
    score: float = 0.0
    items: list[RecallCandidate] = field(default_factory=list[RecallCandidate])


def one_ranking(
    records: Sequence[RecallCandidate],
    episodes: Sequence[RecallCandidate],
    context: RankingContext,
) -> tuple[RecallCandidate, ...]:
    """Rank records and episodes together, by turn.

    A record ranks with the turn it comes from, as turns are scored with more signals. A newer turn
    on the same subject comes before an older one. If the question is about the past, only
    corrections come first.
    """
    by_turn = _by_turn(records, episodes, context.spread)
    return _items(_changes_first(sorted(by_turn, key=lambda group: -group.score), context))


def _items(groups: Sequence[_TurnItems]) -> tuple[RecallCandidate, ...]:
    """Return the memories of turns, records before the turn that they quote."""
    return tuple(
        item
        for group in groups
        for item in sorted(group.items, key=lambda item: item.kind is CandidateKind.EPISODE)
    )


def _by_turn(
    records: Sequence[RecallCandidate], episodes: Sequence[RecallCandidate], spread: float
) -> list[_TurnItems]:
    groups: dict[UUID, _TurnItems] = {}
    for each in episodes:
        turn = each.sources[0] if each.sources else each.id
        groups[turn] = _TurnItems(turn, each.said_at, each.said, each.signals.score, [each])
    least = min((each.signals.score for each in episodes), default=0.0)
    own: dict[UUID, float] = {}
    for each in records:
        known = [source for source in each.sources if source in groups]
        turn = max(known, key=lambda source: groups[source].score) if known else each.id
        group = groups.setdefault(turn, _TurnItems(turn, each.said_at, each.said, least))
        own[turn] = max(own.get(turn, 0.0), each.signals.score)
        group.items.append(each)
    for turn, score in own.items():
        groups[turn].score += _RECORD * (spread or 1.0) * score
    return list(groups.values())


# Fitted to pairs of an outdated value and its change in questions about the present.
_GAP, _BELOW_BEST, _SAME_WORDS, _SAME_ASKED, _SAYS_CHANGE, _BIAS = 0.8, -1.4, 30.0, 8.0, 2.0, -2.0


def _changes_first(groups: Sequence[_TurnItems], context: RankingContext) -> list[_TurnItems]:
    """Move a turn before an older one that it probably changes."""
    head, width = groups[:_REORDERED], context.spread or 1.0
    messages = {group.turn: group.said for group in groups}
    terms = {turn: frozenset(analysis.index_terms(text)) for turn, text in messages.items()}
    subjects = _Subjects.of(terms)
    says_change = {group.turn: bool(_CHANGES.search(messages[group.turn])) for group in head}
    corrects = {group.turn: bool(_CORRECTS.search(messages[group.turn])) for group in head}

    def changes(older: _TurnItems, newer: _TurnItems) -> bool:
        if newer.said_at <= older.said_at:
            return False
        if context.of_the_past and not corrects[newer.turn]:
            return False
        value = (
            _GAP * (older.score - newer.score) / width
            + _BELOW_BEST * (head[0].score - newer.score) / width
            + _SAME_WORDS * subjects.similarity(older.turn, newer.turn)
            + _SAME_ASKED * subjects.share(context.asked, older.turn, newer.turn)
            + _SAYS_CHANGE * says_change[newer.turn]
            + _BIAS
        )
        return value > 0

    ordered = list(groups)
    for older in reversed(head):
        for newer in head:
            if not changes(older, newer):
                continue
            here, there = ordered.index(older), ordered.index(newer)
            if here < there:
                ordered.insert(here, ordered.pop(there))
    return ordered


# Turns of which one must have the words of the question.
_BEST_TURNS = 3
# Words of a question that count: longer messages are no questions.
_MOST_WORDS = 20
# The share of the known words of a question that a sentence about its subject has.
_SUBJECT = 0.4

# A question for what came of something: how did the talk go, what did they answer, 결과가 어땠지?
_ENDED = ("go", "gone", "went", "sell", "sold", "turn", "work", "end", "do", "react", "like")
_ANSWERED = (
    *("say", "said", "answer", "answered", "write", "wrote", "written", "reply", "replied"),
    *("think", "decide", "offer"),
)
_ACCEPTED = ("agree", "reply", "answer", "accept", "call", "like", "say", "win", "pass")
_ASKS_OUTCOME = _any_of(
    (
        rf"how (?:did|was|were|has|have)\b(?!.*\byou say).*\b(?:{'|'.join(_ENDED)})",
        rf"what (?:did|has|have) (?!you\b|i\b).*\b(?:{'|'.join(_ANSWERED)})",
        rf"did (?!you\b|i\b)[\w']+(?: \w+)? (?:{'|'.join(_ACCEPTED)})",
        *(f"did i {verb}" for verb in ("tell", "mention", "say")),
    ),
    (
        *("결과", "어땠", r"어떻게\s?됐", r"연락\s?[왔옴]", "반응", "뭐래", "답장"),
        *(r"[다라]고\s?(?:[제내]가)?\s?말?했나", r"[제내]가\s?알려", r"[제내]가\s?말"),
    ),
)
_TELLS_OUTCOME = _any_of(
    (
        *("said", "says", "replied", "answered", "wrote", "agreed", "accepted", "refused"),
        *("declined", "rejected", "passed", "failed", "sold", "went", "came", "got", "won", "lost"),
        *("turned out", "results?", "finished", "done", "happy", "liked", "loved", "hated"),
        *("ok with", "approved", "worked"),
    ),
    (
        *(r"[래대]요?(?=[\s.,!?~ㅋㅎㅠ]|$)", "하[심셨]", "나[왔옴]", "됐", "됨", "[왔옴]", "줄었"),
        *("늘었", "올랐", "떨어졌", "합격", "성공", "실패", "끝[남났]", "결과", "통과", "받[았음]"),
        *("했[어음]",),
    ),
)


@dataclass(frozen=True, slots=True)
class KnownSignals:
    """Signs that a question is answered.

    The best similarity of a turn; the share of the question's words that one of the best turns has;
    the number of its words; and whether it asks for an outcome that no sentence on its subject
    tells.
    """

    similarity: float
    coverage: float
    words: int
    untold: bool


# Fitted to questions with and without an answer, with the embedder `accurate`.
_KNOWN_WEIGHTS = (4.44, 1.45, 0.27, -2.8)
_KNOWN_BIAS = -4.66


def chance_known(signals: KnownSignals) -> float:
    """Return the chance that a turn answers a question, if half of the questions have an answer.

    A question about a detail that was never told is short, and its turns lack one of its words.
    """
    value = sum(map(math.prod, zip(_KNOWN_WEIGHTS, astuple(signals), strict=True))) + _KNOWN_BIAS
    return 1 / (1 + math.exp(-value))


def signals_of(
    question: str,
    episodes: Sequence[RecallCandidate],
    terms: Mapping[UUID, Terms],
    similarity: float,
) -> KnownSignals:
    """Return the signs of a question; `similarity` is that of the best turn."""
    words = frozenset(analysis.terms(question))
    return KnownSignals(
        similarity,
        coverage=_coverage(words, [terms[each.id] for each in episodes]),
        words=min(len(words), _MOST_WORDS),
        untold=_ASKS_OUTCOME.search(question) is not None and not _tells(question, episodes),
    )


def _coverage(words: Terms, texts: Sequence[Terms]) -> float:
    counts = Counter(term for text in texts for term in text & words)
    rarity = {term: math.log((len(texts) + 1) / (counts[term] + 0.5)) for term in words}
    found = (sum(rarity[term] for term in text & words) for text in texts[:_BEST_TURNS])
    return max(found, default=0.0) / (sum(rarity.values()) or 1.0)


def _tells(question: str, episodes: Sequence[RecallCandidate]) -> bool:
    """Return whether the user tells an outcome in a sentence that has the question's subject."""
    words = analysis.word_keys(question)
    messages = [each.said for each in episodes]
    counts = Counter(word for text in messages for word in analysis.word_keys(text) & words)
    rarity = {word: math.log((len(messages) + 1) / (count + 0.5)) for word, count in counts.items()}
    least = _SUBJECT * sum(rarity.values())
    return least > 0 and any(
        _TELLS_OUTCOME.search(sentence) is not None
        and sum(rarity[word] for word in analysis.word_keys(sentence) & rarity.keys()) >= least
        for text in messages
        for sentence in analysis.sentences(text)
    )
