"""The numbers of a session's markers: `[3]` is the same passage and `[M2]` the same memory in
every turn."""

from collections.abc import Mapping
from hashlib import sha256
from uuid import UUID

from saegim.chat.types import EvidenceKind, marker

_LETTERS = {EvidenceKind.PASSAGE: "p", EvidenceKind.MEMORY: "m", EvidenceKind.TOOL: "f"}


class Refs:
    """Gives numbers to what a session shows; `new` has those that are not stored yet."""

    def __init__(self, stored: Mapping[str, int] | None = None) -> None:
        self._numbers = dict(stored or {})
        self._last = dict.fromkeys(_LETTERS.values(), 0)
        for key, number in self._numbers.items():
            self._last[key[0]] = max(self._last[key[0]], number)
        self.new: dict[str, int] = {}

    @property
    def numbers(self) -> dict[str, int]:
        """All numbers that were given."""
        return dict(self._numbers)

    def marker(self, kind: EvidenceKind, identifier: str) -> str:
        """Return the marker of an item, without brackets."""
        letter = _LETTERS[kind]
        key = f"{letter}:{identifier}"
        if key not in self._numbers:
            self._last[letter] += 1
            self._numbers[key] = self.new[key] = self._last[letter]
        return marker(kind, self._numbers[key])

    def fact(self, text: str, url: str | None) -> str:
        """Return the marker of a fact from a tool, which has no id."""
        digest = sha256(f"{url}\n{text}".encode()).hexdigest()[:16]
        return self.marker(EvidenceKind.TOOL, digest)

    def memory(self, ref: str) -> UUID | None:
        """Return the memory that a marker names; None if the session has not shown one."""
        return self._find("m", ref, "M")

    def passage(self, ref: str) -> UUID | None:
        """Return the passage that a marker names; None if the session has not shown one."""
        return self._find("p", ref, "")

    def _find(self, letter: str, ref: str, prefix: str) -> UUID | None:
        number = ref.strip(" []").upper().removeprefix(prefix)
        found = (k for k, n in self._numbers.items() if k[0] == letter and str(n) == number)
        key = next(found, None)
        return None if key is None else UUID(key[2:])
