"""Facts and memories in data files."""

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from saegim.evaluation.types import ExpectedFact, MemoryStatement

_Words = Annotated[list[str], Field(min_length=1)]


class DataFileModel(BaseModel):
    """A part of a data file; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def read_samples[T: DataFileModel](name: str, model: type[T]) -> tuple[T, ...]:
    """Read `samples` from a data file of the package."""
    text = (files("saegim.evaluation") / "data" / f"{name}.toml").read_text("utf-8")
    return tuple(model.model_validate(each) for each in tomllib.loads(text)["samples"])


class WrittenFact(DataFileModel):
    """A fact. `|` separates the spellings of a word in `about`."""

    about: _Words
    value: _Words
    stale: list[str] = []
    rivals: list[str] = []

    def fact(self) -> ExpectedFact:
        return ExpectedFact(
            about=tuple(tuple(word.split("|")) for word in self.about),
            value=tuple(self.value),
            stale=tuple(self.stale),
            rivals=tuple(self.rivals),
        )


WrittenMemory = str | list[str]
"""A statement, or several."""


def remembered(memory: WrittenMemory) -> Sequence[MemoryStatement]:
    return [MemoryStatement(text) for text in ([memory] if isinstance(memory, str) else memory)]
