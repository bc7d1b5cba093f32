"""Requests to tools, and their results."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

ToolState = Literal["ok", "failed", "refused"]
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool: its name, description and the JSON schema of its parameters."""

    name: str
    about: str
    parameters: Mapping[str, Any]

    @property
    def function(self) -> str:
        """The name as models take it: providers refuse the dot of `server.tool`."""
        return _NOT_IN_NAMES.sub("_", self.name)[:64]


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A planned call of a tool."""

    tool_name: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a provider, with its source."""

    text: str
    title: str = ""
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a provider."""

    provider: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """Result of a call; `reason` is a stable code if it has no facts."""

    tool: str
    state: ToolState
    facts: tuple[Fact, ...] = ()
    provider: str | None = None
    reason: str | None = None
    took_ms: float = 0.0
    added: bool = False
    """Whether it was not planned, but added because another tool failed."""
    parameters: Mapping[str, Any] | None = None


class ToolFailed(Exception):
    """A provider, or all of them, failed; the message is a stable code."""
