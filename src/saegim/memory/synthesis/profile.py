"""The profile: the important records of a user by their stored type, for every context."""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from saegim.memory.synthesis.statement_groups import StatementGroup
from saegim.memory.synthesis.types import DerivedKind, DerivedMemory, DerivedStatement, ProfilePart
from saegim.memory.types import MemoryType
from saegim.text.tokens import count, cut

PROFILE_TOKENS = 300
RECENT_DAYS = 30
_LINE_TOKENS = 40
# Marker and line break of a line in a prompt.
_LINE_EXTRA = 6
_MOST_LINES = {ProfilePart.STABLE: 40, ProfilePart.RECENT: 12}
# Share of the tokens for the stable part, which may use what the recent part leaves.
_STABLE_SHARE = 2 / 3
_STABLE_TYPES = (MemoryType.PROFILE, MemoryType.CONSTRAINT, MemoryType.PREFERENCE)
_RECENT_TYPES = (MemoryType.DECISION, MemoryType.TODO, MemoryType.TIMELINE)


def part_of(group: StatementGroup) -> ProfilePart | None:
    """Return the part of the profile that a group belongs to; None if it is in none."""
    newest = group.newest
    if newest.core or newest.type in _STABLE_TYPES:
        return ProfilePart.STABLE
    return ProfilePart.RECENT if newest.type in _RECENT_TYPES else None


def profile_of(groups: Sequence[StatementGroup]) -> list[DerivedStatement]:
    """Return the lines of the profile; `fit_profile` chooses those that are shown.

    Core records come first, then the more important ones; plans, newest first, come last.
    """
    lines = [
        (part, group)
        for group in groups
        if group.newest.unsure_since is None
        and not all(record.to_review for record in group.records)
        and (part := part_of(group)) is not None
    ]
    taken = Counter[ProfilePart]()
    derived: list[DerivedStatement] = []
    for part, group in sorted(lines, key=_rank):
        taken[part] += 1
        if taken[part] <= _MOST_LINES[part]:
            derived.append(_line(part, group, len(derived)))
    return derived


def _rank(line: tuple[ProfilePart, StatementGroup]) -> tuple[bool, bool, float, float, UUID]:
    part, group = line
    is_recent, newest = part is ProfilePart.RECENT, group.newest
    weight = 0.0 if is_recent else -group.importance
    return is_recent, not newest.core, weight, -newest.said_at.timestamp(), newest.id


def _line(part: ProfilePart, group: StatementGroup, order: int) -> DerivedStatement:
    line = group.derived(DerivedKind.PROFILE)
    text = cut(line.text, _LINE_TOKENS)
    return replace(line, text=text, part=part, until=group.newest.valid_to, order=order)


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
        for line in sorted(lines, key=lambda line: line.order)
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
