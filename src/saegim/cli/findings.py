from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "broken"]
LEVELS: tuple[Level, ...] = ("ok", "warning", "broken")


@dataclass(frozen=True, slots=True)
class Finding:
    """What a look at one part shows, of a cell or of the whole. `part` is stable, `text` is for
    people."""

    part: str
    level: Level
    text: str
    cell: str | None = None


def worst(findings: Iterable[Finding]) -> Level:
    """The level of the whole: one broken part breaks it."""
    return LEVELS[max((LEVELS.index(finding.level) for finding in findings), default=0)]
