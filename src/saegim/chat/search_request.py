"""An answering model may ask for another search instead of an answer."""

import re

PREFIX = "SEARCH:"
_REQUEST = re.compile(rf"\s*{PREFIX}[ \t]*(?P<query>[^\n]{{1,300}})")


class SearchRequestReader:
    """Reads the beginning of a streamed answer and holds a request for a search back."""

    def __init__(self) -> None:
        self._beginning = ""
        self._is_answer = False

    def feed(self, text: str) -> str:
        """Return the text to show; empty while it may be a request."""
        if self._is_answer:
            return text
        self._beginning += text
        begun = self._beginning.lstrip()
        if begun.startswith(PREFIX[: len(begun)]):
            return ""
        self._is_answer = True
        return self._beginning

    def close(self) -> str:
        """Return text that was held back and is no request."""
        if self._is_answer or self.query is not None:
            return ""
        self._is_answer = True
        return self._beginning

    @property
    def query(self) -> str | None:
        """The query that was asked for."""
        match = None if self._is_answer else _REQUEST.match(self._beginning)
        return match["query"].strip() or None if match else None
