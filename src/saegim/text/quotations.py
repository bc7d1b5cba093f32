"""Separate a user's own words from quoted text, which is data and not a statement."""

import re

_QUOTED = re.compile(r'^[ \t]*>.*$|"""[\s\S]*?"""|“““[\s\S]*?”””', re.MULTILINE)


def own_words(text: str) -> str:
    """Return the text without quoted lines and blocks; all of it if nothing else remains."""
    own = _QUOTED.sub("", text)
    return own if own.strip() else text
