"""What recall searches in a statement: what it says and what it is about."""


def text_of(content: str, topic: str) -> str:
    """The text that stands for a record in search: one home is found from another by its topic."""
    return f"{topic}: {content}" if topic else content
