"""Restore values that a summary lost, and remove values that were replaced."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from saegim.conversations.summary.exact_values import exact_values, find_exact
from saegim.conversations.summary.fallback import unlabelled
from saegim.conversations.summary.values import find_values
from saegim.conversations.types import (
    MOST_ENTITIES,
    Entity,
    Exchange,
    push_entity,
    same_key,
    tidy_entity,
)
from saegim.text import analysis

_SPACE = re.compile(r"\s+")


def kept_entities(
    before: Sequence[Entity],
    proposed: Iterable[tuple[str, str]],
    batch: Sequence[Exchange],
    most: int = MOST_ENTITIES,
) -> tuple[Entity, ...]:
    """Return the entities after a summary; a later value replaces an earlier one.

    They are the earlier entities, those of the model that occur in the turns, and the keyed values
    of the turns that the model lost.
    """
    model = _grounded(proposed, batch)
    stated, guessed = _of_batch(batch)
    renamed = _renamed(model, stated, batch)
    before = [entity for entity in before if entity.key not in {each.key for each in renamed}]
    known = {same_key(entity.key) for entity in [*before, *model]}
    model_values = {_squeezed(entity.value) for entity in model}
    lost = [
        entity
        for entity in guessed.entities
        if same_key(entity.key) not in known and _squeezed(entity.value) not in model_values
    ]
    own = [entity for entity in model if entity not in renamed and not stated.has(entity.key)]
    new = sorted([*own, *lost, *stated.entities], key=lambda entity: entity.turn)
    return push_entity(before, new, most)


def without_outdated(summary: str, entities: Sequence[Entity]) -> str:
    """Remove sentences that state an earlier value of an entity."""
    current = {same_key(entity.key): _squeezed(entity.value) for entity in entities}
    lines: list[str] = []
    for line in summary.splitlines():
        valid = [each for each in analysis.sentences(line) if not _is_outdated(each, current)]
        lines += [" ".join(valid)] if valid else []
    return "\n".join(lines) or summary


def says(text: str, value: str) -> bool:
    """Return whether a text contains the whole value, ignoring case and spaces."""
    wanted, within = _squeezed(value), _squeezed(text)
    start = within.find(wanted)
    while start >= 0:
        if _is_whole(within, start, start + len(wanted)):
            return True
        start = within.find(wanted, start + 1)
    return False


@dataclass(frozen=True, slots=True)
class _StatedValues:
    """The last value of each key in some turns."""

    entities: tuple[Entity, ...]

    @property
    def values(self) -> set[str]:
        return {_squeezed(entity.value) for entity in self.entities}

    def has(self, key: str) -> bool:
        return any(same_key(entity.key) == same_key(key) for entity in self.entities)


def _of_batch(batch: Sequence[Exchange]) -> tuple[_StatedValues, _StatedValues]:
    """Return the values that the turns state explicitly, and the guessed ones."""
    by_outright: dict[bool, list[Entity]] = {True: [], False: []}
    before = ""
    for turn in batch:
        for exact in exact_values(turn, before):
            entity = tidy_entity(exact.key, exact.value, turn.number)
            if entity is not None:
                by_outright[exact.outright].append(entity)
        before = turn.reply
    explicit, guessed = (push_entity((), by_outright[each]) for each in (True, False))
    return _StatedValues(explicit), _StatedValues(guessed)


def _grounded(proposed: Iterable[tuple[str, str]], batch: Sequence[Exchange]) -> list[Entity]:
    """Return the entities of the model that occur in a turn, with the last such turn."""
    entities: list[Entity] = []
    for key, value in proposed:
        numbers = [
            turn.number for turn in batch if _contains(f"{turn.message}\n{turn.reply}", value)
        ]
        entity = tidy_entity(key, value, max(numbers)) if numbers else None
        if entity is not None:
            entities.append(entity)
    return entities


def _contains(text: str, value: str) -> bool:
    if says(text, value):
        return True
    if find_values(value):
        return False
    terms = analysis.terms(value)
    return bool(terms) and set(terms) <= set(analysis.terms(text))


def _renamed(
    model: Sequence[Entity], stated: _StatedValues, batch: Sequence[Exchange]
) -> list[Entity]:
    """Return entities whose key the model invented while the turns give the value another key.

    The key of the turns is preferred: it is the same in every summary.
    """
    text = "\n".join(f"{turn.message}\n{turn.reply}" for turn in batch)
    values = stated.values
    return [
        entity
        for entity in model
        if _squeezed(entity.value) in values and not says(text, entity.key)
    ]


def _is_outdated(sentence: str, current: dict[str, str]) -> bool:
    stated = [each for each in find_exact(unlabelled(sentence)) if each.outright]
    return any(
        current.get(same_key(each.key), _squeezed(each.value)) != _squeezed(each.value)
        for each in stated
    )


def _squeezed(text: str) -> str:
    return _SPACE.sub("", analysis.fold(text))


def _is_whole(text: str, start: int, end: int) -> bool:
    """Return whether the span is not part of a longer number."""
    if text[start].isdigit() and re.search(r"\d[.,]?$", text[:start]):
        return False
    return not (text[end - 1].isdigit() and re.match(r"[.,]?\d", text[end:]))
