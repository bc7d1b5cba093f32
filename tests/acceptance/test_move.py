"""A small `make verify-move`: a tenant moves under load, its mover is killed, nothing is lost."""

import pytest

from benchmarks.move import Run, clean, verify

pytestmark = pytest.mark.long


@pytest.mark.requirement("OP5")
async def test_a_tenant_moves_under_load_though_its_mover_is_killed() -> None:
    figures = await verify(Run(turns=500, memories=100, people=2))

    assert clean(figures), figures
    assert figures["turns"] > 500
    assert figures["memories"] > 100
    assert figures["tables_before_kill"] > 0
