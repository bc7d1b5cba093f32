"""Model steps: prompts, results, embedders."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel

from saegim.domain.errors import ModelUnavailable
from saegim.llm.model_call import ModelCall
from saegim.llm.ports import Embedder, ModelRole
from saegim.text.tokens import RULE, is_delimited, with_suffix


class StepPath(StrEnum):
    """Where a step runs, which decides what happens if its model fails."""

    REPLY = "reply"
    """The fallback runs."""
    BACKGROUND = "background"
    """The step fails and is retried later."""


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """A tool that a model may call: its name, what it does, and the JSON schema of its
    arguments."""

    name: str
    about: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call that a model asks for; `arguments` is the JSON text that it wrote."""

    id: str
    name: str
    arguments: str

    @property
    def is_readable(self) -> bool:
        """Whether the arguments are a JSON object, or missing."""
        try:
            return isinstance(json.loads(self.arguments or "{}"), dict)
        except ValueError:
            return False


@dataclass(frozen=True, slots=True)
class Message:
    """A message; one of the assistant may call tools, and one of a tool answers the call `id`."""

    role: Literal["user", "assistant", "tool"]
    text: str
    calls: tuple[FunctionCall, ...] = ()
    answers: FunctionCall | None = None


@dataclass(frozen=True, slots=True)
class StepPrompt:
    """A prompt. The last message is the user's or a tool's; `version` names the prompt file;
    `tags` is the suffix of its tags if it is not another for each call. `key` makes placeholders
    for names the same in every call that has it. `tool_choice` says whether one of the `tools` may,
    must or must not be called."""

    system: str
    messages: tuple[Message, ...]
    version: str
    tags: str | None = None
    key: bytes = field(default=b"", repr=False)
    tools: tuple[FunctionTool, ...] = ()
    tool_choice: Literal["auto", "required", "none"] = "auto"

    def __post_init__(self) -> None:
        if not self.messages or self.messages[-1].role == "assistant":
            raise ValueError("a step's prompt ends with a message of the user or a tool")

    @property
    def texts(self) -> tuple[str, ...]:
        """The system text, those of the messages and the arguments of their calls."""
        arguments = (call.arguments for each in self.messages for call in each.calls)
        return (self.system, *(message.text for message in self.messages), *arguments)

    def after(self, *messages: Message) -> "StepPrompt":
        """Return the prompt with further messages at its end."""
        return replace(self, messages=(*self.messages, *messages))

    def with_tags(self, suffix: str) -> "StepPrompt":
        """Append the suffix to the prompt's tags and explain it in the system text."""
        if not any(map(is_delimited, (self.system, *(each.text for each in self.messages)))):
            return self
        suffix = self.tags or suffix
        system = f"{self.system}\n\n{RULE.format(suffix=suffix)}"
        return replace(
            self,
            system=with_suffix(system, suffix),
            messages=tuple(replace(m, text=with_suffix(m.text, suffix)) for m in self.messages),
            tags=None,
        )


@dataclass(frozen=True, slots=True)
class StructuredStep[T: BaseModel]:
    """A step with structured output."""

    name: str
    role: ModelRole
    path: StepPath
    output: type[T]
    max_output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class SamplingParameters:
    """Sampling and length parameters of a client for the answering model; None is its default."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None

    @property
    def is_set(self) -> bool:
        return self != DEFAULT_SAMPLING


DEFAULT_SAMPLING = SamplingParameters()
FIRST_TOKEN_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class TextStep:
    """A step with streamed text."""

    name: str
    role: ModelRole
    path: StepPath
    first_token_seconds: float = FIRST_TOKEN_SECONDS
    max_output_tokens: int | None = None
    sampling: SamplingParameters = DEFAULT_SAMPLING


@dataclass(frozen=True, slots=True)
class StepResult[T]:
    value: T
    call: ModelCall


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class StepEnd:
    """The end of a text; not complete if the provider failed after the first piece, or if the
    limit of tokens was reached. `calls` are the tools that the model asks for."""

    call: ModelCall
    complete: bool
    calls: tuple[FunctionCall, ...] = ()


class Embedders:
    """The configured embedders: `first` for new tenants, the others for existing indexes."""

    def __init__(self, first: Embedder, others: Iterable[Embedder] = ()) -> None:
        self.first = first
        self._by_name = {each.name: each for each in (*others, first)}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._by_name))

    def find(self, name: str) -> Embedder | None:
        """Return the embedder of this name; None if it is not configured."""
        return self._by_name.get(name)

    def named(self, name: str) -> Embedder:
        """Return the embedder of this name. Raises ModelUnavailable if it is not configured."""
        embedder = self.find(name)
        if embedder is None:
            raise ModelUnavailable(f"no embedder {name} in the settings")
        return embedder
