"""Plain text."""

from saegim.adapters.parsers.lines import add_lines
from saegim.adapters.parsers.outline import Outline
from saegim.adapters.parsers.source import TextSource
from saegim.library.types import ParsedDocument


def read(source: TextSource) -> list[ParsedDocument]:
    outline = Outline()
    add_lines(outline, source.text)
    return [outline.document(metadata={"format": "text"})]
