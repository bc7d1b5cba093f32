"""Equipment, module and document type in a message, by the library's own tags (TN11)."""

import re
from collections.abc import Mapping, Sequence

from saegim.chat.config import AssistantConfig
from saegim.library.vocabulary import Vocabulary
from saegim.research.types import Hints
from saegim.text.analysis import fold

LONGEST_NAME_WORDS = 5
KEYS = ("equipment", "module", "doc_type")
_PARTICLE = re.compile(
    r"(?<=[a-z0-9])(?:에서|에는|으로|이랑|은|는|이|가|을|를|의|에|로|와|과|도|만|랑)$"
)
_MODULE = re.compile(r"모듈|챔버|유닛|module|chamber|unit")


def hints_in(message: str, vocabulary: Vocabulary, config: AssistantConfig) -> Hints:
    """What of the library's tags stands in a message; the longest name is the equipment."""
    words = [_PARTICLE.sub("", word) for word in re.findall(r"[\w.+-]+", fold(message))]
    found = _names(words, vocabulary.names)
    module = next((name for name in found if _is_module(name, words)), None)
    equipment = next((name for name in found if name != module), None)
    return Hints(equipment, module, _doc_type(words, fold(message), vocabulary, config))


def kept(found: Hints, before: Sequence[Hints]) -> Hints:
    """What a message says, else what the last message before it that said it did."""
    values: dict[str, str | None] = {key: getattr(found, key) for key in KEYS}
    for earlier in reversed(before):
        for key in KEYS:
            values[key] = values[key] or getattr(earlier, key)
    return Hints(**values)


def from_entities(entities: Mapping[str, str]) -> Hints:
    """What a client kept for us, by the same keys."""
    return Hints(**{key: entities.get(key) for key in KEYS})


def _names(words: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """Names in the message, the longest first; none inside another."""
    found: list[str] = []
    taken: set[int] = set()
    for length in range(min(LONGEST_NAME_WORDS, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            span = set(range(start, start + length))
            name = names.get(" ".join(words[start : start + length]))
            if name is not None and not span & taken:
                taken |= span
                found.append(name)
    return found


def _is_module(name: str, words: Sequence[str]) -> bool:
    """Whether the name is called a module, in itself or by the word beside it."""
    text, folded = " ".join(words), fold(name)
    beside = (
        rf"(?:{_MODULE.pattern})\s{re.escape(folded)}|{re.escape(folded)}\s(?:{_MODULE.pattern})"
    )
    return _MODULE.search(folded) is not None or re.search(beside, text) is not None


def _doc_type(
    words: Sequence[str], message: str, vocabulary: Vocabulary, config: AssistantConfig
) -> str | None:
    """A type that the library has, by its own name or by what people call it."""
    for kind in sorted(vocabulary.types, key=lambda kind: (-len(kind), kind)):
        if fold(kind) in words:
            return kind
        if any(fold(alias) in message for alias in config.document_types.get(kind, ())):
            return kind
    return None
