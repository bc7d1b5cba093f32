"""Errors of outbound requests."""

from enum import StrEnum


class FetchFault(StrEnum):
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    HTTP = "http_error"
    PRIVATE_ADDRESS = "private_address"
    DISALLOWED = "disallowed_by_robots"
    REDIRECTS = "too_many_redirects"
    TOO_LARGE = "too_large"
    UNSUPPORTED = "unsupported_type"
    WRONG_ADDRESS = "wrong_address"
    LISTING = "unreadable_listing"
    EMPTY = "empty_listing"
    ITEM_LIMIT = "item_limit_reached"
    BYTE_LIMIT = "byte_limit_reached"
    FOLDER = "folder_not_allowed"
    QUOTA = "quota_exceeded"


class FetchFailed(Exception):
    """A request failed. An outage is temporary and says nothing about other requests."""

    def __init__(self, fault: FetchFault, detail: str = "", *, outage: bool = False) -> None:
        super().__init__(f"{fault} {detail}".strip())
        self.fault = fault
        self.outage = outage
