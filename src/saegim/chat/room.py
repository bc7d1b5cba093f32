"""How the blocks of a context share its room (TN5, LM10)."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budgets:
    """Tokens a block may take, and how far a long message may raise the whole."""

    system: int = 1_500
    summary: int = 500
    entities: int = 200
    recent: int = 1_500
    message: int = 100
    most: int = 10_000

    @property
    def total(self) -> int:
        return self.system + self.memory + self.message

    @property
    def memory(self) -> int:
        """What working memory may take together."""
        return self.summary + self.entities + self.recent


@dataclass(frozen=True, slots=True)
class Want:
    """What a block would take, what it is entitled to, and whether it can use more than that."""

    tokens: int
    budget: int
    grows: bool = False

    def limit(self, granted: int) -> int:
        """What a block is held to: its budget, or what it got where that is more, or less."""
        return granted if granted < self.tokens else max(granted, self.budget)


def share(room: int, wants: Mapping[str, Want]) -> dict[str, int]:
    """Tokens for each block, named in the order in which blocks keep their room.

    Each takes what it wants up to its budget, the first named first: the last named gives way
    first. What is left then goes to those that can use it, in the same order.
    """
    granted: dict[str, int] = {}
    for name, want in wants.items():
        granted[name] = max(0, min(want.tokens, want.budget, room - sum(granted.values())))
    for name, want in wants.items():
        if want.grows:
            left = max(0, room - sum(granted.values()))
            granted[name] += min(want.tokens - granted[name], left)
    return granted
