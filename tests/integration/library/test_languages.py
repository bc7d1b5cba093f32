"""Korean, Japanese and Chinese as people type them, in a library of thousands of passages."""

import json
from collections.abc import AsyncIterator, Sequence

import numpy as np
import pytest

from benchmarks.idle import working
from benchmarks.library.bench_stack import BenchStack, bench_stack, stores
from benchmarks.library.loading import Text, fill
from saegim.library.types import FoundPassage
from saegim.text.analysis import normalise
from tests.integration.library.language_cases import CHINESE, JAPANESE, KOREAN, Case, filler
from tests.sizes import sized

PASSAGES = sized(2_000, 10_000)
# Every seventh sentence is enough for 2,000 passages; together they have all words of the others.
EVERY = sized(7, 1)
FIRST = 3
CASES = (*KOREAN, *JAPANESE, *CHINESE)


@pytest.fixture(scope="module")
async def library() -> AsyncIterator[BenchStack]:
    """Many everyday sentences in bulk, and the texts of the cases as documents."""
    async with stores(durable=False) as at, bench_stack(at) as home:
        text = Text.of(filler()[::EVERY], PASSAGES)
        said = np.array(
            await home.services.llm.embedder.embed(text.sentences, "document"), np.float32
        )
        vectors = np.array([said[list(drawn)].mean(axis=0) for drawn in text.drawn], np.float32)
        await fill(home, text, vectors, PASSAGES)
        lines = "\n".join(json.dumps({"id": case.id, "text": case.text}) for case in CASES)
        async with working(home.services):
            [file] = (await home.finished((await home.send({"cases.jsonl": lines})).id)).files
        assert (file.documents, file.error) == (len(CASES), None)
        yield home


@pytest.fixture(autouse=True)
async def warm() -> None:
    """The library above is warm; this module uses none of the others' stack."""


@pytest.fixture(scope="module")
def searches() -> dict[str, Sequence[FoundPassage]]:
    """What was found, by case: both tests read the same search."""
    return {}


@pytest.fixture
async def found(
    library: BenchStack, searches: dict[str, Sequence[FoundPassage]], case: Case
) -> Sequence[FoundPassage]:
    if case.id not in searches:
        searched = await library.services.library.search.search(
            library.caller, case.question, count=100
        )
        assert searched.degraded == ()
        searches[case.id] = searched.found
    return searches[case.id]


def first(found: Sequence[FoundPassage]) -> list[str]:
    return [one.passage.text for one in found[:FIRST]]


@pytest.mark.sized
@pytest.mark.requirement("LB3", "LB5")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
async def test_what_is_typed_finds_what_is_meant(found: Sequence[FoundPassage], case: Case) -> None:
    assert normalise(case.text) in first(found)


@pytest.mark.sized
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
async def test_its_words_alone_find_it(found: Sequence[FoundPassage], case: Case) -> None:
    """So that no case passes by similarity while words are taken apart wrongly."""
    by_words = [one for one in found if one.signals.lexical is not None]
    ordered = sorted(by_words, key=lambda one: -(one.signals.lexical or 0.0))
    assert normalise(case.text) in first(ordered)


def test_there_are_ten_cases_of_each_and_none_in_the_filler() -> None:
    assert len(KOREAN) >= len(JAPANESE) == len(CHINESE) == 10
    assert not {case.text for case in CASES} & set(filler())
