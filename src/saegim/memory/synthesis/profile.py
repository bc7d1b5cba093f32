"""The profile: one line for each lasting or recent thing that is known of a user."""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from saegim.memory.rules.attributes import ATTRIBUTES
from saegim.memory.synthesis.statement_groups import StatementGroup
from saegim.memory.synthesis.types import DerivedKind, DerivedMemory, DerivedStatement, ProfilePart
from saegim.memory.types import MemoryType
from saegim.text import analysis
from saegim.text.tokens import count, cut

PROFILE_TOKENS = 300
RECENT_DAYS = 30
_LINE_TOKENS = 40
# Marker and line break of a line in a prompt.
_LINE_EXTRA = 6
_MOST_OF_SLOT, _MOST_RECENT = 6, 12
# Share of the tokens for the stable part, which may use what the recent part leaves.
_STABLE_SHARE = 2 / 3

# Slots of the stable part in the order of the profile, with their attributes and other topics.
_SLOTS: dict[str, str] = {
    "who": "name age birthday birthplace blood_type school major language skill",
    "home": "home",
    "work": "work job team",
    "family": "marriage partner child family pet",
    "health": "allergy condition medication",
    "diet": "diet",
    "goals": "goal",
    "preferences": "manner taste hobby habit limit",
}
_RECENT_ATTRIBUTES = "plan schedule deadline decision todo milestone budget project"
_TOPICS: dict[str, str] = {
    "home": "집|주소|사는 곳|residence|address|city",
    "work": "회사|직무|업무|company|employer|occupation|role",
    "family": "아내|남편|딸|아들|부모|wife|husband|daughter|son|parents|pet",
    "health": "질환|약|병|illness|medicine|allergy",
    "diet": "음식|식사|food|meals",
    "goals": "꿈|goal",
    "preferences": "선호|좋아하는 것|말투|preference|preferences|likes|style|hobby|habit",
}
_RECENT_TYPES = (MemoryType.DECISION, MemoryType.TODO, MemoryType.TIMELINE)
_STABLE_TYPES = {
    MemoryType.PROFILE: "who",
    MemoryType.PREFERENCE: "preferences",
    MemoryType.CONSTRAINT: "preferences",
}
_ORDER = (*_SLOTS, "recent")


def _slot_names() -> dict[str, str]:
    """Map the folded name of each attribute, and other topics, to the slot."""
    names: dict[str, str] = {}
    for slot, slugs in (*_SLOTS.items(), ("recent", _RECENT_ATTRIBUTES)):
        for slug in slugs.split():
            names |= {analysis.fold(name): slot for name in ATTRIBUTES[slug].names.values()}
    for slot, topics in _TOPICS.items():
        for topic in topics.split("|"):
            names.setdefault(topic, slot)
    return names


_NAMES = _slot_names()


@dataclass(frozen=True, slots=True)
class _ProfileLine:
    slot: str
    group: StatementGroup

    @property
    def rank(self) -> tuple[int, float, float, UUID]:
        """The order of lines: by slot, then the most important first; recent ones newest first."""
        at = -self.group.newest.said_at.timestamp()
        weight = 0.0 if self.slot == "recent" else -self.group.importance
        return _ORDER.index(self.slot), weight, at, self.group.newest.id


def slot_of(group: StatementGroup) -> str | None:
    """Return the slot of the profile that a group belongs to; None if it is in none."""
    newest = group.newest
    topic = analysis.fold(newest.topic).strip()
    slot = _NAMES.get(topic) or _NAMES.get(topic.split()[-1] if topic else "")
    if slot is None:
        slot = "recent" if newest.type in _RECENT_TYPES else _STABLE_TYPES.get(newest.type)
    return "who" if slot is None and newest.core else slot


def profile_of(groups: Sequence[StatementGroup]) -> list[DerivedStatement]:
    """Return the lines of the profile; `fit_profile` chooses those that are shown."""
    lines = [
        _ProfileLine(slot, group)
        for group in groups
        if not group.is_doubtful
        and not all(record.to_review for record in group.records)
        and (slot := slot_of(group)) is not None
    ]
    taken = Counter[str]()
    derived: list[DerivedStatement] = []
    for line in sorted(lines, key=lambda each: each.rank):
        taken[line.slot] += 1
        if taken[line.slot] <= (_MOST_RECENT if line.slot == "recent" else _MOST_OF_SLOT):
            derived.append(_derived(line, len(derived)))
    return derived


def _derived(line: _ProfileLine, order: int) -> DerivedStatement:
    group, newest = line.group, line.group.newest
    return DerivedStatement(
        kind=DerivedKind.PROFILE,
        key=str(group.records[0].id),
        title=line.slot,
        text=cut(newest.content, _LINE_TOKENS),
        sources=tuple(record.id for record in group.records),
        against=tuple(record.id for record in group.against),
        proofs=group.proofs,
        confidence=group.confidence,
        first_seen=group.records[0].said_at,
        last_seen=newest.said_at,
        part=ProfilePart.RECENT if line.slot == "recent" else ProfilePart.STABLE,
        until=newest.valid_to,
        order=order,
    )


def fit_profile(
    lines: Sequence[DerivedMemory],
    now: datetime,
    without: Set[UUID] = frozenset(),
    tokens: int = PROFILE_TOKENS,
) -> tuple[DerivedMemory, ...]:
    """Return the lines that hold now and fit, in their order, without those of some records."""
    since = now - timedelta(days=RECENT_DAYS)
    holding = [
        line
        for line in sorted(lines, key=lambda each: each.order)
        if not line.undone
        and not (line.until is not None and line.until <= now)
        and not (line.part is ProfilePart.RECENT and line.last_seen < since)
        and without.isdisjoint(line.sources)
    ]
    stable = [line for line in holding if line.part is ProfilePart.STABLE]
    recent = [line for line in holding if line.part is ProfilePart.RECENT]
    taken, used = _fill(stable, int(tokens * _STABLE_SHARE))
    more, also = _fill(recent, tokens - used)
    again, _ = _fill([line for line in stable if line not in taken], tokens - used - also)
    chosen = {line.id for line in (*taken, *more, *again)}
    return tuple(line for line in holding if line.id in chosen)


def _fill(lines: Sequence[DerivedMemory], tokens: int) -> tuple[list[DerivedMemory], int]:
    taken: list[DerivedMemory] = []
    used = 0
    for line in lines:
        size = count(line.content) + _LINE_EXTRA
        if used + size <= tokens:
            taken.append(line)
            used += size
    return taken, used
