"""The tools that a turn offers to its model; those of memory are in `memory.py`."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, cast

from pydantic import Field

from saegim.chat.context import evidence
from saegim.chat.context.evidence import Piece
from saegim.chat.turn_tools.memory import MemoryTools, MemoryToolServices
from saegim.chat.turn_tools.types import ToolAnswer, ToolArguments, TurnTool, TurnWork, tool
from saegim.chat.types import AssistantConfig
from saegim.domain.errors import ModelUnavailable, NotFound, OptionalServiceDown
from saegim.library.service import Library
from saegim.library.types import FoundPassage
from saegim.llm.types import FunctionTool
from saegim.research.types import MOST_CALLS, Tool
from saegim.text.analysis import fold, index_terms, query_terms
from saegim.tools.service import Tools
from saegim.tools.types import ToolRequest, ToolResult, ToolSpec
from saegim.usage.trace import SearchUse, ToolUse

RESULTS = 6
RESULT_TOKENS = 1_500
WHOLE_TOKENS = 3_000
NO_CALL_LEFT = "No call of the library is left in this turn. Answer with what there is."
UNAVAILABLE = "The documents cannot be searched at the moment. Say so if you need them."


class SearchArguments(ToolArguments):
    """Search the documents, if the evidence does not answer. `query` must be clear without the
    conversation: for a follow-up, name what it is about."""

    query: Annotated[str, Field(min_length=1, max_length=300)]


class ReadArguments(ToolArguments):
    """Read more of a document than the excerpts of a search: the section around a passage, or with
    `whole` the document, which you need to summarise or compare it. `ref` is the marker of one of
    its passages, such as "3"."""

    ref: Annotated[str, Field(min_length=1, max_length=200)]
    whole: bool = False


class LibraryTools:
    """Searches and reads with the rights of the caller, as long as the turn has calls left."""

    def __init__(self, library: Library, work: TurnWork) -> None:
        self._library = library
        self._work = work

    def searching(self) -> list[TurnTool]:
        return [tool("search", SearchArguments, self.search)]

    def reading(self) -> list[TurnTool]:
        return [tool("read", ReadArguments, self.read)]

    async def search(self, wanted: SearchArguments, __: int) -> ToolAnswer:
        """Return the best passages, those that were shown before by their markers alone."""
        if not self._has_call():
            return ToolAnswer(NO_CALL_LEFT)
        start = time.perf_counter()
        try:
            results = await self._library.search(self._work.caller, wanted.query, count=RESULTS)
        except (OptionalServiceDown, ModelUnavailable):
            self._work.trace.note_degraded("index")
            self._note(Tool.SEARCH_ALL, wanted.query, 0, start)
            return ToolAnswer(UNAVAILABLE)
        for part in results.degraded:
            self._work.trace.note_degraded(part)
        self._note(Tool.SEARCH_ALL, wanted.query, len(results.found), start)
        return self._shown(results.found, wanted.query, RESULT_TOKENS)

    async def read(self, wanted: ReadArguments, __: int) -> ToolAnswer:
        """Return a section, or a document from its beginning."""
        if not self._has_call():
            return ToolAnswer(NO_CALL_LEFT)
        start, library, caller = time.perf_counter(), self._library, self._work.caller
        passage = self._work.refs.passage(wanted.ref)
        try:
            if passage is None:
                _, places = await library.lookup(caller, wanted.ref.strip(" []"))
            else:
                places = await library.get_section(caller, passage)
                if wanted.whole and places:
                    _, places = await library.lookup(caller, str(places[0].document.id))
        except NotFound:
            places = []
        self._note(Tool.GET_SECTION, wanted.ref, len(places), start)
        found = [FoundPassage.of(each) for each in places]
        return self._shown(found, "", WHOLE_TOKENS if wanted.whole else RESULT_TOKENS, again=True)

    def _has_call(self) -> bool:
        return len(self._work.trace.searches) < MOST_CALLS

    def _shown(
        self, found: Sequence[FoundPassage], query: str, tokens: int, *, again: bool = False
    ) -> ToolAnswer:
        pieces = [evidence.passage_piece(each, self._work.refs, query) for each in found]
        if not pieces:
            return ToolAnswer("Nothing was found.")
        known = self._work.evidence
        new = [each for each in pieces if again or each.evidence.marker not in known]
        fitting, _ = evidence.fit(new, tokens)
        return self._work.shown("found", fitting, _before([p for p in pieces if p not in new]))

    def _note(self, kind: Tool, query: str, found: int, start: float) -> None:
        took = round((time.perf_counter() - start) * 1000, 3)
        self._work.trace.searches.append(SearchUse(kind, (query,), (), found, took))


def _before(pieces: Sequence[Piece]) -> str:
    markers = ", ".join(f"[{piece.evidence.marker}]" for piece in pieces)
    return f"Shown before: {markers}." if markers else ""


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
        return ToolAnswer("The user sees where people help, below your answer.", is_done=True)

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


@dataclass(frozen=True, slots=True)
class OfferedTools:
    """What a turn may use: searching the library, reading memory, changing it, the assistant's
    tools and the client's."""

    searches: bool
    recalls: bool
    remembers: bool
    own: Sequence[ToolSpec] = ()
    client: Sequence[FunctionTool] = ()

    @property
    def acting(self) -> tuple[str, ...]:
        """The names of the tools of the assistant and the client."""
        own = tuple(each.function for each in self.own)
        return (*own, *(each.name for each in self.client))


@dataclass(frozen=True, eq=False)
class TurnToolbox:
    """Makes the tools of a turn."""

    library: Library
    memory: MemoryToolServices
    outside: Tools

    def tools(
        self, offered: OfferedTools | None, config: AssistantConfig, work: TurnWork
    ) -> dict[str, TurnTool]:
        """Return the tools by name; a tool of the client hides ours of the same name."""
        if offered is None:
            return {}
        library, memory = LibraryTools(self.library, work), MemoryTools(self.memory, work)
        tools = library.searching() if offered.searches else []
        tools += library.reading()
        if offered.recalls:
            tools += memory.reading()
        if offered.remembers:
            tools += memory.changing()
        if config.menu_links:
            tools.append(hand_off(work))
        tools += [outside_tool(spec, self.outside, config.tools, work) for spec in offered.own]
        theirs = {each.name for each in offered.client}
        return {each.name: each for each in tools if each.name not in theirs}
