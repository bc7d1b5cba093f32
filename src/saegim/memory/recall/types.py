"""Values of recall: requests, questions, scores of rows, candidates, and its store."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from saegim.domain.scope import Scope
from saegim.llm.ports import EPISODE
from saegim.memory.synthesis.types import DerivedMemory
from saegim.memory.turn_features import SPEAKER
from saegim.memory.types import Filters, MemoryType, Record
from saegim.text import analysis, stemming
from saegim.text.dates.resolution import bounds, find_dates
from saegim.text.names import given_name
from saegim.text.questions import LONGEST_QUESTION


class CandidateKind(StrEnum):
    PINNED = "pinned"
    RECORD = "record"
    EPISODE = "episode"
    TEAM = "team"
    """A record that a team shares."""


@dataclass(frozen=True, slots=True)
class RecallSignals:
    """Signals of a candidate's score, each from 0 to 1, and its similarity as `SimilarityScale` has
    it; None without a vector."""

    score: float
    lexical: float = 0.0
    dense: float = 0.0
    recency: float = 0.0
    importance: float = 0.0
    speaker: float = 0.0
    time: float = 0.0
    similarity: float | None = None


class Fate(StrEnum):
    """Whether a candidate was selected, or why not."""

    TAKEN = "taken"
    OVER_BUDGET = "over_budget"
    NEAR_DUPLICATE = "near_duplicate"
    BELOW_THE_REST = "below_the_rest"
    OUT_OF_TIME = "out_of_time"


@dataclass(frozen=True, slots=True)
class RecallCandidate:
    """A record or episode considered by recall."""

    kind: CandidateKind
    id: UUID
    text: str
    said_at: datetime
    signals: RecallSignals
    tokens: int
    fate: Fate = Fate.TAKEN
    sources: tuple[UUID, ...] = ()
    unsure_since: datetime | None = None
    """When something that a record rests on changed."""
    is_asked: bool = False
    """Whether the user was asked if an unsure record still holds."""
    record_type: str = EPISODE
    """The type of a record, or that of an earlier turn."""
    message: str | None = None
    """What the user said in an earlier turn; `text` has the reply too."""

    @property
    def said(self) -> str:
        """What the user said: the message of a turn, or the text of a record."""
        return self.text if self.message is None else self.message

    @property
    def is_pinned(self) -> bool:
        return self.kind is CandidateKind.PINNED


@dataclass(frozen=True, slots=True)
class RecallLimits:
    """Budget of one recall set by the caller; None is the configured value."""

    tokens: int | None = None
    each: int | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class RecallBudget:
    """How much recall may return.

    Records and episodes share `tokens`; an item has at most `each`, plus `header` for its marker
    and date. `count` limits the records. `candidates` of each kind are decrypted and compared.
    Pinned facts are always returned: the context has its own budget for them. Other candidates are
    returned if their similarity is at least `floor`, or if they share a word with the question.
    """

    tokens: int = 1_200
    each: int = 150
    header: int = 12
    count: int | None = None
    candidates: int = 24
    episodes_share: float = 0.67
    diversity: float = 0.2
    # Of the evidence in the copilot and the Korean set, 1 % is below, and 27 % of the other turns.
    floor: float = 0.2

    def within(self, limits: RecallLimits) -> "RecallBudget":
        """Apply the limits of a caller."""
        limited = asdict(limits).items()
        return replace(self, **{name: value for name, value in limited if value is not None})


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A message and its conversation, for recall.

    `chosen` records come first. Turns of `session` from `recent_from` on are in the context, so
    recall leaves out their episodes. `memory` and `pinned` switch recall and pinned records off.
    """

    scope: Scope
    message: str
    now: datetime
    time_zone: str
    entities: tuple[str, ...] = ()
    summary: str = ""
    session: UUID | None = None
    recent_from: int | None = None
    chosen: tuple[UUID, ...] = ()
    filters: Filters = Filters()  # noqa: RUF009 - frozen
    as_of: datetime | None = None
    limits: RecallLimits = RecallLimits()
    memory: bool = True
    pinned: bool = True


# On the dev halves, 3 of 100 questions with an answer are below, and 25 of 100 without.
_UNLIKELY = 0.25
_MANY_WORDS = 0.3
# Records and turns that a message is about.
_NEAR = 6


