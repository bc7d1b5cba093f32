import pytest

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import ParseLimits
from saegim.library.types import BlockKind, Locator
from tests.integration.library.parsing.pdf_files import Line, file_of, pdf, rewritten
from tests.integration.library.parsing.reading import flat, read, text_of

GUIDE = [
    [
        Line("설치 안내서", 20),
        Line("이 문서는 장비의 설치 방법을 처음부터 끝까지 설명합니다. 아래의", 11, 2.5),
        Line("순서대로 진행하십시오."),
        Line("설치 순서", 15, 3),
        Line("1. 전원을 켭니다.", 11, 2),
        Line("2. 로그인합니다.", 11),
        Line("3. 확인합니다.", 11),
    ],
    [Line("문의", 15), Line("고객센터로 문의합니다.", 11, 2)],
]


def test_pdf_gives_korean_text_with_sections_from_larger_type() -> None:
    document = read(pdf(GUIDE), "안내.pdf")
    assert document.title == "설치 안내서"
    assert document.metadata["pages"] == "2"
    joined = (
        "이 문서는 장비의 설치 방법을 처음부터 끝까지 설명합니다. 아래의 순서대로 진행하십시오."
    )
    assert flat(document) == [
        (("설치 안내서",), [(BlockKind.PARAGRAPH, joined)]),
        (
            ("설치 안내서", "설치 순서"),
            [(BlockKind.STEPS, "1. 전원을 켭니다.\n2. 로그인합니다.\n3. 확인합니다.")],
        ),
        (("설치 안내서", "문의"), [(BlockKind.PARAGRAPH, "고객센터로 문의합니다.")]),
    ]


PAGE = b"""<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 800] /Contents 4 0 R
/Resources << /Font << /F1 5 0 R >> >> >>"""
RULED = b"""
0.5 w
50 700 m 350 700 l S 50 680 m 350 680 l S 150 660 m 350 660 l S 50 640 m 350 640 l S
50 640 m 50 700 l S 150 640 m 150 700 l S 250 640 m 250 700 l S 350 640 m 350 700 l S
"""


def test_a_ruled_table_keeps_its_cells_and_its_page() -> None:
    cells = {(55, 685): "Part", (155, 685): "Cycle", (255, 685): "Owner", (55, 655): "Filter"}
    cells |= {(155, 665): "6 months", (255, 665): "Kim", (155, 645): "1 year", (255, 645): "Lee"}
    words = "".join(f"BT /F1 10 Tf {x} {y} Td ({text}) Tj ET\n" for (x, y), text in cells.items())
    page = b"BT /F1 10 Tf 50 720 Td (The table below.) Tj ET\n" + RULED + words.encode()
    stream = b"<< /Length %d >> stream\n%s\nendstream" % (len(page), page)
    data = file_of(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            PAGE,
            stream,
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
    )
    document = read(data, "a.pdf")
    table = """| Part | Cycle | Owner |
| --- | --- | --- |
| Filter | 6 months | Kim |
| Filter | 1 year | Lee |"""
    assert flat(document) == [
        ((), [(BlockKind.PARAGRAPH, "The table below."), (BlockKind.TABLE, table)])
    ]
    assert document.sections[0].blocks[1].locator == Locator(page=1)


def test_bookmarks_name_the_sections_where_there_are_any() -> None:
    pages = [[Line("개요"), Line("첫 글입니다.")], [Line("부록"), Line("둘째 글입니다.")]]
    marked = rewritten(pdf(pages), title="규격서", bookmarks=[("개요", 0), ("부록", 1)])
    document = read(marked, "a.pdf")
    assert document.title == "규격서"
    assert [section.path for section in document.sections] == [("개요",), ("부록",)]
    assert text_of(document) == "첫 글입니다.\n\n둘째 글입니다."


def test_line_repeated_on_few_pages_stays_once() -> None:
    pages = [
        [
            Line("저장 공간은 1,250GB입니다."),
            Line(f"{thing}의 본문입니다."),
            Line(f"- {number} -", 9),
        ]
        for number, thing in enumerate(("요금", "환불", "세금계산서"), 1)
    ]
    text = text_of(read(pdf(pages), "a.pdf"))
    assert text.count("저장 공간은 1,250GB입니다.") == 1
    assert "- 2 -" not in text


def test_running_headers_and_page_numbers_fall_away() -> None:
    pages = [
        [
            Line("사내 규정집"),
            Line(f"{thing}의 점검은 본문입니다."),
            Line("다음 줄입니다."),
            Line(f"{number} 장비팀", 9),
            Line(f"- {number} -", 9),
        ]
        for number, thing in enumerate(("필터", "펌프", "밸브", "센서", "모터"), 1)
    ]
    text = text_of(read(pdf(pages), "a.pdf"))
    assert "사내 규정집" not in text
    assert "장비팀" not in text
    assert "- 3 -" not in text
    assert text.count("본문입니다.") == 5


def test_a_title_that_a_program_made_up_is_not_taken() -> None:
    named = rewritten(pdf([[Line("본문뿐입니다.")]]), title="Microsoft Word - 최종.docx")
    assert read(named, "a.pdf").title is None


def test_a_pdf_locked_only_against_changes_is_read() -> None:
    locked = rewritten(pdf(GUIDE), password="owner", owner_only=True)
    assert read(locked, "a.pdf").title == "설치 안내서"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (rewritten(pdf(GUIDE), password="secret"), "encrypted"),
        (pdf([[]]), "scanned"),
        (b"%PDF-1.7\n garbage", "corrupt"),
        (
            file_of([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Kids [2 0 R] /Count 1 >>"]),
            "corrupt",
        ),
    ],
)
def test_a_pdf_without_readable_text_is_refused_with_a_reason(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        read(data, "a.pdf")
    assert refusal.value.detail == reason


def test_a_pdf_of_too_many_pages_is_refused() -> None:
    with pytest.raises(Unreadable, match="too_large"):
        read(pdf(GUIDE), "a.pdf", ParseLimits(pages=1))
