"""A model step: what it is asked, what it gives back."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel

from saegim.domain.errors import ModelUnavailable
from saegim.llm.model_call import ModelCall
from saegim.llm.ports import Embedder, ModelRole
from saegim.text.tokens import RULE, is_delimited, with_suffix


class StepPath(StrEnum):
    """Where a step runs, which decides what happens when its model fails."""

    REPLY = "reply"
    """Somebody waits: the twin steps in."""
    BACKGROUND = "background"
    """Nobody waits: the step fails and is tried again later."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation that a model is shown."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class StepPrompt:
    """What a model is shown. The last message is the user's; `version` names the prompt file."""

    system: str
    messages: tuple[Message, ...]
    version: str

    def __post_init__(self) -> None:
        if not self.messages or self.messages[-1].role != "user":
            raise ValueError("a step's prompt ends with a message of the user")

    def with_tags(self, suffix: str) -> "StepPrompt":
        """The prompt as it is sent: its tags end in the suffix, and the system text says so."""
        if not any(map(is_delimited, (self.system, *(one.text for one in self.messages)))):
            return self
        system = f"{self.system}\n\n{RULE.format(suffix=suffix)}"
        return StepPrompt(
            system=with_suffix(system, suffix),
            messages=tuple(Message(m.role, with_suffix(m.text, suffix)) for m in self.messages),
            version=self.version,
        )


@dataclass(frozen=True, slots=True)
class StructuredStep[T: BaseModel]:
    """A step whose model fills in a form."""

    name: str
    role: ModelRole
    path: StepPath
    output: type[T]
    max_output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class TextStep:
    """A step whose model writes text, shown as it is written."""

    name: str
    role: ModelRole
    path: StepPath
    first_token_seconds: float = 10.0
    max_output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class StepResult[T]:
    """What a structured step came to, and how."""

    value: T
    call: ModelCall


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of a text."""

    text: str


@dataclass(frozen=True, slots=True)
class StepEnd:
    """The end of a text. Not complete means that the provider died after showing a part of it."""

    call: ModelCall
    complete: bool


class Embedders:
    """`first` is what new tenants begin with; the others serve indexes that were made with them."""

    def __init__(self, first: Embedder, others: Iterable[Embedder] = ()) -> None:
        self.first = first
        self._named = {each.name: each for each in (*others, first)}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._named))

    def find(self, name: str) -> Embedder | None:
        """The embedder of this name; None where the settings do not provide it."""
        return self._named.get(name)

    def named(self, name: str) -> Embedder:
        """The embedder of this name. Raises ModelUnavailable where there is none."""
        found = self.find(name)
        if found is None:
            raise ModelUnavailable(f"no embedder {name} in the settings")
        return found
