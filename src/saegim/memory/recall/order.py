"""Order recalled memories: records and turns in one ranking, and newer values before older ones."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import log
from uuid import UUID

from saegim.memory.recall.types import CandidateKind, RecallCandidate
from saegim.text import analysis

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


# One ranking -----------------------------------------------------------------------------

# A record's own score counts this much beside that of its turn, in standard deviations.
_RECORD = 0.6

_CHANGES = re.compile(
    r"\b(?:now|moved|changed?|instead|actually|no longer|any ?more|replace[sd]?|bumped|pushed"
    r"|postponed|delayed|brought forward|switched|correction|scratch that|i was wrong|my mistake"
    r"|i meant|turns out|update|raised|dropped|cancell?ed|quit|left|leaves|stopped|sorry|so far"
    r"|already|up to|down to|new)\b"
    r"|이제|바뀌|바뀐|바뀜|바꿨|바꾸|바꿔|밀렸|밀림|밀려|미뤄|미뤘|연기|앞당|당겨|옮겼|옮기|변경|대신"
    r"|아니고|아니라|말고|사실|정정|잘못|틀렸|취소|그만|새로|다시|늘었|줄었|늘려|줄여|올랐|내렸|올려"
    r"|결국|확정|최종|더 이상|아니었|조정|교체|끊었",
    re.IGNORECASE,
)
# A correction says that the earlier value never held.
_CORRECTS = re.compile(
    r"\b(?:actually|correction|scratch that|i was wrong|my mistake|i meant|turns out)\b"
    r"|아니고|아니라|정정|잘못|틀렸|아니었",
    re.IGNORECASE,
)
_OF_THE_PAST = re.compile(
    r"\b(?:before|originally|at first|initially|used to|previous(?:ly)?|earlier|(?<!how )old|ago)\b"
    r"|(?<!오)전에|원래|처음|예전|이전|옛날|당시|했었|였었",
    re.IGNORECASE,
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
_GAP, _BELOW_BEST, _SIMILAR, _SAME_ASKED, _SAYS_CHANGE, _BIAS = 0.8, -1.4, 30.0, 8.0, 2.0, -2.0


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
            + _SIMILAR * subjects.similarity(older.turn, newer.turn)
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
