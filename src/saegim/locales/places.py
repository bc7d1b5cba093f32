"""Where a passage is in its file, in words."""

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
