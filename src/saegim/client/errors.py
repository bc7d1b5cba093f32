"""Errors of the client.

ClientError
├── SaegimProblem          the server responded with an error
│   └── VersionConflict    the object does not have the ETag of `if_match` any more
└── Unreachable            no response after all retries
"""

from pydantic import BaseModel, ValidationError

# Also sent by proxies whose server is down.
TRY_AGAIN = frozenset({502, 503, 504})
TOO_MANY = 429
PRECONDITION_FAILED = 412


class ClientError(Exception):
    """A call failed."""


class Unreachable(ClientError):
    """The server did not respond, or the connection broke at every retry."""


class SaegimProblem(ClientError):
    """An error of the server (RFC 9457). `code` does not change, `title` is for users."""

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
    """The object was changed since it was read (412). After a lost connection, an earlier try of
    the same call may have changed it: read it again."""


class StreamInterrupted(Exception):
    """A call failed in a way that a retry may fix; without one, `error` is raised."""

    def __init__(self, error: ClientError, retry_after: str | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.retry_after = retry_after


class _Problem(BaseModel):
    code: str
    title: str
    detail: str | None = None
    request_id: str | None = None


def problem_of(status: int, reason: str, body: str) -> SaegimProblem:
    """Return the error in a response; the page of a proxy has only its status."""
    try:
        problem = _Problem.model_validate_json(body)
    except ValidationError:
        return SaegimProblem("http_error", f"HTTP {status} {reason}".strip(), status)
    kind = VersionConflict if status == PRECONDITION_FAILED else SaegimProblem
    return kind(problem.code, problem.title, status, problem.detail, problem.request_id)
