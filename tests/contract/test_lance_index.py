from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from saegim.library.index.lance.index import LanceIndex
from saegim.testing.contracts.passage_index import PassageIndexContract
from saegim.testing.patience import PATIENT_INDEX


class TestLanceIndex(PassageIndexContract):
    @pytest.fixture
    async def index(self, tmp_path: Path) -> AsyncIterator[LanceIndex]:
        index = LanceIndex(str(tmp_path), limits=PATIENT_INDEX)
        yield index
        await index.close()
