"""HWP, sheets, slides, messages, books, RTF and archives."""

import os
from io import BytesIO
from pathlib import Path

import pytest
import xlsxwriter

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import ParseLimits
from saegim.library.splitting import split
from saegim.library.types import BlockKind, Locator, ParsedDocument
from tests.integration.library.parsing.more_office_files import (
    deck_pptx,
    eml,
    epub,
    rtf,
    sales_xlsx,
    xlsx,
)
from tests.integration.library.parsing.office_files import guide_docx, unzipped, zipped
from tests.integration.library.parsing.ole_files import hwp, msg, ole
from tests.integration.library.parsing.reading import flat, read, read_all, text_of

HEADER = "| 지역 (단위: 백만 원) | 1분기 목표 | 1분기 실적 | 2분기 목표 | 2분기 실적 | 비고 |\n"
SEOUL = "| 서울 | 100 | 112.5 | 120 | 118 | 신규 지점 |"
RULE = "| --- | --- | --- | --- | --- | --- |\n"
ENTITY = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


def _locators(document: ParsedDocument) -> list[Locator | None]:
    return [block.locator for section in document.sections for block in section.blocks]


# --- HWP ---


def test_hwp_gives_headings_and_tables_with_merged_cells() -> None:
    cells = [("부품", 0, 0, 1, 1), ("주기", 0, 1, 1, 1), ("", 0, 2, 1, 1), ("필터", 1, 0, 2, 1)]
    cells += [("6개월", 1, 1, 1, 1), ("", 1, 2, 1, 1), ("1년", 2, 1, 1, 1), ("", 2, 2, 1, 1)]
    document = read(hwp(["제1장 총칙", "이 규정은 점검을 정한다.", cells, "끝."]), "규정.hwp")
    assert flat(document) == [
        (
            ("제1장 총칙",),
            [
                (BlockKind.PARAGRAPH, "이 규정은 점검을 정한다."),
                # A column without any text, as layout tables have, is left out.
                (
                    BlockKind.TABLE,
                    "| 부품 | 주기 |\n| --- | --- |\n| 필터 | 6개월 |\n| 필터 | 1년 |",
                ),
                (BlockKind.PARAGRAPH, "끝."),
            ],
        )
    ]


def test_hwp_with_a_password_or_damage_is_refused() -> None:
    for data, reason in (
        (hwp(["비밀"], password=True), "encrypted"),
        (hwp(["글"])[:1500], "corrupt"),
        (hwp([]), "empty"),
        (ole({"WordDocument": b"x"}), "legacy"),
        (ole({"EncryptedPackage": b"x"}), "encrypted"),
        (b"HWP Document File V3.00" + b"\0" * 100, "legacy"),
    ):
        with pytest.raises(Unreadable) as refusal:
            read(data, "a.hwp")
        assert refusal.value.detail == reason


SAMPLES = Path(os.environ.get("SAEGIM_BENCH_DATA", "../shared/bench")) / "hwp"


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no HWP samples")
def test_real_hwp_files_are_read_or_have_no_text() -> None:
    texts: dict[str, str] = {}
    reasons: set[str] = set()
    for path in sorted(SAMPLES.glob("*.hwp")):
        try:
            texts[path.stem] = text_of(read(path.read_bytes(), path.name))
        except Unreadable as refusal:
            reasons.add(refusal.detail)
    assert reasons == {"empty", "encrypted"}
    assert "| ABC 123 | DEF | GHI |" in texts["sample_hwp_basic_표"]
    assert "이것은 샘플입니다." in texts["sample_hwp_changing-paragraph-text"]
    assert "(a+b) ^{2}" in texts["sample_hwp_basic_수식"]
    assert "xvii. 18" in texts["sample_hwp_extracting_ParaHead"]
    assert len(texts) >= 23


# --- sheets ---


def test_sheets_keep_their_names_headers_rows_and_values() -> None:
    document = read(sales_xlsx(), "매출.xlsx")
    assert flat(document) == [
        (
            ("매출",),
            [
                (BlockKind.PARAGRAPH, "2026년 상반기 매출 (단위: 백만 원)"),
                (
                    BlockKind.TABLE,
                    f"{HEADER}{RULE}{SEOUL}\n| 부산 | 80 | 79 | 85 | 90 |  |",
                ),
                (BlockKind.TABLE, f"{HEADER}{RULE}| 대구 | 60 | 61 | 62 | 63 |  |"),
            ],
        ),
        (
            ("연락처",),
            [
                (
                    BlockKind.TABLE,
                    """| 이름 | 부서 | 입사일 |
| --- | --- | --- |
| 김하나 | 영업 | 2024-03-04 |
| 이두리 | 개발 | 2025-07-01 |""",
                )
            ],
        ),
    ]
    assert [(each.sheet, each.row) for each in _locators(document) if each] == [
        ("매출", 1),
        ("매출", 5),
        ("매출", 8),
        ("연락처", 2),
    ]


