"""Markers in a streamed answer."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from saegim.chat.grounding.attribution import Attribution
from saegim.chat.grounding.support import EvidenceSupport, EvidenceText
from saegim.chat.output.stream_sanitizer import StreamSanitizer
from saegim.chat.types import Evidence, EvidenceKind

pytestmark = pytest.mark.requirement("TN7")

RESERVED = (
    "예약 인스턴스는 1년 또는 3년 약정으로 최대 72% 할인을 받습니다."
    " Reserved instances are up to 72% cheaper, e.g. for 3.5 years. 스팟은 90% 할인됩니다."
)
BUDGET = "예산 메뉴에서 알림을 켜면 예산의 80%를 넘을 때 이메일을 받습니다."
SUPPORT = EvidenceSupport(
    [EvidenceText("1", RESERVED, RESERVED), EvidenceText("2", BUDGET, BUDGET)], "비용을 줄이려면?"
)
MARKED = re.compile(
    r"[ \t]*\[(?:\?|[MTF]?\d{1,4}(?:[ \t]?[,;][ \t]?[MTF]?\d{1,4}){0,9})\]", re.IGNORECASE
)

PIECES = st.one_of(
    st.sampled_from(
        [
            *(
                "예약 인스턴스는 최대 72% 할인됩니다",
                "화성 이주는 무료입니다",
                "예산의 80%를 넘으면",
            ),
            *(
                "Reserved instances are 72% cheaper",
                "e.g.",
                "3.5",
                "`a[1]. b`",
                "**스팟**",
                "| 값 |",
            ),
            *(
                ". ",
                "? ",
                "! ",
                "다.",
                "\n",
                "\n\n",
                "```",
                "\n- ",
                "\n1. ",
                "\n# ",
                "\n| ",
                "|---|",
            ),
            *(
                " [1]",
                "[2]",
                " [?]",
                "[9]",
                "[1, 2]",
                "[",
                "]",
                "…",
                '"',
                ".”",
                "    ",
                "\n> ",
                "\r\n",
            ),
        ]
    ),
    st.text(alphabet='가 a.1[]?!\n`*|-#"', max_size=6),
)
TEXTS = st.lists(PIECES, max_size=14).map("".join)


def attributed(*pieces: str, marks: bool = True) -> str:
    attribution = Attribution(SUPPORT, marks_unsupported=marks)
    return "".join(attribution.feed(piece) for piece in pieces) + attribution.close()


def bare(text: str) -> str:
    """Without markers, also those that appear when others are taken out."""
    while (less := MARKED.sub("", text)) != text:
        text = less
    return text


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("예약 인스턴스는 72% 할인됩니다.", "예약 인스턴스는 72% 할인됩니다 [1]."),
        ("예약 인스턴스는 72% 할인됩니다 [2].", "예약 인스턴스는 72% 할인됩니다 [1]."),
        ("예약 인스턴스는 72% 할인됩니다 [1, 2].", "예약 인스턴스는 72% 할인됩니다 [1, 2]."),
        ("예약 인스턴스는 72% 할인됩니다. [1] 끝", "예약 인스턴스는 72% 할인됩니다. [1] 끝"),
        ("예약 인스턴스는 72% 할인됩니다.[2]", "예약 인스턴스는 72% 할인됩니다 [1]."),
        ("예산의 80%라는 말은 [2]", "예산의 80%라는 말은 [2]"),
        ("예약 인스턴스는 95% 할인됩니다 [1].", "예약 인스턴스는 95% 할인됩니다 [1] [?]."),
        ("$$\n72% 할인. 화성 이주\n$$\n끝", "$$\n72% 할인. 화성 이주\n$$\n끝"),
        ("$$x = 95. 화성! 이주$$", "$$x = 95. 화성! 이주$$"),
        ("비율 $a! 화성 = 95$ 입니다", "비율 $a! 화성 = 95$ 입니다"),
        ("\\[\n화성 이주는 무료. 95\n\\]\n", "\\[\n화성 이주는 무료. 95\n\\]\n"),
        ("화성 이주는 `95. 화성` 무료입니다", "화성 이주는 `95. 화성` 무료입니다 [?]"),
        ("화성 이주는 $95입니다.", "화성 이주는 $95입니다 [?]."),
        ("화성 이주는 무료입니다.\n\n- 화성 이주\n", "화성 이주는 무료입니다.\n\n- 화성 이주\n"),
        ("- 화성 이주는 무료\n- 화성 95일\n", "- 화성 이주는 무료\n- 화성 95일 [?]\n"),
        ("화성 달력도 함께 켜 두세요.", "화성 달력도 함께 켜 두세요."),
        ("**예약 인스턴스.** 95", "**예약 인스턴스.** 95 [?]"),
        ("화성 이주는 무료입니다! 안녕하세요.", "화성 이주는 무료입니다 [?]! 안녕하세요."),
        ("화성 이주는 무료입니다 [?]!", "화성 이주는 무료입니다 [?]!"),
        ("안녕하세요 [?].", "안녕하세요."),
        ("- **예약 인스턴스**: 72% 할인\n- 끝", "- **예약 인스턴스**: 72% 할인 [1]\n- 끝"),
        ("**예약 인스턴스는 72% 할인됩니다.** 네.", "**예약 인스턴스는 72% 할인됩니다 [1].** 네."),
        ("# 예약 인스턴스 72% 할인\n", "# 예약 인스턴스 72% 할인\n"),
        ("```\n예약 인스턴스 72% 할인.\n```\n", "```\n예약 인스턴스 72% 할인.\n```\n"),
        ("방법은 다음과 같습니다:\n", "방법은 다음과 같습니다:\n"),
        ("없는 것 [9] 확인하세요.", "없는 것 [9] 확인하세요."),
        (
            "|이름|할인|\n|---|---|\n|예약 인스턴스|72%|\n|스팟|95%|\n",
            "|이름|할인|\n|---|---|\n|예약 인스턴스|72% [1]|\n|스팟|95%|\n",
        ),
        (
            "Reserved instances, e.g. for 3.5 years, are up to 72% cheaper.",
            "Reserved instances, e.g. for 3.5 years, are up to 72% cheaper [1].",
        ),
        (
            "예약 인스턴스는 72% 할인되고 [2] 예산의 80%를 넘으면 이메일을 받습니다.",
            "예약 인스턴스는 72% 할인되고 [2] 예산의 80%를 넘으면 이메일을 받습니다.",
        ),
    ],
)
def test_markers_in_an_answer(written: str, shown: str) -> None:
    assert attributed(written) == shown
    assert attributed(*written) == shown


def test_repeated_tags_of_the_prompt_are_not_marked() -> None:
    support = EvidenceSupport([EvidenceText("1", BUDGET, BUDGET)], "알림은?")
    attribution = Attribution(support)
    shown = attribution.feed(f"<evidence-0a1b2c3d>\n{BUDGET}\n</evidence-0a1b2c3d>")
    marked = BUDGET.replace("니다.", "니다 [1].")
    assert shown + attribution.close() == f"<evidence-0a1b2c3d>\n{marked}\n</evidence-0a1b2c3d>"


def test_a_sentence_streams_before_its_end() -> None:
    attribution = Attribution(SUPPORT)
    pieces = ["예약 ", "인스턴스는 72% ", "할인", "됩니다", ". ", "그리고"]
    sent = [attribution.feed(piece) for piece in pieces]
    assert sent == ["예약", " 인스턴스는 72%", " 할인", "됩니다", "", " [1]. 그리고"]


PRICES = "| 요금제 | 월 요금 |\n| --- | --- |\n| 팀 | 290,000원 |\n| 비즈니스 | 1,200,000원 |"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (
            "1,200,000 × 12 × 0.85 = **12,240,000원**이고 2,160,000원 쌉니다.",
            "1,200,000 × 12 × 0.85 = **12,240,000원**이고 2,160,000원 쌉니다.",
        ),
        ("연간 결제하면 12,240,000원입니다 [1].", "연간 결제하면 12,240,000원입니다 [1]."),
        ("비즈니스는 14,400,000원입니다 [1].", "비즈니스는 14,400,000원입니다 [1]."),
        ("팀 요금제는 월 999,000원입니다 [1].", "팀 요금제는 월 999,000원입니다 [1] [?]."),
        ("비즈니스는 12,340,000원입니다 [1].", "비즈니스는 12,340,000원입니다 [1] [?]."),
    ],
)
def test_correct_sums_of_cited_numbers_are_not_marked(written: str, shown: str) -> None:
    text = f"{PRICES}\n1년을 한 번에 결제하면 15% 할인됩니다."
    evidence = EvidenceText("1", text, text)
    attribution = Attribution(EvidenceSupport([evidence], "비즈니스 1년치는 얼마예요?"))
    assert attribution.feed(written) + attribution.close() == shown


def test_counts() -> None:
    attribution = Attribution(SUPPORT)
    attribution.feed("안녕하세요. 예약 인스턴스는 72% 할인됩니다. 화성 이주는 무료입니다.")
    attribution.close()
    assert (attribution.sentences, attribution.supported, attribution.unsupported) == (2, 1, 1)


@pytest.mark.parametrize(
    ("written", "unsupported"),
    [
        ("|이름|할인|\n|---|---|\n|스팟|95%|\n", 1),
        ("|이름|할인|\n|---|---|\n|예약 인스턴스|72%|\n", 0),
        ("화성 이주는 95% 할인됩니다:\n- 스팟은 90% 할인됩니다.\n", 1),
        ("비용을 줄이는 방법입니다:\n- 스팟은 90% 할인됩니다.\n", 0),
    ],
)
def test_invented_numbers_are_counted_where_no_mark_may_be(written: str, unsupported: int) -> None:
    attribution = Attribution(SUPPORT)
    shown = attribution.feed(written) + attribution.close()
    assert "[?]" not in shown
    assert attribution.unsupported == unsupported


def test_without_documents_nothing_is_marked_and_own_markers_stay() -> None:
    assert attributed("화성 이주는 무료입니다 [1].", marks=False) == "화성 이주는 무료입니다 [1]."


def test_a_text_that_broke_off_is_not_judged_where_it_ends() -> None:
    attribution = Attribution(SUPPORT)
    sent = attribution.feed("화성 이주는 무료입니다 ") + attribution.close(complete=False)
    assert sent == "화성 이주는 무료입니다 "


@given(TEXTS)
def test_only_markers_change(text: str) -> None:
    before, after = bare(text), bare(attributed(text))
    assert "".join(after.split(" ")) == "".join(before.split(" "))


@given(TEXTS.map(lambda text: re.sub(r"[\[\]]", "", text)))
def test_a_text_without_markers_gets_markers_only(text: str) -> None:
    assert re.sub(r" (?:\[[12?]\])+", "", attributed(text)) == text


@given(TEXTS, st.lists(st.integers(0, 200), max_size=12), st.booleans())
def test_the_pieces_do_not_matter(text: str, cuts: list[int], marks: bool) -> None:
    ends = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    pieces = [text[start:end] for start, end in pairwise(ends)]
    assert attributed(*pieces, marks=marks) == attributed(text, marks=marks)


@given(TEXTS)
def test_the_sanitizer_keeps_what_was_added(text: str) -> None:
    evidence = {name: Evidence(EvidenceKind.PASSAGE, name, name, name, "글") for name in ("1", "2")}
    sanitizer = StreamSanitizer(evidence)
    written = attributed(text)
    sent = sanitizer.feed(written) + sanitizer.close()
    assert sent.count("[?]") >= written.count(" [?]")


def test_a_sentence_that_counts_what_follows_needs_no_support() -> None:
    assert attributed("비용은 세 가지로 줄일 수 있습니다.") == "비용은 세 가지로 줄일 수 있습니다."
    assert attributed("There are two ways to save.") == "There are two ways to save."
