"""A model's request for another search is told from the beginning of an answer."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from saegim.chat.search_request import SearchRequestReader


def read(pieces: list[str]) -> tuple[str, str | None]:
    reader = SearchRequestReader()
    shown = "".join(reader.feed(piece) for piece in pieces)
    return shown + reader.close(), reader.query


@pytest.mark.requirement("TN3")
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("SEARCH: 환불 규정", "환불 규정"),
        ("\n SEARCH: refund policy\nand more", "refund policy"),
        ("SEARCH:", None),
        ("SEARCHing is done", None),
        ("SEA", None),
        ("답입니다. SEARCH: 아님", None),
        ("", None),
    ],
)
def test_only_a_text_that_begins_so_is_a_request(text: str, query: str | None) -> None:
    assert read([text]) == ("" if query else text, query)


@given(st.text("SEARCH: 가나\n"), st.lists(st.integers(0, 20)))
def test_pieces_do_not_matter(text: str, cuts: list[int]) -> None:
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    pieces = [text[a:b] for a, b in pairwise(places)]
    assert read(pieces) == read([text])
