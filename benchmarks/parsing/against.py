"""`python -m benchmarks.parsing.against CHECKOUT`: the PDF parser beside that of another release.

CHECKOUT is the source tree of that release, such as one made by `git worktree add`. Both parse the
PDF files of the corpus in one process each, without the sandbox.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import saegim
from benchmarks import results
from benchmarks.library.sets import folder as data_folder
from benchmarks.page import everything, publish
from benchmarks.parsing.articles import articles, docx_of
from benchmarks.parsing.corpus import ARTICLES, convert
from benchmarks.parsing.judge import cells_found, words_found
from saegim.library.types import Block, BlockKind, ParsedDocument, ParsedSection

# Runs in either tree: prints the documents of each file, and the seconds of all.
READ = """
import json, sys, time
from saegim.library.parsing.formats.pdf import read
from saegim.library.parsing.limits import ParseLimits
parsed, began = [], time.perf_counter()
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        [document] = read(file, ParseLimits())
    sections = [
        (list(section.path), [(block.kind, block.text) for block in section.blocks])
        for section in document.sections
    ]
    parsed.append((document.title, sections))
json.dump({"seconds": time.perf_counter() - began, "documents": parsed}, sys.stdout)
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("checkout", type=Path)
    checkout: Path = parser.parse_args().checkout
    root = data_folder()
    if root is None:
        raise SystemExit("SAEGIM_BENCH_DATA names no folder")
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="saegim-parsing-") as name:
        made, folder = articles(root, ARTICLES), Path(name)
        sources = [folder / f"{number:02}.docx" for number in range(len(made))]
        for path, article in zip(sources, made, strict=True):
            path.write_bytes(docx_of(article))
        convert(sources, "pdf")
        files = [path.with_suffix(".pdf") for path in sources]
        own = Path(saegim.__file__).parents[1]
        for tree, source in (("now", own), ("before", checkout / "src")):
            output = _read(files, source)
            documents = [[_document(each)] for each in output["documents"]]
            pairs = list(zip(made, documents, strict=True))
            words = [words_found(article.words(), found) for article, found in pairs]
            cells = [cells_found(article.tables, found) for article, found in pairs]
            figures |= {
                f"pdf_parsers.{tree}.words_share": _share(words),
                f"pdf_parsers.{tree}.cells_share": _share(cells),
                f"pdf_parsers.{tree}.files_per_second": len(files) / output["seconds"],
            }
    results.merge("parsing", figures, {"measured": "pdf_parsers"})
    publish("parsing", everything(results.known("parsing")))
    print(json.dumps(figures, indent=2))


def _read(files: list[Path], source: Path) -> dict[str, Any]:
    command = [sys.executable, "-c", READ, *map(str, files)]
    environment = {**os.environ, "PYTHONPATH": str(source)}
    done = subprocess.run(command, check=True, capture_output=True, env=environment, timeout=600)
    return json.loads(done.stdout)


def _document(parsed: Any) -> ParsedDocument:
    title, sections = parsed
    return ParsedDocument(
        title,
        tuple(
            ParsedSection(tuple(path), tuple(Block(BlockKind(kind), text) for kind, text in blocks))
            for path, blocks in sections
        ),
    )


def _share(counts: list[tuple[int, int]]) -> float:
    return sum(found for found, _ in counts) / sum(total for _, total in counts)


if __name__ == "__main__":
    main()
