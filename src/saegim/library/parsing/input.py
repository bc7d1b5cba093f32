"""Input of a parser."""

from dataclasses import dataclass
from typing import BinaryIO

from saegim.library.parsing.limits import ParseLimits


@dataclass(frozen=True, slots=True)
class BinarySource:
    file: BinaryIO
    name: str
    limits: ParseLimits


@dataclass(frozen=True, slots=True)
class TextSource:
    """A decoded text with normalised line ends."""

    text: str
    name: str
    limits: ParseLimits
