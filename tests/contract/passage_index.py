"""Tests of every search index: subclass with a fixture named `index`.

class TestMyIndex(PassageIndexContract):
    @pytest.fixture
    async def index(self) -> MyIndex: ...
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from uuid import UUID, uuid4

from saegim.domain.errors import IndexMissing
from saegim.library.index_ports import IndexHit, IndexRow, PassageIndex
from saegim.library.types import SearchFilter
from tests.contract.passage_rows import (
    ANYWHERE,
    COLLECTION,
    DIMENSIONS,
    OTHER_COLLECTION,
    axis,
    best,
    bm25,
    corpus,
    cosines,
    passage_id,
    row,
    unit,
)


async def filled(index: PassageIndex, rows: Sequence[IndexRow], generation: int = 1) -> UUID:
    """Create an index with these rows for a new tenant."""
    tenant = uuid4()
    await index.create(tenant, generation, DIMENSIONS)
    await index.put(tenant, generation, rows)
    return tenant


def found(hits: Sequence[IndexHit]) -> list[UUID]:
    return [hit.passage for hit in hits]


async def raises(error: type[Exception], attempt: Callable[[], Awaitable[object]]) -> bool:
    try:
        await attempt()
    except error:
        return True
    return False


class PassageIndexContract:
    async def test_a_row_is_found_at_once_by_its_terms_and_by_its_vector(
        self, index: PassageIndex
    ) -> None:
        rows = [row(1, "결제 제한"), row(2, "환불 규정")]
        tenant = await filled(index, rows)
        [hit] = await index.lexical(tenant, 1, ["결제"], ANYWHERE, 10)
        assert (hit.passage, hit.document) == (rows[0].passage, rows[0].document)
        assert hit.score > 0
        assert found(await index.dense(tenant, 1, axis(2), ANYWHERE, 1)) == [passage_id(2)]

    async def test_a_row_replaces_the_one_with_the_same_passage(self, index: PassageIndex) -> None:
        tenant = await filled(index, [row(1, "old"), row(2, "two")])
        await index.optimise(tenant, 1)
        await index.put(tenant, 1, [row(1, "older"), row(1, "new", vector=axis(5))])
        assert found(await index.lexical(tenant, 1, ["old", "older"], ANYWHERE, 10)) == []
        assert found(await index.lexical(tenant, 1, ["new"], ANYWHERE, 10)) == [passage_id(1)]
        assert found(await index.dense(tenant, 1, axis(5), ANYWHERE, 1)) == [passage_id(1)]
        assert (await index.size(tenant, 1)).rows == 2

    async def test_removed_passages_are_hidden_at_once(self, index: PassageIndex) -> None:
        tenant = await filled(index, [row(1, "a"), row(2, "a"), row(3, "a")])
        await index.remove(tenant, 1, {passage_id(1), passage_id(3), uuid4()})
        await index.remove(tenant, 1, set())
        left = [passage_id(2)]
        assert found(await index.lexical(tenant, 1, ["a"], ANYWHERE, 10)) == left
        assert found(await index.dense(tenant, 1, axis(1), ANYWHERE, 10)) == left
        assert await index.passages(tenant, 1) == set(left)

    async def test_an_optimised_index_ranks_by_exact_bm25(self, index: PassageIndex) -> None:
        rows = corpus(300)
        tenant = await filled(index, rows[:200])
        await index.optimise(tenant, 1)
        await index.put(tenant, 1, rows[200:])
        await index.optimise(tenant, 1)
        for terms in (["w7"], ["w3", "w5"], ["w2", "w9", "w30", "unknown"], ["w1", "w4", "w77"]):
            wanted = bm25(rows, terms)
            hits = await index.lexical(tenant, 1, terms, ANYWHERE, 10)
            assert found(hits) == best(wanted, 10)
            assert all(abs(hit.score - wanted[hit.passage]) < 1e-3 for hit in hits)

    async def test_a_repeated_term_counts_once(self, index: PassageIndex) -> None:
        tenant = await filled(index, corpus(50))
        once = await index.lexical(tenant, 1, ["w2", "w3"], ANYWHERE, 10)
        again = await index.lexical(tenant, 1, ["w2", "w3", "w2", "w3", "w2"], ANYWHERE, 10)
        assert once == again != []

    async def test_equal_scores_come_in_the_order_of_ids(self, index: PassageIndex) -> None:
        tenant = await filled(index, [row(n, "same", vector=axis(0)) for n in (9, 3, 7, 1, 5)])
        first = [passage_id(number) for number in (1, 3, 5)]
        assert found(await index.lexical(tenant, 1, ["same"], ANYWHERE, 3)) == first
        assert found(await index.dense(tenant, 1, axis(0), ANYWHERE, 3)) == first

    async def test_ids_choose_among_more_equal_scores_than_are_asked_for(
        self, index: PassageIndex
    ) -> None:
        rows = [row(n, "same", vector=axis(0)) for n in range(300)]
        rows += [row(n, "same rare", vector=axis(1)) for n in range(300, 310)]
        tenant = await filled(index, rows[::-1])
        other = await filled(index, rows[::2])
        await index.put(other, 1, rows[1::2])
        await index.optimise(other, 1)
        first = [passage_id(number) for number in range(50)]
        rare = [passage_id(number) for number in range(300, 310)]
        for each in (tenant, other):
            assert found(await index.lexical(each, 1, ["same"], ANYWHERE, 50)) == first
            assert found(await index.dense(each, 1, axis(0), ANYWHERE, 50)) == first
            by_words = await index.lexical(each, 1, ["same", "rare"], ANYWHERE, 20)
            assert found(by_words) == rare + first[:10]
            assert found(await index.dense(each, 1, axis(1), ANYWHERE, 20)) == rare + first[:10]

    async def test_each_filter_leaves_what_matches(self, index: PassageIndex) -> None:
        rows = [
            row(0, "a", collection=OTHER_COLLECTION),
            row(1, "a", type="faq"),
            row(2, "a", has_steps=True),
            row(3, "a", has_conditions=True),
            row(4, "a", has_table=True),
            row(5, "a", language="en"),
            row(6, "a", type="faq", has_steps=True, language="en"),
        ]
        tenant = await filled(index, rows)
        here = SearchFilter(frozenset({COLLECTION}))
        expected = {
            SearchFilter(frozenset({OTHER_COLLECTION})): {0},
            here: {1, 2, 3, 4, 5, 6},
            replace(here, types=frozenset({"faq"})): {1, 6},
            replace(here, types=frozenset({"faq", "guide"})): {1, 2, 3, 4, 5, 6},
            replace(here, without_types=frozenset({"faq"})): {2, 3, 4, 5},
            replace(here, documents=frozenset({rows[2].document, rows[0].document})): {2},
            replace(here, has_steps=True): {2, 6},
            replace(here, has_steps=False): {1, 3, 4, 5},
            replace(here, has_conditions=True): {3},
            replace(here, has_table=True): {4},
            replace(here, language="en"): {5, 6},
            replace(here, types=frozenset({"faq"}), has_steps=True, language="en"): {6},
            replace(here, types=frozenset({"faq"}), without_types=frozenset({"faq"})): set[int](),
            replace(here, types=frozenset({"nowhere"})): set[int](),
            SearchFilter(frozenset({uuid4()})): set[int](),
        }
        for _ in ("as put", "optimised"):
            for where, numbers in expected.items():
                wanted = {passage_id(number) for number in numbers}
                assert set(found(await index.lexical(tenant, 1, ["a"], where, 20))) == wanted
                assert set(found(await index.dense(tenant, 1, axis(0), where, 20))) == wanted
            await index.optimise(tenant, 1)

    async def test_without_collections_nothing_is_found(self, index: PassageIndex) -> None:
        tenant = await filled(index, [row(1, "a")])
        nowhere = SearchFilter(frozenset(), types=frozenset({"guide"}))
        assert await index.lexical(tenant, 1, ["a"], nowhere, 10) == []
        assert await index.dense(tenant, 1, axis(1), nowhere, 10) == []

    async def test_a_type_may_be_any_text_and_is_never_part_of_a_query(
        self, index: PassageIndex
    ) -> None:
        types = ["가이드", "x' OR '1'='1", "a b", "A", "a", "", "x" * 500, "x" * 501, "\\", "%"]
        tenant = await filled(index, [row(n, "a", type=name) for n, name in enumerate(types)])
        for number, name in enumerate(types):
            where = replace(ANYWHERE, types=frozenset({name}))
            hits = await index.lexical(tenant, 1, ["a"], where, 20)
            assert found(hits) == [passage_id(number)]
            where = replace(ANYWHERE, without_types=frozenset({name}))
            assert len(await index.dense(tenant, 1, axis(0), where, 20)) == len(types) - 1

    async def test_dense_order_and_scores_are_those_of_brute_force(
        self, index: PassageIndex
    ) -> None:
        rows = corpus(200)
        tenant = await filled(index, rows)
        here = SearchFilter(frozenset({COLLECTION}))
        for query in corpus(5, seed=8):
            for where in (ANYWHERE, here):
                matching = [each for each in rows if each.collection in where.collections]
                wanted = cosines(matching, query.vector)
                hits = await index.dense(tenant, 1, query.vector, where, 10)
                assert found(hits) == best(wanted, 10)
                assert all(abs(hit.score - wanted[hit.passage]) < 1e-4 for hit in hits)

    async def test_several_vectors_find_what_each_finds(self, index: PassageIndex) -> None:
        tenant = await filled(index, corpus(80))
        here = SearchFilter(frozenset({COLLECTION}))
        vectors = [query.vector for query in corpus(3, seed=8)]
        together = await index.dense_of_each(tenant, 1, vectors, here, 10)
        assert together == [await index.dense(tenant, 1, each, here, 10) for each in vectors]
        assert await index.dense_of_each(tenant, 1, [], here, 10) == []

    async def test_hits_of_words_tell_how_near_they_are(self, index: PassageIndex) -> None:
        rows = corpus(60)
        tenant = await filled(index, rows)
        await index.optimise(tenant, 1)
        near = unit([1.0] * DIMENSIONS)
        wanted = cosines(rows, near)
        hits = await index.lexical(tenant, 1, ["w1", "w6"], ANYWHERE, 20, near)
        plain = await index.lexical(tenant, 1, ["w1", "w6"], ANYWHERE, 20)
        assert hits
        assert [replace(hit, similarity=None) for hit in hits] == plain
        for hit in hits:
            assert hit.similarity is not None
            assert abs(hit.similarity - wanted[hit.passage]) < 1e-4

    async def test_terms_are_taken_as_they_are(self, index: PassageIndex) -> None:
        terms = [
            *("결제", "데이", "東京", "データ", "ภาษ", "café", "cafe"),
            *("The", "the", "running", "run"),
            *("it's", '"quoted"', "a*b", "(x", "+must", "-not", "AND", "~2", "100%", "a_b", "\\d"),
            *("';--", "<b>", "{j}", "🎉", "제29조의2", "ec2", "3.12", "k" * 300),
        ]
        tenant = await filled(index, [row(n, term) for n, term in enumerate(terms)])
        for _ in ("as put", "optimised"):
            for number, term in enumerate(terms):
                hits = await index.lexical(tenant, 1, [term], ANYWHERE, 50)
                assert found(hits) == [passage_id(number)], term
            await index.optimise(tenant, 1)

    async def test_no_terms_or_unknown_terms_find_nothing(self, index: PassageIndex) -> None:
        tenant = await filled(index, [row(1, "a"), row(2, "")])
        for terms in ([], [""], [" "], ["unknown"], ["*"], ["a*"]):
            assert await index.lexical(tenant, 1, terms, ANYWHERE, 10) == []

    async def test_no_more_are_found_than_asked_for(self, index: PassageIndex) -> None:
        tenant = await filled(index, corpus(80))
        for count in (0, 1, 7, 500):
            hits = await index.dense(tenant, 1, axis(1), ANYWHERE, count)
            assert len(hits) == min(count, 80)
            assert len(await index.lexical(tenant, 1, ["w1"], ANYWHERE, count)) <= count

    async def test_an_empty_index_is_searched_and_kept_like_any_other(
        self, index: PassageIndex
    ) -> None:
        tenant = await filled(index, [])
        assert await index.lexical(tenant, 1, ["a"], ANYWHERE, 10) == []
        assert await index.dense(tenant, 1, axis(0), ANYWHERE, 10) == []
        await index.optimise(tenant, 1)
        await index.purge(tenant, 1)
        assert await index.passages(tenant, 1) == set()
        assert (await index.size(tenant, 1)).rows == 0

    async def test_a_vector_of_another_length_is_refused(self, index: PassageIndex) -> None:
        tenant = await filled(index, [row(1, "a")])
        wrong = [1.0] * (DIMENSIONS + 1)
        assert await raises(ValueError, lambda: index.put(tenant, 1, [row(2, vector=wrong)]))
        assert await raises(ValueError, lambda: index.dense(tenant, 1, wrong, ANYWHERE, 1))
        assert await index.passages(tenant, 1) == {passage_id(1)}

    async def test_generations_stand_side_by_side(self, index: PassageIndex) -> None:
        tenant = await filled(index, [row(1, "a")])
        await index.create(tenant, 2, 2)
        await index.put(tenant, 2, [row(2, "a", vector=[1.0, 0.0])])
        assert found(await index.lexical(tenant, 1, ["a"], ANYWHERE, 10)) == [passage_id(1)]
        assert found(await index.dense(tenant, 2, [1.0, 0.0], ANYWHERE, 10)) == [passage_id(2)]
        await index.drop(tenant, 1)
        assert await raises(IndexMissing, lambda: index.size(tenant, 1))
        assert found(await index.lexical(tenant, 2, ["a"], ANYWHERE, 10)) == [passage_id(2)]

    async def test_an_index_that_is_made_again_is_empty(self, index: PassageIndex) -> None:
        tenant = await filled(index, [row(1, "a")])
        await index.create(tenant, 1, DIMENSIONS)
        assert await index.lexical(tenant, 1, ["a"], ANYWHERE, 10) == []
        await index.put(tenant, 1, [row(2, "a")])
        assert await index.passages(tenant, 1) == {passage_id(2)}

    async def test_what_is_not_there_is_missing(self, index: PassageIndex) -> None:
        tenant = await filled(index, [row(1, "a")])
        await index.create(tenant, 2, DIMENSIONS)
        await index.drop(tenant)
        await index.drop(tenant)
        for generation in (1, 2, 3):
            attempts: list[Callable[[], Awaitable[object]]] = [
                lambda g=generation: index.put(tenant, g, [row(1)]),
                lambda g=generation: index.remove(tenant, g, {passage_id(1)}),
                lambda g=generation: index.lexical(tenant, g, ["a"], ANYWHERE, 1),
                lambda g=generation: index.dense(tenant, g, axis(0), ANYWHERE, 1),
                lambda g=generation: index.dense_of_each(tenant, g, [axis(0)], ANYWHERE, 1),
                lambda g=generation: index.passages(tenant, g),
                lambda g=generation: index.size(tenant, g),
                lambda g=generation: index.optimise(tenant, g),
                lambda g=generation: index.purge(tenant, g),
            ]
            for attempt in attempts:
                assert await raises(IndexMissing, attempt)

    async def test_size_tells_what_waits_to_be_optimised(self, index: PassageIndex) -> None:
        tenant = await filled(index, corpus(30))
        size = await index.size(tenant, 1)
        assert (size.rows, size.unindexed) == (30, 30)
        await index.optimise(tenant, 1)
        await index.put(tenant, 1, corpus(5, first=100))
        size = await index.size(tenant, 1)
        assert (size.rows, size.unindexed) == (35, 5)

    async def test_a_purge_changes_nothing_that_is_found(self, index: PassageIndex) -> None:
        rows = corpus(120)
        tenant = await filled(index, rows)
        await index.optimise(tenant, 1)
        await index.remove(tenant, 1, {rows[0].passage})
        here = SearchFilter(frozenset({COLLECTION}), types=frozenset({"guide"}))
        before = await index.dense(tenant, 1, axis(0), here, 200)
        await index.purge(tenant, 1)
        assert await index.dense(tenant, 1, axis(0), here, 200) == before
        assert await index.passages(tenant, 1) == {each.passage for each in rows[1:]}
        wanted = bm25(rows[1:], ["w1", "w6"])
        assert found(await index.lexical(tenant, 1, ["w1", "w6"], ANYWHERE, 10)) == best(wanted, 10)

    async def test_two_tenants_never_meet(self, index: PassageIndex) -> None:
        rows = corpus(60)
        tenant = await filled(index, rows)
        await index.optimise(tenant, 1)
        before = await index.lexical(tenant, 1, ["w1", "w2"], ANYWHERE, 60)
        other = await filled(index, corpus(90, seed=3, first=1000))
        await index.optimise(other, 1)
        assert await index.lexical(tenant, 1, ["w1", "w2"], ANYWHERE, 60) == before
        assert await index.passages(tenant, 1) == {each.passage for each in rows}
        mine = {each.passage for each in rows}
        assert mine.isdisjoint(found(await index.dense(other, 1, axis(0), ANYWHERE, 200)))
        assert mine.isdisjoint(found(await index.lexical(other, 1, ["w1"], ANYWHERE, 200)))
        await index.remove(other, 1, mine)
        await index.drop(other)
        assert await index.lexical(tenant, 1, ["w1", "w2"], ANYWHERE, 60) == before

    async def test_simultaneous_writers_of_a_tenant_leave_one_row_each(
        self, index: PassageIndex
    ) -> None:
        tenant = await filled(index, [])
        rows = corpus(40)
        await asyncio.gather(*(index.put(tenant, 1, rows) for _ in range(4)))
        assert (await index.size(tenant, 1)).rows == 40
        assert len(await index.dense(tenant, 1, axis(0), ANYWHERE, 200)) == 40

    async def test_readers_go_on_while_it_is_written_and_optimised(
        self, index: PassageIndex
    ) -> None:
        tenant = await filled(index, [row(0, "steady", vector=axis(0))])
        writing = asyncio.create_task(_write_steps(index, tenant))
        seen: list[int] = []
        while not writing.done():
            assert passage_id(0) in found(await index.lexical(tenant, 1, ["steady"], ANYWHERE, 5))
            seen.append(len(await index.dense(tenant, 1, axis(0), ANYWHERE, 500)))
        await writing
        assert seen == sorted(seen)
        assert len(await index.passages(tenant, 1)) == 201


async def _write_steps(index: PassageIndex, tenant: UUID) -> None:
    for step in range(10):
        await index.put(tenant, 1, corpus(20, seed=step, first=100 + 20 * step))
        if step % 3 == 0:
            await index.optimise(tenant, 1)
