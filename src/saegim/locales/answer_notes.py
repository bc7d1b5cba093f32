"""What stands below an answer, in words: where a passage is in its file, what changed in memory."""

from collections.abc import Sequence
from typing import Protocol

from saegim.locales import N_, translate

_PATTERNS = {
    ("page", "last"): N_("pages {page}–{last}"),
    ("slide", "last"): N_("slides {slide}–{last}"),
    ("page",): N_("page {page}"),
    ("slide",): N_("slide {slide}"),
    ("sheet", "row"): N_("sheet “{sheet}”, row {row}"),
    ("sheet",): N_("sheet “{sheet}”"),
    ("row",): N_("row {row}"),
}


class Place(Protocol):
    """A page, a slide, or a row of a sheet; `last` is the last of several pages or slides."""

    @property
    def page(self) -> int | None: ...
    @property
    def slide(self) -> int | None: ...
    @property
    def sheet(self) -> str | None: ...
    @property
    def row(self) -> int | None: ...
    @property
    def last(self) -> int | None: ...


def place_text(place: Place | None, locale: str) -> str:
    """Return the page, slide or row of a passage; "" for a file without any."""
    names = ("page", "slide", "sheet", "row", "last")
    known = {name: value for name in names if (value := getattr(place, name, None)) is not None}
    for needed, pattern in _PATTERNS.items():
        if known.keys() >= set(needed):
            return translate(pattern, locale, **known)
    return ""


class MemoryEffect(Protocol):
    """A change of memory that a turn made, with what was remembered or forgotten."""

    @property
    def kind(self) -> str: ...
    @property
    def text(self) -> str: ...


_EFFECTS = {
    "remembered": N_("Remembered"),
    "forgotten": N_("Forgotten"),
    "left_out": N_("Left out of memory"),
    "undone": N_("Undone"),
}


def effects_text(effects: Sequence[MemoryEffect], locale: str, *, in_public: bool = False) -> str:
    """Return what a turn did to memory; "" if nothing.

    `in_public` only with the words that it remembered, which were just said.
    """
    texts: list[str] = []
    for kind, label in _EFFECTS.items():
        those = [each.text for each in effects if each.kind == kind]
        hides = kind == "left_out" or (in_public and kind != "remembered")
        words = [] if hides else list(filter(None, those))
        quoted = [f"“{each}”" for each in words] if kind == "forgotten" else words
        if those:
            texts.append(": ".join(filter(None, (translate(label, locale), " · ".join(quoted)))))
    return " · ".join(texts)
