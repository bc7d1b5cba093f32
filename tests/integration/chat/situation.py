"""The time that a prompt tells before the message."""

import re

_SITUATION = re.compile(
    r"<now-([0-9a-f]+)>\n\w+day, \d+ \w+ 20\d\d, \d\d:\d\d \(Asia/Seoul\)\n</now-\1>\n\n"
)


def without_situation(text: str) -> str:
    """Return the last message of a prompt without the situation, with which it has to begin."""
    found = _SITUATION.match(text)
    assert found is not None, text
    return text[found.end() :]
