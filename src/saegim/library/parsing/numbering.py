"""Numbers that a word processor puts before paragraphs and does not store with their text."""

import re
from dataclasses import dataclass, field

_PLACE = re.compile(r"[%^](\d)")
_GANADA = "가나다라마바사아자차카타파하"
_ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_LATIN = 26


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list is numbered; `template` holds %1 or ^1 for the first level's."""

    template: str
    style: str
    start: int = 1

    @property
    def is_bullet(self) -> bool:
        return self.style.lower() == "bullet"


@dataclass(slots=True)
class ListCounters:
    """Counts the paragraphs of each list."""

    _counts: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    def label(self, name: str, levels: dict[int, Level], at: int) -> str:
        """The label of the next paragraph of a list at a level; a dash for a bullet."""
        level = levels[at]
        counts = self._counts.setdefault(name, [])
        del counts[at + 1 :]
        while len(counts) < at:
            counts.append(levels[len(counts)].start if len(counts) in levels else 1)
        if len(counts) == at:
            counts.append(level.start - 1)
        counts[at] += 1
        if level.is_bullet:
            return "-"

        def number(place: re.Match[str]) -> str:
            index = int(place[1]) - 1
            shown = levels.get(index, level)
            return ordinal(counts[index], shown.style) if 0 <= index < len(counts) else ""

        return _PLACE.sub(number, level.template).strip() or f"{counts[at]}."


def ordinal(number: int, style: str) -> str:
    """A number as it is written in a style of Word or Hangul; digits for the rarer ones."""
    name = style.lower().replace("_", "")
    if number < 1:
        return str(number)
    if name in ("lowerletter", "latinsmall"):
        return chr(ord("a") + (number - 1) % _LATIN)
    if name in ("upperletter", "latincapital"):
        return chr(ord("A") + (number - 1) % _LATIN)
    if name in ("ganada", "hangulsyllable") and number <= len(_GANADA):
        return _GANADA[number - 1]
    if name in ("decimalenclosedcircle", "circleddigit") and number <= 20:
        return chr(ord("①") + number - 1)
    if name in ("upperroman", "romancapital") and number < 40:
        return _roman(number)
    if name in ("lowerroman", "romansmall") and number < 40:
        return _roman(number).lower()
    return str(number)


def _roman(number: int) -> str:
    out = ""
    for value, sign in _ROMAN:
        out += sign * (number // value)
        number %= value
    return out
