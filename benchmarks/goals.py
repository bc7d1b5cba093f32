"""`python -m benchmarks.goals`: a table of goals, figures and what limits missed ones, and the age
of all figures."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks import results
from benchmarks.page import number, publish, table

FILE = results.ROOT / "benchmarks" / "goals.toml"


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound of a figure, and what keeps the figure from it."""

    of: str
    figure: str
    least: float | None = None
    most: float | None = None
    limit: str = ""

    def is_reached(self, value: float) -> bool:
        if self.least is not None:
            return value >= self.least
        return self.most is not None and value <= self.most

    @property
    def bound(self) -> str:
        sign, value = ("≥", self.least) if self.least is not None else ("≤", self.most)
        return f"{sign} {number(value or 0.0)}"


def goals() -> Iterator[Goal]:
    for of, figures in tomllib.loads(FILE.read_text("utf-8")).items():
        for figure, goal in figures.items():
            yield Goal(of, figure, **goal)


def overview() -> str:
    """Return the table; a missed goal is bold."""
    rows: list[tuple[str, ...]] = []
    for goal in goals():
        value = results.known(goal.of)[goal.figure]
        reached = goal.is_reached(value)
        shown = number(value) if reached else f"**{number(value)}**"
        limit = "" if reached else goal.limit
        rows.append((f"`{goal.of}.json`", f"`{goal.figure}`", goal.bound, shown, limit))
    return table(("file", "figure", "goal", "figure now", "what limits it"), rows, "<<>><")


def ages() -> str:
    """Return a table of the versions that the figures of each file were measured with."""
    rows: list[tuple[str, str]] = []
    for path in sorted(results.RESULTS.glob("*.json")):
        if of := results.measured_with(path.stem):
            counts = Counter(of.values()).most_common()
            parts = [version if len(counts) == 1 else f"{version} ({n})" for version, n in counts]
            rows.append((f"`{path.name}`", ", ".join(parts)))
    return table(("file", "version of the code (number of figures)"), rows, "<<")


if __name__ == "__main__":
    publish("goals", overview())
    publish("ages", ages())
