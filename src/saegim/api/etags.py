"""`ETag` response headers, and the `If-Match` header of changes."""

import re
from typing import Annotated

from fastapi import Depends, Header, Response

from saegim.domain.etags import ExpectedVersion, etag

_DESCRIPTION = "The ETag that was read. Without it the last write wins."
_TAG = re.compile(r'"([^"]*)"')


# A coroutine: FastAPI runs plain functions in a thread.
async def _expected_version(
    if_match: Annotated[str | None, Header(max_length=2_000, description=_DESCRIPTION)] = None,
) -> ExpectedVersion | None:
    """Parses `If-Match`; None if any version may be overwritten. Weak tags (`W/"…"`) never match
    (RFC 9110)."""
    if if_match is None or if_match.strip() == "*":
        return None
    tags = [_TAG.fullmatch(tag.strip()) for tag in if_match.split(",")]
    return ExpectedVersion(frozenset(tag[1] for tag in tags if tag))


ExpectedVersionDep = Annotated[ExpectedVersion | None, Depends(_expected_version)]


class Tag:
    """Sets the `ETag` of a response. The OpenAPI document lists the header for every route with
    this dependency."""

    def __init__(self, response: Response) -> None:
        self._response = response

    def name(self, value: object) -> None:
        self._response.headers["ETag"] = f'"{etag(value)}"'


TagDep = Annotated[Tag, Depends(Tag)]
