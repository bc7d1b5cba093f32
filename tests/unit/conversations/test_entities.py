import pytest
from hypothesis import given, settings, strategies as st

from saegim.conversations.types import (
    MOST_ENTITIES,
    Entity,
    entities_as_json,
    entities_from_json,
    fit_entities,
    push_entity,
    render_entities,
    same_key,
    tidy_entity,
)
from saegim.text.tokens import count

pytestmark = pytest.mark.requirement("WM4")

KEYS = st.sampled_from([f"키{n}" for n in range(40)])
PUSHES = st.lists(st.builds(Entity, KEYS, st.text("값0123", min_size=1), st.integers(1, 99)))


def test_the_same_key_is_removed_and_pushed_to_the_end() -> None:
    before = (Entity("provider", "aws", 3), Entity("budget", "$10,000", 5))
    after = push_entity(before, [Entity("provider", "gcp", 7)])
    assert after == (Entity("budget", "$10,000", 5), Entity("provider", "gcp", 7))


def test_over_twenty_five_the_front_is_dropped() -> None:
    many = push_entity((), [Entity(f"k{n}", str(n), n) for n in range(30)])
    assert [entity.key for entity in many] == [f"k{n}" for n in range(5, 30)]


@given(PUSHES, PUSHES)
def test_there_are_never_more_than_twenty_five_and_never_a_key_twice(
    first: list[Entity], second: list[Entity]
) -> None:
    after = push_entity(push_entity((), first), second)
    keys = [same_key(entity.key) for entity in after]

    assert len(after) <= MOST_ENTITIES
    assert len(set(keys)) == len(keys)
    for entity in after:
        said = [each for each in [*first, *second] if each.key == entity.key]
        assert entity == said[-1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("예산", " 예산 "),
        ("총 예산", "총  예산"),
        ("budget", "Budget"),
        ("top_service", "Top Service"),
        ("monthly-budget", "monthly budget"),
    ],
)
def test_spellings_of_one_key_are_the_same(one: str, other: str) -> None:
    assert same_key(one) == same_key(other)


def test_different_things_have_different_keys() -> None:
    names = ["예산", "총 예산", "11월 비용", "12월 비용", "budget", "budget owner", "the", "이"]
    assert len({same_key(name) for name in names}) == len(names)


@pytest.mark.parametrize(("key", "value"), [("", "1"), ("키", "  "), ("키", "긴 글 " * 40)])
def test_what_is_no_keyed_value_is_none(key: str, value: str) -> None:
    assert tidy_entity(key, value, 1) is None


def test_an_entity_stands_on_one_line() -> None:
    assert tidy_entity(" 예산\n", "1.5억\n원", 4) == Entity("예산", "1.5억 원", 4)


@settings(deadline=None)
@given(PUSHES, st.integers(0, 200))
def test_what_fits_is_the_newest(entities: list[Entity], limit: int) -> None:
    fitted = fit_entities(entities, limit)
    assert count(render_entities(fitted)) <= limit
    assert list(fitted) == entities[len(entities) - len(fitted) :]
    if len(fitted) < len(entities):
        assert count(render_entities(entities[len(entities) - len(fitted) - 1 :])) > limit


def test_they_are_stored_as_an_array_of_key_value_and_turn() -> None:
    stored = [{"key": "provider", "value": "aws", "turn": 3}]
    assert entities_as_json([Entity("provider", "aws", 3)]) == stored
    assert entities_from_json(stored) == (Entity("provider", "aws", 3),)
