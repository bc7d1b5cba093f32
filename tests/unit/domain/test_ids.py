from datetime import UTC, datetime, timedelta

from hypothesis import given, strategies as st

from saegim.domain.ids import derived_id, made_at, new_id

INSTANTS = st.integers(0, 7_000_000_000_000).map(
    lambda milliseconds: datetime.fromtimestamp(milliseconds / 1000, UTC)
)


@given(INSTANTS)
def test_an_id_tells_when_it_was_made(instant: datetime) -> None:
    identifier = new_id(instant)
    assert identifier.version == 7
    assert abs(made_at(identifier) - instant) < timedelta(milliseconds=1.001)


@given(INSTANTS)
def test_ids_sort_by_time(instant: datetime) -> None:
    assert new_id(instant) < new_id(instant + timedelta(milliseconds=2))


@given(INSTANTS, st.lists(st.integers(0, 4_095), unique=True))
def test_ids_of_the_same_time_sort_by_their_part(instant: datetime, parts: list[int]) -> None:
    whole, parts = new_id(instant), sorted(parts)
    of_one = [derived_id(whole, part) for part in parts]

    for identifiers in ([new_id(instant, part) for part in parts], of_one):
        assert identifiers == sorted(identifiers)
        assert all(each.version == 7 and made_at(each) == made_at(whole) for each in identifiers)
    assert of_one == [derived_id(whole, part) for part in parts]
