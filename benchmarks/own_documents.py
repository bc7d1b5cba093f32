"""Questions of employees to their company's own files, answered without a model.

The files and questions of `data/own_documents` were written by somebody who saw neither the rules
nor the examples of the classifiers. They are measured only: nothing is tuned on them.
"""

import argparse
import asyncio
import contextlib
import json
import re
import tomllib
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, get_args

import docx
import httpx2

from benchmarks import results
from benchmarks.conversation.judge import VisibleAnswer, earliest, fold, refuses
from benchmarks.doubles.patience import patient
from benchmarks.idle import until_idle, working
from benchmarks.library.bench_stack import import_files, stores
from benchmarks.page import everything, publish
from benchmarks.product_texts import hedge_of
from benchmarks.results import ROOT
from saegim.api.app import create_app
from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from tests.integration.library.parsing.more_office_files import eml, slides, xlsx
from tests.integration.library.parsing.pdf_files import Line, pdf

DATA = ROOT / "benchmarks" / "data" / "own_documents"
Kind = Literal["direct", "paraphrase", "follow_up", "unanswerable"]
Verdict = Literal["right", "closest", "missed", "refused_right", "confidently_wrong"]
GOOD: frozenset[Verdict] = frozenset({"right", "closest", "refused_right"})
# Files and questions speak of the years around this one; they are moved to the present.
WRITTEN_IN = 2026
# A reader looks this far for the answer, and at so many of the closest passages.
FIRST_CHARACTERS = 300
FIRST_PASSAGES = 3
_SECONDS = 300.0
_YEAR = re.compile(r"(?<!\d)202\d(?!\d)")
_ROW = re.compile(r"^\s*(?:>\s*)?(?:[-*]\s+)?\|.*\|")
_RULE = re.compile(r"^[\s>|:-]+$")
_ITEM = re.compile(r"^(?:[-*•]|\d+[.)])\s")


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the file that answers it, and expressions of the answer and of wrong ones.

    Questions of one session follow each other. One that nothing answers has no file."""

    id: str
    lang: Literal["ko", "en"]
    kind: Kind
    session: str
    message: str
    trap: str | None = None
    file: str | None = None
    answer: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    question: Question
    answer: VisibleAnswer
    verdict: Verdict


def questions(path: Path = DATA / "questions.jsonl") -> list[Question]:
    """Returns the questions in the order in which they are asked."""
    return [_question(json.loads(line)) for line in _present(path).splitlines()]


def _question(row: dict[str, Any]) -> Question:
    answer, rivals = (tuple(row.pop(name, ())) for name in ("answer", "rivals"))
    return Question(**row, answer=answer, rivals=rivals)


def documents(folder: Path = DATA) -> dict[str, bytes]:
    """Returns the company's files by name; those that are not Markdown are made here."""
    office = tomllib.loads(_present(folder / "office.toml"))
    files = {path.name: _present(path).encode() for path in sorted((folder / "wiki").iterdir())}
    files |= {name: pdf([_page(page) for page in pages]) for name, pages in office["pdf"].items()}
    files |= {name: _docx(text) for name, text in office["docx"].items()}
    files |= {name: xlsx(sheets) for name, sheets in office["xlsx"].items()}
    for name, deck in office["pptx"].items():
        tables = [(slide["title"], slide["rows"]) for slide in deck["slides"]]
        files[name] = slides(tables, deck["title"])
    return files | {
        name: eml(mail["subject"], mail["body"]) for name, mail in office["eml"].items()
    }


def _present(path: Path) -> str:
    """Returns a text with its years moved, so that "next year" stays true."""
    passed = datetime.now(UTC).year - WRITTEN_IN
    return _YEAR.sub(lambda year: str(int(year[0]) + passed), path.read_text("utf-8"))


def _page(text: str) -> list[Line]:
    heading, *lines = text.strip().splitlines()
    return [Line(heading, size=18), *map(Line, lines)]


def _docx(text: str) -> bytes:
    document, table = docx.Document(), None
    for line in text.strip().splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "|":
            cells = [cell.strip() for cell in rest.strip("|").split("|")]
            table = table or document.add_table(rows=0, cols=len(cells), style="Table Grid")
            for cell, value in zip(table.add_row().cells, cells, strict=True):
                cell.text = value
            continue
        table = None
        if mark == "#":
            document.add_heading(rest, level=1)
        elif mark == "-":
            document.add_paragraph(rest, style="List Bullet")
        else:
            document.add_paragraph(line)
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def judge(question: Question, answer: VisibleAnswer) -> Verdict:
    """Returns what an answer is worth to somebody who believes what is said plainly."""
    hedge = hedge_of(answer.text)
    # A common phrase in the first line refuses, too; further down it may be of a document.
    if hedge is None and refuses(_first_line(answer.text)):
        hedge = "refused"
    if question.file is None:
        return "confidently_wrong" if hedge is None else "refused_right"
    if hedge is not None:
        shown = passages(answer.text)[:FIRST_PASSAGES]
        is_found = any(earliest(question.answer, fold(each)) is not None for each in shown)
        return "closest" if is_found else "missed"
    return "right" if _is_right(question, answer) else "confidently_wrong"


