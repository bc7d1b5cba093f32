"""What was sent of an answer so far, and what may follow it."""

import re

from saegim.chat.output.markdown_patterns import (
    DEFINITION,
    LEFT,
    LONGEST_LABEL,
    LONGEST_WORD,
    RIGHT,
)


class SafeOutput:
    """Collects text. `seam` says that something was removed just here."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._paragraph = ""
        self.line = ""
        self.word = ""
        self.seam = False

    def put(self, text: str) -> None:
        """Adds text; at a seam a space keeps apart what would mean something together."""
        if not text:
            return
        if self.seam and _mean_something(self.line[-1:], text[0]):
            self.emit(" ")
        self.seam = False
        self.emit(text)

    def emit(self, text: str) -> None:
        """Adds text as it is."""
        self._pieces.append(text)
        self.line += text
        self._paragraph = f"{self._paragraph}{text}"[-LONGEST_LABEL:]
        self.word = re.split(r"\s", f"{self.word}{text}"[-LONGEST_WORD:])[-1]

    def end_line(self, newline: str) -> None:
        """Begins a line; after an empty one, a paragraph."""
        self._paragraph = f"{self._paragraph}{newline}" if self.line.strip() else ""
        self._pieces.append(newline)
        self.line, self.word, self.seam = "", "", False

    def drain(self) -> str:
        """What was added since the last time."""
        drained, self._pieces = "".join(self._pieces), []
        return drained

    def may_define(self) -> bool:
        """Whether a colon here would complete a reference definition."""
        return DEFINITION.search(self._paragraph) is not None


def _mean_something(left: str, right: str) -> bool:
    if left == "]":
        return right in "([:"
    return LEFT.match(left) is not None and RIGHT.match(right) is not None
