import subprocess
import sys
import time
import unicodedata

import pytest
from hypothesis import example, given, settings, strategies as st

from saegim.text.tokens import count, cut, cut_end

PROPERTY = settings(deadline=None)
FAMILY = "👨\u200d👩\u200d👧"
WORDS = ["안녕", "하세요", "뷁", "食べる", "hello", "unbelievable", "1234", "'s", "...", " a", "/"]
JOINED = ["😀", FAMILY, unicodedata.normalize("NFD", "한"), "e\u0301"]
PIECES = st.lists(st.sampled_from([*WORDS, *JOINED, " ", "  ", "\n", "\t"]), max_size=14).map(
    "".join
)
# The counts that were published with the encoding.
KOREAN = (
    "안녕하세요, 제 이름은 GPT-4o입니다. 저는 새로운 유형의 언어 모델입니다, 만나서 반갑습니다!"
)
ENGLISH = "Hello, my name is GPT-4o. I'm a new type of language model, it's nice to meet you!"


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("hello world", 2), (KOREAN, 27), (ENGLISH, 24)]
)
def test_counts_are_those_of_o200k(text: str, tokens: int) -> None:
    assert count(text) == tokens


def test_a_factor_rounds_up() -> None:
    assert count("hello world", factor=1.1) == 3
    assert count("", factor=1.1) == 0


def test_special_tokens_in_the_text_are_plain_text() -> None:
    assert count("<|endoftext|>") > 1


def test_text_beyond_what_the_tokenizer_takes_at_once_is_counted() -> None:
    sentence = "안녕하세요 오늘 날씨가 좋네요 "
    assert count(sentence * 20_000) == 20_000 * (count(sentence * 2) - count(sentence)) + (
        2 * count(sentence) - count(sentence * 2)
    )
    assert count("뷁" * 300_000) == 300_000 * count("뷁")


def test_the_tokenizer_is_not_loaded_before_it_is_needed() -> None:
    script = "import sys, saegim.text.tokens; sys.exit('bpe_openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_cut_keeps_the_start_and_cut_end_the_end() -> None:
    assert cut("one two three four", 2) == "one two"
    assert cut_end("one two three four", 2) == " three four"
    assert cut("one two", 2) == cut_end("one two", 2) == "one two"
    assert cut("one", 0) == cut_end("one", 0) == cut("one", -1) == ""


def test_a_syllable_of_several_tokens_is_kept_or_dropped_whole() -> None:
    assert count("뷁") > 1
    assert cut("뷁", 1) == cut_end("뷁", 1) == ""
    decomposed = unicodedata.normalize("NFD", "한한")
    assert {cut(decomposed, limit) for limit in range(20)} == {"", decomposed[:3], decomposed}
    assert {cut_end(decomposed, limit) for limit in range(20)} == {"", decomposed[3:], decomposed}


def test_a_lone_surrogate_becomes_valid_text() -> None:
    assert cut("\ud83d 가", 10) == "\ufffd 가"
    assert cut_end("\ud83d\ude00", 10) == "😀"


@PROPERTY
@given(st.one_of(PIECES, st.text()), st.integers(0, 12))
@example("abc" * 400, 3)
def test_a_cut_is_within_the_limit_and_part_of_the_text(text: str, limit: int) -> None:
    start, end = cut(text, limit), cut_end(text, limit)
    assert text.startswith(start)
    assert text.endswith(end)
    assert count(start) <= limit
    assert count(end) <= limit
    if count(text) <= limit:
        assert start == end == text


@PROPERTY
@given(PIECES, st.integers(0, 12))
def test_no_longer_cut_would_fit(text: str, limit: int) -> None:
    joined = "\u0301\u1161\u11ab\u200d"
    ends = [
        at
        for at in range(len(text) + 1)
        if at in (0, len(text)) or (text[at] not in joined and text[at - 1] != "\u200d")
    ]
    assert len(cut(text, limit)) == max(at for at in ends if count(text[:at]) <= limit)
    assert len(cut_end(text, limit)) == max(
        len(text) - at for at in ends if count(text[at:]) <= limit
    )


@pytest.mark.alone
@pytest.mark.parametrize("limit", [10, 8_000])
@pytest.mark.parametrize("unit", ["a", " ", "가", "\u0301", "a b ", "\n", "안녕 하세요"])
def test_hostile_text_is_cut_in_time(unit: str, limit: int) -> None:
    text = unit * (100_000 // len(unit))
    cut("loaded", 1)
    started = time.process_time()
    cut(text, limit)
    cut_end(text, limit)
    assert time.process_time() - started < 1.0
