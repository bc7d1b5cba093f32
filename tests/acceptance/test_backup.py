"""Small versions of `make verify-backup`: what comes back is what was there."""

import pytest

from benchmarks.backup import restoring, standby

pytestmark = pytest.mark.long


@pytest.mark.requirement("OP5")
async def test_a_backup_under_load_comes_back_whole() -> None:
    run = restoring.Run(questions=20, people=2, notes=4, turns=1, documents=5, told=4, history=0)

    figures = await restoring.verify(run)

    assert restoring.clean(figures), figures
    assert figures["questions"] == 20
    assert figures["turns_before_backup"] >= 4


@pytest.mark.requirement("OP5")
async def test_a_standby_takes_over_and_loses_nothing() -> None:
    figures = await standby.fail_over(standby.Run(people=2, before=4, after=2))

    assert figures["standby.lost_turns"] == 0, figures
    assert figures["standby.acknowledged"] > figures["standby.acknowledged_before"] >= 4


@pytest.mark.requirement("OP5")
async def test_a_database_comes_back_as_of_a_moment() -> None:
    figures = await standby.point_in_time()

    assert figures["moment.tenants_after_mistake"] == 0
    assert figures["moment.tenants_recovered"] == figures["moment.tenants_before"] == 10
