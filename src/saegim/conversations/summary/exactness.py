"""Exactness: what a fold lost is put back, and what was replaced does not come back."""

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
    given: Iterable[tuple[str, str]],
    batch: Sequence[Exchange],
    most: int = MOST_ENTITIES,
) -> tuple[Entity, ...]:
    """The entities after a fold: those before, those that the summarizer gave and the turns say,
    and every keyed value of the turns that it lost; a later value replaces an earlier one."""
    model = _grounded(given, batch)
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
    """The summary without sentences that state an earlier value of an entity."""
    current = {same_key(entity.key): _squeezed(entity.value) for entity in entities}
    lines: list[str] = []
    for line in summary.splitlines():
        kept = [each for each in analysis.sentences(line) if not _is_outdated(each, current)]
        lines += [" ".join(kept)] if kept else []
    return "\n".join(lines) or summary


def says(text: str, value: str) -> bool:
    """Whether a text has a value, whole and with every digit; case and spaces do not count."""
    wanted, within = _squeezed(value), _squeezed(text)
    start = within.find(wanted)
    while start >= 0:
        if _stands_alone(within, start, start + len(wanted)):
            return True
        start = within.find(wanted, start + 1)
    return False


@dataclass(frozen=True, slots=True)
class _StatedValues:
    """Keyed values of some turns, the last of each key."""

    entities: tuple[Entity, ...]

    @property
    def values(self) -> set[str]:
        return {_squeezed(entity.value) for entity in self.entities}

    def has(self, key: str) -> bool:
        return any(same_key(entity.key) == same_key(key) for entity in self.entities)


def _of_batch(batch: Sequence[Exchange]) -> tuple[_StatedValues, _StatedValues]:
    """What the turns state outright, and what they only seem to."""
    found: dict[bool, list[Entity]] = {True: [], False: []}
    before = ""
    for turn in batch:
        for exact in exact_values(turn, before):
            entity = tidy_entity(exact.key, exact.value, turn.number)
            if entity is not None:
                found[exact.outright].append(entity)
        before = turn.reply
    return _StatedValues(push_entity((), found[True])), _StatedValues(push_entity((), found[False]))


def _grounded(given: Iterable[tuple[str, str]], batch: Sequence[Exchange]) -> list[Entity]:
    """What the summarizer gave and a turn says, with the last turn that does."""
    found: list[Entity] = []
    for key, value in given:
        said_in = [
            turn.number for turn in batch if _is_said(f"{turn.message}\n{turn.reply}", value)
        ]
        entity = tidy_entity(key, value, max(said_in)) if said_in else None
        if entity is not None:
            found.append(entity)
    return found


def _is_said(text: str, value: str) -> bool:
    if says(text, value):
        return True
    if find_values(value):
        return False
    terms = analysis.terms(value)
    return bool(terms) and set(terms) <= set(analysis.terms(text))


def _renamed(
    model: Sequence[Entity], stated: _StatedValues, batch: Sequence[Exchange]
) -> list[Entity]:
    """Entities under a key of the model's own making whose value the turns name otherwise: those
    go by the turns' key, which stays the same from fold to fold, while a model's may not."""
    text = "\n".join(f"{turn.message}\n{turn.reply}" for turn in batch)
    values = stated.values
    return [
        entity
        for entity in model
        if _squeezed(entity.value) in values and not says(text, entity.key)
    ]


def _is_outdated(sentence: str, current: dict[str, str]) -> bool:
    stated = [found for found in find_exact(unlabelled(sentence)) if found.outright]
    return any(
        current.get(same_key(found.key), _squeezed(found.value)) != _squeezed(found.value)
        for found in stated
    )


def _squeezed(text: str) -> str:
    return _SPACE.sub("", analysis.fold(text))


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether what stands there is no part of a longer number."""
    if text[start].isdigit() and re.search(r"\d[.,]?$", text[:start]):
        return False
    return not (text[end - 1].isdigit() and re.match(r"[.,]?\d", text[end:]))
