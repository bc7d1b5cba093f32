"""Which tools of a draft's plan may run.

A draft is written by a model that has read retrieved text. Retrieved text must not call tools, so
a planned call runs only if every parameter stands in the user's own words.
"""

from collections.abc import Iterable, Sequence

from saegim.chat.understanding import PlannedTool
from saegim.text.analysis import fold, index_terms, query_terms
from saegim.tools.types import ToolRequest


def allowed_requests(plan: Sequence[PlannedTool], said: Iterable[str]) -> list[ToolRequest]:
    """Return the calls whose parameters come from what the user said."""
    texts = [fold(text) for text in said]
    terms = {term for text in texts for term in index_terms(text)}
    return [
        ToolRequest(one.tool_name, one.parameters)
        for one in plan
        if all(_stands_in(value, texts, terms) for value in one.parameters.values())
    ]


def _stands_in(value: object, texts: Sequence[str], terms: set[str]) -> bool:
    if value is None or isinstance(value, bool):
        return True
    if not isinstance(value, str | int | float):
        return False
    words = fold(str(value)).strip()
    if any(words in text for text in texts):
        return True
    wanted = query_terms(words)
    return bool(wanted) and all(term in terms for term in wanted)
