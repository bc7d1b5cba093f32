"""Errors with a stable code and a translated text.

SaegimError
├── RequestRefused               the request is at fault
│   ├── AuthenticationRequired   missing, invalid or expired credential
│   ├── PermissionDenied         the credential lacks a permission
│   │   └── SetUpRefused         the code of the first set-up is wrong
│   ├── NotFound                 does not exist, or the caller may not see it
│   ├── MethodNotAllowed         the address takes other HTTP methods
│   ├── UserErased               the user was erased
│   ├── Conflict                 conflicts with stored data
│   │   ├── NameTaken            the name is in use
│   │   ├── NoDraft              there is no draft to publish
│   │   ├── InUse                something else needs it
│   │   ├── CollectionNotEmpty   the collection has documents
│   │   └── StillImporting       an attached file is not imported yet
│   ├── VersionConflict          changed since the caller read it
│   ├── Invalid                  invalid request
│   │   ├── WeakPassword         the new password is too short
│   │   └── WrongPassword        the current password is wrong
│   ├── UnsupportedFeature       feature of a protocol that is not supported
│   ├── TooLarge                 request or message is too large
│   ├── TimedOut                 request was not received in time
│   ├── LimitReached             rate limit or budget is used up
│   │   └── TooManyAtOnce        too many concurrent requests
│   ├── QuotaExceeded            storage quota of the tenant is used up
│   └── Unreadable               file cannot be converted to text
└── Unavailable                  the request is valid, a service is down
    ├── ServerOverloaded         too many requests
    ├── StoreUnavailable         Postgres does not respond
    ├── ModelUnavailable         a model failed and there is no fallback
    │   └── ModelRefused         a model refused this request; retrying rarely helps
    ├── NotYetAnswered           the turn continues after its request ends
    ├── IndexMissing             search index of a tenant is missing
    └── OptionalServiceDown      a service that turns can do without is down
        └── IndexBroken          search index is damaged
"""

from collections.abc import Sequence
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
    # One text for every reason, so that nobody can probe credentials.
    text: ClassVar[str] = N_(
        "The API key is missing or invalid. It may have expired or been revoked, or its user may "
        "have been blocked or erased."
    )


class PermissionDenied(RequestRefused):
    code = "forbidden"
    text: ClassVar[str] = N_("This API key does not have permission for that.")


class SetUpRefused(PermissionDenied):
    code = "set_up_refused"
    text: ClassVar[str] = N_(
        "The set-up code is wrong or has expired. Restart the server for a new one."
    )


class NotFound(RequestRefused):
    """`what` names the kind of thing; a `detail` replaces the sentence about it."""

    code = "not_found"
    text: ClassVar[str] = N_("Not found.")

    def __init__(self, what: str = "", detail: str = "") -> None:
        super().__init__(detail or (f"no such {what}" if what else ""))


class MethodNotAllowed(RequestRefused):
    code = "method_not_allowed"
    text: ClassVar[str] = N_("This method is not supported here.")

    def __init__(self, methods: Sequence[str]) -> None:
        super().__init__(f"use {' or '.join(methods)}")
        self.methods = tuple(methods)


class UserErased(RequestRefused):
    code = "gone"
    text: ClassVar[str] = N_("This user was erased.")


class Conflict(RequestRefused):
    code = "conflict"
    text: ClassVar[str] = N_("The request conflicts with the stored data.")


class NameTaken(Conflict):
    """The detail says of what."""

    code = "name_taken"
    text: ClassVar[str] = N_("This name is already in use. Choose another one.")


class NoPublicUrl(Conflict):
    code = "no_public_url"
    text: ClassVar[str] = N_(
        "Links need the address of this server. Ask its operator to set SAEGIM_PUBLIC_URL."
    )


class NoDraft(Conflict):
    code = "no_draft"
    text: ClassVar[str] = N_("There is no draft to publish. Save your changes as a draft first.")


class NothingToShare(Conflict):
    """The detail says why."""

    code = "nothing_to_share"
    text: ClassVar[str] = N_("This conversation cannot be shared.")


class InUse(Conflict):
    """The detail says by what."""

    code = "in_use"
    text: ClassVar[str] = N_("This is still in use and cannot be deleted.")


class CollectionNotEmpty(Conflict):
    code = "not_empty"
    text: ClassVar[str] = N_(
        "The collection still has documents or team memories. Delete them first, or with it."
    )


class StillImporting(Conflict):
    code = "still_importing"
    text: ClassVar[str] = N_(
        "An attached file is still being imported. Send the message again when it is done."
    )


class NoQuestions(Conflict):
    code = "no_questions"
    text: ClassVar[str] = N_("There are no questions yet. Save some questions first.")


class EvaluationRunning(Conflict):
    code = "evaluation_running"
    text: ClassVar[str] = N_(
        "An evaluation of this assistant is running. Wait for its end, or delete it."
    )


class VersionConflict(RequestRefused):
    code = "changed"
    text: ClassVar[str] = N_("The resource was changed since you read it. Read it again and retry.")


class Invalid(RequestRefused):
    code = "invalid"
    text: ClassVar[str] = N_("The request is invalid.")


class WeakPassword(Invalid):
    code = "weak_password"
    text: ClassVar[str] = N_("A password needs at least 10 characters.")


class WrongPassword(Invalid):
    code = "wrong_password"
    text: ClassVar[str] = N_("The current password is wrong.")


class UnsupportedFeature(RequestRefused):
    """The detail names the feature."""

    code = "unsupported"
    text: ClassVar[str] = N_("This is not supported.")


class TooLarge(RequestRefused):
    code = "too_large"
    text: ClassVar[str] = N_("The request is too large.")


class TimedOut(RequestRefused):
    code = "request_timeout"
    text: ClassVar[str] = N_("The request was not received in time.")


class LimitReached(RequestRefused):
    """A limit or budget is used up; retry after `retry_after` seconds."""

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
    """The provider refused this request (4xx, content filter), or its response is unusable."""


class NotYetAnswered(Unavailable):
    """The turn is stored and continues; read or stream its answer by its ID."""

    code = "turn_pending"
    text: ClassVar[str] = N_("The answer is not ready yet. Please fetch this turn again shortly.")
    retry_after: ClassVar[int] = 10

    def __init__(self, turn: UUID) -> None:
        super().__init__(f"turn {turn}")
        self.turn = turn


class OptionalServiceDown(Unavailable):
    """An optional service is down; the turn continues as degraded."""

    code = "degraded"

    def __init__(self, part: str) -> None:
        super().__init__(part)
        self.part = part


class IndexBroken(OptionalServiceDown):
    """The files of a search index are damaged."""

    def __init__(self) -> None:
        super().__init__("index")


class QuotaExceeded(RequestRefused):
    """The detail names the quota and its limit."""

    code = "quota_exceeded"
    text: ClassVar[str] = N_(
        "The storage quota is exceeded. Delete what you no longer need, or ask the "
        "operator for a higher quota."
    )


class Unreadable(RequestRefused):
    """A file that cannot be converted to text; the detail is a stable reason."""

    code = "unreadable"
    text: ClassVar[str] = N_("The file cannot be read.")


class IndexMissing(Unavailable):
    """A missing search index; `saegim library reindex` rebuilds it."""

    code = "index_missing"
    text: ClassVar[str] = N_("The search index is missing and has to be rebuilt.")
