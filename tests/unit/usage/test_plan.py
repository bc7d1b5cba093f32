"""The capacity plan, and the reference cost table."""

import json
import os
import subprocess
import sys
from decimal import Decimal

import pytest

from saegim.usage.copilot_table import rows
from saegim.usage.plan import PARTS, Machines, RoleUse, TurnCost, Workload, measured, plan

pytestmark = pytest.mark.requirement("OP8")

TAKE = TurnCost(
    core_seconds={"api": 0.06, "worker": 0.03, "postgres": 0.02, "redis": 0.001},
    roles={
        "lite": RoleUse(1, 4_000, 100),
        "assessor": RoleUse(2, 1_000, 50),
    },
    postgres_bytes_per_turn=10_000,
    redis_bytes_per_session=5_000,
)
NANO = {"lite": "gpt-5-nano", "assessor": "gpt-5-nano", "strong": "gpt-5-mini"}


def test_the_printed_sums_come_out_and_so_does_what_they_should_have_been() -> None:
    table = rows()
    assert [row.printed_usd for row in table] == [726.0, 1815.0, 3630.0]
    # 120,000 updates of $0.00026 and 600,000 turns of 2 × $0.00025 + $0.000475.
    assert table[0].exact_usd == 616.2


def test_machines_storage_and_tokens_follow_from_a_turn() -> None:
    # A turn a second all day.
    made = plan(Workload(8_640, 10, peak=2.0, escalated=0.25), TAKE, NANO, Machines(busy=0.5))
    assert made.peak_turns_per_s == 2.0
    assert made.cores["api"] == pytest.approx(2.0 * 0.06 / 0.5)
    assert made.machines == {"api": 1, "worker": 1}
    assert made.postgres_gb_per_year == pytest.approx(86_400 * 10_000 * 365 / 1e9)
    assert made.redis_gb == pytest.approx(8_640 * 5_000 / 1e9)
    assert made.roles["strong"].use_per_day.calls == pytest.approx(86_400 * 0.25)
    assert made.roles["lite"].use_per_day.input_tokens == pytest.approx(86_400 * 0.75 * 4_000)
    assert made.cells == 1


def test_a_model_without_a_price_is_said_to_have_none() -> None:
    made = plan(Workload(100, 10), TAKE, {"lite": "gpt-5-nano"})
    assert made.roles["assessor"].usd_per_month is None
    assert made.usd_per_month == made.roles["lite"].usd_per_month


def test_nano_costs_what_the_list_says() -> None:
    made = plan(Workload(1_000, 1, escalated=0.0, answer_tokens=1_000), TAKE, NANO)
    # 1,000 turns a day: 4M tokens in at $0.05, 1M out at $0.40, for 30 days.
    assert made.roles["lite"].usd_per_month == pytest.approx(Decimal("18.0"))


def test_a_turn_costs_the_same_however_many_there_are() -> None:
    few, many = (plan(Workload(count, 20), TAKE, NANO) for count in (1_000, 10_000_000))
    assert many.usd_per_month == pytest.approx(few.usd_per_month * 10_000)
    assert many.cells > few.cells


def test_figures_come_with_the_release() -> None:
    shipped = measured()
    assert set(shipped.core_seconds) == set(PARTS)
    assert all(value > 0 for value in shipped.core_seconds.values())
    assert shipped.roles["lite"].input_tokens > 100
    assert measured().as_json() == shipped.as_json()


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
