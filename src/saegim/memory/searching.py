"""What recall searches in a statement: what it says and what it is about."""

from collections.abc import Sequence

from saegim.memory.types import Searchable
from saegim.search import analyse


def text_of(content: str, topic: str) -> str:
    """The text that stands for a record in search: one home is found from another by its topic."""
    return f"{topic}: {content}" if topic else content


def searchable_of(text: str, embedding: Sequence[float]) -> Searchable:
    return Searchable(embedding, analyse.index_terms(text))
