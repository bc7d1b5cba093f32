"""Questions over tables in XLSX, HWP, PPTX and PDF, answered by the product without a model."""

import contextlib
import json
import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

import docx

from benchmarks.doubles.patience import patient
from benchmarks.idle import until_idle, working
from benchmarks.library.bench_stack import stores
from benchmarks.parsing.corpus import convert
from benchmarks.results import ROOT
from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from saegim.auth.types import ActAs
from saegim.chat.types import ChatRequest, Reply
from saegim.db.cells import HOME_CELL
from saegim.domain.scope import Caller
from saegim.library.types import Locator
from tests.integration.library.parsing.more_office_files import slides, xlsx
from tests.integration.library.parsing.ole_files import hwp

type Half = Literal["dev", "held_out"]
# An answer that quotes more rows shows the table instead of the cell.
MOST_ROWS = 3
_ROW = re.compile(r"^\s*(?:>\s*)?\|.*\|\s*$", re.MULTILINE)
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question, and the cell that answers it."""

    question: str
    document: str
    value: str
    label: str
    locator: Locator


@dataclass(frozen=True, slots=True)
class TableAnswer:
    question: TableQuestion
    answer: str
    has_value: bool
    opens_cell: bool

    @property
    def right(self) -> bool:
        return self.has_value and self.opens_cell


def load(half: Half) -> tuple[list[dict[str, Any]], list[TableQuestion]]:
    """Returns the documents and questions of a half."""
    data = json.loads((ROOT / "benchmarks" / "data" / "tables" / f"{half}.json").read_text("utf-8"))
    tables = {each["name"]: each["tables"] for each in data["documents"]}
    questions = [
        TableQuestion(
            each["question"],
            each["document"],
            tables[each["document"]][each["table"]]["rows"][each["row"]][each["column"]],
            tables[each["document"]][each["table"]]["rows"][each["row"]][0],
            _locator(each["document"], tables[each["document"]], each["table"], each["row"]),
        )
        for each in data["questions"]
    ]
    return data["documents"], questions


def _locator(name: str, tables: Sequence[dict[str, Any]], table: int, row: int) -> Locator:
    match Path(name).suffix:
        case ".xlsx":
            return Locator(sheet=tables[table]["heading"], row=row + 1)
        case ".pptx":
            return Locator(slide=table + 1)
        case ".pdf":
            return Locator(page=table + 1)
        case _:
            return Locator()


def write(document: dict[str, Any], folder: Path) -> Path:
    """Writes a document; a PDF is converted by LibreOffice, a page per table."""
    path = folder / document["name"]
    title, tables = document["title"], document["tables"]
    match path.suffix:
        case ".xlsx":
            path.write_bytes(xlsx({each["heading"]: each["rows"] for each in tables}))
        case ".hwp":
            parts: list[Any] = [title]
            for each in tables:
                cells = [
                    (text, row, column, 1, 1)
                    for row, texts in enumerate(each["rows"])
                    for column, text in enumerate(texts)
                ]
                parts += [each["heading"], cells]
            path.write_bytes(hwp(parts))
        case ".pptx":
            path.write_bytes(slides([(each["heading"], each["rows"]) for each in tables], title))
        case _:
            _pdf(title, tables, path)
    return path


def _pdf(title: str, tables: Sequence[dict[str, Any]], path: Path) -> None:
    document = docx.Document()
    document.core_properties.title = title
    for number, each in enumerate(tables):
        if number:
            document.add_page_break()
        document.add_heading(each["heading"], level=1)
        rows = each["rows"]
        table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                table.cell(at, column).text = text
    source = path.with_suffix(".docx")
    document.save(str(source))
    convert([source], "pdf")
    source.unlink()


async def ask(half: Half, folder: Path) -> AsyncGenerator[TableAnswer]:
    """Imports the documents of a half and yields the answers in order."""
    documents, questions = load(half)
    async with served() as services:
        tenant = await services.auth.tenants.create("표", "ko", HOME_CELL)
        caller = await services.auth.authentication.authenticate(tenant.key, ActAs("표", None))
        ingests = services.library.ingests
        ingest = await ingests.open(caller, "default", "guide")
        for document in documents:
            file = await ingests.add_file(caller, ingest.id, document["name"])
            await ingests.add_part(caller, file, 0, write(document, folder).read_bytes())
            await ingests.enqueue(caller, file)
        await until_idle(services)
        for question in questions:
            turns = services.chat.turns
            opened = await turns.receive(caller, ChatRequest(question.question, None))
            reply = await turns.reply(caller.scope, opened.turn.id)
            yield await _judge(services, caller, question, reply)


@contextlib.asynccontextmanager
async def served() -> AsyncGenerator[Services]:
    async with stores(durable=False) as at:
        services = build(at.settings(), patient(Fakes()))
        await services.open()
        await services.warm_up()
        try:
            async with working(services):
                yield services
        finally:
            await services.close()


async def _judge(
    services: Services, caller: Caller, question: TableQuestion, reply: Reply
) -> TableAnswer:
    rows = len(_ROW.findall(reply.answer)) - 2
    has_value = _plain(question.value) in _plain(reply.answer) and rows <= MOST_ROWS
    opens = False
    for citation in reply.citations:
        if citation.get("kind") == "passage" and citation.get("document") == question.document:
            located = (citation.get("locator") or {}) == question.locator.parts()
            has_row = await _has_row(services, caller, question, UUID(str(citation["id"])))
            opens = opens or (located and has_row)
    return TableAnswer(question, reply.answer, has_value, opens)


async def _has_row(
    services: Services, caller: Caller, question: TableQuestion, passage: UUID
) -> bool:
    """Whether a cited passage has the row of the answer."""
    section = await services.library.search.get_section(caller, passage)
    one = next((each.passage for each in section if each.passage.id == passage), None)
    if one is None:
        return False
    wanted = _plain(question.label), _plain(question.value)
    return any(all(text in _plain(line) for text in wanted) for line in one.text.split("\n"))


def _plain(text: str) -> str:
    return _SPACE.sub("", text.replace("**", "").replace("\\", ""))
