"""What a call can end with.

ClientError
├── SaegimProblem      the server answered with a problem
│   └── Changed        what was to be changed is not what `if_match` names any more
└── Unreachable        no answer, after every retry
"""

import json
from collections.abc import Mapping
from typing import Any, cast

# A proxy's way of saying that the server is away counts as the server's own.
TRY_AGAIN = frozenset({502, 503, 504})
TOO_MANY = 429
PRECONDITION_FAILED = 412


class ClientError(Exception):
    """A call that brought no result."""


class Unreachable(ClientError):
    """The server did not answer, or the connection broke again and again."""


class SaegimProblem(ClientError):
    """The server's own words (RFC 9457); `code` is stable, `title` is for people."""

    def __init__(
        self,
        code: str,
        title: str,
        status: int | None = None,
        detail: str | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(f"{title} {detail}" if detail else title)
        self.code = code
        self.title = title
        self.status = status
        self.detail = detail
        self.request_id = request_id


class VersionConflict(SaegimProblem):
    """Somebody changed it meanwhile (412). After a lost connection that may have been the first
    try of the same call: read it again."""


class StreamInterrupted(Exception):
    """A call broke off in a way that another try may mend; `error` is what it comes to else."""

    def __init__(self, error: ClientError, retry_after: str | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.retry_after = retry_after


def problem_of(status: int, reason: str, body: str) -> SaegimProblem:
    """The problem in a response; a proxy's own page has only its status."""
    found = _object(body)
    code, title = found.get("code"), found.get("title")
    if not isinstance(code, str) or not isinstance(title, str):
        return SaegimProblem("http_error", f"HTTP {status} {reason}".strip(), status)
    detail, request_id = found.get("detail"), found.get("request_id")
    kind = VersionConflict if status == PRECONDITION_FAILED else SaegimProblem
    return kind(
        code,
        title,
        status,
        detail if isinstance(detail, str) else None,
        request_id if isinstance(request_id, str) else None,
    )


def _object(body: str) -> Mapping[str, Any]:
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return cast("Mapping[str, Any]", found) if isinstance(found, dict) else {}
