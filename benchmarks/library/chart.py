"""Draw search times by the size of the library."""

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 760, 330
LEFT, RIGHT, TOP, BOTTOM = 58, 18, 46, 46
TEXT = "#444c56"
SERIES = {
    "search_all.p95_ms": ("search_all, p95", "#9dbbd9"),
    "search_all.p50_ms": ("search_all, p50", "#3b6ea5"),
    "bare.p50_ms": ("bare engines, p50", "#c58b2a"),
}
CEILING = 250
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)


def draw(figures: Mapping[str, float], sizes: Sequence[str]) -> str:
    """Draws groups of bars, one per size, and the promised maximum if it is in range."""
    highest = max(figures[f"{name}.{size}"] for name in SERIES for size in sizes)
    top = max(highest, CEILING) * 1.1
    parts = [_axes(top)]
    wide = (WIDTH - LEFT - RIGHT) / len(sizes)
    bar = wide / (len(SERIES) + 1.5)
    for group, size in enumerate(sizes):
        begin = LEFT + wide * group + bar * 0.75
        for at, (name, (_, colour)) in enumerate(SERIES.items()):
            value = figures[f"{name}.{size}"]
            parts.append(_bar(begin + bar * at, bar * 0.9, _height(value, top), colour))
            middle = begin + bar * (at + 0.45)
            parts.append(_label(middle, _y(value, top) - 5, f"{value:.0f}", "middle"))
        label = f"{size.replace('k', ',000').replace('m', ',000,000')} passages"
        parts.append(_label(LEFT + wide * (group + 0.5), HEIGHT - BOTTOM + 18, label, "middle"))
    parts.append(_ceiling(top))
    parts.append(_legend())
    title = "Milliseconds of a search, by size of a tenant's library"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{title}" font-family="system-ui, sans-serif" font-size="12">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n'
        + "\n".join([_label(LEFT, 22, title, "start", "#1f2328", 14), *parts])
        + "\n</svg>\n"
    )


def _height(value: float, top: float) -> float:
    return (HEIGHT - TOP - BOTTOM) * value / top


def _y(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - _height(value, top)


def _axes(top: float) -> str:
    step = next((each for each in STEPS if top / each <= 6), STEPS[-1])
    parts: list[str] = []
    for value in range(0, int(top), step):
        at = _y(value, top)
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="#d8dee4"/>'
        )
        parts.append(_label(LEFT - 8, at + 4, f"{value:,}", "end"))
    return "\n".join(parts)


def _bar(x: float, width: float, height: float, colour: str) -> str:
    y = HEIGHT - BOTTOM - height
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'
    )


def _ceiling(top: float) -> str:
    at = _y(CEILING, top)
    line = f'x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"'
    words = _label(LEFT + 6, at - 6, f"p95 at 1,000,000: at most {CEILING} ms", "start", "#b3362c")
    return f'<line {line} stroke="#b3362c" stroke-dasharray="6 4"/>\n{words}'


def _legend() -> str:
    parts: list[str] = []
    for index, (words, colour) in enumerate(SERIES.values()):
        at = WIDTH - RIGHT - 135 * (len(SERIES) - index)
        parts.append(f'<rect x="{at}" y="12" width="12" height="12" fill="{colour}"/>')
        parts.append(_label(at + 17, 22, words, "start"))
    return "\n".join(parts)


def _label(x: float, y: float, text: str, anchor: str, colour: str = TEXT, size: int = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
        f'font-size="{size}">{escape(text)}</text>'
    )
