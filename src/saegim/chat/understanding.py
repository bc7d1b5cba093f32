"""One model call that reads a message: a reference back, its route, queries, a plan of tools."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from saegim.chat.config import FALLBACK_ROUTE, AssistantConfig, RouteConfig
from saegim.chat.message_patterns import depends_on_thread, refers_back
from saegim.chat.reply import summarise
from saegim.conversations.entities import render
from saegim.conversations.types import Entity, Exchange
from saegim.llm.ports import ModelRole
from saegim.llm.prompts import load
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.research.loop import in_thread
from saegim.text.analysis import fold, language, sentences
from saegim.text.delimiters import delimited
from saegim.tools.service import planned
from saegim.tools.types import ToolRequest, ToolSpec

_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
# What a follow-up names in place of what was named before: one of the same kind.
_KINDS = tuple(
    re.compile(kind, re.IGNORECASE)
    for kind in (
        r"(?<!\d)\d{1,2}월(?!\s?\d)",
        r"(?<!\d)\d{4}년(?!\s?\d)",
        r"(?<!\d)\d{1,2}분기",
        r"[월화수목금토일]요일",
        r"(?:지난|이번|다음)\s?(?:주|달|분기)|작년|올해|내년|어제|오늘|내일",
        rf"\b{_MONTHS}\b",
        r"\bq[1-4]\b",
        r"(?<!\d)(?:19|20)\d\d(?![\d년])",
    )
)
_LEAD = r"(?:그럼|그러면|그리고|그렇다면|혹시|and|then|so|but|(?:what|how) about)?[\s,]*"
_TAIL = r"\s*(?:은|는|도|에는|에도|(?:은|는)\s?어때|(?:은|는)\s?어땠어)?요?\s*[?？]*\s*"


def whole_question(message: str, said: Sequence[str], summary: str = "") -> str | None:
    """The question that a follow-up stands for; None where it names nothing that was named before.

    The last message goes first, then those before it, then the summary's sentences.
    """
    for kind in _KINDS:
        named = re.fullmatch(rf"{_LEAD}({kind.pattern}){_TAIL}", message.strip(), re.IGNORECASE)
        if named is None:
            continue
        for text in _latest_first(said, summary):
            before = kind.search(text)
            if before is not None and not _is_follow_up(text):
                return f"{text[: before.start()]}{named[1]}{text[before.end() :]}".strip()
    return None


def _latest_first(said: Sequence[str], summary: str) -> Iterator[str]:
    yield from (text for text in reversed(said) if text.strip())
    yield from reversed(sentences(summary))


def _is_follow_up(text: str) -> bool:
    """Whether a text is itself one that says nothing without another."""
    return any(
        re.fullmatch(rf"{_LEAD}({kind.pattern}){_TAIL}", text.strip(), re.IGNORECASE)
        for kind in _KINDS
    )


MOST_VARIANTS = 2
MOST_STANDALONE = 4_000
NO_TOOLS = "  (there are none)"


class PlannedTool(BaseModel):
    """A tool to use."""

    tool_name: str = Field(max_length=100)
    parameters: dict[str, Any] = {}


class Understanding(BaseModel):
    """What a message needs."""

    refers_to_document: bool = False
    route: str = Field(default=FALLBACK_ROUTE, max_length=100)
    standalone: str | None = Field(default=None, max_length=MOST_STANDALONE)
    variants: list[str] = Field(default=[], max_length=8)
    tools: list[PlannedTool] = Field(default=[], max_length=8)


UNDERSTAND = StructuredStep("understand", ModelRole.ASSESSOR, StepPath.REPLY, Understanding, 600)


@dataclass(frozen=True, slots=True)
class Reading:
    """What there is to understand a message with."""

    message: str
    said: tuple[Exchange, ...]
    config: AssistantConfig
    tools: tuple[ToolSpec, ...]
    summary: str = ""
    entities: tuple[Entity, ...] = ()


def prompt(reading: Reading) -> StepPrompt:
    """The message after the whole state, as data; answers are shortened to what they were about
    and name the documents they used."""
    state = {
        "summary": reading.summary,
        "entities": render(reading.entities),
        "conversation": "\n".join(map(_said, reading.said)),
    }
    shown = "\n\n".join(delimited(name, text) for name, text in state.items() if text)
    message = delimited("message", reading.message)
    return load("saegim.chat", "understand").step(
        (Message("user", f"{shown}\n\n{message}".strip()),),
        routes="\n".join(map(_route, reading.config.routes)),
        tools=tool_list(reading.tools),
    )


def twin(reading: Reading) -> Understanding:
    """The same by rules."""
    route = route_by_words(reading.message, reading.config)
    depends = depends_on_thread(reading.message)
    # Cut from the front: the end is the message itself.
    said = [turn.message for turn in reading.said]
    standalone = whole_question(reading.message, said, reading.summary)
    standalone = standalone or in_thread(reading.message, said)
    forms = route.query_forms if language(reading.message) == "ko" and not depends else []
    return Understanding(
        refers_to_document=refers_back(reading.message),
        route=route.name,
        standalone=standalone and standalone[-MOST_STANDALONE:],
        variants=[form.replace("{message}", reading.message)[:1_000] for form in forms],
        tools=[
            PlannedTool(tool_name=one.tool_name, parameters=dict(one.parameters))
            for one in planned(reading.message, {tool.name for tool in reading.tools})
        ],
    )


def sound(understood: Understanding, reading: Reading) -> Understanding:
    """What of an understanding holds: a route that there is, tools that are offered."""
    offered = {tool.name for tool in reading.tools}
    known = reading.config.route(understood.route)
    return Understanding(
        refers_to_document=understood.refers_to_document and bool(reading.said),
        route=(known or route_by_words(reading.message, reading.config)).name,
        standalone=understood.standalone if reading.said or reading.summary else None,
        variants=[text for text in understood.variants if text.strip()][:MOST_VARIANTS],
        tools=[tool for tool in understood.tools if tool.tool_name in offered],
    )


def route_by_words(message: str, config: AssistantConfig) -> RouteConfig:
    """The first route that has a word of the message; else the last, which takes everything."""
    folded = fold(message)
    for route in config.routes:
        if any(fold(word) in folded for word in route.words):
            return route
    general = config.route(FALLBACK_ROUTE)
    return general or RouteConfig(name=FALLBACK_ROUTE, about="")


def requests(understood: Understanding) -> list[ToolRequest]:
    """The plan as the tools take it."""
    return [ToolRequest(one.tool_name, one.parameters) for one in understood.tools]


def _said(turn: Exchange) -> str:
    used = f"\nreferences: {', '.join(turn.refs)}" if turn.refs else ""
    return f"user: {turn.message}\nassistant: {summarise(turn.reply)}{used}"


def _route(route: RouteConfig) -> str:
    hint = f" Queries: {route.query_prompt}" if route.query_prompt else ""
    return f"  - {route.name}: {route.about}{hint}"


def tool_list(tools: Sequence[ToolSpec]) -> str:
    """The tools as a prompt lists them."""
    return "\n".join(map(_tool, tools)) or NO_TOOLS


def _tool(tool: ToolSpec) -> str:
    properties: Mapping[str, Any] = tool.parameters.get("properties", {})
    schema = json.dumps(properties, ensure_ascii=False)
    return f"  - {tool.name}: {tool.about} Parameters: {schema}"
