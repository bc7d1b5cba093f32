"""Reading bytes as a file, in this process, without the fence."""

from io import BytesIO

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import ParseLimits
from saegim.library.parsing.ocr import TextRecognition
from saegim.library.parsing.sandbox.child import parse
from saegim.library.types import BlockKind, ParsedDocument


def read_all(
    data: bytes | str, name: str, limits: ParseLimits | None = None
) -> list[ParsedDocument]:
    raw = data.encode() if isinstance(data, str) else data
    return parse(BytesIO(raw), name, limits or ParseLimits(), lambda: None)


def read(data: bytes | str, name: str, limits: ParseLimits | None = None) -> ParsedDocument:
    (document,) = read_all(data, name, limits)
    return document


def reads_pictures() -> bool:
    """Whether Tesseract is installed."""
    try:
        TextRecognition(ParseLimits())
    except Unreadable:
        return False
    return True


type Flat = list[tuple[tuple[str, ...], list[tuple[BlockKind, str]]]]


def flat(document: ParsedDocument) -> Flat:
    """Sections as plain values, to compare."""
    return [
        (section.path, [(block.kind, block.text) for block in section.blocks])
        for section in document.sections
    ]


def text_of(document: ParsedDocument) -> str:
    return "\n\n".join(block.text for section in document.sections for block in section.blocks)
