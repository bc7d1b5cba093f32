"""Pages of lists that are arrays: the `Link` header names the next page (RFC 8288)."""

from collections.abc import Sequence
from typing import Annotated
from urllib.parse import urlencode
from uuid import UUID

from fastapi import Depends, Query, Request, Response

USUAL, MOST = 100, 200
Before = Annotated[UUID | None, Query(description="ID of the last item of the page before.")]
Count = Annotated[int, Query(ge=1, le=MOST, description="Items per page.")]


class PageQuery:
    """Start and size of a page. The OpenAPI document lists the `Link` header for every route with
    this dependency."""

    def __init__(self, before: UUID | None = None, count: int = USUAL) -> None:
        self.before = before
        self.count = count
        self.following: UUID | None = None

    @property
    def wanted(self) -> int:
        """One more than the page shows, to see whether there is a next page."""
        return self.count + 1

    def cut[T](self, items: Sequence[T], ids: Sequence[UUID]) -> list[T]:
        """Cuts `items` to the page; `ids` are their IDs in the same order."""
        if len(items) > self.count:
            self.following = ids[self.count - 1]
        return list(items[: self.count])


class LinkedPage(PageQuery):
    """A page that sets `Link` on the response."""

    def __init__(
        self, request: Request, response: Response, before: Before = None, count: Count = USUAL
    ) -> None:
        super().__init__(before, count)
        self._path = request.url.path
        self._response = response

    def cut[T](self, items: Sequence[T], ids: Sequence[UUID]) -> list[T]:
        page = super().cut(items, ids)
        if self.following is not None:
            query = urlencode({"before": self.following, "count": self.count})
            self._response.headers["Link"] = f'<{self._path}?{query}>; rel="next"'
        return page


PageDep = Annotated[PageQuery, Depends(LinkedPage)]
