"""Benchmarks that fail where a figure is beyond its bound."""

import pytest

from benchmarks import overload, responsive, soak
from benchmarks.readers import Run

SAMPLES = [
    soak.Sample({"api": 500.0}, 100, 10, 3, turn, 19_000 * turn, 1_000_000)
    for turn in range(0, 100, 2)
]
OVERLOAD = {
    "health_live.p99_ms.200": 60.0,
    "turn.p99_ratio.200": 1.4,
    "connections.peak": 21.0,
    "connections.limit": 21.0,
    "refused_without_retry_after": 0.0,
    "other_statuses": 0.0,
    "turns_of_others_refused": 0.0,
    "recovery_seconds": 2.0,
}
RESPONSIVE = {
    "health_live.p99_ms": 150.0,
    "streams": 50.0,
    "stream.failures": 0.0,
    "ingest.megabytes": 100.0,
}


def test_a_soak_without_growth_is_within_its_bounds() -> None:
    figures = soak.figures_of(SAMPLES) | {"connections_limit": 51.0}
    assert soak.beyond(figures) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rss_growth", 0.05),
        ("files_growth", 0.1),
        ("connections_growth", 0.1),
        ("index_mb_at_most", 15.0),
        ("lag_seconds_at_most", 60.0),
        ("database_bytes_per_turn", 40_000.0),
        ("database_bytes_per_turn_growth", 0.25),
        ("connections_at_most", 52.0),
    ],
)
def test_a_soak_fails_by_any_figure_that_grows(name: str, value: float) -> None:
    figures = soak.figures_of(SAMPLES) | {"connections_limit": 51.0}
    assert soak.beyond(figures | {name: value}) == [name]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("health_live.p99_ms.200", 200.0),
        ("turn.p99_ratio.200", 2.0),
        ("connections.peak", 22.0),
        ("refused_without_retry_after", 1.0),
        ("other_statuses", 1.0),
        ("turns_of_others_refused", 1.0),
        ("recovery_seconds", 10.0),
    ],
)
def test_overload_fails_by_any_figure_beyond_its_bound(name: str, value: float) -> None:
    assert overload.broken(OVERLOAD) == []
    assert overload.broken(OVERLOAD | {name: value}) == [name]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("health_live.p99_ms", 200.0),
        ("streams", 49.0),
        ("stream.failures", 1.0),
        ("ingest.megabytes", 99.0),
    ],
)
def test_responsive_fails_if_less_went_on_than_it_says(name: str, value: float) -> None:
    assert responsive.beyond(RESPONSIVE, Run()) == []
    assert responsive.beyond(RESPONSIVE | {name: value}, Run()) == [name]
