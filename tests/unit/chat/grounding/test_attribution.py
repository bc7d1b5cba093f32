"""Markers in a streamed answer, and its values without a source."""

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
EVIDENCE = [EvidenceText("1", RESERVED), EvidenceText("2", BUDGET)]

WORDS = [
    *("예약 인스턴스는 최대 72% 할인됩니다", "화성 이주는 무료입니다", "예산의 80%를 넘으면"),
    *("Reserved instances are 72% cheaper", "e.g.", "3.5", "`a[1]. b`", "**스팟**", "| 값 |"),
    *(". ", "? ", "! ", "다.", "\n", "\n\n", "```", "\n- ", "\n1. ", "\n# ", "\n| ", "|---|"),
    *(" [1]", "[2]", "[9]", "[1, 2]", "[", "]", "…", '"', ".”", "    ", "\n> ", "\r\n"),
    *("$$", "$a$", "\\[", "\\]", "\\(", "\\)", "`"),
]
PIECES = st.one_of(st.sampled_from(WORDS), st.text(alphabet='가 a.1[]?!\n`*|-#"$\\(', max_size=6))
TEXTS = st.lists(PIECES, max_size=14).map("".join)


def attribution() -> Attribution:
    return Attribution(EvidenceSupport(EVIDENCE, "비용을 줄이려면?"))


def attributed(*pieces: str) -> str:
    one = attribution()
    return "".join(one.feed(piece) for piece in pieces) + one.close()


def test_a_model_that_cites_gets_no_more_markers() -> None:
    own = "예약 인스턴스는 72% 할인됩니다 [1]. 예산의 80%를 넘을 때 이메일을 받습니다."
    assert attributed(own) == own


def test_an_earlier_turn_gets_no_marker() -> None:
    said = "나는 매주 화요일 저녁에 도예 수업을 들어"
    turn = Evidence(EvidenceKind.MEMORY, "1", "M1", "2026-11-19", said, turn="7")
    record = Evidence(EvidenceKind.MEMORY, "1", "M1", "2026-11-19", said)
    sentence = "매주 화요일 저녁에 도예 수업을 들으시죠."
    for evidence, marked in ((turn, False), (record, True)):
        one = Attribution(EvidenceSupport([EvidenceText.of(evidence)], "내 일정은?"))
        assert ("[M1]" in one.feed(sentence) + one.close()) is marked


def test_a_result_may_stand_before_its_computation() -> None:
    one = Attribution(EvidenceSupport([EvidenceText("1", "A seat costs ₩62,000.")], "For 6 seats?"))
    one.feed("A year costs ₩4,464,000, not ₩7,777,000.\n\n- ₩62,000 [1] × 6 × 12 = ₩4,464,000\n")
    one.close()
    assert one.support.still_unknown(one.unknown) == ["₩7,777,000"]


def test_a_bold_title_is_no_sentence() -> None:
    title = "**예약 인스턴스 72% › 5. 할인** [1]"
    assert attributed(title) == title


def test_a_korean_name_may_be_written_in_latin_letters() -> None:
    known = EvidenceSupport(
        [EvidenceText("1", "월별 수치는 한지훈이 갱신한다. Written by Hana Seo.")]
    )
    assert known.unknown("The numbers are updated by Han Jihun.") == []
    assert EvidenceSupport([EvidenceText("1", "Written by Hana Seo.")]).unknown(
        "The numbers are updated by Han Jihun."
    ) == ["Han Jihun"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("예약 인스턴스는 72% 할인됩니다.", "예약 인스턴스는 72% 할인됩니다 [1]."),
        ("- **예약 인스턴스**: 72% 할인\n- 끝", "- **예약 인스턴스**: 72% 할인 [1]\n- 끝"),
        ("**예약 인스턴스는 72% 할인됩니다.** 네.", "**예약 인스턴스는 72% 할인됩니다 [1].** 네."),
        (
            "Reserved instances, e.g. for 3.5 years, are up to 72% cheaper.",
            "Reserved instances, e.g. for 3.5 years, are up to 72% cheaper [1].",
        ),
        (
            "`예산` 메뉴에서 알림을 켜면 이메일을 받습니다.",
            "`예산` 메뉴에서 알림을 켜면 이메일을 받습니다 [2].",
        ),
    ],
)
def test_a_sentence_gets_the_marker_of_its_sure_source(written: str, shown: str) -> None:
    assert attributed(written) == shown
    assert attributed(*written) == shown


