"""A PDF of 500 pages, a sheet of 100,000 rows and a deck of 300 slides."""

import time
from collections.abc import Callable
from pathlib import Path

from saegim.library.parsing.sandbox.parser import SandboxedParser
from saegim.library.splitting import split
from saegim.library.types import Locator, ParsedDocument
from tests.integration.library.parsing.more_office_files import slides, xlsx
from tests.integration.library.parsing.pdf_files import Line, pdf

PAGES, ROWS, SLIDES = 500, 100_000, 300
# One of these in each file must be found where it is.
PROBED = (7, 123, 291)
FACT_LINE = 3
_FAMILY, _GIVEN = "김이박최정강조윤장임", ("가람", "나래", "다온", "라온", "마루", "바다", "사랑")


def write(folder: Path) -> dict[str, Path]:
    """Writes the three files."""
    pages = [
        [Line(f"{number}번째 쪽", 16), *(Line(_sentence(number, at), 11) for at in range(30))]
        for number in range(1, PAGES + 1)
    ]
    rows = [["번호", "품목", "수량", "단가", "비고"]]
    rows += [[str(n), f"품목 {n}번", str(n % 97), str(n * 10), "정상"] for n in range(2, ROWS + 2)]
    decks = [
        (f"{number}번째 슬라이드", [["항목", "값"], [f"지표 {number}번", str(number * 3)]])
        for number in range(1, SLIDES + 1)
    ]
    files = {"pdf": pdf(pages), "xlsx": xlsx({"재고": rows}), "pptx": slides(decks, "큰 발표")}
    for suffix, data in files.items():
        (folder / f"large.{suffix}").write_bytes(data)
    return {suffix: folder / f"large.{suffix}" for suffix in files}


def _sentence(page: int, line: int) -> str:
    if line == FACT_LINE:
        return f"쪽 {page}번 줄 {line}번: 설비 {page}호의 담당자는 {_name(page)} 과장입니다."
    return f"쪽 {page}번 줄 {line}번: 설비를 점검하고 결과를 기록합니다."


def _name(page: int) -> str:
    return _FAMILY[page % len(_FAMILY)] + _GIVEN[page % len(_GIVEN)]


EXPECTED: dict[str, tuple[Callable[[int], str], Callable[[int], Locator]]] = {
    "pdf": (lambda n: f"쪽 {n}번 줄 3번:", lambda n: Locator(page=n)),
    "xlsx": (lambda n: f"| 품목 {n * 300}번 |", lambda n: Locator(sheet="재고", row=n * 300)),
    "pptx": (lambda n: f"| 지표 {n}번 |", lambda n: Locator(slide=n)),
}


async def measure(folder: Path) -> dict[str, float]:
    """Returns time, memory, passages and bytes of each, and the share of right locators."""
    figures: dict[str, float] = {}
    right: list[bool] = []
    for suffix, path in write(folder).items():
        parser = SandboxedParser()
        began = time.monotonic()
        documents = await parser.parse(path, path.name)
        figures[f"large.{suffix}.seconds"] = round(time.monotonic() - began, 2)
        figures[f"large.{suffix}.memory_mb"] = parser.most_bytes >> 20
        drafts = [draft for document in documents for draft in split(document)]
        figures[f"large.{suffix}.passages"] = len(drafts)
        figures[f"large.{suffix}.text_mb"] = round(
            sum(len(d.text.encode()) for d in drafts) / 1e6, 1
        )
        right += [_is_located(suffix, number, documents) for number in PROBED]
    return figures | {"large.located_share": sum(right) / len(right)}


def _is_located(suffix: str, number: int, documents: list[ParsedDocument]) -> bool:
    """Whether the passage with a text says on which page, slide or row it is."""
    text, locator = EXPECTED[suffix]
    wanted = locator(number)
    drafts = (draft for document in documents for draft in split(document))
    found = next((draft for draft in drafts if text(number) in draft.text), None)
    if found is None or found.locator is None:
        return False
    offset = found.text.index(text(number))
    return found.locator.at(found.text, found.text.rfind("\n", 0, offset) + 1) == wanted