def test_cells_keep_percent_currency_and_units_of_their_format() -> None:
    out = BytesIO()
    workbook = xlsxwriter.Workbook(out)
    sheet = workbook.add_worksheet("실적")
    codes = ("0%", '"₩"#,##0', '#,##0"명"', "#,##0")
    formats = [workbook.add_format({"num_format": code}) for code in codes]
    sheet.write_row(1, 2, ["지점", "달성률", "매출", "인원", "수량"])
    for row, (city, *values) in enumerate(
        [("서울", 0.15, 1_200_000, 1_024, 3_000), ("부산", 1.034, -5_000, 12, 7)], start=2
    ):
        sheet.write(row, 2, city)
        for at, value in enumerate(values):
            sheet.write_number(row, 3 + at, value, formats[at])
    workbook.close()
    text = text_of(read(out.getvalue(), "실적.xlsx"))

    assert "| 서울 | 15% | ₩1,200,000 | 1,024명 | 3000 |" in text
    assert "| 부산 | 103.4% | -₩5,000 | 12명 | 7 |" in text


def test_each_passage_of_a_long_sheet_has_the_header_and_its_row() -> None:
    rows = [["번호", "이름"], *([n, f"항목 {n} 설명"] for n in range(1, 2001))]
    drafts = split(read(xlsx({"목록": rows}), "a.xlsx"))
    assert len(drafts) > 20
    for draft in drafts:
        first = draft.text.split("\n")[2]
        assert draft.text.startswith("| 번호 | 이름 |\n| --- | --- |\n")
        assert draft.locator is not None
        assert first == f"| {draft.locator.row - 1} | 항목 {draft.locator.row - 1} 설명 |"  # type: ignore[operator]


def test_a_workbook_of_questions_gives_an_entry_per_row() -> None:
    rows = [["질문", "답변"], ["언제 여나요?", "9시입니다."], ["어디 있나요?", "3층입니다."]]
    documents = read_all(xlsx({"FAQ": rows}), "faq.xlsx")
    assert [(each.type, each.title) for each in documents] == [
        ("faq", "언제 여나요?"),
        ("faq", "어디 있나요?"),
    ]


def test_a_sheet_beyond_the_limits_or_a_damaged_one_is_refused() -> None:
    with pytest.raises(Unreadable, match="too_large"):
        read(sales_xlsx(), "a.xlsx", ParseLimits(cells=8))
    parts = unzipped(sales_xlsx())
    with pytest.raises(Unreadable, match="unsafe"):
        read(zipped(parts | {"xl/worksheets/sheet1.xml": b" " * 30_000_000}), "a.xlsx")
    with pytest.raises(Unreadable, match="corrupt"):
        read(
            zipped({name: data for name, data in parts.items() if "workbook" not in name}), "a.xlsx"
        )
    with pytest.raises(Unreadable, match="empty"):
        read(xlsx({"빈": []}), "a.xlsx")


# --- slides ---


def test_slides_give_titles_lists_tables_charts_and_notes() -> None:
    document = read(deck_pptx(), "계획.pptx")
    assert document.title == "2026년 사업 계획"
    assert flat(document) == [
        (("2026년 사업 계획",), [(BlockKind.PARAGRAPH, "전략기획팀")]),
        (
            ("추진 과제",),
            [(BlockKind.LIST, "- 신규 고객 확보\n   - 수도권 영업\n- 비용 절감")],
        ),
        (("추진 과제", "발표자 노트"), [(BlockKind.PARAGRAPH, "여기서 예산을 설명한다.")]),
        (
            ("슬라이드 3",),
            [
                (BlockKind.PARAGRAPH, "과제별 예산"),
                (
                    BlockKind.TABLE,
                    """| 과제 | 예산 | 담당 |
| --- | --- | --- |
| 영업 확대 | 3억 원 | 김하나 |
| 영업 확대 | 1억 원 | 이두리 |""",
                ),
                (BlockKind.TABLE, "|  | 매출 |\n| --- | --- |\n| 1분기 | 10.5 |\n| 2분기 | 12 |"),
            ],
        ),
    ]
    assert [each.slide for each in _locators(document) if each] == [1, 2, 2, 3, 3, 3]


def test_slides_with_entities_or_damage_are_refused() -> None:
    parts = unzipped(deck_pptx())
    slide = "ppt/slides/slide1.xml"
    entity = ENTITY.encode() + parts[slide].partition(b"?>")[2]
    with pytest.raises(Unreadable, match="unsafe"):
        read(zipped(parts | {slide: entity}), "a.pptx")
    del parts["ppt/presentation.xml"]
    with pytest.raises(Unreadable, match="corrupt"):
        read(zipped(parts), "a.pptx")


# --- messages and archives ---


