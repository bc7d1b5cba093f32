"""The tree of a session's turns: branches and variants."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from uuid import UUID


class PointKind(StrEnum):
    """How a new turn is placed: beside another one, or after it as its continuation."""

    VARIANT = "variant"
    CONTINUATION = "continuation"


@dataclass(frozen=True, slots=True)
class BranchPoint:
    """Where a new turn is placed if it does not follow the branch in use."""

    turn: UUID
    kind: PointKind


@dataclass(frozen=True, slots=True)
class TreeTurn:
    id: UUID
    number: int
    parent: UUID | None
    variant_of: UUID | None
    continues: UUID | None
    in_use: bool
    settled: bool


class TurnTree:
    """A session's turns. Numbers grow along every branch."""

    def __init__(self, turns: Iterable[TreeTurn]) -> None:
        self._turns = {turn.id: turn for turn in sorted(turns, key=lambda turn: turn.number)}
        # Older releases stored no parents: their turns form one line.
        line = [turn for turn in self._turns.values() if not turn.parent and not turn.variant_of]
        self._before = {after.id: before.id for before, after in pairwise(line)}

    def find(self, turn: UUID) -> TreeTurn | None:
        return self._turns.get(turn)

    @property
    def last_in_use(self) -> TreeTurn | None:
        in_use = [turn for turn in self._turns.values() if turn.in_use]
        return in_use[-1] if in_use else None

    @property
    def deleted_through(self) -> int:
        """Return the number of the last turn that was deleted because of its age, or 0."""
        return min((turn.number for turn in self._turns.values()), default=1) - 1

    @property
    def running(self) -> bool:
        return not all(turn.settled for turn in self._turns.values())

    def parent(self, turn: TreeTurn) -> TreeTurn | None:
        """Return the turn before it in its branch."""
        if turn.parent is not None:
            return self._turns.get(turn.parent)
        if turn.variant_of is not None:
            first = self._turns.get(turn.variant_of)
            return self.parent(first) if first else None
        before = self._before.get(turn.id)
        return None if before is None else self._turns[before]

    def path(self, turn: TreeTurn | None) -> list[TreeTurn]:
        """Return the branch from the first turn to this one."""
        path: list[TreeTurn] = []
        while turn is not None:
            path.append(turn)
            turn = self.parent(turn)
        return path[::-1]

    def newest_branch(self, turn: TreeTurn) -> list[TreeTurn]:
        """Return the branch through a turn to its newest descendant."""
        below = {turn.id}
        newest = turn
        for each in self._turns.values():
            parent = self.parent(each)
            if parent is not None and parent.id in below:
                below.add(each.id)
                newest = each
        return self.path(newest)

    def shared(self, branch: Iterable[TreeTurn]) -> int:
        """Return the number of the last turn that a branch shares with the one in use."""
        last = 0
        for turn in branch:
            if not turn.in_use:
                break
            last = turn.number
        return last
