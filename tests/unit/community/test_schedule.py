"""Notices are due once a day, at their time, and not long after."""

from datetime import UTC, date, datetime
from uuid import UUID

import pytest

from saegim.community.service import due_on, last_day, place_of
from saegim.community.types import Guild, Notice, Voice

pytestmark = pytest.mark.requirement("CH4")


def notice(last_sent_on: date | None = None, zone: str = "Asia/Seoul", at: str = "07:30") -> Notice:
    return Notice(UUID(int=1), "1", "2", "서울", at, zone, last_sent_on)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def test_it_is_due_at_its_time_in_its_own_zone() -> None:
    today = date(2026, 3, 2)
    assert due_on(notice(), at("2026-03-01T22:29")) is None
    assert due_on(notice(), at("2026-03-01T22:30")) == today
    assert due_on(notice(), at("2026-03-01T23:29")) == today
    assert due_on(notice(), at("2026-03-01T23:30")) is None
    assert due_on(notice(zone="America/New_York"), at("2026-03-01T12:31")) == date(2026, 3, 1)


def test_it_is_told_once_a_day() -> None:
    now = at("2026-03-01T22:40")
    assert due_on(notice(date(2026, 3, 2)), now) is None
    assert due_on(notice(date(2026, 3, 1)), now) == date(2026, 3, 2)


def test_one_of_the_evening_is_told_after_midnight_if_it_was_late() -> None:
    evening = date(2026, 2, 28)
    told, untold = (notice(day, "UTC", at="23:59") for day in (evening, date(2026, 2, 27)))
    assert due_on(untold, at("2026-02-28T23:58")) is None
    assert due_on(untold, at("2026-02-28T23:59")) == evening
    assert due_on(untold, at("2026-03-01T00:58")) == evening
    assert due_on(untold, at("2026-03-01T00:59")) is None
    assert due_on(told, at("2026-03-01T00:01")) is None


@pytest.mark.parametrize(
    ("now", "day"), [("2026-03-01T07:29", 28), ("2026-03-01T07:30", 1), ("2026-03-01T23:00", 1)]
)
def test_the_last_day_is_the_one_whose_time_has_come(now: str, day: int) -> None:
    assert last_day("07:30", "UTC", at(now)).day == day


def test_a_channel_has_its_own_persona_and_adds_its_rules() -> None:
    guild = Guild(
        "7", voice=Voice("친절한 안내원", "존댓말"), channels={"1": Voice("츤데레", "반말")}
    )
    here, elsewhere = place_of(guild, "1", linked=False), place_of(guild, "2", linked=False)
    assert "츤데레" in here.instructions
    assert "친절한 안내원" not in here.instructions
    assert here.instructions.index("존댓말") < here.instructions.index("반말")
    assert "친절한 안내원" in elsewhere.instructions
    assert "반말" not in elsewhere.instructions


def test_memory_is_by_guild_until_a_person_links_their_names() -> None:
    assert place_of(Guild("7"), "1", linked=False).profile == "guild:7"
    assert place_of(Guild("8"), "1", linked=False).profile == "guild:8"
    assert place_of(Guild("7"), "1", linked=True).profile == "default"


def test_the_prompt_says_that_only_a_mention_is_answered() -> None:
    assert "somebody mentioned you" in place_of(Guild("7"), "1", linked=False).instructions