@dataclass(frozen=True, slots=True)
class Recollection:
    """The result of recall within its budgets, and the candidates that were dropped."""

    pinned: tuple[RecallCandidate, ...] = ()
    records: tuple[RecallCandidate, ...] = ()
    episodes: tuple[RecallCandidate, ...] = ()
    dropped: tuple[RecallCandidate, ...] = ()
    off: bool = False
    """Whether memory is off, so that nothing was looked for."""
    known: float = 0.0
    """Chance that the answer was told, from 0 to 1, if half of the questions have one."""
    profile: tuple[RecallCandidate, ...] = ()
    """Lines of the profile, each as the newest record that it comes from; no pinned ones."""
    ranked: tuple[RecallCandidate, ...] = ()
    """Records and episodes in one order, most relevant first, a change before what it changed."""
    time_zone: str = "UTC"
    """The zone of the user, for the days that a prompt shows."""

    @property
    def is_unknown(self) -> bool:
        """Whether the turns of the user probably do not answer the question."""
        compared = (*self.episodes, *self.dropped)
        has_turns = any(each.kind is CandidateKind.EPISODE for each in compared)
        return has_turns and self.known < _UNLIKELY

    def near(self, least: float) -> "Recollection":
        """Return the recollection without what is less similar to the question, unless it was
        chosen, has many words of the question, or was said at the time that it names."""

        def fits(each: RecallCandidate) -> bool:
            signals = each.signals
            is_near = signals.similarity is None or signals.similarity >= least
            return is_near or signals.lexical >= _MANY_WORDS or signals.time > 0

        far = [replace(each, fate=Fate.BELOW_THE_REST) for each in self.recalled if not fits(each)]
        return replace(
            self,
            records=tuple(filter(fits, self.records)),
            episodes=tuple(filter(fits, self.episodes)),
            ranked=tuple(filter(fits, self.ranked)),
            dropped=(*self.dropped, *far),
        )

    @property
    def to_ask(self) -> RecallCandidate | None:
        """The best unsure record that nobody was asked about, if it is near the message."""
        near = (*self.recalled[:_NEAR], *self.pinned)
        unsure = (each for each in near if each.unsure_since is not None and not each.is_asked)
        return next(unsure, None)

    @property
    def recalled(self) -> tuple[RecallCandidate, ...]:
        """Records and episodes, most relevant first."""
        return self.ranked or (*self.records, *self.episodes)

    @property
    def in_prompt(self) -> tuple[RecallCandidate, ...]:
        """Records and episodes in the order of a prompt: newest first, so that no outdated value
        stands above its change."""
        return tuple(sorted(self.recalled, key=lambda each: each.said_at, reverse=True))


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A time span from `first`, up to but without `past`."""

    first: datetime
    past: datetime


@dataclass(frozen=True, slots=True)
class RecallQuestion:
    """What recall searches for.

    `text` is embedded. `terms` are of the message, `context` of the conversation. `names` are
    words that may be the name of a speaker, with their terms.
    """

    text: str
    terms: tuple[str, ...]
    context: tuple[str, ...]
    names: Mapping[str, frozenset[str]]
    spans: tuple[TimeSpan, ...]
    asks_when: bool
    asks_how_many: bool


# --- the question of a request ---

_ASKS_WHEN = re.compile(
    r"^\W*(?:when|since when|how long|(?:in |on )?(?:what|which) (?:date|day|month|year))\b"
    r"|언제|며칠|몇\s?[년월일시주달]",
    re.IGNORECASE,
)
_ASKS_HOW_MANY = re.compile(
    r"\bhow (?:many|much|often|old)\b|몇\s?(?:[개명번살대권잔곳]|마리|가지)|얼마",
    re.IGNORECASE,
)


# Terms of the conversation must not displace those of the message.
_CONTEXT_TERMS = 24
_ENTITIES = 5


def question_of(request: RecallRequest) -> RecallQuestion:
    """Build the question from the message, the entities and the summary."""
    message = request.message
    asked = message[:LONGEST_QUESTION]
    recent = request.entities[-_ENTITIES:]
    terms = analysis.query_terms(message)
    around = dict.fromkeys(analysis.query_terms("\n".join([*recent, request.summary])))
    context = [term for term in around if term not in set(terms)]
    mentions = find_dates(asked, request.now, request.time_zone)
    return RecallQuestion(
        text="\n".join([message, *recent]),
        terms=tuple(terms),
        context=tuple(context[:_CONTEXT_TERMS]),
        names={SPEAKER + word: frozenset(analysis.query_terms(word)) for word in _words(asked)},
        spans=tuple(TimeSpan(*bounds(mention, request.time_zone)) for mention in mentions),
        asks_when=_ASKS_WHEN.search(message) is not None,
        asks_how_many=_ASKS_HOW_MANY.search(message) is not None,
    )


def _words(message: str) -> list[str]:
    """Return the case-folded words of a message; Korean ones also without particles, as given
    names, and without the ending of a called name (나영이)."""
    words: list[str] = []
    for word in analysis.folded_words(message):
        words.append(word)
        if "가" <= word[0] <= "힣":
            stem = stemming.korean(word).written
            words += [stem, given_name(stem), stem.removesuffix("이") or stem]
    return list(dict.fromkeys(words))


# --- the store ---

Scores = NDArray[np.float32]
Seconds = NDArray[np.float64]
Ids = NDArray[np.void]
Numbers = NDArray[np.int64]


class VectorBy(Protocol):
    """Embeds the question with the named embedder, on request without some words."""

    async def __call__(self, name: str, without: Set[str] = frozenset()) -> Sequence[float]: ...


def session_code(session: UUID) -> int:
    """Return the random half of a session id as a number."""
    return int.from_bytes(session.bytes[8:], signed=True)


@dataclass(frozen=True, slots=True)
class RecordScores:
    """Scores of each valid record, with times in seconds.

    `most` is the `lexical` score of a record with all words of the question.
    """

    ids: Ids
    lexical: Scores
    dense: Scores
    importance: Scores
    said: Seconds
    holds: Seconds
    most: float


@dataclass(frozen=True, slots=True)
class EpisodeScores:
    """Scores of each episode: of its window, of its last turn, and of that turn's message.

    Vectors are compared with the question without the names of speakers; `common` is the similarity
    of the turn with the mean of all turns. `speakers` are the values of `speaker` that the question
    names.
    """

    ids: Ids
    session: Numbers
    turn: Numbers
    window: Scores
    own: Scores
    message: Scores
    dense: Scores
    own_dense: Scores
    common: Scores
    said: Seconds
    length: Numbers
    marks: Numbers
    speaker: Numbers
    most: float
    speakers: Set[int]


@dataclass(frozen=True, slots=True)
class Scan:
    """Scores of all rows of a user for one question; `kept` are the records of every context,
    `profile` the lines of the profile.
    """

    records: RecordScores
    episodes: EpisodeScores
    kept: tuple[Record, ...]
    profile: tuple[DerivedMemory, ...] = ()


@dataclass(frozen=True, slots=True)
class ScanFilter:
    """Which rows a scan reads, for which session."""

    as_of: datetime
    session: UUID | None = None
    types: Set[MemoryType] = field(default_factory=frozenset[MemoryType])
    said_from: datetime | None = None
    said_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class TranscriptTurn:
    """The last turn of an episode."""

    turn: UUID
    session: UUID
    number: int
    text: str
    at: datetime
    message: str
    """What the user said in it."""


@dataclass(frozen=True, slots=True)
class CandidateTexts:
    """Texts of candidates by id, without deleted ones; `digests` maps digests to their records."""

    records: Mapping[UUID, Record]
    turns: Mapping[UUID, TranscriptTurn]
    digests: Mapping[UUID, Set[UUID]] = field(default_factory=dict[UUID, Set[UUID]])


class RecallStore(Protocol):
    """Exact search in the memory of a user. Raises StoreUnavailable."""

    async def scan(
        self, scope: Scope, question: RecallQuestion, vector: VectorBy, narrowing: ScanFilter
    ) -> Scan | None:
        """Score all rows; None if the tenant, the user or the session disabled memory."""
        ...

    async def open(
        self, scope: Scope, records: Sequence[UUID], episodes: Sequence[UUID]
    ) -> CandidateTexts:
        """Decrypt the texts of candidates."""
        ...
