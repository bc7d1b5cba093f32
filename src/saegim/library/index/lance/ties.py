"""Which of equal scores is left out, decided by ids and not by where a build put its rows."""

from collections.abc import Awaitable, Callable, Sequence

from saegim.library.index_ports import Hit

# More are asked for than wanted: few questions leave more than this many equals at the cut.
_SPARE = 16
_MORE = 8
# Whoever wants the rest of so many equals waits for all of them to be read (4,000 of 100,000 rows:
# 20 ms); past that the engine chooses.
_MOST = 4_000


async def whole_ties(
    ask: Callable[[int], Awaitable[Sequence[Sequence[Hit]]]], count: int
) -> list[list[Hit]]:
    """The best of each search, best first, equal scores in the order of their ids.

    `ask` gives at most so many of the best of each, in any order and any choice of equals."""
    limit = count + _SPARE
    while True:
        found = [
            sorted(each, key=lambda hit: (-hit.score, hit.passage)) for each in await ask(limit)
        ]
        cut_off = any(
            len(each) >= limit and each[-1].score == each[count - 1].score for each in found
        )
        if not cut_off or limit >= _MOST:
            return [each[:count] for each in found]
        limit *= _MORE
