"""Write the corpus: files by code, conversions by LibreOffice, and the HWP samples."""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.parsing.articles import (
    Article,
    articles,
    docx_of,
    eml_of,
    html_of,
    hwp_of,
    hwpx_of,
    msg_of,
    pptx_of,
    xlsx_of,
    zip_of,
)
from saegim.library.parsing.limits import ParseLimits
from saegim.library.parsing.ole import OleStreams

ARTICLES = 16
# Conversions by LibreOffice: from which format to which.
CONVERTED = (("docx", "pdf"), ("docx", "rtf"), ("docx", "epub"), ("xlsx", "ods"), ("xlsx", "xls"))
_WRITERS: Mapping[str, Callable[[Article], bytes]] = {
    "docx": docx_of,
    "hwpx": hwpx_of,
    "hwp": hwp_of,
    "xlsx": xlsx_of,
    "pptx": pptx_of,
    "eml": eml_of,
    "msg": msg_of,
    "zip": zip_of,
    "html": lambda article: html_of(article).encode(),
}
_SHEETS = {"xlsx", "ods", "xls"}


@dataclass(frozen=True, slots=True)
class BenchFile:
    """A file, the words it holds, and the article it was made from, if it was."""

    path: Path
    words: str
    article: Article | None = None

    @property
    def format(self) -> str:
        return self.path.suffix[1:]


def write(folder: Path, root: Path) -> list[BenchFile]:
    """Writes all files. Needs LibreOffice."""
    written: list[BenchFile] = []
    made = articles(root, ARTICLES)
    for number, article in enumerate(made):
        for suffix, writer in _WRITERS.items():
            path = folder / f"{number:02}.{suffix}"
            path.write_bytes(writer(article))
            written.append(BenchFile(path, article.words(table_only=suffix in _SHEETS), article))
    for source, target in CONVERTED:
        convert([folder / f"{number:02}.{source}" for number in range(len(made))], target)
        written += [
            BenchFile(
                folder / f"{number:02}.{target}",
                article.words(table_only=target in _SHEETS),
                article,
            )
            for number, article in enumerate(made)
        ]
    return written + samples(root / "hwp")


def convert(files: Sequence[Path], target: str) -> None:
    """Converts files with LibreOffice, beside them."""
    folder = files[0].parent
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = ["soffice", profile, "--headless", "--convert-to", target, "--outdir", str(folder)]
    subprocess.run([*command, *map(str, files)], check=True, capture_output=True, timeout=900)


def samples(folder: Path) -> list[BenchFile]:
    """Returns the HWP samples with the preview text that the word processor stored in them."""
    found: list[BenchFile] = []
    for path in sorted(folder.glob("*.hwp")):
        if path.stat().st_size:
            with path.open("rb") as file:
                preview = OleStreams(file).read("PrvText", ParseLimits())
            found.append(BenchFile(path, preview.decode("utf-16-le", "replace")))
    return found
