"""Placeholders for names, e-mail addresses and phone numbers on the way to a provider and back."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, cast

from pydantic import BaseModel

from saegim.llm.types import Message, StepPrompt
from saegim.text import particles
from saegim.text.masking import contacts_in

_LABELS = ("Person", "Email", "Phone")
_PLACEHOLDER = re.compile(
    rf"(?<![A-Za-z])({'|'.join(_LABELS)})[ _-]?(\d{{1,4}})(?:({particles.ANY})(?![가-힣]))?"
)
_BEGINNINGS = "|".join(label[:length] for label in _LABELS for length in range(len(label), 0, -1))
# The end of a text that may be the beginning of a placeholder.
_UNFINISHED = re.compile(
    rf"(?<![A-Za-z])(?:(?:{'|'.join(_LABELS)})[ _-]?\d{{0,4}}[가-힣]{{0,3}}|(?:{_BEGINNINGS}))$"
)
_SHORTEST_NAME = 2


@dataclass(slots=True)
class Pseudonyms:
    """Placeholders for the names, e-mail addresses and phone numbers of one call."""

    names: Iterable[str] = ()
    _placeholders: dict[str, str] = field(default_factory=dict[str, str])
    _originals: dict[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        known = {name.strip() for name in self.names}
        for name in sorted((each for each in known if len(each) >= _SHORTEST_NAME), key=_longest):
            self._placeholder("Person", name)

    def __len__(self) -> int:
        """Return how many placeholders stand for something."""
        return len(self._originals)

    def hidden(self, prompt: StepPrompt) -> StepPrompt:
        """Return a prompt with placeholders. What it has of that form by itself stays as it is."""
        texts = (prompt.system, *(message.text for message in prompt.messages))
        for email, phone in map(contacts_in, texts):
            for address in email:
                self._placeholder("Email", address)
            for number in phone:
                self._placeholder("Phone", number)
        self._drop_unused("\n".join(texts))
        messages = tuple(Message(each.role, self._hide(each.text)) for each in prompt.messages)
        return replace(prompt, system=self._hide(prompt.system), messages=messages)

    def restored(self, text: str) -> str:
        """Return a text with the names again; Korean particles fit the name."""
        return _PLACEHOLDER.sub(self._original, text)

    def restored_output[T: BaseModel](self, value: T) -> T:
        """Return a structured output with the names again."""
        if not self._originals:
            return value
        return type(value).model_validate(self._restored_value(value.model_dump()))

    def _restored_value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.restored(value)
        if isinstance(value, Mapping):
            entries = cast("Mapping[str, Any]", value).items()
            return {key: self._restored_value(each) for key, each in entries}
        if isinstance(value, list | tuple):
            return [self._restored_value(each) for each in cast("list[Any]", value)]
        return value

    def _placeholder(self, label: str, original: str) -> None:
        if original in self._placeholders:
            return
        self._name(original, label, "")

    def _name(self, original: str, label: str, text: str) -> None:
        """Give the next placeholder that stands for nothing else and is not in the text."""
        names = (f"{label}{number}" for number in count(1))
        free = next(each for each in names if each not in self._originals and each not in text)
        self._placeholders[original], self._originals[free] = free, original

    def _drop_unused(self, text: str) -> None:
        """Forget what the prompt does not say, and rename placeholders that it has by itself."""
        for original, placeholder in list(self._placeholders.items()):
            is_said = _pattern(original).search(text) is not None
            if is_said and placeholder not in text:
                continue
            del self._placeholders[original], self._originals[placeholder]
            if is_said:
                self._name(original, placeholder.rstrip("0123456789"), text)

    def _hide(self, text: str) -> str:
        for original in sorted(self._placeholders, key=_longest):
            text = _pattern(original).sub(self._placeholders[original], text)
        return text

    def _original(self, match: re.Match[str]) -> str:
        original = self._originals.get(f"{match[1]}{match[2]}")
        if original is None:
            return match[0]
        return original + particles.fitting(original, match[3] or "")


class RestoringStream:
    """Restores names in a text that arrives in pieces, also across their borders."""

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        self._pseudonyms = pseudonyms
        self._kept = ""

    def feed(self, piece: str) -> str:
        """Return what can be shown so far."""
        if not len(self._pseudonyms):
            return piece
        text = self._kept + piece
        unfinished = _UNFINISHED.search(text)
        end = len(text) if unfinished is None else unfinished.start()
        self._kept = text[end:]
        return self._pseudonyms.restored(text[:end])

    def end(self) -> str:
        """Return the rest of the text."""
        rest, self._kept = self._pseudonyms.restored(self._kept), ""
        return rest


def _longest(name: str) -> tuple[int, str]:
    return -len(name), name


def _pattern(original: str) -> re.Pattern[str]:
    """Match a name as a word; particles may follow one in Hangul."""
    if "가" <= original[-1] <= "힣":
        return re.compile(rf"(?<![가-힣A-Za-z]){re.escape(original)}")
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(original)}(?![A-Za-z0-9])", re.IGNORECASE)
