"""Sliding windows in one process: never more than the share, and room when it is promised."""

from dataclasses import dataclass
from uuid import uuid4

import pytest
from hypothesis import example, given, strategies as st

from saegim.quotas.counters import Charge, Limit, LimitMeter, LocalCounters, Resource
from saegim.quotas.service import parse_limits

pytestmark = pytest.mark.requirement("OP2")

TENANT = uuid4()


@dataclass
class Time:
    at: float = 0.0

    def __call__(self) -> float:
        return self.at


def meter(most: int, seconds: int = 60) -> LimitMeter:
    return LimitMeter(Limit("user", Resource.REQUESTS, seconds, most), "u")


@given(
    st.integers(1, 30),
    st.lists(st.tuples(st.floats(0, 40), st.integers(1, 5)), max_size=60),
)
async def test_no_window_holds_more_than_the_limit(
    most: int, events: list[tuple[float, int]]
) -> None:
    time, taken = Time(), list[tuple[float, int]]()
    counters = LocalCounters(1, time)
    for pause, amount in events:
        time.at += pause
        verdict = await counters.take(TENANT, [Charge(meter(most), amount)])
        if verdict.refused is None:
            taken.append((time.at, amount))
        # Of two neighbouring fixed windows never more than fits into both.
        for number in {int(at // 60) for at, _ in taken}:
            inside = sum(amount for at, amount in taken if int(at // 60) == number)
            assert inside <= most


@example(1, 4.198829809516293, 0.0)
@given(st.integers(1, 20), st.floats(0, 59), st.floats(0, 59))
async def test_there_is_room_when_it_was_promised(most: int, first: float, second: float) -> None:
    time = Time(first)
    counters = LocalCounters(1, time)
    charge = [Charge(meter(most), 1)]
    for _ in range(most):
        await counters.take(TENANT, charge)
    time.at += second / 10
    refused = await counters.take(TENANT, charge)
    if refused.refused is None:
        return
    time.at += refused.retry_after + 0.001

    assert 0 < refused.retry_after <= 60
    assert (await counters.take(TENANT, charge)).refused is None


async def test_each_of_two_processes_has_half() -> None:
    halves = [LocalCounters(2, Time()) for _ in range(2)]
    charge = [Charge(meter(10), 1)]
    taken = 0
    for counters in halves:
        for _ in range(20):
            taken += (await counters.take(TENANT, charge)).refused is None

    assert taken == 10


async def test_of_several_charges_none_counts_if_one_does_not_fit() -> None:
    counters = LocalCounters(1, Time())
    wide, narrow = Charge(meter(10), 1), Charge(meter(1, 3600), 1)
    first = await counters.take(TENANT, [wide, narrow])
    refused = [await counters.take(TENANT, [wide, narrow]) for _ in range(20)]
    then = [(await counters.take(TENANT, [wide])).refused for _ in range(10)]

    assert first.refused is None
    assert all(each.refused == narrow.meter for each in refused)
    assert then == [None] * 9 + [wide.meter]


def test_limits_are_written_as_text() -> None:
    found = parse_limits("user requests 60/60, tenant usd 0.5/86400,provider tokens 1000/60")

    assert found == [
        Limit("user", Resource.REQUESTS, 60, 60),
        Limit("tenant", Resource.MONEY, 86400, 500_000),
        Limit("provider", Resource.TOKENS, 60, 1000),
    ]
    assert parse_limits("") == []


@pytest.mark.parametrize(
    "text", ["user requests 60", "nobody requests 1/1", "user wishes 1/1", "user requests 1/0"]
)
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"limit|Resource"):
        parse_limits(text)
