"""What may leave to a provider: types of records, and pinned facts."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

EPISODE = "episode"
"""The type of an earlier turn, which is a memory but no record."""
DERIVED = "derived"
"""The type of what rests on records of any type: it leaves only if all types may."""

NameFinder = Callable[[str], Iterable[str]]
"""Finds the names of people in a text."""


@dataclass(frozen=True, slots=True)
class EgressPolicy:
    """What a provider must not get. By default, everything may leave."""

    withheld_types: frozenset[str] = frozenset()
    withholds_pinned: bool = False
    uses_pseudonyms: bool = False

    def allows(self, record_type: str, *, pinned: bool) -> bool:
        """Return whether a record may leave."""
        if (pinned and self.withholds_pinned) or record_type in self.withheld_types:
            return False
        return record_type != DERIVED or not self.withheld_types

    def stricter(self, other: "EgressPolicy") -> "EgressPolicy":
        """Return the policy that withholds what either does."""
        return EgressPolicy(
            self.withheld_types | other.withheld_types,
            self.withholds_pinned or other.withholds_pinned,
            self.uses_pseudonyms or other.uses_pseudonyms,
        )


EVERYTHING = EgressPolicy()
"""The policy of a model that may read every memory."""
