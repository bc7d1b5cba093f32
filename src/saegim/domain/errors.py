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

from saegim.domain.scope import Locale


class SaegimError(Exception):
    code: ClassVar[str] = "internal_error"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "내부 오류가 발생했습니다.",
        "en": "Something went wrong on our side.",
    }

    def __init__(self, detail: str = "") -> None:
        super().__init__(detail or self.text["en"])
        self.detail = detail


class Refused(SaegimError):
    code = "refused"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "요청을 처리할 수 없습니다.",
        "en": "The request was refused.",
    }


class Unauthenticated(Refused):
    code = "unauthenticated"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "API 키가 없거나 올바르지 않습니다.",
        "en": "The API key is missing or not valid.",
    }


class Forbidden(Refused):
    code = "forbidden"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "이 키로는 할 수 없는 일입니다.",
        "en": "This key does not allow that.",
    }


class NotFound(Refused):
    code = "not_found"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "찾을 수 없습니다.",
        "en": "There is no such thing here.",
    }


class Gone(Refused):
    """The person was erased; nothing of theirs will be read or written again."""

    code = "gone"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "삭제된 사용자입니다.",
        "en": "This person was erased.",
    }


class Conflict(Refused):
    code = "conflict"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "저장된 내용과 맞지 않습니다.",
        "en": "That contradicts what is stored.",
    }


class Changed(Refused):
    """What `If-Match` names is not what is stored any more."""

    code = "changed"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "읽은 뒤에 내용이 바뀌었습니다. 다시 읽고 시도해 주세요.",
        "en": "It was changed since you read it. Read it again and retry.",
    }


class Invalid(Refused):
    code = "invalid"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "요청의 내용이 올바르지 않습니다.",
        "en": "The request does not make sense.",
    }


class Unsupported(Refused):
    """A part of a protocol that is not offered here; the detail names it."""

    code = "unsupported"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "지원하지 않는 기능입니다.",
        "en": "That is not supported here.",
    }


class TooLarge(Refused):
    code = "too_large"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "요청이 너무 큽니다.",
        "en": "The request is too large.",
    }


class TimedOut(Refused):
    code = "request_timeout"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "요청이 제시간에 도착하지 않았습니다.",
        "en": "The request was not sent in time.",
    }


class LimitReached(Refused):
    """A limit or a budget is used up; `retry_after` seconds later there is room again."""

    code = "limit_reached"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "사용 한도에 도달했습니다. 잠시 후 다시 시도해 주세요.",
        "en": "A usage limit is reached. Please try again later.",
    }

    def __init__(self, detail: str, retry_after: float) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class TooManyAtOnce(LimitReached):
    code = "too_many_at_once"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "동시에 보낸 요청이 너무 많습니다. 잠시 후 다시 시도해 주세요.",
        "en": "Too many requests at once. Please try again shortly.",
    }


class Unavailable(SaegimError):
    code = "unavailable"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "지금은 처리할 수 없습니다. 잠시 후 다시 시도해 주세요.",
        "en": "Not available right now. Please try again shortly.",
    }


class Overloaded(Unavailable):
    code = "overloaded"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "지금은 요청이 너무 많습니다. 잠시 후 다시 시도해 주세요.",
        "en": "The server is too busy right now. Please try again shortly.",
    }


class StoreUnavailable(Unavailable):
    code = "store_unavailable"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "저장소에 연결할 수 없습니다. 잠시 후 다시 시도해 주세요.",
        "en": "The record store does not answer. Please try again shortly.",
    }


class ModelUnavailable(Unavailable):
    code = "model_unavailable"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "언어 모델을 사용할 수 없습니다.",
        "en": "The language model is not available.",
    }


class ModelRefused(ModelUnavailable):
    """The provider refused this very request (4xx, content filter), or answered it unusably."""


class NotYetAnswered(Unavailable):
    """The turn is stored and goes on; its answer can be read or followed under its id."""

    code = "turn_pending"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "답변이 아직 준비되지 않았습니다. 잠시 후 이 턴을 다시 조회해 주세요.",
        "en": "The answer is not ready yet. Please read this turn again shortly.",
    }
    retry_after: ClassVar[int] = 10

    def __init__(self, turn: UUID) -> None:
        super().__init__(f"turn {turn}")
        self.turn = turn


class Degraded(Unavailable):
    """A part that a turn can do without does not answer; the turn goes on and says so."""

    code = "degraded"

    def __init__(self, part: str) -> None:
        super().__init__(part)
        self.part = part


class IndexBroken(Degraded):
    """A search index that is there and cannot be read, and not for want of time: damaged files."""

    def __init__(self) -> None:
        super().__init__("index")


class QuotaExceeded(Refused):
    """The tenant stores as much as it may; the detail names the quota and its bound."""

    code = "quota_exceeded"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "저장 한도를 넘었습니다. 쓰지 않는 항목을 지우거나 운영자에게 한도를 늘려 달라고 "
        "요청하세요.",
        "en": "The storage quota is used up. Delete what you no longer need, or ask the operator "
        "for a higher quota.",
    }


class Unreadable(Refused):
    """A file that cannot be turned into text; the detail says why, in a stable word."""

    code = "unreadable"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "파일을 읽을 수 없습니다.",
        "en": "The file cannot be read.",
    }


class IndexMissing(Unavailable):
    """A search index that is not there; `saegim library reindex` builds it again."""

    code = "index_missing"
    text: ClassVar[dict[Locale, str]] = {
        "ko": "검색 색인이 없습니다. 다시 만드는 중이거나 만들어야 합니다.",
        "en": "The search index is missing. It is being rebuilt, or needs to be.",
    }
