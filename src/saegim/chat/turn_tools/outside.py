"""The assistant's own tools, and handing the user over to people."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from saegim.chat.context import evidence
from saegim.chat.turn_tools.types import ToolAnswer, ToolArguments, TurnTool, TurnWork, tool
from saegim.llm.types import FunctionTool
from saegim.text.analysis import fold, index_terms, query_terms
from saegim.tools.service import Tools
from saegim.tools.types import ToolRequest, ToolResult, ToolSpec
from saegim.usage.trace import ToolUse

NOT_OF_USER = (
    "Not done: arguments must be words of the user's messages, as the user wrote them. This one "
    "is not: {value}"
)


class HandOff(ToolArguments):
    """Show the user, below your answer, where people help. Use it if the user asks for a person, or
    if you searched for something of the subject and found no answer. Still write an answer."""


def note_results(work: TurnWork, results: Sequence[ToolResult]) -> None:
    """Note in the trace what tools did."""
    work.trace.tools += [
        ToolUse(each.tool, each.state, each.provider, each.reason, each.took_ms, each.added)
        for each in results
    ]
    for each in results:
        if each.state == "failed":
            work.trace.note_degraded(each.tool)


def hand_off(work: TurnWork) -> TurnTool:
    """Return the tool that ends the answer with where a person finds help."""

    async def act(_: HandOff, __: int) -> ToolAnswer:
        work.trace.handed_off = True
        return ToolAnswer("The user sees where people help, below your answer.")

    return tool("hand_off", HandOff, act)


def outside_tool(
    spec: ToolSpec, tools: Tools, allowed: Sequence[str] | None, work: TurnWork
) -> TurnTool:
    """Return a tool of the assistant, of a provider or of a server.

    A model that has read documents calls it, so its arguments must be words of the user.
    """

    async def run(written: str, _: int) -> ToolAnswer:
        try:
            arguments: object = json.loads(written or "{}")
        except ValueError:
            return ToolAnswer("Not done, the arguments are no JSON.")
        if not isinstance(arguments, dict):
            return ToolAnswer("Not done, the arguments are no JSON object.")
        values = cast("dict[str, Any]", arguments)
        foreign = _foreign(values, spec.parameters, (work.turn.message, *work.before))
        if foreign is not None:
            return ToolAnswer(NOT_OF_USER.format(value=str(foreign)[:100]))
        request = ToolRequest(spec.name, values)
        results = await tools.run([request], work.turn.message, allowed)
        note_results(work, results)
        pieces = [piece for each in results for piece in evidence.fact_pieces(each, work.refs)]
        failed = [each for each in results if each.state != "ok"]
        rest = "\n".join(f"{each.tool} {each.state}: {each.reason}" for each in failed)
        return work.shown("found", pieces, rest or ("" if pieces else "It returned nothing."))

    return TurnTool(FunctionTool(spec.function, spec.about, spec.parameters), run)


def _foreign(
    values: Mapping[str, Any], schema: Mapping[str, Any], messages: Sequence[str]
) -> object | None:
    """Return the first value that is neither in the messages nor one that the schema lists."""
    texts = [fold(text) for text in messages]
    terms = {term for text in texts for term in index_terms(text)}
    properties: Mapping[str, Any] = schema.get("properties", {})
    for name, value in values.items():
        field: Mapping[str, Any] = properties.get(name) or {}
        known = (*field.get("enum", ()), field.get("default"))
        if value not in known and not _occurs_in(value, texts, terms):
            return value
    return None


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
