"""Which tools a turn offers to its model."""

from collections.abc import Sequence
from dataclasses import dataclass

from saegim.chat.turn_tools.library import LibraryTools
from saegim.chat.turn_tools.memory import MemoryTools, MemoryToolServices
from saegim.chat.turn_tools.outside import hand_off, outside_tool
from saegim.chat.turn_tools.types import TurnTool, TurnWork
from saegim.chat.types import AssistantConfig
from saegim.library.service import Library
from saegim.llm.types import FunctionTool
from saegim.tools.service import Tools
from saegim.tools.types import ToolSpec


@dataclass(frozen=True, slots=True)
class OfferedTools:
    """What a turn may use: reading memory, changing it, the assistant's tools and the client's."""

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
        tools = LibraryTools(self.library, work).tools()
        memory = MemoryTools(self.memory, work)
        if offered.recalls:
            tools += memory.reading()
        if offered.remembers:
            tools += memory.changing()
        if config.menu_links:
            tools.append(hand_off(work))
        tools += [outside_tool(spec, self.outside, config.tools, work) for spec in offered.own]
        theirs = {each.name for each in offered.client}
        return {each.name: each for each in tools if each.name not in theirs}
