"""Lists of words and endings, written as lines of text."""

import re


def words(text: str) -> frozenset[str]:
    """The words of a text, divided by spaces."""
    return frozenset(text.split())


def any_of(text: str) -> str:
    """A pattern for any of these, divided by bars; longer ones are tried first."""
    parts = [" ".join(part.split()) for part in text.split("|")]
    longest_first = sorted(filter(None, parts), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, longest_first))})"
