"""Search text of a statement."""


def text_of(content: str, topic: str) -> str:
    """Return the text under which a record is indexed; the topic links records of one attribute."""
    return f"{topic}: {content}" if topic else content
