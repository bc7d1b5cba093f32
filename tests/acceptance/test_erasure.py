"""A small `make verify-erasure`: erasing users under load leaves no data of theirs."""

import pytest

from benchmarks.erasure import run


@pytest.mark.requirement("LM7", "OP5")
async def test_the_erased_are_gone_from_every_store_and_backup_and_the_others_are_whole() -> None:
    found = await run(people=4, turns=2)

    assert found.clean, found
    assert found.erased_rows > 10
    assert found.searched_files > 1000
