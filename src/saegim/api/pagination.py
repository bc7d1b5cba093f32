"""Lists that are arrays, in pages: an answer names the next page in its `Link` (RFC 8288)."""

from collections.abc import Sequence
from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID

from fastapi import Depends, Query, Request, Response

USUAL, MOST = 100, 200
Before = Annotated[UUID | None, Query(description="The last that was shown; those after it come.")]
Count = Annotated[int, Query(ge=1, le=MOST, description="How many make a page.")]


class PageQuery:
    """Where a page starts and how many it has; whoever takes one as a dependency is documented to
    send the `Link`."""

    def __init__(self, before: UUID | None = None, count: int = USUAL) -> None:
        self.before = before
        self.count = count
        self.following: UUID | None = None

    @property
    def wanted(self) -> int:
        """One more than is shown: whether there is a next page."""
        return self.count + 1

    def cut[Shown](self, found: Sequence[Shown], ids: Sequence[UUID]) -> list[Shown]:
        """What the page shows; `ids` are those of all that was found, in the same order."""
        if len(found) > self.count:
            self.following = ids[self.count - 1]
        return list(found[: self.count])


class LinkedPage(PageQuery):
    """A page of a request."""

    def __init__(
        self, request: Request, response: Response, before: Before = None, count: Count = USUAL
    ) -> None:
        super().__init__(before, count)
        self._path = request.url.path
        self._response = response

    def cut[Shown](self, found: Sequence[Shown], ids: Sequence[UUID]) -> list[Shown]:
        shown = super().cut(found, ids)
        if self.following is not None:
            query = urlencode({"before": self.following, "count": self.count})
            self._response.headers["Link"] = f'<{self._path}?{query}>; rel="next"'
        return shown


PageDep = Annotated[PageQuery, Depends(LinkedPage)]
