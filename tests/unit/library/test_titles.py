"""Titles of documents without one."""

from dataclasses import replace

import pytest

from saegim.library.service import title_of
from tests.unit.research.test_loop import found


@pytest.mark.requirement("LB9")
@pytest.mark.parametrize(
    ("title", "outside_id", "text", "shown"),
    [
        ("비용 안내", "cost-guide_01", "본문", "비용 안내"),
        (None, "cost-guide_01", "본문", "cost guide 01"),
        ("", "cost-guide_01", "본문", "cost guide 01"),
        (None, "-_-", "예약 인스턴스는  1년\n약정입니다.", "예약 인스턴스는 1년 약정입니다."),
        (None, "", "가" * 100, "가" * 40),
    ],
)
def test_refs_show_the_title_else_the_id_else_a_snippet(
    title: str | None, outside_id: str, text: str, shown: str
) -> None:
    one = found(1, text=text)
    document = replace(one.document, title=title, outside_id=outside_id)
    assert title_of(document, text) == shown
