"""Load the patterns of `patterns.toml`."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def section(name: str) -> dict[str, Any]:
    """Return a section of the file."""
    text = (files("saegim.chat.rules") / "patterns.toml").read_text("utf-8")
    return tomllib.loads(text)[name]


def pattern(of: str, name: str) -> re.Pattern[str]:
    """Compile the alternatives of a pattern."""
    return compiled(section(of)[name])


def compiled(alternatives: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(alternatives))
