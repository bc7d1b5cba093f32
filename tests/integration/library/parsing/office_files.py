"""DOCX and HWPX files made by code."""

import zipfile
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import docx
from docx.oxml import OxmlElement
from docx.oxml.ns import qn

HWPX_PARAGRAPH = "http://www.hancom.co.kr/hwpml/2011/paragraph"
_SPACES = (
    f'xmlns:hp="{HWPX_PARAGRAPH}" xmlns:hs="http://www.hancom.co.kr/hwpml/2011/section" '
    'xmlns:hh="http://www.hancom.co.kr/hwpml/2011/head"'
)
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes" ?>'


def zipped(parts: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def unzipped(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def guide_docx() -> bytes:
    """A guide with a title, headings, two kinds of lists and a table with a merged cell."""
    document = docx.Document()
    document.add_paragraph("장비 점검 안내", style="Title")
    document.add_paragraph("이 안내서는 SUPRA XP 장비의 점검 방법을 설명합니다.")
    document.add_heading("점검 절차", level=1)
    document.add_paragraph("아래 순서를 따릅니다:")
    for step in ("전원을 끕니다.", "덮개를 엽니다.", "필터를 바꿉니다."):
        document.add_paragraph(step, style="List Number")
    document.add_heading("준비물", level=2)
    for thing in ("장갑", "드라이버"):
        document.add_paragraph(thing, style="List Bullet")
    document.add_heading("주기", level=1)
    table = document.add_table(rows=3, cols=3)
    for row, cells in enumerate(
        (("부품", "주기", "담당"), ("필터", "6개월", "김"), ("", "1년", "이"))
    ):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def tracked_docx() -> bytes:
    """Text that was deleted, inserted, hidden, linked, in a content control and in a text box."""
    document = docx.Document()
    paragraph = document.add_paragraph("남은 글 ")
    element = paragraph._p

    def run(text: str, tag: str = "w:t") -> Any:
        made = OxmlElement("w:r")
        inner = OxmlElement(tag)
        inner.text = text
        made.append(inner)
        return made

    deleted, inserted = OxmlElement("w:del"), OxmlElement("w:ins")
    deleted.append(run("지운 글 ", "w:delText"))
    inserted.append(run("넣은 글 "))
    hidden = run("숨은 글")
    properties = OxmlElement("w:rPr")
    properties.append(OxmlElement("w:vanish"))
    hidden.insert(0, properties)
    element.extend([deleted, inserted, hidden])
    control, content = OxmlElement("w:sdt"), OxmlElement("w:sdtContent")
    inner = OxmlElement("w:p")
    inner.append(run("틀 안의 글"))
    content.append(inner)
    control.append(content)
    document.element.body.insert(1, control)
    boxed = OxmlElement("w:p")
    holder, box = run("", "w:pict"), OxmlElement("w:txbxContent")
    inside = OxmlElement("w:p")
    inside.append(run("상자 안의 글"))
    box.append(inside)
    pict = holder.find(qn("w:pict"))
    assert pict is not None
    pict.append(box)
    boxed.append(holder)
    document.element.body.insert(2, boxed)
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def hwpx(
    section: str, *, header: str = "", title: str = "", manifest: str = "", declaration: str = ""
) -> bytes:
    """A HWPX file with this content in its only section."""
    declaration = declaration or _DECLARATION
    parts = {
        "mimetype": "application/hwp+zip",
        "version.xml": f"{_DECLARATION}<version/>",
        "Contents/content.hpf": f"{_DECLARATION}<package><title>{title}</title></package>",
        "Contents/header.xml": f"{_DECLARATION}<hh:head {_SPACES}>{header}</hh:head>",
        "Contents/section0.xml": f"{declaration}<hs:sec {_SPACES}>{section}</hs:sec>",
    }
    if manifest:
        parts["META-INF/manifest.xml"] = manifest
    return zipped(parts)


def hwpx_paragraph(text: str, shape: int = 0, style: int = 0, inside: str = "") -> str:
    return (
        f'<hp:p paraPrIDRef="{shape}" styleIDRef="{style}"><hp:run charPrIDRef="0">'
        f"<hp:t>{text}</hp:t>{inside}</hp:run></hp:p>"
    )


def hwpx_table(rows: list[list[tuple[str, int, int]]]) -> str:
    """A table of cells (text, rows covered, columns covered)."""
    return (
        "<hp:tbl>"
        + "".join(
            "<hp:tr>"
            + "".join(
                f"<hp:tc><hp:subList>{hwpx_paragraph(text)}</hp:subList>"
                f'<hp:cellSpan colSpan="{across}" rowSpan="{down}"/></hp:tc>'
                for text, down, across in cells
            )
            + "</hp:tr>"
            for cells in rows
        )
        + "</hp:tbl>"
    )


HWPX_HEADER = """
<hh:refList>
<hh:numberings><hh:numbering id="1">
<hh:paraHead start="1" level="1" numFormat="DIGIT">^1.</hh:paraHead>
<hh:paraHead start="1" level="2" numFormat="HANGUL_SYLLABLE">^2.</hh:paraHead>
</hh:numbering></hh:numberings>
<hh:paraProperties>
<hh:paraPr id="0"><hh:heading type="NONE" idRef="0" level="0"/></hh:paraPr>
<hh:paraPr id="1"><hh:heading type="OUTLINE" idRef="0" level="0"/></hh:paraPr>
<hh:paraPr id="2"><hh:heading type="NUMBER" idRef="1" level="0"/></hh:paraPr>
<hh:paraPr id="3"><hh:heading type="NUMBER" idRef="1" level="1"/></hh:paraPr>
<hh:paraPr id="4"><hh:heading type="BULLET" idRef="1" level="0"/></hh:paraPr>
</hh:paraProperties>
<hh:styles>
<hh:style id="0" type="PARA" name="바탕글" engName="Normal" paraPrIDRef="0"/>
<hh:style id="5" type="PARA" name="개요 2" engName="Outline 2" paraPrIDRef="0"/>
</hh:styles>
</hh:refList>
"""


def guide_hwpx() -> bytes:
    """A guide with outline headings, automatic numbers, bullets, a table, a box and a footer."""
    footer = f"<hp:footer><hp:subList>{hwpx_paragraph('쪽 아래')}</hp:subList></hp:footer>"
    drawn = f"<hp:drawText><hp:subList>{hwpx_paragraph('상자 안의 글')}</hp:subList></hp:drawText>"
    box, footer = f"<hp:rect>{drawn}</hp:rect>", f"<hp:ctrl>{footer}</hp:ctrl>"
    table = hwpx_table(
        [
            [("부품", 1, 1), ("주기", 1, 1)],
            [("필터", 2, 1), ("6개월", 1, 1)],
            [("1년", 1, 1)],
        ]
    )
    section = "".join(
        [
            hwpx_paragraph("머리말입니다.<hp:lineBreak/>둘째 줄", inside=footer),
            hwpx_paragraph("점검 절차", shape=1),
            hwpx_paragraph("전원을 끕니다.", shape=2),
            hwpx_paragraph("플러그를 뽑습니다.", shape=3),
            hwpx_paragraph("덮개를 엽니다.", shape=2),
            hwpx_paragraph("준비물", style=5),
            hwpx_paragraph("장갑", shape=4),
            hwpx_paragraph("드라이버", shape=4),
            hwpx_paragraph("", inside=table),
            hwpx_paragraph("표 뒤의 글", inside=box),
        ]
    )
    return hwpx(section, header=HWPX_HEADER, title="장비 점검 안내")
