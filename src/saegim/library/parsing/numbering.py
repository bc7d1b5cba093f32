"""Compute list numbers, which word processors do not store with the text."""

import re
from dataclasses import dataclass, field

_PLACEHOLDER = re.compile(r"[%^](\d)")
_GANADA = "가나다라마바사아자차카타파하"
_ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_LATIN = 26


@dataclass(frozen=True, slots=True)
class Level:
    """The numbering of a list level; %1 or ^1 in `template` is the first level's number."""

    template: str
    style: str
    start: int = 1

    @property
    def is_bullet(self) -> bool:
        return self.style.lower() == "bullet"


@dataclass(slots=True)
class ListCounters:
    _counts: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    def label(self, name: str, levels: dict[int, Level], at: int) -> str:
        """Return the label of the next paragraph at a level; a dash for a bullet."""
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

        def number(match: re.Match[str]) -> str:
            index = int(match[1]) - 1
            source = levels.get(index, level)
            return ordinal(counts[index], source.style) if 0 <= index < len(counts) else ""

        return _PLACEHOLDER.sub(number, level.template).strip() or f"{counts[at]}."


def ordinal(number: int, style: str) -> str:
    """Format a number in a style of Word or Hangul; rare styles use digits."""
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


def parse_int(text: str | None, digits: int = 9) -> int | None:
    """Parse an ASCII number of at most `digits` digits, or return None."""
    is_number = text and text.isascii() and text.isdecimal() and len(text) <= digits
    return int(text) if text and is_number else None


def int_or_1(text: str | None, digits: int = 9) -> int:
    number = parse_int(text, digits)
    return 1 if number is None else number


def _roman(number: int) -> str:
    out = ""
    for value, sign in _ROMAN:
        out += sign * (number // value)
        number %= value
    return out
