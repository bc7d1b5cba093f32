"""Scenarios: conversations with queries whose answers memory should help with (EV2), as data."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from saegim.domain.scope import Locale
from saegim.evaluation.data_files import DataFileModel, WrittenFact

ScenarioKind = Literal[
    "continued_conversation",
    "change_of_topic",
    "updated_information",
    "contradiction",
    "implicit_reference",
    "long_gap",
    "several_profiles",
    "erasure",
    "injection",
    "reported",
]


class Step(DataFileModel):
    """One thing that happens: something is said or asked, time passes, a conversation is deleted.

    What is asked is judged, and then said like the rest. `absent` words must be nowhere in memory;
    what is `not_believed` may have been said, but memory must not hold it for true.
    """

    say: str | None = None
    ask: str | None = None
    wait_days: Annotated[float, Field(gt=0)] | None = None
    delete_session: str | None = None
    session: str = "first"
    profile: str | None = None
    facts: tuple[WrittenFact, ...] = ()
    related: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    not_believed: tuple[WrittenFact, ...] = ()

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        done = (self.say, self.ask, self.wait_days, self.delete_session)
        if sum(each is not None for each in done) != 1:
            raise ValueError("a step is one of say, ask, wait_days, delete_session")
        expected = bool(self.facts or self.absent or self.not_believed)
        if expected != (self.ask is not None):
            raise ValueError("what is asked, and nothing else, has something expected of it")
        return self


class Scenario(DataFileModel):
    """A conversation, or several of one person, in order."""

    id: str
    title: str
    language: Locale
    kind: ScenarioKind
    steps: Annotated[tuple[Step, ...], Field(min_length=1)]

    @property
    def turns(self) -> int:
        """How many messages it has, queries among them."""
        return sum(step.say is not None or step.ask is not None for step in self.steps)


def read(path: Path) -> Scenario:
    """A scenario of one's own; its id is the name of its file. Raises ValueError."""
    return _read(path.stem, path.read_text("utf-8"))


@cache
def shipped() -> tuple[Scenario, ...]:
    """The scenarios of the product, by id."""
    folder = files("saegim.evaluation") / "scenarios"
    found = [each for each in folder.iterdir() if each.name.endswith(".toml")]
    named = sorted(found, key=lambda each: each.name)
    return tuple(_read(each.name.removesuffix(".toml"), each.read_text("utf-8")) for each in named)


def chosen(names: Sequence[str]) -> tuple[Scenario, ...]:
    """Those whose id or kind is named; all where nothing is. Raises ValueError for others."""
    there = shipped()
    strange = [n for n in names if not any(n in (each.id, each.kind) for each in there)]
    if strange:
        raise ValueError(", ".join(strange))
    return tuple(each for each in there if not names or each.id in names or each.kind in names)


def _read(name: str, text: str) -> Scenario:
    return Scenario.model_validate({"id": name} | tomllib.loads(text))
