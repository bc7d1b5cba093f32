from io import BytesIO

import docx
import pytest

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import MEGABYTE, ParseLimits
from saegim.library.types import BlockKind
from tests.integration.library.parsing.office_files import (
    HWPX_HEADER,
    guide_docx,
    guide_hwpx,
    hwpx,
    hwpx_paragraph,
    hwpx_table,
    tracked_docx,
    unzipped,
    zipped,
)
from tests.integration.library.parsing.ole_files import ole
from tests.integration.library.parsing.reading import flat, read, text_of

ENTITY = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "boom">]>'


def test_docx_gives_headings_steps_lists_and_tables() -> None:
    document = read(guide_docx(), "점검.docx")
    assert document.title == "장비 점검 안내"
    assert flat(document) == [
        ((), [(BlockKind.PARAGRAPH, "이 안내서는 SUPRA XP 장비의 점검 방법을 설명합니다.")]),
        (
            ("점검 절차",),
            [
                (BlockKind.PARAGRAPH, "아래 순서를 따릅니다:"),
                (BlockKind.STEPS, "1. 전원을 끕니다.\n2. 덮개를 엽니다.\n3. 필터를 바꿉니다."),
            ],
        ),
        (("점검 절차", "준비물"), [(BlockKind.LIST, "- 장갑\n- 드라이버")]),
        (
            ("주기",),
            [
                (
                    BlockKind.TABLE,
                    """| 부품 | 주기 | 담당 |
| --- | --- | --- |
| 필터 | 6개월 | 김 |
| 필터 | 1년 | 이 |""",
                )
            ],
        ),
    ]


def test_docx_shows_what_word_shows() -> None:
    assert (
        text_of(read(tracked_docx(), "a.docx")) == "남은 글 넣은 글\n\n틀 안의 글\n\n상자 안의 글"
    )


def test_docx_headings_and_lists_carry_the_numbers_that_word_shows() -> None:
    parts = unzipped(guide_docx())
    parts["word/numbering.xml"] = parts["word/numbering.xml"].replace(
        b'w:val="%1."', b'w:val="\xec\xa0\x9c%1\xec\xa1\xb0"'
    )
    steps = read(zipped(parts), "a.docx").sections[1].blocks[1]
    assert steps.text == "제1조 전원을 끕니다.\n제2조 덮개를 엽니다.\n제3조 필터를 바꿉니다."


@pytest.mark.parametrize("before", ["", " " * 9_000])
def test_docx_main_part_under_another_extension_is_checked(before: str) -> None:
    parts = unzipped(guide_docx())
    body = parts.pop("word/document.xml").partition(b"?>")[2].decode()
    types = parts["[Content_Types].xml"].replace(b"/word/document.xml", b"/word/document.bin")
    relations = parts["_rels/.rels"].replace(b"word/document.xml", b"word/document.bin")
    renamed = parts | {"[Content_Types].xml": types, "_rels/.rels": relations}
    renamed["word/_rels/document.bin.rels"] = renamed.pop("word/_rels/document.xml.rels")
    assert read(zipped(renamed | {"word/document.bin": body}), "a.docx").title == "장비 점검 안내"
    entity = f"{before}{ENTITY.partition('?>')[2]}{body}"
    with pytest.raises(Unreadable, match="unsafe"):
        read(zipped(renamed | {"word/document.bin": entity}), "a.docx")


def test_macros_and_attachments_of_a_document_are_left_alone() -> None:
    parts = unzipped(guide_docx())
    types = parts["[Content_Types].xml"].decode()
    plain = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    macros = "application/vnd.ms-word.document.macroEnabled.main+xml"
    parts["[Content_Types].xml"] = types.replace(plain, macros).encode()
    parts["word/vbaProject.bin"] = b"\xd0\xcf\x11\xe0 Sub AutoOpen() Shell"
    parts["word/embeddings/inner.docx"] = guide_docx()
    document = read(zipped(parts), "a.docm")
    assert document.title == "장비 점검 안내"
    assert "AutoOpen" not in text_of(document)


