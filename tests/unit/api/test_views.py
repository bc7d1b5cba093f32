"""Responses built from values of the services."""

from dataclasses import dataclass
from uuid import UUID

import pytest
from pydantic import ValidationError

from saegim.api.views import View

ID, OWNER = UUID(int=1), UUID(int=2)


@dataclass(frozen=True)
class Wheel:
    id: UUID
    size: int


@dataclass(frozen=True)
class Car:
    id: UUID
    owner: UUID
    groups: frozenset[str]
    wheels: tuple[Wheel, ...] = ()


class WheelView(View):
    wheel_id: UUID
    size: int


class CarView(View):
    car_id: UUID
    owner_id: UUID
    groups: list[str]
    wheels: list[WheelView]
    colour: str = "red"


CAR = Car(ID, OWNER, frozenset({"b", "a", "c"}), (Wheel(ID, 3),))


def test_a_view_reads_ids_sorts_sets_and_converts_values_inside() -> None:
    view = CarView.of(CAR, colour="blue")
    assert view.model_dump() == {
        "car_id": ID,
        "owner_id": OWNER,
        "groups": ["a", "b", "c"],
        "wheels": [{"wheel_id": ID, "size": 3}],
        "colour": "blue",
    }


def test_the_first_value_that_has_an_attribute_counts() -> None:
    @dataclass
    class Paint:
        colour: str
        groups: frozenset[str] = frozenset()

    view = CarView.of(CAR, Paint("green"))
    assert (view.colour, view.groups) == ("green", ["a", "b", "c"])


def test_only_the_first_field_is_read_from_the_id() -> None:
    class Ownerless(View):
        wheel_id: UUID
        owner_id: UUID

    with pytest.raises(AttributeError, match="owner_id"):
        Ownerless.of(Wheel(ID, 3))


@pytest.mark.parametrize("body", [[], "text", 1, None, {"size": 1}])
def test_json_that_is_no_object_of_the_model_is_invalid(body: object) -> None:
    with pytest.raises(ValidationError):
        WheelView.model_validate(body)
