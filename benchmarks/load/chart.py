"""Draw prompt size and recall time by length of history."""

import math
from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 760, 300
TOP, BOTTOM, LEFT, GAP = 56, 44, 52, 70
TEXT, LINE, CEILING = "#444c56", "#3b6ea5", "#b3362c"


def draw(figures: Mapping[str, float], turns: Sequence[int], budget: float) -> str:
    """Draws two panels: tokens with their budget, and milliseconds of a recall."""
    width = (WIDTH - 2 * LEFT - GAP) / 2
    title = "What a turn takes, by the turns that its person has behind them"
    panels = [
        _panel(LEFT, width, "prompt tokens", _series(figures, "prompt_tokens", turns), budget),
        _panel(LEFT + width + GAP, width, "recall, ms", _series(figures, "recall_ms", turns), None),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{title}" font-family="system-ui, sans-serif" font-size="12">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n'
        + "\n".join([_label(LEFT, 22, title, "start", "#1f2328", 14), *panels])
        + "\n</svg>\n"
    )


def _series(figures: Mapping[str, float], name: str, turns: Sequence[int]) -> dict[int, float]:
    return {count: figures[f"history.{name}.{count}"] for count in turns}


def _panel(
    left: float, width: float, name: str, series: Mapping[int, float], budget: float | None
) -> str:
    top = max([*series.values(), budget or 0]) * 1.25
    low, high = math.log10(min(series)), math.log10(max(series))

    def x(turns: int) -> float:
        return left + width * (math.log10(turns) - low) / (high - low)

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top

    floor = y(0)
    parts = [
        _label(left, TOP - 12, name, "start", "#1f2328"),
        f'<line x1="{left}" x2="{left + width:.1f}" y1="{floor}" y2="{floor}" stroke="#d8dee4"/>',
        f'<polyline fill="none" stroke="{LINE}" stroke-width="2" points="'
        + " ".join(f"{x(turns):.1f},{y(value):.1f}" for turns, value in series.items())
        + '"/>',
    ]
    for turns, value in series.items():
        parts.append(f'<circle cx="{x(turns):.1f}" cy="{y(value):.1f}" r="3.5" fill="{LINE}"/>')
        parts.append(_label(x(turns), y(value) - 9, f"{value:,.0f}", "middle"))
        parts.append(_label(x(turns), HEIGHT - BOTTOM + 18, f"{turns:,}", "middle"))
    if budget is not None:
        at = f'y1="{y(budget):.1f}" y2="{y(budget):.1f}"'
        parts.append(
            f'<line x1="{left}" x2="{left + width:.1f}" {at} stroke="{CEILING}" '
            'stroke-dasharray="6 4"/>'
        )
        parts.append(_label(left, y(budget) - 5, f"budget {budget:,.0f}", "start", CEILING))
    return "\n".join(parts)


def _label(x: float, y: float, text: str, anchor: str, colour: str = TEXT, size: int = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
        f'font-size="{size}">{escape(text)}</text>'
    )
