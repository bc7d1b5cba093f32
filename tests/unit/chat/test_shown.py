from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saegim.chat.shown import Shown
from saegim.domain.evidence import MARKER, Evidence, EvidenceKind

EVIDENCE = {
    mark: Evidence(kind, mark, mark, mark, "글")
    for mark, kind in [
        ("1", EvidenceKind.PASSAGE),
        ("2", EvidenceKind.PASSAGE),
        ("M1", EvidenceKind.MEMORY),
        ("T3", EvidenceKind.TURN),
        ("F1", EvidenceKind.TOOL),
    ]
}
MENU = "https://app.example.com/help"


def shown(*pieces: str) -> tuple[str, Shown]:
    filter_ = Shown(EVIDENCE, [MENU], ["docs.example.com"])
    text = "".join(filter_.feed(piece) for piece in pieces) + filter_.close()
    return text, filter_


@pytest.mark.requirement("TN7")
@pytest.mark.parametrize(
    ("written", "seen", "cited"),
    [
        ("값입니다 [1].", "값입니다 [1].", ["1"]),
        ("값[1][M1]과 [T3], [F1]", "값[1][M1]과 [T3], [F1]", ["1", "M1", "T3", "F1"]),
        ("없는 것 [9] 과 [M7].", "없는 것  과 .", []),
        ("둘 다 [1, 9; m1]", "둘 다 [1][M1]", ["1", "M1"]),
        ("`list[9]`은 코드다", "`list[9]`은 코드다", []),
        ("```py\na[9]\n```\n끝 [2]", "```py\na[9]\n```\n끝 [2]", ["2"]),
        ("[참고] 문장", "[참고] 문장", []),
    ],
)
def test_markers_that_resolve_are_kept_and_others_removed(
    written: str, seen: str, cited: list[str]
) -> None:
    text, filter_ = shown(written)
    assert text == seen
    assert list(filter_.cited) == cited


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("![그림](https://evil.example/x.png?q=secret) 끝", "그림 끝"),
        ("[여기](https://evil.example/a)를 누르세요", "여기를 누르세요"),
        ("[1](https://evil.example/a)", "1"),
        (f"[도움말]({MENU})", f"[도움말]({MENU})"),
        ("[문서](https://docs.example.com/a/b)", "[문서](https://docs.example.com/a/b)"),
        ("https://evil.example/a?q=1 을 보세요", "`https://evil.example/a?q=1` 을 보세요"),
        ("www.evil.example", "`www.evil.example`"),
        ('<img src="https://evil.example/x">', '‹img src="`https://evil.example/x`">'),
        ("<script>alert(1)</script>", "‹script>alert(1)‹/script>"),
        ("[x][9]\n\n[9]: https://evil.example", "[x]\n\n: `https://evil.example`"),
        ("a < b 이고 c > d", "a < b 이고 c > d"),
        ("[x](javascript:alert)", "x"),
        ("`[x](https://evil.example)", "`x"),
    ],
)
def test_no_remote_image_or_link_is_rendered(written: str, seen: str) -> None:
    assert shown(written)[0] == seen


PARTS = st.sampled_from(
    [
        *("값", "[1]", "[9]", "[M1]", " ", "\n", "![a](https://e.x/b)", "[b](https://e.x)"),
        *("https://e.x", "`c[1]`", "```\n", "한글", "[", "]", "(", ")", "!", "<", "<img "),
        *("www.", "h", "w", "1,234원", "`", "👩‍👩‍👧"),
    ]
)


@settings(max_examples=300)
@given(st.lists(PARTS, max_size=12), st.data())
def test_however_a_text_is_split_the_same_is_shown(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=8))
    edges = [0, *sorted(cuts), len(text)]
    pieces = [text[start:end] for start, end in pairwise(edges)]

    whole, split = shown(text)[0], shown(*pieces)[0]
    assert whole == split
    outside_code = "" if "`" in whole else whole
    assert all(mark.upper() in EVIDENCE for mark in MARKER.findall(outside_code))


@given(st.text(max_size=60))
def test_text_that_holds_nothing_special_is_shown_as_it_is(text: str) -> None:
    plain = "".join(c for c in text if c not in "[]`<!()").replace("http", "").replace("www", "")
    assert shown(*plain)[0] == plain
