"""Findings of `saegim doctor`."""

from dataclasses import replace

import pytest

from saegim.app.settings import Settings
from saegim.cli.doctor.checks import connections, jobs, store
from saegim.cli.findings import Finding, Level, worst
from saegim.db.health import StoreHealth
from saegim.db.revision import newest_revision

WELL = StoreHealth(
    server="18.6",
    vector="0.8.6",
    revision=newest_revision(),
    can_bypass=False,
    owns_tables=False,
    workers=1,
    heartbeat_seconds=1.2,
    waiting=3,
    lag_seconds=0.4,
    failed=0,
    connections=197,
)


def levels(findings: list[Finding]) -> dict[str, Level]:
    return {finding.part: finding.level for finding in findings}


def test_a_store_that_is_well() -> None:
    assert set(levels(store(WELL) + jobs(WELL)).values()) == {"ok"}


@pytest.mark.parametrize(
    ("seen", "part", "level"),
    [
        ({"server": "15.9"}, "postgres", "broken"),
        ({"server": "16.0 (Debian 16.0-1)"}, "postgres", "ok"),
        ({"vector": None}, "pgvector", "broken"),
        ({"revision": "0000"}, "migrations", "broken"),
        ({"revision": None}, "migrations", "broken"),
        ({"can_bypass": True}, "isolation", "broken"),
        ({"owns_tables": True}, "isolation", "broken"),
        ({"workers": 0}, "worker", "warning"),
        ({"workers": 0, "heartbeat_seconds": None}, "worker", "warning"),
        ({"lag_seconds": 61.0}, "jobs", "warning"),
        ({"failed": 1}, "jobs", "warning"),
    ],
)
def test_what_is_wrong_is_found(seen: dict[str, object], part: str, level: Level) -> None:
    health = replace(WELL, **seen)  # pyright: ignore[reportArgumentType] - fields by name
    assert levels(store(health) + jobs(health))[part] == level


def test_one_broken_part_breaks_the_whole() -> None:
    ok, warning, broken = (Finding("x", level, "") for level in ("ok", "warning", "broken"))
    assert worst([]) == "ok"
    assert worst([ok, warning]) == "warning"
    assert worst([broken, warning, ok]) == "broken"


@pytest.mark.parametrize(
    ("server", "processes", "level"), [(197, 2, "ok"), (97, 2, "warning"), (197, 4, "warning")]
)
def test_a_server_with_too_few_connections_is_found(
    server: int, processes: int, level: Level
) -> None:
    settings = Settings(api_processes=processes)
    assert connections(replace(WELL, connections=server), settings).level == level
