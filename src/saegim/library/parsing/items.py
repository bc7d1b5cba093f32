"""Collect consecutive list paragraphs of a word processor into one block."""

from dataclasses import dataclass, field

from saegim.library.parsing.outline import Outline
from saegim.library.types import BlockKind

_DEPTH = 8


@dataclass(slots=True)
class Items:
    """Buffers a list until another paragraph follows."""

    outline: Outline
    _lines: list[str] = field(default_factory=list[str])
    _ordered: bool = False

    def add(self, level: int, label: str, text: str) -> None:
        """Add an item; the first decides between list and steps."""
        if not text.strip():
            return
        if not self._lines:
            self._ordered = label != "-"
        indent = "   " * min(level, _DEPTH)
        inner = "\n" + indent + " " * (len(label) + 1)
        self._lines.append(f"{indent}{label} {text.strip().replace('\n', inner)}")

    def flush(self) -> None:
        if self._lines:
            kind = BlockKind.STEPS if self._ordered else BlockKind.LIST
            self.outline.add(kind, "\n".join(self._lines))
            self._lines.clear()