def test_a_message_and_its_attachments_are_documents_of_their_own() -> None:
    for data, name in (
        (
            eml("회의 안내", "월요일에 만납니다.", {"표.xlsx": sales_xlsx(), "a.exe": b"MZ\0"}),
            "회의.eml",
        ),
        (msg("회의 안내", "월요일에 만납니다.", attachments={"표.xlsx": sales_xlsx()}), "회의.msg"),
    ):
        message, sheet = read_all(data, name)
        assert (message.title, message.outside_id) == ("회의 안내", name)
        assert "From: 김하나 <hana@example.com>" in text_of(message)
        assert "월요일에 만납니다." in text_of(message)
        assert (sheet.title, sheet.outside_id) == ("표", f"{name}/표.xlsx")
        assert sheet.metadata["inside"] == name
        assert "| 부산 | 80 |" in text_of(sheet)
    unread = read_all(eml("회의", "글", {"a.exe": b"MZ\0"}), "a.eml")[0].metadata["unread_files"]
    assert unread == "a.exe"


def test_the_tables_of_a_message_are_kept() -> None:
    html = (
        "<p>실적</p><table><tr><th>월</th><th>값</th></tr><tr><td>1월</td><td>3</td></tr></table>"
    )
    message = read(eml("실적", "월 값 1월 3", html=html), "a.eml")
    assert "| 월 | 값 |\n| --- | --- |\n| 1월 | 3 |" in text_of(message)


def test_an_archive_gives_the_documents_of_its_files() -> None:
    inner = zipped({"deep.txt": "깊은 글"})
    data = zipped(
        {"문서/점검.docx": guide_docx(), "a.txt": "짧은 글", "b.zip": inner, "__MACOSX/x.txt": "x"}
    )
    documents = read_all(data, "자료.zip")
    assert [(each.outside_id, each.title) for each in documents] == [
        ("자료.zip/a.txt", "a"),
        ("자료.zip/문서/점검.docx", "장비 점검 안내"),
    ]
    with pytest.raises(Unreadable, match="unsafe"):
        read(zipped({"b.zip": inner}), "자료.zip")


def test_the_files_of_an_archive_together_have_a_limit() -> None:
    data = zipped({f"{n}.txt": os.urandom(5_000).hex() for n in range(10)})
    with pytest.raises(Unreadable, match="too_large"):
        read_all(data, "a.zip", ParseLimits(unpacked_bytes=60_000))


def test_messages_inside_messages_end_somewhere() -> None:
    data = eml("맨 안", "글")
    for depth in range(6):
        data = eml(f"{depth}", "글", {"inner.eml": data})
    assert [each.title for each in read_all(data, "a.eml")] == ["5", "4", "3", "2"]


def test_korean_names_in_an_archive_of_windows_are_read() -> None:
    raw = bytearray(zipped({"abcd.txt": "글 하나"}))
    name = "한글".encode("cp949")
    for at in (raw.find(b"abcd"), raw.rfind(b"abcd")):
        raw[at : at + 4] = name
    assert read(bytes(raw), "a.zip").outside_id == "a.zip/한글.txt"


# --- books and RTF ---


def test_a_book_gives_its_chapters_in_order() -> None:
    chapters = {"2.xhtml": "<h1>둘째</h1><p>나중 글</p>", "1.xhtml": "<h1>첫째</h1><p>먼저 글</p>"}
    document = read(epub(chapters), "책.epub")
    assert document.title == "안내서"
    assert [section.path for section in document.sections] == [("둘째",), ("첫째",)]
    fonts = '<a><EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/></a>'
    assert read(epub(chapters, rights=fonts), "책.epub").title == "안내서"
    with pytest.raises(Unreadable, match="encrypted"):
        read(epub(chapters, rights="<a><EncryptionMethod Algorithm='aes'/></a>"), "책.epub")


def test_rtf_gives_paragraphs_and_tables() -> None:
    data = rtf("안내문입니다.", "1. 끕니다.", "2. 켭니다.", rows=[["이름", "값"], ["가", "1"]])
    assert flat(read(data, "a.rtf")) == [
        (
            (),
            [
                (BlockKind.PARAGRAPH, "안내문입니다."),
                (BlockKind.STEPS, "1. 끕니다.\n2. 켭니다."),
                (BlockKind.TABLE, "| 이름 | 값 |\n| --- | --- |\n| 가 | 1 |"),
            ],
        )
    ]


def test_the_kind_is_told_by_the_bytes_and_not_by_the_name() -> None:
    for data, kind in (
        (sales_xlsx(), "sheet"),
        (deck_pptx(), "pptx"),
        (hwp(["글"]), "hwp"),
        (rtf("글"), "rtf"),
        (eml("제목", "글"), "eml"),
        (epub({"a.xhtml": "<p>글</p>"}), "epub"),
    ):
        assert read_all(BytesIO(data).getvalue(), "무엇.bin")[0].metadata["format"] == kind
