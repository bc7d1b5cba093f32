"""Dataclasses are built from rows."""

from collections.abc import Set
from dataclasses import dataclass
from enum import StrEnum
from uuid import uuid4

import pytest

from saegim.db.cells import from_row


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Bird:
    id: int
    tenant: object
    colour: Colour
    seen: Set[Colour] | None
    names: tuple[str, ...] = ()
    note: str = "none"


def test_fields_take_their_columns_and_are_converted() -> None:
    tenant = uuid4()
    row = {"tenant_id": tenant, "colour": "red", "seen": ["blue"], "names": ["a"], "other": 1}

    bird = from_row(Bird, row, id=7)

    assert bird == Bird(7, tenant, Colour.RED, frozenset({Colour.BLUE}), ("a",))
    assert bird.colour is Colour.RED


def test_null_stays_none() -> None:
    assert from_row(Bird, {"tenant": 1, "colour": "blue", "seen": None}, id=1).seen is None


def test_a_missing_column_is_an_error() -> None:
    with pytest.raises(TypeError, match="colour"):
        from_row(Bird, {"tenant": 1, "seen": None}, id=1)
