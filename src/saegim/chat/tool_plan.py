"""Filters the tool calls that a draft plans.

A draft is written by a model that has read retrieved text. Retrieved text must not call tools, so
a planned call runs only if every parameter occurs in the user's own words.
"""

from collections.abc import Iterable, Sequence

from saegim.chat.understanding import PlannedTool
from saegim.text.analysis import fold, index_terms, query_terms
from saegim.tools.types import ToolRequest


def allowed_requests(plan: Sequence[PlannedTool], messages: Iterable[str]) -> list[ToolRequest]:
    """Return the calls whose parameters occur in the user's messages."""
    texts = [fold(text) for text in messages]
    terms = {term for text in texts for term in index_terms(text)}
    return [
        ToolRequest(call.tool_name, call.parameters)
        for call in plan
        if all(_occurs_in(value, texts, terms) for value in call.parameters.values())
    ]


def _occurs_in(value: object, texts: Sequence[str], terms: set[str]) -> bool:
    if value is None or isinstance(value, bool):
        return True
    if not isinstance(value, str | int | float):
        return False
    words = fold(str(value)).strip()
    if any(words in text for text in texts):
        return True
    wanted = query_terms(words)
    return bool(wanted) and all(term in terms for term in wanted)