@pytest.mark.parametrize(
    "written",
    [
        # The model's own markers, right or wrong
        "예약 인스턴스는 72% 할인됩니다 [2].",
        "예약 인스턴스는 72% 할인됩니다. [1] 끝",
        "예약 인스턴스는 72% 할인되고 [2] 예산의 80%를 넘으면 이메일을 받습니다.",
        "예약 인스턴스는 95% 할인됩니다 [1].",
        "예약 인스턴스는 72% 할인됩니다 [9].",
        # Nothing that says it
        "화성 이주는 무료입니다.",
        "안녕하세요.",
        # No sentences
        "# 예약 인스턴스 72% 할인\n",
        "**예약 인스턴스**\n",
        "예약 인스턴스 72% 할인:\n",
        "```\n예약 인스턴스 72% 할인.\n```\n",
        "    예약 인스턴스 72% 할인.\n",
        "|이름|할인|\n|---|---|\n|예약 인스턴스|72%|\n",
        "$$\n72% 할인. 예약\n$$\n끝",
        "\\[\n예약 인스턴스 72% 할인.\n\\]\n",
        "비율 $a! 예약 = 72$ 입니다",
        "`예약 인스턴스 72% 할인. 예약`",
    ],
)
def test_the_rest_stays_as_it_is(written: str) -> None:
    assert attributed(written) == written
    assert attributed(*written) == written


@pytest.mark.parametrize(
    ("written", "unknown"),
    [
        ("예약 인스턴스는 95% 할인됩니다 [1]. 스팟은 90%입니다.", ["95%"]),
        ("- 스팟은 45% 할인\n- 31일 뒤 종료\n", ["45%", "31일"]),
        ("화성 이주는 무료입니다. 알림도 함께 켜 두세요.", []),
        ("|이름|할인|\n|---|---|\n|스팟|95%|\n", []),
        ("### 45% 절약\n```\nx = 45\n```\n`45`와 $y = 45$, 45가지 방법입니다:\n- 끝", []),
    ],
)
def test_values_without_a_source_are_collected_from_sentences(
    written: str, unknown: list[str]
) -> None:
    one = attribution()
    for character in written:
        one.feed(character)
    one.close()
    assert one.unknown == unknown


def test_a_sum_of_the_cells_of_a_table_is_known() -> None:
    one = attribution()
    one.feed(
        "|월|원|\n|---|---|\n|서울|31,400|\n|부산|22,150|\n|대구|9,300|\n\n합계는 62,850원입니다."
    )
    one.close()
    assert one.unknown == []


def test_an_answer_on_a_given_text_stays_as_it_is() -> None:
    one = Attribution(EvidenceSupport(EVIDENCE, f"번역해 줘: {RESERVED}"))
    written = "예약 인스턴스는 72% 할인됩니다. 45%입니다."
    assert one.feed(written) + one.close() == written
    assert one.unknown == []


def test_repeated_tags_of_the_prompt_are_no_statement() -> None:
    one = Attribution(EvidenceSupport([EvidenceText("1", BUDGET)], "알림은?"))
    shown = one.feed(f"<evidence-0a1b2c3d>\n{BUDGET}\n</evidence-0a1b2c3d>") + one.close()
    marked = BUDGET.replace("니다.", "니다 [1].")
    assert shown == f"<evidence-0a1b2c3d>\n{marked}\n</evidence-0a1b2c3d>"
    assert one.unknown == []


def test_a_sentence_streams_before_its_end() -> None:
    one = attribution()
    pieces = ["예약 ", "인스턴스는 72% ", "할인", "됩니다", ". ", "그리고"]
    sent = [one.feed(piece) for piece in pieces]
    assert sent == ["예약", " 인스턴스는 72%", " 할인", "됩니다", "", " [1]. 그리고"]


def test_counts() -> None:
    one = attribution()
    one.feed("네. 예약 인스턴스는 72% 할인됩니다. 화성 이주는 45% 할인됩니다.")
    one.close()
    assert (one.sentences, one.supported, one.unknown) == (2, 1, ["45%"])


def test_a_text_that_broke_off_is_not_judged_where_it_ends() -> None:
    one = attribution()
    written = "예약 인스턴스는 72% 할인됩니다 "
    assert one.feed(written) + one.close(complete=False) == written


@given(TEXTS)
def test_only_markers_are_added(text: str) -> None:
    shown = attributed(text)
    written = iter(shown)
    assert all(character in written for character in text)
    assert re.sub(r" \[[12]\]", "", shown) == re.sub(r" \[[12]\]", "", text)


@given(TEXTS, st.lists(st.integers(0, 200), max_size=12))
def test_the_pieces_do_not_matter(text: str, cuts: list[int]) -> None:
    ends = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    assert attributed(*(text[start:end] for start, end in pairwise(ends))) == attributed(text)


@given(TEXTS.map(lambda text: re.sub(r"[\[\]]", "", text)))
def test_the_sanitizer_keeps_what_was_added(text: str) -> None:
    evidence = {name: Evidence(EvidenceKind.PASSAGE, name, name, name, "글") for name in ("1", "2")}
    sanitizer = StreamSanitizer(evidence)
    written = attributed(text)
    sent = sanitizer.feed(written) + sanitizer.close()
    assert len(re.findall(r"\[[12]\]", sent)) == len(re.findall(r"\[[12]\]", written))
