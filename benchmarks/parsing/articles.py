"""Articles with headings, paragraphs, lists and tables, and their files in each format."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

import docx
from pptx import Presentation
from pptx.util import Inches

from tests.integration.library.parsing.more_office_files import eml, xlsx
from tests.integration.library.parsing.office_files import (
    HWPX_HEADER,
    hwpx,
    hwpx_paragraph,
    hwpx_table,
    zipped,
)
from tests.integration.library.parsing.ole_files import HwpCell, hwp, msg

SECTIONS = 3
_NAMES = ("서울", "부산", "대구", "인천", "광주", "대전", "울산", "세종", "수원", "창원", "제주")
_COLUMNS = ("지점", "담당자", "예산", "집행액", "비율", "기한", "비고")
_PEOPLE = ("김하나", "이두리", "박세찬", "최다온", "정미르", "한가람", "윤슬기", "조보람")
_NOTES = ("완료", "진행 중", "보류", "검토 필요", "신규")


@dataclass(frozen=True, slots=True)
class BenchTable:
    """A table; where `merged`, the first cells of the second and third row are one."""

    rows: tuple[tuple[str, ...], ...]
    merged: bool

    def covered(self, row: int, column: int) -> bool:
        return self.merged and (row, column) == (2, 0)


@dataclass(frozen=True, slots=True)
class BenchSection:
    heading: str
    paragraphs: tuple[str, ...]
    items: tuple[str, ...]
    table: BenchTable


@dataclass(frozen=True, slots=True)
class Article:
    title: str
    sections: tuple[BenchSection, ...]

    @property
    def tables(self) -> list[BenchTable]:
        return [section.table for section in self.sections]

    def words(self, *, table_only: bool = False) -> str:
        """Returns all of its text."""
        parts = [self.title]
        for section in self.sections:
            parts.append(section.heading)
            if not table_only:
                parts += [*section.paragraphs, *section.items]
            parts += [
                cell
                for at, row in enumerate(section.table.rows)
                for column, cell in enumerate(row)
                if not section.table.covered(at, column)
            ]
        return "\n".join(parts)


def articles(root: Path, count: int) -> list[Article]:
    """Returns articles with paragraphs of KorQuAD, the same ones each time."""
    data = json.loads((root / "korquad" / "KorQuAD_v1.0_dev.json").read_text("utf-8"))
    pages = [page for page in data["data"] if len(page["paragraphs"]) >= 2 * SECTIONS]
    dice = random.Random(25)
    made: list[Article] = []
    for number, page in enumerate(pages[-count:]):
        texts = [" ".join(each["context"].split()) for each in page["paragraphs"]]
        sections = tuple(
            BenchSection(
                f"{at + 1}. {dice.choice(_NAMES)} 지점 현황",
                tuple(texts[2 * at : 2 * at + 2]),
                tuple(text.split(". ")[0] for text in texts[2 * at : 2 * at + 3]),
                _table(dice),
            )
            for at in range(SECTIONS)
        )
        made.append(Article(f"{number + 1}차 보고서 {page['title'].replace('_', ' ')}", sections))
    return made


def _table(dice: random.Random) -> BenchTable:
    width, height = dice.randint(3, 6), dice.randint(4, 15)
    rows: list[tuple[str, ...]] = [_COLUMNS[:width]]
    for name in dice.choices(_NAMES, k=height):
        budget = dice.randint(10, 9_000)
        values = (
            f"{name} {dice.randint(1, 40)}호점", dice.choice(_PEOPLE), f"{budget:,}만 원",
            f"{budget * dice.randint(50, 99) // 100:,}만 원", f"{dice.randint(1, 99)}%",
            f"2026-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}", dice.choice(_NOTES),
        )  # fmt: skip
        rows.append(values[:width])
    merged = dice.random() < 0.5
    if merged:
        rows[2] = (rows[1][0], *rows[2][1:])
    return BenchTable(tuple(tuple(row) for row in rows), merged)


def docx_of(article: Article) -> bytes:
    document = docx.Document()
    document.add_paragraph(article.title, style="Title")
    for section in article.sections:
        document.add_heading(section.heading, level=1)
        for text in section.paragraphs:
            document.add_paragraph(text)
        for text in section.items:
            document.add_paragraph(text, style="List Bullet")
        rows = section.table.rows
        table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                table.cell(at, column).text = "" if section.table.covered(at, column) else text
        if section.table.merged:
            table.cell(1, 0).merge(table.cell(2, 0))
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def hwpx_of(article: Article) -> bytes:
    parts: list[str] = []
    for section in article.sections:
        parts.append(hwpx_paragraph(escape(section.heading), shape=1))
        parts += [hwpx_paragraph(escape(text)) for text in section.paragraphs]
        parts += [hwpx_paragraph(escape(text), shape=4) for text in section.items]
        spans = [
            [(escape(text), down, 1) for text, _, _, down, _ in row]
            for row in _spanned(section.table)
        ]
        parts.append(hwpx_paragraph("", inside=hwpx_table(spans)))
    return hwpx("".join(parts), header=HWPX_HEADER, title=escape(article.title))


def hwp_of(article: Article) -> bytes:
    parts: list[str | Sequence[HwpCell]] = [article.title]
    for section in article.sections:
        parts += [section.heading, *section.paragraphs, *section.items]
        parts.append([cell for row in _spanned(section.table) for cell in row])
    return hwp(parts)


def _spanned(table: BenchTable) -> list[list[HwpCell]]:
    return [
        [
            (text, at, column, 2 if table.merged and (at, column) == (1, 0) else 1, 1)
            for column, text in enumerate(row)
            if not table.covered(at, column)
        ]
        for at, row in enumerate(table.rows)
    ]


def xlsx_of(article: Article) -> bytes:
    sheets: dict[str, Sequence[Sequence[str]]] = {}
    merged: dict[str, list[tuple[int, int, int, int]]] = {}
    for number, section in enumerate(article.sections, 1):
        name = f"{number}번 표"
        sheets[name] = [[f"{article.title} {section.heading}"], [], *section.table.rows]
        if section.table.merged:
            merged[name] = [(3, 0, 4, 0)]
    return xlsx(sheets, merged)


def pptx_of(article: Article) -> bytes:
    deck: Any = Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[0])
    first.shapes.title.text = article.title
    for section in article.sections:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = section.heading
        slide.placeholders[1].text_frame.text = "\n".join(section.items)
        slide.notes_slide.notes_text_frame.text = "\n".join(section.paragraphs)
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = f"{section.heading} 표"
        rows = section.table.rows
        size = (Inches(0.5), Inches(1.5), Inches(9), Inches(0.3 * len(rows)))
        table = slide.shapes.add_table(len(rows), len(rows[0]), *size).table
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                table.cell(at, column).text = "" if section.table.covered(at, column) else text
        if section.table.merged:
            table.cell(1, 0).merge(table.cell(2, 0))
    out = BytesIO()
    deck.save(out)
    return out.getvalue()


def html_of(article: Article) -> str:
    parts = [f"<title>{escape(article.title)}</title><h1>{escape(article.title)}</h1>"]
    for section in article.sections:
        parts.append(f"<h2>{escape(section.heading)}</h2>")
        parts += [f"<p>{escape(text)}</p>" for text in section.paragraphs]
        parts.append("<ul>" + "".join(f"<li>{escape(each)}</li>" for each in section.items))
        parts.append("</ul><table>")
        for row in _spanned(section.table):
            cells = (f"<td rowspan={down}>{escape(text)}</td>" for text, _, _, down, _ in row)
            parts.append(f"<tr>{''.join(cells)}</tr>")
        parts.append("</table>")
    return f"<!doctype html><html><body>{''.join(parts)}</body></html>"


def eml_of(article: Article) -> bytes:
    return eml(article.title, "본문", {"보고서.docx": docx_of(article)}, html_of(article))


def msg_of(article: Article) -> bytes:
    return msg(
        article.title, "본문", html=html_of(article), attachments={"표.xlsx": xlsx_of(article)}
    )


def zip_of(article: Article) -> bytes:
    return zipped({"보고서.docx": docx_of(article), "표/표.xlsx": xlsx_of(article)})
