"""The texts of `make bench-embedder`. Its small run takes more than 5 s, so no test runs it."""

import pytest

from benchmarks.embedder import FEW, PASSAGE_TOKENS, prepare
from saegim.llm.e5.tokenizer import Tokenizer
from saegim.llm.e5.weights import E5Weights

SENTENCES = [f"{number}번째 안내 문장은 여기에 있으니 천천히 읽어 보세요." for number in range(400)]


def test_passages_have_the_number_of_tokens_that_is_reported() -> None:
    texts = prepare(SENTENCES, SENTENCES, FEW)

    encode = Tokenizer(E5Weights().vocabulary).encode
    longest_word = 10
    assert len(texts.questions) == FEW.questions
    assert all(0 <= len(encode(one)) - PASSAGE_TOKENS < longest_word for one in texts.passages)
    assert all(0 <= len(encode(one)) - 2 * PASSAGE_TOKENS < longest_word for one in texts.long)
    assert len({*texts.passages, *texts.long}) == FEW.passages + FEW.pairs


def test_too_few_texts_are_an_error() -> None:
    with pytest.raises(ValueError, match="too few"):
        prepare(SENTENCES, SENTENCES[:3], FEW)
