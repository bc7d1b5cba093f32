"""Scenarios: conversations with queries that memory should help with, read from TOML."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from saegim.domain.scope import Locale
from saegim.evaluation.types import ExpectedFact

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


class DataFileModel(BaseModel):
    """A part of a data file; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Step(DataFileModel):
    """One event: a message, a judged query, a wait, or the deletion of a session.

    A query is judged and then sent like a message. `absent` words must not be in memory; facts in
    `not_believed` may be in the conversation, but memory must not derive them."""

    say: str | None = None
    ask: str | None = None
    wait_days: Annotated[float, Field(gt=0)] | None = None
    delete_session: str | None = None
    session: str = "first"
    profile: str | None = None
    facts: tuple[ExpectedFact, ...] = ()
    related: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    not_believed: tuple[ExpectedFact, ...] = ()

    @model_validator(mode="after")
    def _check(self) -> Self:
        events = (self.say, self.ask, self.wait_days, self.delete_session)
        if sum(each is not None for each in events) != 1:
            raise ValueError("a step must have exactly one of say, ask, wait_days, delete_session")
        if bool(self.facts or self.absent or self.not_believed) != (self.ask is not None):
            raise ValueError(
                "facts, absent and not_believed belong to ask, which needs one of them"
            )
        return self


class Scenario(DataFileModel):
    """One or more conversations of one user, in order."""

    id: str
    title: str
    language: Locale
    kind: ScenarioKind
    steps: Annotated[tuple[Step, ...], Field(min_length=1)]

    @property
    def turns(self) -> int:
        return sum(step.say is not None or step.ask is not None for step in self.steps)


def read(path: Path) -> Scenario:
    """Read a scenario; its id is the file name. Raises ValueError."""
    return _read(path.stem, path.read_text("utf-8"))


@cache
def shipped() -> tuple[Scenario, ...]:
    """Return the scenarios of the package, by id."""
    folder = files("saegim.evaluation") / "scenarios"
    paths = sorted((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)
    return tuple(_read(each.name.removesuffix(".toml"), each.read_text("utf-8")) for each in paths)


def chosen(names: Sequence[str]) -> tuple[Scenario, ...]:
    """Return the scenarios with these ids or kinds, or all. Raises ValueError for unknown names."""
    unknown = [n for n in names if not any(n in (each.id, each.kind) for each in shipped())]
    if unknown:
        raise ValueError(", ".join(unknown))
    return tuple(each for each in shipped() if not names or each.id in names or each.kind in names)


def _read(name: str, text: str) -> Scenario:
    return Scenario.model_validate({"id": name} | tomllib.loads(text))
