"""Choose what was concluded of the user for a question about oneself in sum."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from saegim.chat.rules.about_user import UserStatement, slug_of
from saegim.chat.rules.patterns import compiled, pattern, section
from saegim.memory.synthesis.entities import named_in
from saegim.memory.synthesis.profile import RECENT_DAYS
from saegim.memory.synthesis.types import DerivedKind, ExplainedMemory, ProfilePart
from saegim.memory.types import Record
from saegim.text.analysis import fold

MOST = 8
_MOST_INTRODUCED = 6
_ASKS = pattern("summary", "asks")
_RECENT = pattern("summary", "recent")
_INTRODUCES = pattern("summary", "introduces")
_CHANGES = pattern("summary", "changes")


@dataclass(frozen=True, slots=True)
class _SummaryTopic:
    """Words of a question, and what they ask for: statements of attributes, and those of others
    that name the topic."""

    words: re.Pattern[str]
    attributes: frozenset[str]
    others: frozenset[str]
    naming: re.Pattern[str]

    def has(self, record: Record) -> bool:
        slug = slug_of(statement_of(record))
        if slug in self.attributes:
            return True
        return slug in self.others and self.naming.search(fold(record.content)) is not None


_TOPICS = tuple(
    _SummaryTopic(
        compiled(each["words"]),
        frozenset(each["attributes"]),
        frozenset(each.get("others", ())),
        re.compile(each.get("naming", "")),
    )
    for each in section("summary")["topics"]
)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A statement that holds, and what it replaced if the question asks for changes."""

    statement: UserStatement
    before: str = ""


def asks_for_summary(message: str) -> bool:
    """Return whether a message asks for more than one fact about the user, or about a name."""
    return _ASKS.search(fold(message)) is not None


def concluded(
    message: str, known: Sequence[ExplainedMemory], now: datetime
) -> tuple[Conclusion, ...]:
    """Return what answers a question in sum: what is said of a name, of a topic, or of late."""
    holding = [each for each in known if not each.memory.undone]
    folded = fold(message)
    pages = [
        each
        for each in holding
        if each.memory.kind is DerivedKind.ENTITY and named_in(each.memory.title, message)
    ]
    if pages:
        records = sorted(_records(pages), key=lambda record: record.said_at, reverse=True)
        return tuple(Conclusion(statement_of(record)) for record in records[:MOST])
    lines = [each for each in holding if each.memory.kind is not DerivedKind.ENTITY]
    topics = [topic for topic in _TOPICS if topic.words.search(folded)]
    if topics:
        chosen = [each for each in lines if any(topic.has(_newest(each)) for topic in topics)]
    elif _RECENT.search(folded):
        since = now - timedelta(days=RECENT_DAYS)
        chosen = [each for each in lines if each.memory.last_seen >= since]
        chosen.sort(key=lambda each: each.memory.last_seen, reverse=True)
    elif _INTRODUCES.search(folded):
        stable = [each for each in lines if each.memory.part is ProfilePart.STABLE]
        chosen = stable[:_MOST_INTRODUCED]
    else:
        return ()
    return _conclusions(chosen, changes=_CHANGES.search(folded) is not None)


def profile_first(
    known: Sequence[UserStatement], concluded_of: Sequence[ExplainedMemory]
) -> list[UserStatement]:
    """Return the statements in the order of the profile, then the others as they were."""
    places: dict[str, int] = {}
    for each in concluded_of:
        if each.memory.kind is DerivedKind.PROFILE and not each.memory.undone:
            places.setdefault(str(_newest(each).id), len(places))
    return sorted(known, key=lambda each: places.get(each.id or "", len(places)))


def statement_of(record: Record) -> UserStatement:
    return UserStatement(record.content, record.said_at, record.topic, str(record.id))


def _conclusions(chosen: Sequence[ExplainedMemory], *, changes: bool) -> tuple[Conclusion, ...]:
    found: dict[str, Conclusion] = {}
    for each in chosen:
        newest = _newest(each)
        replaced = each.counter_evidence[-1].content if changes and each.counter_evidence else ""
        found.setdefault(str(newest.id), Conclusion(statement_of(newest), replaced))
    return tuple(found.values())[:MOST]


def _newest(explained: ExplainedMemory) -> Record:
    return explained.evidence[-1]


def _records(pages: Iterable[ExplainedMemory]) -> list[Record]:
    return list({record.id: record for each in pages for record in each.evidence}.values())
