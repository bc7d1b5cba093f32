"""When an index is compacted before its schedule."""

import pytest

from saegim.library.index.sync import MOST_PIECES, MOST_ROUNDS, MOST_UNINDEXED, is_untidy
from saegim.library.index_ports import IndexSize


@pytest.mark.parametrize(
    ("size", "rounds", "untidy"),
    [
        (IndexSize(rows=20, unindexed=20, pieces=20), 1, False),
        (IndexSize(rows=1_000, unindexed=MOST_UNINDEXED + 1, pieces=1), 1, True),
        (IndexSize(rows=100_000, unindexed=4_000, pieces=1), 1, False),
        (IndexSize(rows=20, unindexed=0, pieces=MOST_PIECES + 1), 1, True),
        # A library that takes as much as it gives up: few rows and pieces, and files of each round.
        (IndexSize(rows=20, unindexed=20, pieces=20), MOST_ROUNDS + 1, True),
        (IndexSize(rows=1_000_000, unindexed=0, pieces=1), MOST_ROUNDS + 1, False),
    ],
)
def test_an_index_is_untidy_by_what_it_costs(size: IndexSize, rounds: int, untidy: bool) -> None:
    assert is_untidy(size, rounds) is untidy
