"""Outside facts: what is asked of a tool, and what comes back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

ToolState = Literal["ok", "failed", "refused"]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is offered: its name, what it does, and the schema of its parameters."""

    name: str
    about: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """One planned use of a tool."""

    tool_name: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a provider knows, and where it stands."""

    text: str
    title: str = ""
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """What a provider answered."""

    provider: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """How one use of a tool ended; `reason` is a stable word where it brought nothing."""

    tool: str
    state: ToolState
    facts: tuple[Fact, ...] = ()
    provider: str | None = None
    reason: str | None = None
    took_ms: float = 0.0
    added: bool = False
    """Whether it was not planned but steps in for another that failed."""
    parameters: Mapping[str, Any] | None = None


class ToolFailed(Exception):
    """A provider, or all of them, did not answer; the message is a stable word."""
