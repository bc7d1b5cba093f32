"""A citation means the page or the row of the line that the answer repeats."""

import pytest

from saegim.chat.grounding.attribution import cited_place
from saegim.chat.types import Evidence, EvidenceKind
from saegim.library.splitting import split
from saegim.library.types import Block, BlockKind, Locator, ParsedDocument, ParsedSection

TABLE = "| 지점 | 매출 |\n| --- | --- |\n| 서울 | 112 |\n| 부산 | 80 |\n| 울산 | 73 |"


def evidence(*blocks: Block) -> Evidence:
    """The one passage of these blocks."""
    [draft] = split(ParsedDocument(None, (ParsedSection((), blocks),)))
    return Evidence(EvidenceKind.PASSAGE, "1", "1", "제목", draft.text, locator=draft.locator)


def paragraph(text: str, page: int) -> Block:
    return Block(BlockKind.PARAGRAPH, text, Locator(page=page))


@pytest.mark.parametrize(
    ("answer", "page"),
    [
        ("이 책자는 새로 온 사람을 위한 것입니다 [1].", 1),
        ("회의실은 하루 전에 예약합니다 [1].", 2),
        ("반갑습니다. 주차권은 총무팀 창구에서 발급합니다 [1].", 3),
        ("주차권은 잘 모르겠습니다. 책자는 새로 온 사람을 위한 것입니다 [1].", 1),
        ("주차권은 총무팀 창구에서 발급합니다. [1]\n\n안내 [1]\n\n회의실은 하루 전에 예약.", 3),
        ("주차권은 총무팀 창구에서 발급합니다. [1]\n\n새로 온 [1]\n\n회의실은 하루 전에.", 3),
        ("네 [1].", 1),
    ],
)
def test_a_passage_over_several_pages_is_cited_at_the_page_of_its_line(
    answer: str, page: int
) -> None:
    cited = evidence(
        paragraph("이 책자는 새로 온 사람을 위한 것입니다.", 1),
        paragraph("회의실은 7층에 있으며 하루 전에 예약합니다.", 2),
        paragraph("방문객 주차권은 총무팀 창구에서 발급합니다.", 3),
    )

    assert cited_place(cited, answer) == Locator(page=page)


def test_sentences_from_several_pages_are_cited_at_the_range() -> None:
    cited = evidence(
        paragraph("이 책자는 새로 온 사람을 위한 것입니다.", 1),
        paragraph("회의실은 7층에 있으며 하루 전에 예약합니다.", 2),
        paragraph("방문객 주차권은 총무팀 창구에서 발급합니다.", 3),
    )
    answer = "주차권은 총무팀 창구에서 발급합니다 [1]. 회의실은 하루 전에 예약합니다 [1]."
    place = cited_place(cited, answer)

    assert place is not None
    assert (place.page, place.last) == (2, 3)


@pytest.mark.parametrize(
    ("answer", "row"), [("서울 매출은 112입니다 [1].", 5), ("울산의 매출은 73입니다 [1].", 7)]
)
def test_a_table_is_cited_at_the_row(answer: str, row: int) -> None:
    title = Block(BlockKind.PARAGRAPH, "상반기 실적 보고", Locator(sheet="매출", row=1))
    cited = evidence(title, Block(BlockKind.TABLE, TABLE, Locator(sheet="매출", row=5)))

    assert cited_place(cited, answer) == Locator(sheet="매출", row=row)


def test_evidence_without_a_place_has_none() -> None:
    assert cited_place(Evidence(EvidenceKind.TOOL, "1", "F1", "날씨", "맑음"), "맑음 [F1]") is None
