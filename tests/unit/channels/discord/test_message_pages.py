"""Answers in pages: whole, short enough, and no code block broken."""

import re

import pytest
from hypothesis import given, strategies as st

from saegim.channels.discord.message_pages import FENCE, LONGEST, footnotes, size, split
from saegim.client import Citation
from saegim.client.types import Locator

pytestmark = pytest.mark.requirement("CH4")

WORDS = st.text(alphabet="가나다 abc\n😀.", max_size=400)
CODE = st.builds(
    lambda language, body: f"\n```{language}\n{body}\n```\n",
    st.sampled_from(["", "python", "c++"]),
    st.text(alphabet="xyz =()\n", max_size=900),
)
ANSWERS = st.lists(st.one_of(WORDS, CODE), max_size=12).map("".join)


def bare(text: str) -> str:
    """Without fences, their languages and space: what must survive a split."""
    return re.sub(r"```(?:python|c\+\+)?|\s", "", text)


@given(ANSWERS, st.integers(min_value=120, max_value=600))
def test_pages_fit_are_balanced_and_lose_nothing(text: str, most: int) -> None:
    pages = split(text, most)
    assert all(size(page) <= most for page in pages)
    assert all(page.strip() for page in pages)
    assert all(page.count(FENCE) % 2 == 0 for page in pages)
    assert bare("".join(pages)) == bare(text)


@given(st.text(alphabet="`a\n ", max_size=800), st.integers(min_value=60, max_value=120))
def test_stray_backticks_never_break_a_page(text: str, most: int) -> None:
    pages = split(text, most)
    assert all(size(page) <= most for page in pages)
    assert all(page.count(FENCE) % 2 == 0 for page in pages)


def test_a_short_answer_is_one_page_as_it_is() -> None:
    assert split("안녕하세요.\n\n- 하나\n- 둘") == ["안녕하세요.\n\n- 하나\n- 둘"]
    assert split("가" * LONGEST) == ["가" * LONGEST]
    assert split("") == []


def test_a_long_code_block_goes_on_in_its_language() -> None:
    code = "\n".join(f"print({number})" for number in range(400))
    text = f"이렇게 해 보세요.\n\n```python\n{code}\n```\n끝."
    pages = split(text)
    assert len(pages) == 3
    assert pages[0].startswith("이렇게 해 보세요.\n\n```python\nprint(0)")
    assert pages[0].endswith("\n```")
    assert all(page.startswith("```python\nprint(") for page in pages[1:])
    assert pages[-1].endswith("```\n끝.")


def test_a_block_is_not_opened_at_the_end_of_a_page() -> None:
    text = "가" * 1_985 + "\n```python\nx = 1\n```"
    first, second = split(text)
    assert FENCE not in first
    assert second == "```python\nx = 1\n```"


def test_paragraphs_stay_together_where_they_can() -> None:
    first = "가나다 " * 350
    second = "라마바 " * 350
    assert split(f"{first.strip()}\n\n{second.strip()}") == [first.strip(), second.strip()]


def test_what_is_cited_stands_below_and_memories_are_not_shown_to_the_channel() -> None:
    cited = [
        Citation(marker="1", kind="passage", id="a", title="환불 안내", url="https://a.example/r"),
        Citation(marker="M1", kind="memory", id="b", title="땅콩 알레르기"),
    ]
    shown = footnotes(cited, "ko")
    assert shown == "\n\n-# [1] [환불 안내](<https://a.example/r>)\n-# [M1] 전에 해 주신 말"
    assert footnotes([], "en") == ""


def test_a_footnote_names_team_memory() -> None:
    shared = Citation(marker="M1", kind="memory", id="a", title="팀 기억 · 2026-11-18", team=True)
    assert footnotes([shared], "ko") == "\n\n-# [M1] 팀 기억"


def test_a_footnote_names_the_page() -> None:
    page = Citation(marker="1", kind="passage", id="a", title="주차", locator=Locator(page=3))
    assert footnotes([page], "ko") == "\n\n-# [1] 주차 · 3쪽"
