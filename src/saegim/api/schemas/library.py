"""Models of the library that several routes use."""

from saegim.api.views import View


class LocatorView(View):
    """Where a passage begins in its file, counted from 1: a page, a slide, or a row of a sheet.
    `last` is the last page or slide of a passage over several."""

    page: int | None = None
    slide: int | None = None
    sheet: str | None = None
    row: int | None = None
    last: int | None = None
