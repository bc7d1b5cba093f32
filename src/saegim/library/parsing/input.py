"""What a parser of one kind is given."""

from dataclasses import dataclass
from typing import BinaryIO

from saegim.library.parsing.limits import ParseLimits


@dataclass(frozen=True, slots=True)
class BinarySource:
    """An open file at its start."""

    file: BinaryIO
    name: str
    limits: ParseLimits


@dataclass(frozen=True, slots=True)
class TextSource:
    """A decoded text with plain line ends."""

    text: str
    name: str
    limits: ParseLimits
