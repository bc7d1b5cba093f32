"""Text of others as data between tags, which it cannot close."""

import re

_TAG = re.compile(r"<(?=/?[a-z_]+>)", re.IGNORECASE)


def delimited(name: str, text: str) -> str:
    """The text between `<name>` tags; what looks like a tag in it is none any more."""
    return f"<{name}>\n{_TAG.sub('‹', text).strip()}\n</{name}>"
