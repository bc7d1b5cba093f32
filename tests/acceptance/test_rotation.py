"""Every key rotates while people read: no read fails, and the first keys are gone at the end."""

import pytest

from benchmarks.rotation import run


@pytest.mark.requirement("OP5")
async def test_keys_rotate_under_load_without_a_failed_read() -> None:
    found = await run(records=300, people=3)

    assert found.clean, found
    assert found.reads > 20
    assert found.rewrapped >= 3
