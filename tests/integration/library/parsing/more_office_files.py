"""Sheets, slides, messages and books made by code."""

from collections.abc import Mapping, Sequence
from datetime import date
from email.message import EmailMessage
from io import BytesIO
from typing import Any, cast

import xlsxwriter
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from tests.integration.library.parsing.office_files import zipped

type Cell = str | float | date | None


def xlsx(
    sheets: Mapping[str, Sequence[Sequence[Cell]]],
    merged: Mapping[str, Sequence[tuple[int, int, int, int]]] | None = None,
    hidden: Sequence[str] = (),
) -> bytes:
    """A workbook; merged cells are (first row, first column, last row, last column)."""
    out = BytesIO()
    workbook = xlsxwriter.Workbook(out)
    dated = workbook.add_format({"num_format": "yyyy-mm-dd"})
    for name, rows in sheets.items():
        sheet = workbook.add_worksheet(name)
        for number, row in enumerate(rows):
            for column, value in enumerate(row):
                if isinstance(value, date):
                    sheet.write_datetime(number, column, cast("Any", value), dated)
                elif value is not None:
                    sheet.write(number, column, value)
        for top, left, bottom, right in (merged or {}).get(name, ()):
            sheet.merge_range(top, left, bottom, right, rows[top][left])
        if name in hidden:
            sheet.hide()
    workbook.close()
    return out.getvalue()


def sales_xlsx() -> bytes:
    """A title, a header of two rows with merged cells, values, an empty row, a second sheet."""
    sales: list[list[Cell]] = [
        ["2026년 상반기 매출 (단위: 백만 원)"],
        [],
        ["지역", "1분기", None, "2분기", None, "비고"],
        [None, "목표", "실적", "목표", "실적", None],
        ["서울", 100, 112.5, 120, 118, "신규 지점"],
        ["부산", 80, 79, 85, 90, None],
        [],
        ["대구", 60, 61, 62, 63, None],
    ]
    contacts: list[list[Cell]] = [
        ["이름", "부서", "입사일"],
        ["김하나", "영업", date(2024, 3, 4)],
        ["이두리", "개발", date(2025, 7, 1)],
    ]
    merged = {"매출": [(2, 1, 2, 2), (2, 3, 2, 4), (2, 0, 3, 0), (2, 5, 3, 5)]}
    return xlsx({"매출": sales, "연락처": contacts, "숨김": [["비밀", "값"]]}, merged, ["숨김"])


def deck_pptx() -> bytes:
    """Three slides: a title, a list with notes, a table and a chart without a title."""
    deck: Any = Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[0])
    first.shapes.title.text = "2026년 사업 계획"
    first.placeholders[1].text = "전략기획팀"
    second = deck.slides.add_slide(deck.slide_layouts[1])
    second.shapes.title.text = "추진 과제"
    frame = second.placeholders[1].text_frame
    frame.text = "신규 고객 확보"
    for text, level in (("수도권 영업", 1), ("비용 절감", 0)):
        paragraph = frame.add_paragraph()
        paragraph.text, paragraph.level = text, level
    second.notes_slide.notes_text_frame.text = "여기서 예산을 설명한다."
    third = deck.slides.add_slide(deck.slide_layouts[6])
    table = third.shapes.add_table(3, 3, Inches(1), Inches(1), Inches(6), Inches(2)).table
    for row, cells in enumerate(
        (("과제", "예산", "담당"), ("영업 확대", "3억 원", "김하나"), ("", "1억 원", "이두리"))
    ):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    data = CategoryChartData()
    data.categories = ["1분기", "2분기"]
    data.add_series("매출", (10.5, 12))
    third.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(4), Inches(5), Inches(3), data
    )
    box = third.shapes.add_textbox(Inches(1), Inches(0.2), Inches(5), Inches(0.5))
    box.text_frame.text = "과제별 예산"
    out = BytesIO()
    deck.save(out)
    return out.getvalue()


def eml(
    subject: str, body: str, attachments: Mapping[str, bytes] | None = None, html: str = ""
) -> bytes:
    message = EmailMessage()
    message["From"] = "김하나 <hana@example.com>"
    message["To"] = "duri@example.com"
    message["Date"] = "Mon, 02 Mar 2026 09:00:00 +0900"
    message["Subject"] = subject
    message["Message-ID"] = "<1@example.com>"
    message.set_content(body, charset="euc-kr")
    if html:
        message.add_alternative(html, subtype="html")
    for name, data in (attachments or {}).items():
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def epub(chapters: Mapping[str, str], title: str = "안내서", rights: str = "") -> bytes:
    items = "".join(f'<item id="{name}" href="{name}"/>' for name in chapters)
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    parts: dict[str, bytes | str] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": (
            "<container><rootfiles><rootfile full-path='OPS/book.opf'/></rootfiles></container>"
        ),
        "OPS/book.opf": (
            f"<package><metadata><title>{title}</title></metadata>"
            f"<manifest>{items}</manifest><spine>{spine}</spine></package>"
        ),
    }
    parts |= {f"OPS/{name}": f"<html><body>{text}</body></html>" for name, text in chapters.items()}
    if rights:
        parts["META-INF/encryption.xml"] = rights
    return zipped(parts)


def rtf(*paragraphs: str, rows: Sequence[Sequence[str]] = ()) -> bytes:
    def coded(text: str) -> str:
        return "".join(c if c.isascii() else f"\\u{ord(c)}?" for c in text)

    body = "".join(f"{coded(text)}\\par\n" for text in paragraphs)
    for row in rows:
        cells = "".join(f"\\intbl {coded(cell)}\\cell " for cell in row)
        body += f"\\trowd {cells}\\row\n"
    return ("{\\rtf1\\ansi\\ansicpg949\\uc1 " + body + "}").encode()


def slides(tables: Sequence[tuple[str, Sequence[Sequence[str]]]], title: str) -> bytes:
    """A deck with a table on each slide."""
    deck: Any = Presentation()
    deck.core_properties.title = title
    for heading, rows in tables:
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = heading
        size = (Inches(0.5), Inches(1.5), Inches(9), Inches(3))
        table = slide.shapes.add_table(len(rows), len(rows[0]), *size).table
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                table.cell(at, column).text = text
    out = BytesIO()
    deck.save(out)
    return out.getvalue()
