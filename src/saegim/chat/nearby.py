"""What others said around a message: masked, bounded, shown as data, and not kept by itself."""

from collections.abc import Sequence

from saegim.chat.types import Nearby
from saegim.search.analyse import normalise
from saegim.search.delimit import delimited
from saegim.search.mask import mask
from saegim.search.tokens import count

MOST_TOKENS = 400
LONGEST = 300


def masked(nearby: Sequence[Nearby]) -> tuple[Nearby, ...]:
    """The same without what must not be written down, each line cut to its bound."""
    return tuple(Nearby(_line(one.name)[:50], _line(one.text)[:LONGEST]) for one in nearby)


def shown(nearby: Sequence[Nearby]) -> str:
    """The newest that fit, in order, between tags; nothing where there is nothing."""
    lines: list[str] = []
    room = MOST_TOKENS
    for one in reversed(nearby):
        line = f"{one.name}: {one.text}"
        room -= count(line) + 1
        if room < 0:
            break
        lines.append(line)
    return delimited("nearby", "\n".join(reversed(lines))) if lines else ""


def _line(text: str) -> str:
    return mask(" ".join(normalise(text).split())).text
