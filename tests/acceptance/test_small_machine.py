"""A small `make verify-small-machine`: turns and summaries work, memory is off."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from benchmarks.low import Run, fine, verify
from saegim.app.settings import RESOURCE_PRESETS

pytestmark = pytest.mark.long


@pytest.mark.requirement("OP6")
async def test_the_low_profile_holds_a_conversation_within_its_limits() -> None:
    run = Run(turns=12, chapters=2)
    with TemporaryDirectory(prefix="saegim-low-") as folder:
        figures = await verify(run, Path(folder))
    assert fine(figures, run), figures
    assert figures["memory_gb"] > 0.2, "every process was seen"
    assert RESOURCE_PRESETS["low"]["long_term_memory"] is False
