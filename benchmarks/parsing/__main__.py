"""`python -m benchmarks.parsing [--only PART] [--large] [--half dev|held_out]`."""

import argparse
import asyncio
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from benchmarks import results, verify_parsers
from benchmarks.library.sets import folder as data_folder
from benchmarks.page import everything, publish
from benchmarks.parsing import corpus, large, large_imports, questions
from benchmarks.parsing.corpus import BenchFile
from benchmarks.parsing.judge import cells_found, words_found
from saegim.domain.errors import Unreadable
from saegim.library.parsing.sandbox import probe
from saegim.library.parsing.sandbox.parser import SandboxedParser
from saegim.library.types import ParsedDocument

PARTS = ("corpus", "large", "hostile", "questions")
# Formats whose tables must be read cell by cell.
CELLS = ("docx", "xlsx", "hwpx", "hwp")
WITHOUT_CELLS = ("eml", "msg", "zip")


def main() -> None:
    """Writes `benchmarks/results/parsing.json`; figures that are not measured keep their values."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--large", action="store_true", help="parse and import the large files")
    parser.add_argument("--half", choices=("dev", "held_out"), default="held_out")
    given = parser.parse_args()
    root = data_folder()
    if root is None:
        raise SystemExit("SAEGIM_BENCH_DATA names no folder")
    only = "large" if given.large else given.only
    parts = (only,) if only else PARTS
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="saegim-parsing-") as name:
        folder = Path(name)
        if "corpus" in parts:
            figures |= asyncio.run(read_corpus(corpus.write(folder, root)))
        if "large" in parts:
            figures |= asyncio.run(large.measure(folder))
            figures |= asyncio.run(large_imports.measure(folder))
        if "hostile" in parts:
            figures |= hostile(folder)
        if "questions" in parts:
            figures |= asyncio.run(table_questions(given.half, folder))
    if given.half == "dev":
        print(figures)
        return
    path = results.merge("parsing", figures, {"measured": only or "everything"})
    publish("parsing", everything(results.known("parsing")))
    print(path.read_text())


async def read_corpus(files: Sequence[BenchFile]) -> dict[str, float]:
    """Returns the share of parsed files, of words and of cells, and files per second."""
    parser = SandboxedParser()
    parsed: dict[BenchFile, list[ParsedDocument] | None] = {}
    seconds: defaultdict[str, float] = defaultdict(float)
    for file in files:
        began = time.monotonic()
        parsed[file] = await _parse(parser, file)
        seconds[file.format] += time.monotonic() - began
    words: dict[str, float] = {}
    cells: dict[str, float] = {}
    for kind in dict.fromkeys(file.format for file in files):
        own = [(file, documents) for file, documents in parsed.items() if file.format == kind]
        counts = [words_found(file.words, documents or []) for file, documents in own]
        words[kind] = sum(found for found, _ in counts) / sum(total for _, total in counts)
        if kind not in WITHOUT_CELLS:
            counts = [
                cells_found(file.article.tables, docs or []) for file, docs in own if file.article
            ]
            cells[kind] = sum(found for found, _ in counts) / sum(total for _, total in counts)
    sizes = {kind: sum(1 for file in files if file.format == kind) for kind in words}
    return {
        "files": float(len(files)),
        "parsed_share": sum(docs is not None for docs in parsed.values()) / len(files),
        "words.min_share": min(words.values()),
        "cells.min_share": min(cells[kind] for kind in CELLS),
        **{f"words.{kind}.share": share for kind, share in words.items()},
        **{f"cells.{kind}.share": share for kind, share in cells.items()},
        **{f"files_per_second.{kind}": sizes[kind] / seconds[kind] for kind in sizes},
    }


async def _parse(parser: SandboxedParser, file: BenchFile) -> list[ParsedDocument] | None:
    """Returns the documents; none for a file without a word, None if it was refused."""
    try:
        return await parser.parse(file.path, file.path.name)
    except Unreadable as refusal:
        print(f"{file.path.name}: {refusal.detail}")
        is_empty = refusal.detail == "empty" and not any(map(str.isalnum, file.words))
        return [] if is_empty else None


def hostile(folder: Path) -> dict[str, float]:
    """Returns how many hostile files ended in anything but documents or a reason, or took more
    memory than allowed, and how many fences of the sandbox are missing."""
    place = folder / "hostile"
    place.mkdir()
    peak, outcomes = verify_parsers.run(place)
    odd = [outcome for outcome in outcomes if not outcome.is_expected]
    missing = asyncio.run(probe.look()).missing
    over = peak > verify_parsers.LIMITS.memory_bytes
    return {
        "hostile.files": float(len(outcomes)),
        "hostile.escaped": float(len(odd) + over + len(missing)),
        "hostile.memory_mb": peak >> 20,
        "hostile.slowest_seconds": max(outcome.seconds for outcome in outcomes),
    }


async def table_questions(half: questions.Half, folder: Path) -> dict[str, float]:
    """Returns the share of questions answered with the right cell and a citation that opens it."""
    answers = [answer async for answer in questions.ask(half, folder)]
    for answer in answers:
        if not answer.right:
            print(answer.question.question, "|", answer.question.value, answer.has_value)
            print("   ", answer.opens_cell, answer.answer[:300].replace("\n", " / "))
    right = defaultdict[str, list[bool]](list)
    for answer in answers:
        right[Path(answer.question.document).suffix[1:]].append(answer.right)
    return {
        "table_questions.share": sum(answer.right for answer in answers) / len(answers),
        "table_questions.questions": float(len(answers)),
        **{f"table_questions.{kind}.share": sum(one) / len(one) for kind, one in right.items()},
    }


if __name__ == "__main__":
    main()
