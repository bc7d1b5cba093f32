"""Word lists written as text."""

import re


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def any_of(text: str) -> str:
    """Build a pattern that matches any of the phrases between bars, the longest first."""
    parts = [" ".join(part.split()) for part in text.split("|")]
    longest_first = sorted(filter(None, parts), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, longest_first))})"
