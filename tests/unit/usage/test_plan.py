"""The capacity plan, and the reference cost table."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal

import pytest

from saegim.cli.plan_report import rows
from saegim.usage.plan import (
    PARTS,
    Machines,
    RoleUse,
    TurnCost,
    TurnCosts,
    Workload,
    measured,
    plan,
)

pytestmark = pytest.mark.requirement("OP8")

SHORT = TurnCost(
    answer_tokens=100,
    core_seconds={"api": 0.06, "worker": 0.03, "postgres": 0.02, "redis": 0.001},
    roles={
        "lite": RoleUse(1, 4_000, 100),
        "assessor": RoleUse(2, 1_000, 50),
    },
    postgres_bytes_per_turn=10_000,
    redis_bytes_per_session=5_000,
)
LONG = replace(
    SHORT,
    answer_tokens=500,
    core_seconds={**SHORT.core_seconds, "worker": 0.23},
    roles={**SHORT.roles, "lite": RoleUse(1, 6_000, 500)},
    postgres_bytes_per_turn=30_000,
)
TAKE = TurnCosts(SHORT, LONG)
NANO = {"lite": "gpt-5-nano", "assessor": "gpt-5-nano", "strong": "gpt-5-mini"}


def test_the_printed_sums_come_out_and_so_does_what_they_should_have_been() -> None:
    table = rows()
    assert [row.printed_usd for row in table] == [726.0, 1815.0, 3630.0]
    # 120,000 updates of $0.00026 and 600,000 turns of 2 × $0.00025 + $0.000475.
    assert table[0].exact_usd == 616.2


def test_machines_storage_and_tokens_follow_from_a_turn() -> None:
    # A turn a second all day.
    day = Workload(8_640, 10, peak=2.0, escalated=0.25, answer_tokens=100)
    made = plan(day, TAKE, NANO, Machines(busy=0.5))
    assert made.peak_turns_per_s == 2.0
    assert made.cores["api"] == pytest.approx(2.0 * 0.06 / 0.5)
    assert made.machines == {"api": 1, "worker": 1}
    assert made.postgres_gb_per_year == pytest.approx(86_400 * 10_000 * 365 / 1e9)
    assert made.redis_gb == pytest.approx(8_640 * 5_000 / 1e9)
    assert made.roles["strong"].use_per_day.calls == pytest.approx(86_400 * 0.25)
    assert made.roles["lite"].use_per_day.input_tokens == pytest.approx(86_400 * 0.75 * 4_000)
    assert made.cells == 1


@pytest.mark.parametrize(
    ("answer_tokens", "worker", "kilobytes", "tokens_in"),
    [
        (100, 0.03, 10, 4_000),
        (300, 0.13, 20, 5_000),
        (500, 0.23, 30, 6_000),
        (900, 0.43, 50, 8_000),
    ],
)
def test_longer_answers_take_more_of_everything_they_are_measured_to_take(
    answer_tokens: int, worker: float, kilobytes: float, tokens_in: float
) -> None:
    day = Workload(86_400, 1, peak=1.0, escalated=0.0, answer_tokens=answer_tokens)
    made = plan(day, TAKE, {}, Machines(busy=1.0))
    assert made.cores["worker"] == pytest.approx(worker)
    assert made.cores["api"] == pytest.approx(0.06)
    assert made.postgres_gb_per_year == pytest.approx(86_400 * kilobytes * 1_000 * 365 / 1e9)
    assert made.roles["lite"].use_per_day.input_tokens == pytest.approx(86_400 * tokens_in)
    assert made.roles["lite"].use_per_day.output_tokens == pytest.approx(86_400 * answer_tokens)


def test_a_very_short_answer_takes_nothing_negative() -> None:
    steep = replace(LONG, core_seconds={**LONG.core_seconds, "redis": 0.5})
    made = plan(Workload(1_000, 1, answer_tokens=1), TurnCosts(SHORT, steep), {})
    assert min(made.cores.values()) == 0


def test_a_model_without_a_price_is_said_to_have_none() -> None:
    made = plan(Workload(100, 10), TAKE, {"lite": "gpt-5-nano"})
    assert made.roles["assessor"].usd_per_month is None
    assert made.usd_per_month == made.roles["lite"].usd_per_month


def test_nano_costs_what_the_list_says() -> None:
    made = plan(Workload(1_000, 1, escalated=0.0, answer_tokens=500), TAKE, NANO)
    # 1,000 turns a day: 6M tokens in at $0.05, 0.5M out at $0.40, for 30 days.
    assert made.roles["lite"].usd_per_month == pytest.approx(Decimal("15.0"))


def test_a_turn_costs_the_same_however_many_there_are() -> None:
    few, many = (plan(Workload(count, 20), TAKE, NANO) for count in (1_000, 10_000_000))
    assert many.usd_per_month == pytest.approx(few.usd_per_month * 10_000)
    assert many.cells > few.cells


def test_figures_come_with_the_release() -> None:
    shipped = measured()
    for cost in (shipped.short, shipped.long):
        assert set(cost.core_seconds) == set(PARTS)
        assert all(value > 0 for value in cost.core_seconds.values())
        assert cost.roles["lite"].input_tokens > 100
    assert shipped.long.answer_tokens >= 4 * shipped.short.answer_tokens
    assert shipped.long.core_seconds["worker"] > 2 * shipped.short.core_seconds["worker"]
    at_long = shipped.at(shipped.long.answer_tokens)
    assert at_long.core_seconds == pytest.approx(shipped.long.core_seconds)
    assert at_long.postgres_bytes_per_turn == pytest.approx(shipped.long.postgres_bytes_per_turn)


@pytest.mark.parametrize(("language", "words"), [("ko", "하루 세션"), ("en", "sessions")])
def test_the_command_speaks_both_languages_and_json(language: str, words: str) -> None:
    command = [sys.executable, "-m", "saegim.cli.main", "plan"]
    asked = [*command, "--sessions-per-day", "10000000", "--turns", "20"]
    environment = os.environ | {"SAEGIM_LANG": language, "PYTHONUTF8": "1"}
    shown = subprocess.run(asked, capture_output=True, text=True, check=True, env=environment)
    assert words in shown.stdout
    assert all(sum_ in shown.stdout for sum_ in ("$726", "$1,815", "$3,630"))
    as_json = subprocess.run(
        [*asked, "--json"], capture_output=True, text=True, check=True, env=environment
    )
    assert json.loads(as_json.stdout)["workload"]["sessions_per_day"] == 10_000_000
