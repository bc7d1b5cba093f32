"""Positions of a text that are redacted, kept and annotated."""

from hypothesis import given, strategies as st

from saegim.conversations.types import ELLIPSIS, Redactions, less, merged, without

SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).map(lambda p: (min(p), max(p))))


def places(spans: object) -> set[int]:
    return {at for start, end in spans for at in range(start, end)}  # type: ignore[attr-defined] - pairs


@given(SPANS, SPANS)
def test_what_is_kept_is_taken_out_of_what_is_struck_and_nothing_else(
    spans: list[tuple[int, int]], kept: list[tuple[int, int]]
) -> None:
    assert places(merged(spans)) == places(spans)
    assert places(less(spans, kept)) == places(spans) - places(kept)
    assert list(less(spans, kept)) == sorted(less(spans, kept))


@given(st.text(alphabet="가나 .", min_size=31, max_size=40), SPANS)
def test_a_text_loses_the_struck_characters_and_keeps_the_others(
    text: str, spans: list[tuple[int, int]]
) -> None:
    left = without(text, spans)
    kept = "".join(c for at, c in enumerate(text) if at not in places(spans))
    assert left.replace(ELLIPSIS, "") in (kept, "")
    assert bool(left.replace(ELLIPSIS, "")) or not any(c.isalnum() for c in kept) or not kept


def test_a_gap_stands_where_words_are_struck() -> None:
    said = "부산으로 이사했어. 초코를 키워"
    assert without(said, [(0, 9)]) == "[…]. 초코를 키워"
    assert without(said, [(0, 9), (11, 20)]) == ELLIPSIS
    assert without("", []) == ""


def test_a_note_stands_after_what_it_is_about_unless_that_is_struck() -> None:
    said = "예산은 1억이야. 초코를 키워"
    assert without(said, [], [(8, " (정정)")]) == "예산은 1억이야 (정정). 초코를 키워"
    assert without(said, [(0, 8)], [(8, " (정정)")]) == "[…]. 초코를 키워"


def test_places_of_two_records_add_up_but_for_those_kept() -> None:
    struck = (Redactions(((0, 5),)) | Redactions(((3, 9),), ((0, 2),))).but(Redactions(((4, 6),)))
    assert struck == Redactions(((0, 4), (6, 9)), ((0, 2),))
    assert not Redactions()
