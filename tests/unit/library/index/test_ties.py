from uuid import UUID

from saegim.library.index.lance.index import fetch_with_ties
from saegim.library.index_ports import IndexHit


class Engine:
    """Gives the best, and of equal ones whichever it comes upon first: the highest ids."""

    def __init__(self, scores: list[float]) -> None:
        self.hits = [
            IndexHit(UUID(int=number), UUID(int=number), score)
            for number, score in enumerate(scores)
        ]
        self.asked: list[int] = []

    async def __call__(self, limit: int) -> list[list[IndexHit]]:
        self.asked.append(limit)
        return [sorted(self.hits, key=lambda hit: (-hit.score, -hit.passage.int))[:limit]]


def numbers(found: list[list[IndexHit]]) -> list[list[int]]:
    return [[hit.passage.int for hit in hits] for hits in found]


async def test_whoever_leaves_no_equal_out_is_asked_once() -> None:
    engine = Engine([float(number) for number in range(200)])
    assert numbers(await fetch_with_ties(engine, 3)) == [[199, 198, 197]]
    assert len(engine.asked) == 1


async def test_the_lowest_ids_of_many_equals_are_chosen() -> None:
    engine = Engine([1.0] * 2_000 + [2.0])
    assert numbers(await fetch_with_ties(engine, 5)) == [[2_000, 0, 1, 2, 3]]
    assert await fetch_with_ties(Engine([]), 5) == [[]]


async def test_equals_beyond_what_can_be_read_in_time_are_not_read() -> None:
    engine = Engine([1.0] * 50_000)
    [found] = await fetch_with_ties(engine, 50)
    assert len(found) == 50
    assert engine.asked == [66, 528, 4_224]


async def test_of_several_searches_each_is_whole() -> None:
    plain, equals = Engine([float(number) for number in range(200)]), Engine([1.0] * 100)

    async def both(limit: int) -> list[list[IndexHit]]:
        return [*await plain(limit), *await equals(limit)]

    assert numbers(await fetch_with_ties(both, 3)) == [[199, 198, 197], [0, 1, 2]]
