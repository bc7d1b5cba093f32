"""Draw the tokens of working memory over a thousand turns."""

from collections.abc import Callable, Sequence
from html import escape

from benchmarks.working_memory.thousand import Sizes
from saegim.chat.context.assembly import Budgets

WIDTH, HEIGHT = 760, 330
LEFT, RIGHT, TOP, BOTTOM = 58, 18, 46, 46
COLOURS = {"recent": "#3b6ea5", "summary": "#7fa650", "entities": "#c58b2a"}
TEXT = "#444c56"

Scale = Callable[[float], float]


def draw(sizes: Sequence[Sizes]) -> str:
    """Draws stacked areas by turn, with the budget as a line."""
    budget = Budgets().memory
    top = budget * 1.1
    last = max(each.turn for each in sizes)

    def x(turn: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * turn / last

    def y(tokens: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * tokens / top

    parts = [_axes(x, y, last, top)]
    floor = [0.0] * len(sizes)
    for name, colour in COLOURS.items():
        ceiling = [low + each.blocks[name] for low, each in zip(floor, sizes, strict=True)]
        points = [
            f"{x(each.turn):.1f},{y(high):.1f}" for each, high in zip(sizes, ceiling, strict=True)
        ]
        points += [
            f"{x(each.turn):.1f},{y(low):.1f}"
            for each, low in reversed(list(zip(sizes, floor, strict=True)))
        ]
        parts.append(f'<polygon points="{" ".join(points)}" fill="{colour}" opacity="0.85"/>')
        floor = ceiling
    line = f'x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(budget):.1f}" y2="{y(budget):.1f}"'
    parts.append(f'<line {line} stroke="#b3362c" stroke-dasharray="6 4"/>')
    parts.append(_label(WIDTH - RIGHT, y(budget) - 6, f"budget {budget:,}", "end", "#b3362c"))
    parts.append(_legend())
    title = "Tokens of working memory in the context, by turn"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{title}" font-family="system-ui, sans-serif" font-size="12">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n'
        + _label(LEFT, 22, title, "start", "#1f2328", 14)
        + "\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _axes(x: Scale, y: Scale, last: int, top: float) -> str:
    parts: list[str] = []
    for tokens in range(0, int(top), 500):
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tokens):.1f}" y2="{y(tokens):.1f}" '
            'stroke="#d8dee4"/>'
        )
        parts.append(_label(LEFT - 8, y(tokens) + 4, f"{tokens:,}", "end"))
    turns = range(0, last + 1, max(1, last // 10))
    parts += [_label(x(turn), HEIGHT - BOTTOM + 18, f"{turn:,}", "middle") for turn in turns]
    parts.append(_label((LEFT + WIDTH) / 2, HEIGHT - 8, "turn", "middle"))
    return "\n".join(parts)


def _legend() -> str:
    parts: list[str] = []
    for index, (name, colour) in enumerate(reversed(COLOURS.items())):
        at = WIDTH - RIGHT - 110 * (index + 1) + 20
        parts.append(f'<rect x="{at}" y="12" width="12" height="12" fill="{colour}"/>')
        parts.append(_label(at + 17, 22, name, "start"))
    return "\n".join(parts)


def _label(x: float, y: float, text: str, anchor: str, colour: str = TEXT, size: int = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
        f'font-size="{size}">{escape(text)}</text>'
    )
