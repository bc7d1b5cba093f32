"""A small `make verify-memory`: values are recalled although the summarizer loses everything."""

import pytest

from benchmarks.verify_memory import LEAST, measure


@pytest.mark.requirement("LM2", "LM3", "LM5")
async def test_planted_values_are_recalled_after_lossy_folds() -> None:
    figures = await measure(turns=40, planted=16)
    assert figures["lossy.recalled"] >= LEAST, figures
