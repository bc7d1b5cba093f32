"""Workers have a lower priority than API processes."""

import os
import subprocess
import sys

import pytest
from pydantic import ValidationError

from saegim.app.settings import Settings

GIVING_WAY = (
    "import os; from saegim.worker.main import lower_priority; "
    "before = os.nice(0); lower_priority(5); print(os.nice(0) - before)"
)


@pytest.mark.skipif(not hasattr(os, "nice"), reason="this system has no such line")
def test_worker_lowers_its_nice_priority() -> None:
    told = subprocess.run([sys.executable, "-c", GIVING_WAY], check=True, capture_output=True)
    assert told.stdout.strip() == b"5"


def test_a_worker_never_pushes_to_the_front() -> None:
    with pytest.raises(ValidationError):
        Settings(worker_nice=-1)
