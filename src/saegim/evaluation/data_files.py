"""Samples and memories in data files."""

import tomllib
from collections.abc import Sequence
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from saegim.evaluation.types import MemoryStatement


class DataFileModel(BaseModel):
    """A part of a data file; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def read_samples[T: DataFileModel](
    name: str, model: type[T], key: str = "samples"
) -> tuple[T, ...]:
    """Read the samples under a key of a data file of the package."""
    text = (files("saegim.evaluation") / "data" / f"{name}.toml").read_text("utf-8")
    return tuple(model.model_validate(each) for each in tomllib.loads(text)[key])


WrittenMemory = str | list[str]
"""A statement, or several."""


def remembered(memory: WrittenMemory) -> Sequence[MemoryStatement]:
    return [MemoryStatement(text) for text in ([memory] if isinstance(memory, str) else memory)]
