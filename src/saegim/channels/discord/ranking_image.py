"""Draws the ranking as an image, if the system has a font with Korean letters."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

# Fonts with Korean letters, in order of preference.
FONTS = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/nanum/NanumGothic.ttf",
    "/System/Library/Fonts/AppleSDGothicNeo.ttc",
    "C:/Windows/Fonts/malgun.ttf",
)
WIDTH, ROW, MARGIN, BAR = 720, 44, 24, 320
BACKGROUND, INK, FAINT, ACCENT = "#2b2d31", "#f2f3f5", "#949ba4", "#5865f2"
MEDALS = ("#f1c40f", "#bdc3c7", "#cd7f32")
LONGEST_NAME = 16


def find_font(named: Path | None) -> Path | None:
    """Return the named font, or one of the system."""
    paths = [named] if named else [Path(each) for each in FONTS]
    return next((path for path in paths if path.is_file()), None)


def draw(title: str, rows: Sequence[tuple[str, int]], font: Path) -> bytes:
    """Return a PNG with a name, a bar and a number in each row."""
    from PIL import Image, ImageDraw, ImageFont  # noqa: PLC0415 - an extra, and slow to import

    large, plain = ImageFont.truetype(font, 26), ImageFont.truetype(font, 20)
    height = MARGIN * 2 + 52 + ROW * len(rows)
    image = Image.new("RGB", (WIDTH, height), BACKGROUND)
    canvas = ImageDraw.Draw(image)
    canvas.text((MARGIN, MARGIN), title, font=large, fill=INK)
    most = max((messages for _, messages in rows), default=1)
    for number, (name, messages) in enumerate(rows):
        top = MARGIN + 52 + ROW * number
        color = MEDALS[number] if number < len(MEDALS) else FAINT
        canvas.text((MARGIN, top + 6), f"{number + 1}", font=plain, fill=color)
        canvas.text((MARGIN + 36, top + 6), _short(name), font=plain, fill=INK)
        left = WIDTH - MARGIN - BAR - 70
        length = max(6, BAR * messages // most)
        canvas.rounded_rectangle((left, top + 10, left + length, top + 30), 6, fill=ACCENT)
        right = (WIDTH - MARGIN, top + 6)
        canvas.text(right, str(messages), font=plain, fill=INK, anchor="ra")
    png = BytesIO()
    image.save(png, "PNG")
    return png.getvalue()


def table(title: str, rows: Sequence[tuple[str, int]]) -> str:
    """Return the ranking as text."""
    lines = [f"{number}. {name} — {messages}" for number, (name, messages) in enumerate(rows, 1)]
    return "\n".join([f"**{title}**", *lines])


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
