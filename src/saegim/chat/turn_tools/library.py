"""Tools that search and read the documents."""

import time
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from saegim.chat.context import evidence
from saegim.chat.context.evidence import Piece
from saegim.chat.turn_tools.types import ToolAnswer, ToolArguments, TurnTool, TurnWork, tool
from saegim.domain.errors import ModelUnavailable, NotFound, OptionalServiceDown
from saegim.library.service import Library
from saegim.library.types import FoundPassage
from saegim.research.types import Tool
from saegim.usage.trace import SearchUse

# With the search before the model there are three calls of the library in a turn.
MOST_CALLS = 2
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
    """Searches and reads with the rights of the caller, a few times in a turn."""

    def __init__(self, library: Library, work: TurnWork) -> None:
        self._library = library
        self._work = work
        self._left = MOST_CALLS

    def tools(self) -> list[TurnTool]:
        return [
            tool("search", SearchArguments, self.search),
            tool("read", ReadArguments, self.read),
        ]

    async def search(self, wanted: SearchArguments, __: int) -> ToolAnswer:
        """Return the best passages, those that were shown before by their markers alone."""
        if not self._take():
            return ToolAnswer(NO_CALL_LEFT)
        start = time.perf_counter()
        try:
            results = await self._library.search(self._work.caller, wanted.query, count=RESULTS)
        except (OptionalServiceDown, ModelUnavailable):
            self._work.trace.note_degraded("index")
            return ToolAnswer(UNAVAILABLE)
        for part in results.degraded:
            self._work.trace.note_degraded(part)
        self._note(Tool.SEARCH_ALL, wanted.query, len(results.found), start)
        return self._shown(results.found, wanted.query, RESULT_TOKENS)

    async def read(self, wanted: ReadArguments, __: int) -> ToolAnswer:
        """Return a section, or a document from its beginning."""
        if not self._take():
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

    def _take(self) -> bool:
        self._left -= 1
        return self._left >= 0

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