def test_hwpx_gives_outline_headings_automatic_numbers_tables_and_boxes() -> None:
    document = read(guide_hwpx(), "점검.hwpx")
    assert document.title == "장비 점검 안내"
    assert flat(document) == [
        ((), [(BlockKind.PARAGRAPH, "머리말입니다.\n둘째 줄")]),
        (
            ("점검 절차",),
            [
                (
                    BlockKind.STEPS,
                    "1. 전원을 끕니다.\n   가. 플러그를 뽑습니다.\n2. 덮개를 엽니다.",
                )
            ],
        ),
        (
            ("점검 절차", "준비물"),
            [
                (BlockKind.LIST, "- 장갑\n- 드라이버"),
                (
                    BlockKind.TABLE,
                    "| 부품 | 주기 |\n| --- | --- |\n| 필터 | 6개월 |\n| 필터 | 1년 |",
                ),
                (BlockKind.PARAGRAPH, "표 뒤의 글"),
                (BlockKind.PARAGRAPH, "상자 안의 글"),
            ],
        ),
    ]


def test_hwpx_reads_its_sections_in_order_and_a_box_of_one_cell_as_text() -> None:
    parts = unzipped(hwpx(hwpx_paragraph("", inside=hwpx_table([[("한 칸 글", 1, 1)]]))))
    for number in (10, 2):
        parts[f"Contents/section{number}.xml"] = parts["Contents/section0.xml"].replace(
            "한 칸".encode(), f"{number}번째".encode()
        )
    assert text_of(read(zipped(parts), "a.hwpx")) == "한 칸 글\n\n2번째 글\n\n10번째 글"


def test_hwpx_without_outlines_still_finds_the_articles_of_a_rule() -> None:
    section = "".join(map(hwpx_paragraph, ("제1조(목적) 정한다.", "제2조(정의) 뜻은 이렇다.")))
    paths = [part.path for part in read(hwpx(section, header=HWPX_HEADER), "a.hwpx").sections]
    assert paths == [("제1조(목적)",), ("제2조(정의)",)]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (hwpx(hwpx_paragraph("&a;"), declaration=ENTITY), "unsafe"),
        (hwpx("<a>" * 300 + "</a>" * 300), "unsafe"),
        (hwpx("<a>"), "corrupt"),
        (hwpx(""), "empty"),
        (hwpx("x", manifest="<manifest><encryption-data/></manifest>"), "encrypted"),
        (zipped({"Contents/header.xml": "<a/>"}), "corrupt"),
        (zipped({"word/document.xml": ENTITY + "<x/>", "[Content_Types].xml": "<a/>"}), "unsafe"),
        (zipped({"word/document.xml": "<x/>", "[Content_Types].xml": "<a/>"}), "corrupt"),
        (zipped({"visio/document.xml": "x", "[Content_Types].xml": "<a/>"}), "unsupported"),
        (zipped({"xl/workbook.xml": "x", "[Content_Types].xml": "<a/>"}), "corrupt"),
        (zipped({"inner.zip": zipped({"inner.docx": guide_docx()})}), "unsafe"),
        (guide_docx()[:-200], "corrupt"),
        (guide_docx()[:2000], "corrupt"),
    ],
)
def test_a_damaged_or_dangerous_archive_is_refused_with_a_reason(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        read(data, "a.docx")
    assert refusal.value.detail == reason


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (ParseLimits(), "unsafe"),
        (ParseLimits(ratio=10_000, part_bytes=MEGABYTE), "too_large"),
        (ParseLimits(ratio=10_000, unpacked_bytes=MEGABYTE), "too_large"),
        (ParseLimits(ratio=10_000, entries=3), "too_large"),
    ],
)
def test_a_bomb_is_refused_before_it_is_unpacked(limits: ParseLimits, reason: str) -> None:
    bomb = zipped(unzipped(guide_docx()) | {"word/document.xml": b" " * (20 * MEGABYTE)})
    with pytest.raises(Unreadable) as refusal:
        read(bomb, "a.docx", limits)
    assert refusal.value.detail == reason


def test_a_table_beyond_the_limit_is_refused() -> None:
    with pytest.raises(Unreadable, match="too_large"):
        read(guide_docx(), "a.docx", ParseLimits(cells=8))


def test_an_encrypted_word_file_says_so() -> None:
    with pytest.raises(Unreadable, match="encrypted"):
        read(ole({"EncryptionInfo": b"x", "EncryptedPackage": b"x"}), "a.docx")


def test_a_document_of_this_library_without_text_is_empty() -> None:
    out = BytesIO()
    docx.Document().save(out)
    with pytest.raises(Unreadable, match="empty"):
        read(out.getvalue(), "a.docx")
