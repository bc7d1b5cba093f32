"""How the blocks of a context share its room (TN5, LM10)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from saegim.conversations.types import RECENT_TURNS


@dataclass(frozen=True, slots=True)
class Budgets:
    """Tokens a block may take, how far a long message may raise the whole, and how many turns stay
    as they were although they are folded. Pinned facts may grow to `pinned_most` at the cost of
    memories and evidence."""

    system: int = 1_500
    pinned: int = 400
    summary: int = 500
    entities: int = 200
    memories: int = 1_200
    recent: int = 1_500
    evidence: int = 1_500
    message: int = 100
    most: int = 10_000
    pinned_most: int = 700
    turns: int = RECENT_TURNS

    def with_pinned(self, tokens: int | None) -> "Budgets":
        """The same with the slot for pinned facts that a user set; None leaves it."""
        return self if tokens is None else replace(self, pinned=tokens, pinned_most=tokens)

    @property
    def total(self) -> int:
        return self.system + self.pinned + self.memory + self.gathered + self.message

    @property
    def memory(self) -> int:
        """What working memory may take together."""
        return self.summary + self.entities + self.recent

    @property
    def gathered(self) -> int:
        """What is found for a message may take together."""
        return self.memories + self.evidence


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
            granted = grow(granted, name, want, room, granted)
    return granted


def grow(
    granted: Mapping[str, int], name: str, want: Want, room: int, beside: Collection[str]
) -> dict[str, int]:
    """The same with what those `beside` leave of their room given to a block that can use it."""
    left = max(0, room - sum(granted[other] for other in beside))
    return {**granted, name: granted[name] + max(0, min(want.tokens - granted[name], left))}
