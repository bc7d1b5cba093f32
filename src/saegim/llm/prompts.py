"""Prompt files of the features, with their versions."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from saegim.llm.types import Message, StepPrompt

_FILE = re.compile(r"\A---\nversion: (?P<version>[1-9][0-9]*)\n---\n(?P<text>.*)\Z", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file with `{{name}}` placeholders; any other brace is text."""

    name: str
    version: int
    text: str

    @property
    def label(self) -> str:
        """The name in traces, such as `answer/3`."""
        return f"{self.name}/{self.version}"

    def render(self, **values: str) -> str:
        """Fill in the placeholders. Raises ValueError for missing or unused values."""
        placeholders = set(_PLACEHOLDER.findall(self.text))
        missing, unused = placeholders - values.keys(), values.keys() - placeholders
        if missing or unused:
            raise ValueError(
                f"prompt {self.label}: missing {sorted(missing)}, unused {sorted(unused)}"
            )
        return _PLACEHOLDER.sub(lambda match: values[match[1]], self.text)

    def step(self, messages: tuple[Message, ...], **values: str) -> StepPrompt:
        """Return the rendered prompt as a step's system text with these messages."""
        return StepPrompt(system=self.render(**values), messages=messages, version=self.label)


@cache
def load(package: str, name: str) -> Prompt:
    """Load `prompts/NAME.md` of a package. Raises ValueError without a version header."""
    source = (files(package) / "prompts" / f"{name}.md").read_text("utf-8")
    match = _FILE.match(source.replace("\r\n", "\n"))
    if match is None:
        raise ValueError(f"prompt {package}/{name} must begin with ---, version: N, ---")
    return Prompt(name=name, version=int(match["version"]), text=match["text"].strip())
