"""Rows and reference scores for the tests of search indexes."""

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from saegim.library.index_ports import IndexRow
from saegim.library.types import SearchFilter

DIMENSIONS = 8
COLLECTION = UUID(int=1)
OTHER_COLLECTION = UUID(int=2)
ANYWHERE = SearchFilter(frozenset({COLLECTION, OTHER_COLLECTION}))


def passage_id(number: int) -> UUID:
    return UUID(int=1_000_000 + number)


def unit(values: Sequence[float]) -> list[float]:
    """Return a unit vector."""
    length = math.sqrt(sum(value * value for value in values))
    return [value / length for value in values]


def axis(number: int) -> list[float]:
    return [1.0 if index == number else 0.0 for index in range(DIMENSIONS)]


def row(number: int, terms: str = "", **fields: Any) -> IndexRow:
    """Return a row with defaults; its vector points along an axis."""
    values: dict[str, Any] = {
        "passage": passage_id(number),
        "document": UUID(int=2_000_000 + number),
        "collection": COLLECTION,
        "type": "guide",
        "terms": terms,
        "vector": axis(number % DIMENSIONS),
        "has_steps": False,
        "has_conditions": False,
        "has_table": False,
        "language": "ko",
    }
    return IndexRow(**(values | fields))


def corpus(count: int, seed: int = 7, first: int = 0) -> list[IndexRow]:
    """Return fixed rows with terms of uneven frequency and vectors in all directions."""
    chance = random.Random(seed)
    return [
        row(
            first + number,
            " ".join(f"w{int(chance.paretovariate(0.7))}" for _ in range(chance.randint(5, 40))),
            vector=unit([chance.gauss(0, 1) for _ in range(DIMENSIONS)]),
            collection=chance.choice((COLLECTION, OTHER_COLLECTION)),
        )
        for number in range(count)
    ]


def bm25(rows: Sequence[IndexRow], terms: Iterable[str]) -> dict[UUID, float]:
    """Return the BM25 scores of the rows with one of the terms, k1 1.2 and b 0.75."""
    words = {each.passage: Counter(each.terms.split()) for each in rows}
    average = sum(counted.total() for counted in words.values()) / len(words)
    scores: dict[UUID, float] = {}
    for term in set(terms):
        having = [passage for passage, counted in words.items() if term in counted]
        weight = math.log(1 + (len(words) - len(having) + 0.5) / (len(having) + 0.5))
        for passage in having:
            times, length = words[passage][term], words[passage].total()
            part = times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / average))
            scores[passage] = scores.get(passage, 0.0) + weight * part
    return scores


def cosines(rows: Sequence[IndexRow], vector: Sequence[float]) -> dict[UUID, float]:
    return {
        each.passage: sum(a * b for a, b in zip(each.vector, vector, strict=True)) for each in rows
    }


def best(scores: dict[UUID, float], count: int) -> list[UUID]:
    """Return the best passages; equal scores by ID."""
    return sorted(scores, key=lambda passage: (-round(scores[passage], 5), passage))[:count]
