"""Read the text of a picture, if text recognition is installed."""

from typing import BinaryIO

from saegim.library.parsing.limits import ParseLimits
from saegim.library.parsing.lines import add_lines
from saegim.library.parsing.ocr import TextRecognition
from saegim.library.parsing.outline import Outline
from saegim.library.types import ParsedDocument


def read(file: BinaryIO, limits: ParseLimits) -> list[ParsedDocument]:
    text = TextRecognition(limits).of_picture(file.read())
    outline = Outline()
    add_lines(outline, text)
    return [outline.document(metadata={"format": "picture"})]
