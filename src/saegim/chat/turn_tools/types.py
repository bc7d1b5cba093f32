"""A tool of a turn, and what the tools of one turn share.

To add a tool: a pydantic model of its arguments, whose docstring tells the model what the tool
does, and a function that takes them and returns a `ToolAnswer`. Register it in `offer.py`:

    class ReadClock(ToolArguments):
        '''Read the clock of a place.'''
        place: str

    async def read_clock(arguments: ReadClock, _: int) -> ToolAnswer:
        return ToolAnswer(f"It is 10:00 in {arguments.place}.")

    tool("read_clock", ReadClock, read_clock)
"""

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from saegim.chat.context.evidence import Piece, Refs
from saegim.chat.types import MARKER, Effect, Evidence
from saegim.conversations.types import Turn
from saegim.domain.scope import Caller
from saegim.llm.ports import EgressPolicy
from saegim.llm.types import FunctionTool
from saegim.memory.proposals import Proposal
from saegim.memory.turn_changes import TurnChange
from saegim.text.tokens import delimited
from saegim.usage.trace import TurnTrace


class ToolArguments(BaseModel):
    """Arguments of a tool. The docstring of a subclass is what the model reads about the tool."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What the model reads as the result of a call, and the evidence that it may cite from now."""

    text: str
    evidence: tuple[Evidence, ...] = ()
    is_done: bool = False
    """Whether the call did what was asked, so that there is nothing to add."""


@dataclass(frozen=True, slots=True)
class TurnTool:
    """A tool as a model gets it, and what runs a call: the arguments that the model wrote, and the
    number of the call in the turn."""

    offer: FunctionTool
    run: Callable[[str, int], Awaitable[ToolAnswer]]

    @property
    def name(self) -> str:
        return self.offer.name


def tool[T: ToolArguments](
    name: str, arguments: type[T], act: Callable[[T, int], Awaitable[ToolAnswer]]
) -> TurnTool:
    """Return a tool that checks its arguments and then acts."""

    async def run(written: str, call: int) -> ToolAnswer:
        try:
            values = arguments.model_validate_json(written or "{}")
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()
            )
            return ToolAnswer(f"Not done, the arguments are wrong: {problems}")
        return await act(values, call)

    about = " ".join(inspect.cleandoc(arguments.__doc__ or "").split())
    return TurnTool(FunctionTool(name, about, schema_of(arguments)), run)


def schema_of(arguments: type[BaseModel]) -> Mapping[str, Any]:
    """Return the JSON schema of arguments: names, types and which are required. A call is checked
    with all limits."""
    schema = arguments.model_json_schema()
    fields = {name: _bare(each) for name, each in schema.get("properties", {}).items()}
    required = schema.get("required", [])
    return {"type": "object", "properties": fields} | ({"required": required} if required else {})


def _bare(field: Mapping[str, Any]) -> dict[str, Any]:
    """Return the type of a field; one that may be missing need not be null."""
    kinds = [each for each in field.get("anyOf", [field]) if each.get("type") != "null"]
    kept = {name: kinds[0][name] for name in ("type", "format", "enum") if name in kinds[0]}
    return kept | ({"items": _bare(kinds[0]["items"])} if "items" in kinds[0] else {})


@dataclass(slots=True)
class TurnWork:
    """What the tools of one turn share: who asks, what was shown so far, and the changes of memory
    that are applied when the turn settles."""

    turn: Turn
    caller: Caller
    now: datetime
    time_zone: str
    refs: Refs
    egress: EgressPolicy
    trace: TurnTrace
    evidence: dict[str, Evidence]
    """What may be cited, by marker."""
    before: tuple[str, ...] = ()
    """The user's earlier messages in the context, the oldest first."""
    others: tuple[str, ...] = ()
    """What else the model has read of the conversation: answers, results of the client's tools."""
    changes: list[TurnChange] = field(default_factory=list["TurnChange"])
    effects: list[Effect] = field(default_factory=list[Effect])
    proposal: Proposal | None = None

    def drop_changes(self) -> None:
        """Forget what was prepared, as the turn did not end well."""
        self.changes.clear()
        self.effects.clear()
        self.trace.prepared = 0

    def cited_before(self) -> set[str]:
        """Return the markers in what the model has read of earlier answers."""
        return {each for text in self.others for each in MARKER.findall(text)}

    def texts_of_others(self) -> Iterator[str]:
        """Yield what the model has read besides the user's own words."""
        yield from self.others
        yield from (self.turn.message, *self.before)
        for each in self.evidence.values():
            yield from (each.title, each.text)

    def shown(self, name: str, pieces: Sequence[Piece], rest: str = "") -> ToolAnswer:
        """Return pieces as an answer, between tags, and let the model cite them."""
        found = tuple(piece.evidence for piece in pieces)
        new = [piece for piece in pieces if piece.evidence.marker not in self.evidence]
        self.trace.items += [piece.use("injected") for piece in new]
        self.evidence |= {each.marker: each for each in found}
        block = delimited(name, "\n\n".join(piece.shown for piece in pieces)) if pieces else ""
        return ToolAnswer("\n\n".join(filter(None, (block, rest))), found)
