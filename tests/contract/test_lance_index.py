from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from benchmarks.doubles.patience import PATIENT_INDEX
from saegim.library.index.lance.index import LanceIndex
from tests.contract.passage_index import PassageIndexContract


class TestLanceIndex(PassageIndexContract):
    @pytest.fixture
    async def index(self, tmp_path: Path) -> AsyncIterator[LanceIndex]:
        index = LanceIndex(str(tmp_path), limits=PATIENT_INDEX)
        yield index
        await index.close()
