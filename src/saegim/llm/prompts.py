"""Prompts are files beside the feature that asks: `prompts/NAME.md`, with a version on top."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from saegim.llm.types import Message, StepPrompt

_FILE = re.compile(r"\A---\nversion: (?P<version>[1-9][0-9]*)\n---\n(?P<text>.*)\Z", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file. `{{name}}` stands for a value; any other brace is text."""

    name: str
    version: int
    text: str

    @property
    def label(self) -> str:
        """How traces name it, such as `answer/3`."""
        return f"{self.name}/{self.version}"

    def render(self, **values: str) -> str:
        """The text with every placeholder filled, each value once and as it is."""
        return self._filled(values)

    def step(self, messages: tuple[Message, ...], **values: str) -> StepPrompt:
        """The rendered prompt as a step's system text, before these messages."""
        return StepPrompt(system=self._filled(values), messages=messages, version=self.label)

    def _filled(self, values: Mapping[str, str]) -> str:
        wanted = set(_PLACEHOLDER.findall(self.text))
        missing, unused = wanted - values.keys(), values.keys() - wanted
        if missing or unused:
            raise ValueError(
                f"prompt {self.label}: missing {sorted(missing)}, unused {sorted(unused)}"
            )
        return _PLACEHOLDER.sub(lambda match: values[match[1]], self.text)


@cache
def load(package: str, name: str) -> Prompt:
    """The prompt `prompts/NAME.md` of a package."""
    source = (files(package) / "prompts" / f"{name}.md").read_text("utf-8")
    match = _FILE.match(source.replace("\r\n", "\n"))
    if match is None:
        raise ValueError(f"prompt {package}/{name} must begin with ---, version: N, ---")
    return Prompt(name=name, version=int(match["version"]), text=match["text"].strip())