def _is_right(question: Question, answer: VisibleAnswer) -> bool:
    """Whether the file is cited, and the answer leads in the prose or is the only row of a table.

    A wrong value in the prose before it is what a reader takes away."""
    if question.file not in answer.documents:
        return False
    lines = answer.text.splitlines()
    prose = fold("\n".join(line for line in lines if not _ROW.match(line)))
    at = earliest(question.answer, prose[:FIRST_CHARACTERS])
    rival = earliest(question.rivals, prose)
    if at is not None:
        return rival is None or at < rival
    rows = _body_rows(lines)
    return rival is None and len(rows) == 1 and earliest(question.answer, fold(rows[0])) is not None


def _body_rows(lines: Sequence[str]) -> list[str]:
    """Returns the rows of tables without their heads."""
    rows = [line for line in lines if _ROW.match(line)]
    rules = [at for at, row in enumerate(rows) if _RULE.match(row)]
    heads = {at for rule in rules for at in (rule - 1, rule)}
    return [row for at, row in enumerate(rows) if at not in heads]


def passages(answer: str) -> list[str]:
    """Returns what stands below the first line of an answer: items, or blocks between blank lines.

    The head of a table belongs to its first row."""
    found: list[str] = []
    is_open = False
    lines = answer.splitlines()[1:]
    heads = {at for at, line in enumerate(lines[1:]) if _ROW.match(line) and _RULE.match(line)}
    for at, line in enumerate(lines):
        plain = line.strip().lstrip("> ")
        if not plain:
            is_open = False
        elif is_open and not _ITEM.match(plain) and at not in heads:
            found[-1] += f"\n{plain}"
        else:
            found.append(plain)
            is_open = True
    return found


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "")


def figures(judged: Sequence[JudgedQuestion]) -> dict[str, float]:
    """Returns how many answers are of each verdict, the share of good ones, and that by kind."""
    counts = {verdict: _count(judged, frozenset({verdict})) for verdict in get_args(Verdict)}
    found = {"questions": float(len(judged)), **counts}
    found["right_or_closest"] = _count(judged, GOOD) / len(judged)
    for kind in get_args(Kind):
        of_kind = [each for each in judged if each.question.kind == kind]
        if of_kind:
            found[f"{kind}.right_or_closest"] = _count(of_kind, GOOD) / len(of_kind)
    return found


def _count(judged: Sequence[JudgedQuestion], verdicts: frozenset[Verdict]) -> float:
    return float(sum(each.verdict in verdicts for each in judged))


async def ask(asked: Sequence[Question]) -> AsyncGenerator[JudgedQuestion]:
    """Imports the files and yields the judged answers in order. Each session has its own user."""
    async with company() as (services, http, key):
        sessions: dict[str, str] = {}
        for question in asked:
            body = {"message": question.message}
            if question.session in sessions:
                body["session_id"] = sessions[question.session]
            headers = {
                "Authorization": f"Bearer {key}",
                "Saegim-User": question.session,
                "Accept-Language": question.lang,
            }
            response = await http.post("/v1/chat", json=body, headers=headers, timeout=_SECONDS)
            assert response.is_success, f"{question.id}: {response.text}"
            reply = response.json()
            sessions[question.session] = reply["session_id"]
            answer = visible(reply)
            yield JudgedQuestion(question, answer, judge(question, answer))
            # The next message of a session sees what the worker wrote of this one.
            await until_idle(services, _SECONDS)


def visible(reply: Mapping[str, Any]) -> VisibleAnswer:
    """Returns what a user sees of a reply of the API: its text and the documents under it."""
    cited = (citation.get("document") for citation in reply["citations"])
    return VisibleAnswer(reply["answer"], frozenset(filter(None, cited)))


@contextlib.asynccontextmanager
async def company() -> AsyncGenerator[tuple[Services, httpx2.AsyncClient, str]]:
    """Runs the product without a model, with the company's files."""
    async with stores(durable=False) as at:
        services = build(at.settings(), patient(Fakes()))
        await services.open()
        try:
            await services.warm_up()
            async with working(services):
                key = await import_files(services, "dodamlab", documents())
                transport = httpx2.ASGITransport(app=create_app(services))
                async with httpx2.AsyncClient(transport=transport, base_url="http://a") as http:
                    yield services, http, key
        finally:
            await services.close()


async def measure(asked: Sequence[Question], show: bool = False) -> list[JudgedQuestion]:
    judged: list[JudgedQuestion] = []
    async for each in ask(asked):
        judged.append(each)
        if show:
            print("\n".join(_shown(each)), flush=True)
    return judged


def _shown(judged: JudgedQuestion) -> Iterator[str]:
    question = judged.question
    yield f"{judged.verdict:18} {question.id} {question.kind} {question.trap or ''}"
    yield f"    ? {question.message}"
    yield from (f"    {line}" for line in judged.answer.text.splitlines())
    yield f"    cites {', '.join(sorted(judged.answer.documents)) or 'nothing'}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="print questions and answers")
    options = parser.parse_args()
    found = figures(asyncio.run(measure(questions(), options.show)))
    print("\n".join(f"{name:32} {value:.3f}" for name, value in found.items()))
    results.write("own_documents", found, {"models": "none", "embedder": "bundled"})
    publish("own_documents", everything(found))


if __name__ == "__main__":
    main()
