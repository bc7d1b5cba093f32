import unicodedata

import pytest
from hypothesis import given, settings, strategies as st

from saegim.text.analysis import index_terms, query_terms, terms

PROPERTY = settings(deadline=None)


def _finds(query: str, passage: str) -> bool:
    return not set(query_terms(query)).isdisjoint(index_terms(passage))


@pytest.mark.parametrize(
    ("query", "passage"),
    [
        ("서울", "서울은 수도이다"),
        ("이끌었다", "팀을 이끈다"),
        ("이끄는 사람", "팀을 이끌었다"),
        ("결제", "결제가 실패했다"),
        ("정보", "개인정보보호법"),
        ("EC2 비용", "ec2의 비용"),
        ("제29조의2", "제29조의2에 따라"),
        ("myservice 29392", "MyService 29392 오류"),
        (unicodedata.normalize("NFD", "서울"), "서울은"),
        ("개인 정보 보호", "개인정보보호"),
        ("개인정보보호", "개인 정보를 보호한다"),
        ("물", "물을 마신다"),
        ("configuring alerts", "Alert configuration is configured here"),
        ("東京都", "東京の人口"),
    ],
)
def test_a_question_finds_what_is_written_otherwise(query: str, passage: str) -> None:
    assert _finds(query, passage)


def test_the_index_holds_every_plain_term_of_korean_and_numbers() -> None:
    text = "서울은행의 금리는 3.12.1판에서 1,500,000원"
    assert set(terms(text)) <= set(index_terms(text))


def test_how_a_question_is_asked_is_not_looked_for() -> None:
    assert query_terms("EC2 비용은 어떻게 되나요?") == query_terms("EC2 비용")
    assert query_terms("What is the cost of it?") == ["cost"]


def test_function_words_written_like_names_are_looked_for() -> None:
    assert query_terms("Which band is The Who?") == ["band", "the", "who"]
    assert "it" in query_terms("our IT department")
    assert "it" not in query_terms("It is late. It rains.")


@pytest.mark.parametrize("query", ["무엇인가요?", "what is it", "누구", "그 때"])
def test_a_question_of_function_words_alone_is_looked_for_as_it_is(query: str) -> None:
    assert query_terms(query) == list(dict.fromkeys(index_terms(query)))
    assert query_terms(query)


def test_terms_to_look_for_stand_once() -> None:
    assert query_terms("비용 비용 비용") == query_terms("비용")


def test_a_pasted_page_is_looked_for_by_its_longest_words() -> None:
    page = " ".join(f"w{number}" for number in range(1000)) + " kubernetes 데이터베이스"
    asked = query_terms(page)
    assert len(asked) == 128
    assert {"kubernet", "_데이터베이스"} <= set(asked)


def test_a_run_without_spaces_has_no_stem_of_its_own() -> None:
    run = "가나다라마바사아자차카타파하" * 4
    assert index_terms(run) == terms(run)


@PROPERTY
@given(st.text())
def test_no_term_holds_a_space_or_is_empty(text: str) -> None:
    for term in (*index_terms(text), *query_terms(text)):
        assert term
        assert term.split() == [term]


@PROPERTY
@given(st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1, max_size=12))
def test_a_korean_word_always_finds_itself(word: str) -> None:
    assert _finds(word, word)
