"""Plain text."""

from saegim.library.parsing.input import TextSource
from saegim.library.parsing.lines import add_lines
from saegim.library.parsing.outline import Outline
from saegim.library.types import ParsedDocument


def read(source: TextSource) -> list[ParsedDocument]:
    outline = Outline()
    add_lines(outline, source.text)
    return [outline.document(metadata={"format": "text"})]
