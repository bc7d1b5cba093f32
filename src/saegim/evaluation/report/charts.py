"""Draw charts as inline SVG, for light and dark pages."""

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 46, 26, 12, 28
# Colour-blind safe palette (Okabe and Ito).
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#8c6d31")
TICKS = 4


def bars(groups: Mapping[str, Mapping[str, tuple[float, float, float]]]) -> str:
    """Draw a bar per series for each group, 0 to 1, with its interval: (value, low, high)."""
    series = list(dict.fromkeys(name for group in groups.values() for name in group))
    slot = (WIDTH - LEFT - RIGHT) / max(1, len(groups))
    thick = slot * 0.8 / max(1, len(series))
    parts = [_grid()]
    for index, (label, group) in enumerate(groups.items()):
        start = LEFT + index * slot + slot * 0.1
        for number, name in enumerate(series):
            if name not in group:
                continue
            value, low, high = group[name]
            x, colour = start + number * thick, COLOURS[number % len(COLOURS)]
            parts.append(
                f'<rect x="{x:.1f}" y="{_y(value):.1f}" width="{thick * 0.9:.1f}" '
                f'height="{_y(0) - _y(value):.1f}" fill="{colour}">'
                f"<title>{escape(label)} · {escape(name)}: {value:.3f} "
                f"[{low:.3f}, {high:.3f}]</title></rect>"
                f'<line x1="{x + thick * 0.45:.1f}" x2="{x + thick * 0.45:.1f}" '
                f'y1="{_y(low):.1f}" y2="{_y(high):.1f}" class="whisker"/>'
            )
        parts.append(_label(LEFT + (index + 0.5) * slot, label))
    return _svg(parts) + legend(series)


def lines(curves: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Draw a line through the points of each series; y from 0 to 1."""
    xs = sorted({x for points in curves.values() for x, _ in points})
    if not xs:
        return ""
    parts = [_grid(), *(_label(_x(x, xs[-1]), f"{x:,.0f}") for x in xs)]
    for number, (name, points) in enumerate(curves.items()):
        parts.append(_curve(number, points, xs[-1]))
        parts += [
            f'<circle cx="{_x(x, xs[-1]):.1f}" cy="{_y(y):.1f}" r="3" '
            f'fill="{COLOURS[number % len(COLOURS)]}">'
            f"<title>{escape(name)}: {y:.3f} @ {x:,.0f}</title></circle>"
            for x, y in points
        ]
    return _svg(parts) + legend(list(curves))


def distribution(seconds: Mapping[str, Sequence[float]]) -> str:
    """Draw the cumulative share of calls by milliseconds, up to the 99th percentile."""
    slowest = max((_quantile(values, 0.99) for values in seconds.values() if values), default=0.0)
    step = _round_up(slowest * 1000 / TICKS)
    end = step * TICKS
    parts = [_grid(), *(_label(_x(step * n, end), f"{step * n:g}") for n in range(TICKS + 1))]
    limits = [step * tick / 4 for tick in range(4 * TICKS + 1)]
    for number, (name, values) in enumerate(seconds.items()):
        points = [
            (limit, sum(1000 * value <= limit for value in values) / max(1, len(values)))
            for limit in limits
        ]
        parts.append(_curve(number, points, end, f"<title>{escape(name)}</title>"))
    return _svg(parts) + legend(list(seconds))


def whisker(mean: float, low: float, high: float, reach: float) -> str:
    """Draw a difference with its interval on a line with 0 in the middle."""
    wide, middle = 160, 80

    def at(value: float) -> float:
        return middle + max(-1.0, min(1.0, value / reach)) * (middle - 6)

    kind = "good" if low > 0 else "bad" if high < 0 else "level"
    return (
        f'<svg viewBox="0 0 {wide} 16" class="whiskers {kind}" role="img">'
        f'<line x1="{middle}" x2="{middle}" y1="1" y2="15" class="zero"/>'
        f'<line x1="{at(low):.1f}" x2="{at(high):.1f}" y1="8" y2="8" class="span"/>'
        f'<circle cx="{at(mean):.1f}" cy="8" r="4"/></svg>'
    )


def spark(values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    width = (high - low) or 1.0
    step = 110 / max(1, len(values) - 1)
    path = " ".join(
        f"{5 + step * index:.1f},{20 - 16 * (value - low) / width:.1f}"
        for index, value in enumerate(values)
    )
    return f'<svg viewBox="0 0 120 24" class="spark"><polyline points="{path}"/></svg>'


def legend(series: Sequence[str]) -> str:
    marks = [
        f'<span><i style="background:{COLOURS[number % len(COLOURS)]}"></i>{escape(name)}</span>'
        for number, name in enumerate(series)
    ]
    return f'<p class="legend">{"".join(marks)}</p>'


def _svg(parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" class="chart">{"".join(parts)}</svg>'


def _curve(
    number: int, points: Sequence[tuple[float, float]], end: float, content: str = ""
) -> str:
    path = " ".join(f"{_x(x, end):.1f},{_y(y):.1f}" for x, y in points)
    colour = COLOURS[number % len(COLOURS)]
    return (
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2">'
        f"{content}</polyline>"
    )


def _x(value: float, end: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * value / end


def _y(value: float) -> float:
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - max(0.0, min(1.0, value)))


def _grid() -> str:
    parts = [
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{_y(tick / TICKS):.1f}" '
        f'y2="{_y(tick / TICKS):.1f}" class="grid"/>'
        f'<text x="{LEFT - 6}" y="{_y(tick / TICKS) + 4:.1f}" text-anchor="end">'
        f"{tick / TICKS:.0%}</text>"
        for tick in range(TICKS + 1)
    ]
    return "".join(parts)


def _label(x: float, text: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{escape(text)}</text>'
    )


def _quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _round_up(value: float) -> float:
    """Return the next of 1, 2, 5, 10, 20, 50 …"""
    size = 0.1
    while True:
        for factor in (1, 2, 5):
            if factor * size >= value:
                return factor * size
        size *= 10
