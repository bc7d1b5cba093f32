"""Results of the checks of `saegim doctor`."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "broken"]
LEVELS: tuple[Level, ...] = ("ok", "warning", "broken")


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of checking one component, of a cell or of the installation. The name of the
    component does not change between releases; the text may."""

    part: str
    level: Level
    text: str
    cell: str | None = None


def worst(findings: Iterable[Finding]) -> Level:
    """Return the worst level of the findings."""
    return LEVELS[max((LEVELS.index(finding.level) for finding in findings), default=0)]
