"""Every error of ours, with a stable code and its text in Korean and English.

SaegimError
├── Refused                      the request is at fault
│   ├── Unauthenticated          no, wrong or expired credential
│   ├── Forbidden                the credential does not allow this
│   ├── NotFound                 it does not exist, or not for this caller
│   ├── Gone                     whose it was, was erased
│   ├── Conflict                 it contradicts what is stored
│   ├── Changed                  it was changed since the caller read it
│   ├── Invalid                  it does not make sense
│   ├── Unsupported              it asks for what this door does not do
│   ├── TooLarge                 it is larger than a turn or a body may be
│   ├── TimedOut                 it was not sent in time
│   ├── LimitReached             it comes too often, or its budget is used up
│   │   └── TooManyAtOnce        its sender has too many requests in progress
│   ├── QuotaExceeded            the tenant stores as much as it may
│   └── Unreadable               a file that cannot be turned into text
└── Unavailable                  the request is fine, a part of ours is not
    ├── Overloaded               there is too much to do right now
    ├── StoreUnavailable         Postgres does not answer
    ├── ModelUnavailable         a model step failed where no twin may step in
    │   └── ModelRefused         a model refused this very request: asking again rarely helps
    ├── NotYetAnswered           a turn is still being answered when its request has to end
    ├── IndexMissing             a tenant's search index is not there
    └── Degraded                 a part that a turn can do without does not answer
        └── IndexBroken          a search index is there and cannot be read
"""

from typing import ClassVar
from uuid import UUID

from saegim.locales import N_


class SaegimError(Exception):
    code: ClassVar[str] = "internal_error"
    text: ClassVar[str] = N_("An internal error occurred.")

    def __init__(self, detail: str = "") -> None:
        super().__init__(detail or self.text)
        self.detail = detail


class RequestRefused(SaegimError):
    code = "refused"
    text: ClassVar[str] = N_("The request cannot be processed.")


class AuthenticationRequired(RequestRefused):
    code = "unauthenticated"
    text: ClassVar[str] = N_("The API key is missing or invalid.")


class PermissionDenied(RequestRefused):
    code = "forbidden"
    text: ClassVar[str] = N_("This API key does not have permission for that.")


class NotFound(RequestRefused):
    code = "not_found"
    text: ClassVar[str] = N_("Not found.")


class UserErased(RequestRefused):
    """The person was erased; nothing of theirs will be read or written again."""

    code = "gone"
    text: ClassVar[str] = N_("This user was erased.")


class Conflict(RequestRefused):
    code = "conflict"
    text: ClassVar[str] = N_("The request conflicts with the stored data.")


class VersionConflict(RequestRefused):
    """What `If-Match` names is not what is stored any more."""

    code = "changed"
    text: ClassVar[str] = N_("The resource was changed since you read it. Read it again and retry.")


class Invalid(RequestRefused):
    code = "invalid"
    text: ClassVar[str] = N_("The request is invalid.")


class UnsupportedFeature(RequestRefused):
    """A part of a protocol that is not offered here; the detail names it."""

    code = "unsupported"
    text: ClassVar[str] = N_("This is not supported.")


class TooLarge(RequestRefused):
    code = "too_large"
    text: ClassVar[str] = N_("The request is too large.")


class TimedOut(RequestRefused):
    code = "request_timeout"
    text: ClassVar[str] = N_("The request was not received in time.")


class LimitReached(RequestRefused):
    """A limit or a budget is used up; `retry_after` seconds later there is room again."""

    code = "limit_reached"
    text: ClassVar[str] = N_("You have reached a usage limit. Please try again later.")

    def __init__(self, detail: str, retry_after: float) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class TooManyAtOnce(LimitReached):
    code = "too_many_at_once"
    text: ClassVar[str] = N_("Too many requests at once. Please try again shortly.")


class Unavailable(SaegimError):
    code = "unavailable"
    text: ClassVar[str] = N_("Not available right now. Please try again shortly.")


class ServerOverloaded(Unavailable):
    code = "overloaded"
    text: ClassVar[str] = N_("The server is too busy right now. Please try again shortly.")


class StoreUnavailable(Unavailable):
    code = "store_unavailable"
    text: ClassVar[str] = N_("The database is not responding. Please try again shortly.")


class ModelUnavailable(Unavailable):
    code = "model_unavailable"
    text: ClassVar[str] = N_("The language model is not available.")


class ModelRefused(ModelUnavailable):
    """The provider refused this very request (4xx, content filter), or answered it unusably."""


class NotYetAnswered(Unavailable):
    """The turn is stored and goes on; its answer can be read or followed under its id."""

    code = "turn_pending"
    text: ClassVar[str] = N_("The answer is not ready yet. Please fetch this turn again shortly.")
    retry_after: ClassVar[int] = 10

    def __init__(self, turn: UUID) -> None:
        super().__init__(f"turn {turn}")
        self.turn = turn


class OptionalServiceDown(Unavailable):
    """A part that a turn can do without does not answer; the turn goes on and says so."""

    code = "degraded"

    def __init__(self, part: str) -> None:
        super().__init__(part)
        self.part = part


class IndexBroken(OptionalServiceDown):
    """A search index that is there and cannot be read, and not for want of time: damaged files."""

    def __init__(self) -> None:
        super().__init__("index")


class QuotaExceeded(RequestRefused):
    """The tenant stores as much as it may; the detail names the quota and its bound."""

    code = "quota_exceeded"
    text: ClassVar[str] = N_(
        "The storage quota is exceeded. Delete what you no longer need, or ask the "
        "operator for a higher quota."
    )


class Unreadable(RequestRefused):
    """A file that cannot be turned into text; the detail says why, in a stable word."""

    code = "unreadable"
    text: ClassVar[str] = N_("The file cannot be read.")


class IndexMissing(Unavailable):
    """A search index that is not there; `saegim library reindex` builds it again."""

    code = "index_missing"
    text: ClassVar[str] = N_("The search index is missing and has to be rebuilt.")
