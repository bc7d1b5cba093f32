"""What somebody says, apart from what they quote: pasted text is data, not a statement."""

import re

_QUOTED = re.compile(r'^[ \t]*>.*$|"""[\s\S]*?"""|“““[\s\S]*?”””', re.MULTILINE)


def own_words(text: str) -> str:
    """The text without quoted lines and blocks; all of it where nothing else is there."""
    own = _QUOTED.sub("", text)
    return own if own.strip() else text
