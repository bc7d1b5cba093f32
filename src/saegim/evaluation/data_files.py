"""Facts and memories as data files write them."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from saegim.evaluation.types import ExpectedFact, MemoryStatement

ReportTexts = Annotated[list[str], Field(min_length=1)]


class DataFileModel(BaseModel):
    """A part of a data file; a field that nobody knows is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class WrittenFact(DataFileModel):
    """A fact. In `about` the spellings of a word stand apart by `|`."""

    about: ReportTexts
    value: ReportTexts
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
    said = [memory] if isinstance(memory, str) else memory
    return [MemoryStatement(text) for text in said]
