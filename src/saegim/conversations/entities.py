"""Entities: an ordered array of keyed values, the newest at the end (WM4)."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from saegim.conversations.types import Entity
from saegim.text.tokens import count

MOST_ENTITIES = 25
KEY_CHARACTERS = 40
VALUE_CHARACTERS = 100

_DETERMINER = re.compile(
    r"(?:(?:the|an?|my|our|your|his|her|their|its|this|that|current|new|updated|latest|latter)\s"
    r"|(?:우리|저희|제|내|나의|저의|그|이|저|현재|지금|새|새로운|바뀐|변경된|최신)\s)+",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[\s_\-./]+")


def push(
    entities: Sequence[Entity], new: Iterable[Entity], most: int = MOST_ENTITIES
) -> tuple[Entity, ...]:
    """The same key is removed and pushed to the end; over `most`, the front is dropped."""
    kept = {same_key(entity.key): entity for entity in entities}
    for entity in new:
        kept.pop(same_key(entity.key), None)
        kept[same_key(entity.key)] = entity
    return tuple(kept.values())[-most:]


def tidy(key: str, value: str, turn: int) -> Entity | None:
    """An entity on one line; None where there is no key or value, or the value is a text."""
    key, value = _one_line(key), _one_line(value)
    if not key or not value or len(value) > VALUE_CHARACTERS:
        return None
    return Entity(key[:KEY_CHARACTERS].rstrip(), value, turn)


def same_key(key: str) -> str:
    """What spellings of a key have in common: 우리 예산 and 예산, Top_Service and top service."""
    folded = unicodedata.normalize("NFC", key).casefold().strip()
    bare = _DETERMINER.sub("", folded, count=1) if _DETERMINER.match(folded) else folded
    return _SEPARATOR.sub(" ", bare).strip() or folded


def render(entities: Iterable[Entity]) -> str:
    """One line for each, as a model is shown them."""
    return "\n".join(f"{entity.key}: {entity.value}" for entity in entities)


def fit(entities: Sequence[Entity], limit: int) -> tuple[Entity, ...]:
    """The newest entities that fit so many tokens, in their order."""
    first = 0
    while first < len(entities) and count(render(entities[first:])) > limit:
        first += 1
    return tuple(entities[first:])


def as_json(entities: Iterable[Entity]) -> list[dict[str, Any]]:
    """The array as it is stored and shown: `{"key", "value", "turn"}` each."""
    return [asdict(entity) for entity in entities]


def from_json(stored: Iterable[Mapping[str, Any]]) -> tuple[Entity, ...]:
    return tuple(Entity(each["key"], each["value"], each["turn"]) for each in stored)


def _one_line(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
