"""Facts and memories as data files write them."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from saegim.evaluation.types import Fact, Remembered

Words = Annotated[list[str], Field(min_length=1)]


class Written(BaseModel):
    """A part of a data file; a field that nobody knows is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class WrittenFact(Written):
    """A fact. In `about` the spellings of a word stand apart by `|`."""

    about: Words
    value: Words
    stale: list[str] = []
    rivals: list[str] = []

    def fact(self) -> Fact:
        return Fact(
            about=tuple(tuple(word.split("|")) for word in self.about),
            value=tuple(self.value),
            stale=tuple(self.stale),
            rivals=tuple(self.rivals),
        )


WrittenMemory = str | list[str]
"""A statement, or several."""


def remembered(memory: WrittenMemory) -> Sequence[Remembered]:
    said = [memory] if isinstance(memory, str) else memory
    return [Remembered(text) for text in said]
