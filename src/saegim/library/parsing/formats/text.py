"""Plain text."""

from saegim.library.parsing.limits import ParseLimits
from saegim.library.parsing.lines import add_lines
from saegim.library.parsing.outline import Outline
from saegim.library.types import ParsedDocument


def read(text: str, _: ParseLimits) -> list[ParsedDocument]:
    outline = Outline()
    add_lines(outline, text)
    return [outline.document(metadata={"format": "text"})]
