"""Samples and memories in data files."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from saegim.evaluation.scenario import DataFileModel
from saegim.evaluation.types import MemoryStatement

DATA = Path(__file__).parent / "data"


def read_samples[T: DataFileModel](
    name: str, model: type[T], key: str = "samples"
) -> tuple[T, ...]:
    """Read the samples under a key of a data file."""
    text = (DATA / f"{name}.toml").read_text("utf-8")
    return tuple(model.model_validate(each) for each in tomllib.loads(text)[key])


WrittenMemory = str | list[str]
"""A statement, or several."""


def remembered(memory: WrittenMemory) -> Sequence[MemoryStatement]:
    return [MemoryStatement(text) for text in ([memory] if isinstance(memory, str) else memory)]
