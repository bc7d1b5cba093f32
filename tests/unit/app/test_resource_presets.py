"""Profiles of settings: what `low` sets, and that one's own settings go first."""

import pytest

from saegim.app.settings import Settings

pytestmark = pytest.mark.requirement("OP6")


def test_low_turns_off_what_two_gigabytes_have_no_room_for() -> None:
    low = Settings(resource_preset="low", reranker_url="http://reranker")
    assert (low.long_term_memory, low.reranker_url, low.recent_turns) == (False, None, 3)
    assert low.postgres_connections < Settings().postgres_connections


def test_what_is_set_by_itself_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAEGIM_RESOURCE_PRESET", "low")
    monkeypatch.setenv("SAEGIM_RECENT_TURNS", "5")
    low = Settings(long_term_memory=True)
    assert (low.resource_preset, low.recent_turns, low.long_term_memory) == ("low", 5, True)
    assert low.worker_concurrency == 2


def test_full_is_the_default_and_changes_nothing() -> None:
    assert Settings() == Settings(resource_preset="full")
    assert Settings().long_term_memory
