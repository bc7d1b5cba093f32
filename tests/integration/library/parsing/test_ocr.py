"""Text recognition, where Tesseract is installed."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import reason_text
from saegim.library.parsing.sandbox.parser import SandboxedParser
from saegim.library.types import Locator
from tests.integration.library.parsing.reading import read, reads_pictures, text_of

needs_tesseract = pytest.mark.skipif(not reads_pictures(), reason="Tesseract is not installed")


def _picture(format_name: str) -> bytes:
    image = Image.new("L", (900, 300), 255)
    font = ImageFont.load_default(64)
    ImageDraw.Draw(image).text((40, 100), "Invoice total 4711", font=font, fill=0)
    out = BytesIO()
    image.save(out, format_name, resolution=100)
    return out.getvalue()


@needs_tesseract
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "BMP"])
def test_the_text_of_a_picture_is_recognised(kind: str) -> None:
    assert "Invoice total 4711" in text_of(read(_picture(kind), "scan.bin"))


@needs_tesseract
async def test_scanned_pages_are_recognised_inside_the_sandbox(tmp_path: Path) -> None:
    file = tmp_path / "scan.pdf"
    file.write_bytes(_picture("PDF"))
    (document,) = await SandboxedParser().parse(file, file.name)
    assert "Invoice total 4711" in text_of(document)
    assert document.sections[0].blocks[0].locator == Locator(page=1)


@pytest.mark.skipif(reads_pictures(), reason="Tesseract is installed")
def test_picture_without_tesseract_says_what_is_missing() -> None:
    with pytest.raises(Unreadable) as raised:
        read(_picture("PNG"), "scan.png")
    assert "Tesseract" in reason_text(raised.value.detail, "en")
