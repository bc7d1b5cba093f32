"""ETags of what people edit, and `If-Match`: what the caller saw before a change."""

import re
from typing import Annotated

from fastapi import Depends, Header, Response

from saegim.domain.etags import ExpectedVersion, etag

_MEANING = "The ETag of what was read; without it the last wins."
_TAG = re.compile(r'"([^"]*)"')


def expected_version(if_match: str | None) -> ExpectedVersion | None:
    """What a header names; None where anything may be overwritten. A weak tag (`W/"…"`) never
    matches (RFC 9110)."""
    if if_match is None or if_match.strip() == "*":
        return None
    tags = [each.strip() for each in if_match.split(",")]
    found = [_TAG.fullmatch(each) for each in tags]
    return ExpectedVersion(frozenset(each[1] for each in found if each))


async def _seen(
    if_match: Annotated[str | None, Header(max_length=2_000, description=_MEANING)] = None,
) -> ExpectedVersion | None:
    return expected_version(if_match)


ExpectedVersionDep = Annotated[ExpectedVersion | None, Depends(_seen)]


class Tag:
    """Names what is shown in the answer's `ETag`; whoever takes one as a dependency is documented
    to send it."""

    def __init__(self, response: Response) -> None:
        self._response = response

    def name(self, value: object) -> None:
        self._response.headers["ETag"] = f'"{etag(value)}"'


TagDep = Annotated[Tag, Depends(Tag)]
