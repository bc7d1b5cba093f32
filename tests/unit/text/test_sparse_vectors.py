import math
from collections import Counter

import pytest
from hypothesis import given, settings, strategies as st

from saegim.text.rank_fusion import (
    AVERAGE_LENGTH,
    DIMENSIONS,
    DOCUMENT_TERMS,
    K1,
    QUERY_TERMS,
    B,
    SparseVector,
    TermHasher,
    document_vector,
    query_vector,
)

PROPERTY = settings(deadline=None)
HASHER = TermHasher(b"the key of one user")
TERMS = st.lists(st.sampled_from([f"t{i}" for i in range(40)]), max_size=80)


class Colliding(TermHasher):
    """Puts every term into the same dimension."""

    def index(self, term: str) -> int:
        return 7


def inner(one: SparseVector, other: SparseVector) -> float:
    values = dict(zip(other.indices, other.values, strict=True))
    return sum(
        value * values.get(index, 0.0) for index, value in zip(one.indices, one.values, strict=True)
    )


def test_an_index_is_stable_and_within_the_dimensions() -> None:
    assert HASHER.index("새김") == TermHasher(b"the key of one user").index("새김")
    assert all(1 <= HASHER.index(f"term {i}") < DIMENSIONS for i in range(1_000))


def test_another_key_puts_the_same_terms_elsewhere() -> None:
    other = TermHasher(b"the key of another")
    terms = [f"term {i}" for i in range(100)]
    assert not {HASHER.index(term) for term in terms} & {other.index(term) for term in terms}


def test_an_empty_key_is_refused() -> None:
    with pytest.raises(ValueError, match="unkeyed"):
        TermHasher(b"")


def test_the_literal_is_what_pgvector_reads() -> None:
    assert SparseVector((1, 7), (0.5, 1.2)).literal() == "{1:0.5,7:1.2}/1000000000"
    assert SparseVector((3,), (1 / 3,)).literal(dimensions=5) == "{3:0.333333}/5"
    assert SparseVector((), ()).literal() == "{}/1000000000"


@PROPERTY
@given(TERMS, TERMS)
def test_indices_ascend_and_values_are_positive(document: list[str], query: list[str]) -> None:
    stored = document_vector(document, HASHER)
    asked = query_vector(query, HASHER, dict.fromkeys(stored.indices, 1), 10)
    for vector in (stored, asked):
        assert list(vector.indices) == sorted(set(vector.indices))
        assert all(value > 0 for value in vector.values)
        assert len(vector.indices) == len(vector.values)


@PROPERTY
@given(st.lists(TERMS, min_size=1, max_size=8), TERMS)
def test_the_inner_product_is_bm25(documents: list[list[str]], query: list[str]) -> None:
    vectors = [document_vector(document, HASHER) for document in documents]
    df = Counter(index for vector in vectors for index in vector.indices)
    asked = query_vector(query[:QUERY_TERMS], HASHER, df, len(documents))
    for document, vector in zip(documents, vectors, strict=True):
        expected = 0.0
        for term in set(query[:QUERY_TERMS]) & set(document):
            n = sum(term in other for other in documents)
            tf = document.count(term)
            norm = K1 * (1 - B + B * len(document) / AVERAGE_LENGTH)
            idf = math.log(1 + (len(documents) - n + 0.5) / (n + 0.5))
            expected += idf * tf * (K1 + 1) / (tf + norm)
        assert inner(asked, vector) == pytest.approx(expected)


def test_a_long_row_keeps_its_most_frequent_terms_and_then_the_first() -> None:
    singles = [f"single {i}" for i in range(DOCUMENT_TERMS + 50)]
    vector = document_vector([*singles, "often", "often"], HASHER)
    kept = {HASHER.index(term) for term in ["often", *singles[: DOCUMENT_TERMS - 1]]}
    assert set(vector.indices) == kept


def test_dropped_terms_still_make_the_row_long() -> None:
    long = document_vector([f"term {i}" for i in range(DOCUMENT_TERMS + 100)], HASHER)
    shorter = document_vector([f"term {i}" for i in range(DOCUMENT_TERMS)], HASHER)
    assert long.indices == shorter.indices
    assert long.values[0] < shorter.values[0]


def test_a_query_keeps_its_rarest_terms() -> None:
    terms = [f"term {i}" for i in range(QUERY_TERMS + 10)]
    df = {HASHER.index(term): rank for rank, term in enumerate(reversed(terms), start=1)}
    asked = query_vector(terms, HASHER, df, 1_000)
    assert set(asked.indices) == {HASHER.index(term) for term in terms[10:]}


def test_a_rarer_term_weighs_more_and_repeats_weigh_nothing() -> None:
    rare, usual = HASHER.index("rare"), HASHER.index("usual")
    asked = query_vector(["usual", "usual", "rare"], HASHER, {rare: 1, usual: 90}, 100)
    weights = dict(zip(asked.indices, asked.values, strict=True))
    assert weights[rare] > weights[usual] > 0
    assert weights[usual] == query_vector(["usual"], HASHER, {usual: 90}, 100).values[0]


def test_terms_that_no_row_holds_do_not_crowd_out_those_that_match() -> None:
    known = HASHER.index("known")
    unknown = [f"unknown {i}" for i in range(QUERY_TERMS)]
    assert query_vector([*unknown, "known"], HASHER, {known: 3}, 10).indices == (known,)


def test_a_count_beyond_the_rows_does_not_turn_the_weight_negative() -> None:
    common = HASHER.index("common")
    assert query_vector(["common"], HASHER, {common: 12}, 10).values[0] > 0


def test_terms_that_collide_add_up() -> None:
    hasher = Colliding(b"key")
    alone = document_vector(["a"], hasher)
    both = document_vector(["a", "b"], hasher)
    assert both.indices == alone.indices == (7,)
    assert both.values[0] == pytest.approx(2 * document_vector(["a", "b"], HASHER).values[0])
    asked = query_vector(["a", "b"], hasher, {7: 2}, 10)
    assert asked.values[0] == pytest.approx(2 * query_vector(["a"], hasher, {7: 2}, 10).values[0])
