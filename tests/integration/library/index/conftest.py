from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from benchmarks.doubles.patience import PATIENT_INDEX
from saegim.library.index.lance.index import LanceIndex


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[LanceIndex]:
    """An index in a folder of the test's own."""
    index = LanceIndex(str(tmp_path), limits=PATIENT_INDEX)
    yield index
    await index.close()


@pytest.fixture(autouse=True)
def warm() -> None:
    """These tests use no services: nothing is loaded for them."""
