"""ETags are equal for equal content."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest

from saegim.domain.errors import VersionConflict
from saegim.domain.etags import ExpectedVersion, etag

ONE = UUID(int=1)
SEOUL = timezone(timedelta(hours=9))


@dataclass(frozen=True)
class Thing:
    id: UUID = ONE
    at: datetime = datetime(2026, 1, 1, 9, tzinfo=SEOUL)
    groups: frozenset[str] = frozenset({"나", "가", "다"})
    more: tuple[object, ...] = (1, None, {"b": 1.5, "a": [True]})


def test_a_tag_is_of_what_a_value_says_not_of_how_it_is_held() -> None:
    other = Thing(
        at=datetime(2026, 1, 1, tzinfo=UTC),
        groups=frozenset({"다", "나", "가"}),
        more=(1, None, {"a": [True], "b": 1.5}),
    )
    assert etag(Thing()) == etag(other)
    assert etag([Thing()]) == etag((other,))


@pytest.mark.parametrize(
    "other",
    [
        replace(Thing(), id=UUID(int=2)),
        replace(Thing(), groups=frozenset({"가"})),
        replace(Thing(), at=datetime(2026, 1, 1, 9, tzinfo=UTC)),
        replace(Thing(), more=(1, None, {"b": 1.5, "a": [True, True]})),
    ],
)
def test_what_differs_in_any_part_was_not_seen(other: Thing) -> None:
    ExpectedVersion.of(Thing()).require(Thing())
    with pytest.raises(VersionConflict):
        ExpectedVersion.of(Thing()).require(other)


def test_nothing_that_was_seen_matches_nothing() -> None:
    with pytest.raises(VersionConflict):
        ExpectedVersion(frozenset()).require(Thing())
