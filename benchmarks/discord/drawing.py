"""Draw a channel as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, LEFT, TOP, STEP = 760, 72, 56, 22
COLOURS = ("#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd")
IMAGE_WIDTH, IMAGE_HEIGHT = 420, 168


@dataclass(frozen=True, slots=True)
class Line:
    """A message, a command or a new day in the channel."""

    who: str
    text: str
    bot: bool = False
    command: bool = False
    day: bool = False
    image: str | None = None


def draw(lines: Sequence[Line], channel: str) -> str:
    """Draws the lines in order, as Discord shows them."""
    parts: list[str] = []
    y = TOP + 20
    people = list(dict.fromkeys(line.who for line in lines if line.who))
    for line in lines:
        shown, y = _line(line, y, people)
        parts += shown
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 8}" '
        f'width="{WIDTH}" height="{y + 8}" font-family="\'Noto Sans KR\', \'Noto Sans CJK KR\', '
        "'Apple SD Gothic Neo', 'Malgun Gothic', sans-serif\" font-size=\"15\">"
    )
    ground = f'<rect width="{WIDTH}" height="{y + 8}" rx="8" fill="#313338"/>'
    bar = f'<rect width="{WIDTH}" height="44" rx="8" fill="#2b2d31"/>'
    name = f'<text x="24" y="28" fill="#f2f3f5" font-weight="700">{escape(channel)}</text>'
    return "\n".join([head, ground, bar, name, *parts, "</svg>", ""])


def _line(line: Line, y: int, people: Sequence[str]) -> tuple[list[str], int]:
    if line.day:
        rule = f'<line x1="24" y1="{y}" x2="{WIDTH - 24}" y2="{y}" stroke="#3f4147"/>'
        back = f'<rect x="{WIDTH // 2 - 40}" y="{y - 10}" width="80" height="20" fill="#313338"/>'
        text = _text(WIDTH // 2, y + 5, line.text, "#949ba4", 'text-anchor="middle" font-size="12"')
        return [rule, back, text], y + 30
    colour = "#5865f2" if line.bot else COLOURS[people.index(line.who) % len(COLOURS)]
    parts = [
        f'<circle cx="44" cy="{y + 10}" r="16" fill="{colour}"/>',
        _text(44, y + 15, line.who[:1], "#ffffff", 'text-anchor="middle" font-weight="700"'),
        _text(LEFT, y + 4, line.who, colour, 'font-weight="700"'),
    ]
    if line.bot:
        at = LEFT + round(_width(line.who)) + 8
        parts.append(f'<rect x="{at}" y="{y - 9}" width="32" height="16" rx="4" fill="#5865f2"/>')
        parts.append(_text(at + 16, y + 3, "BOT", "#fff", 'text-anchor="middle" font-size="10"'))
    y += STEP
    for row in line.text.splitlines():
        small = row.startswith("-# ")
        style = 'font-size="12"' if small else 'font-family="monospace"' if line.command else ""
        ink = "#949ba4" if small else "#a5b4fc" if line.command else "#dbdee1"
        for piece in _wrapped(row.removeprefix("-# ")):
            parts.append(_text(LEFT, y + 4, piece, ink, style))
            y += STEP - 4 if small else STEP
    if line.image:
        parts.append(
            f'<image x="{LEFT}" y="{y - 8}" width="{IMAGE_WIDTH}" height="{IMAGE_HEIGHT}" '
            f'preserveAspectRatio="xMinYMin" href="data:image/png;base64,{line.image}"/>'
        )
        y += IMAGE_HEIGHT
    return parts, y + 18


def _text(x: int, y: int, text: str, fill: str, style: str = "") -> str:
    return f'<text x="{x}" y="{y}" fill="{fill}" {style}>{escape(text)}</text>'


def _width(text: str) -> float:
    return sum(15 if ord(letter) > 0x2000 else 8 for letter in text)


def _wrapped(text: str) -> list[str]:
    rows, row = list[str](), ""
    for word in text.split(" "):
        if row and _width(f"{row} {word}") > WIDTH - LEFT - 24:
            rows.append(row)
            row = word
        else:
            row = f"{row} {word}".strip()
    return [*rows, row]
