"""The queries of one search: the message as it is, the message in its conversation, variants."""

from collections.abc import Sequence

from saegim.research.types import Question
from saegim.text.analysis import fold
from saegim.text.tokens import cut

MOST_QUERIES = 4
# A pasted page is searched by its beginning: more words than these find nothing better.
QUERY_TOKENS = 200


def queries(question: Question) -> tuple[str, ...]:
    """Each query once, the message verbatim always first (LB6)."""
    wanted = [question.message, question.standalone or "", *question.variants]
    found: dict[str, str] = {}
    for text in wanted:
        query = cut(" ".join(text.split()), QUERY_TOKENS)
        if query:
            found.setdefault(fold(query), query)
    return tuple(found.values())[:MOST_QUERIES]


def in_thread(message: str, said: Sequence[str]) -> str | None:
    """The message after the one before it, for a message that its wording leaves open."""
    before = next((text for text in reversed(said) if text.strip()), None)
    return None if before is None else f"{cut(before, QUERY_TOKENS)}\n{message}"
