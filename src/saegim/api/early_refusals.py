"""Refuses requests of a sender over its limits before they are parsed.

Reads a few header fields from the raw bytes, so that a flood does not reach the application.
Anything that is not clearly a complete API request goes to the application, where the same limits
apply."""

import re
from collections.abc import Callable

from starlette.datastructures import Headers

from saegim.api.problems import locale_of_headers
from saegim.api.senders import Arrival, Senders, credential_of, too_many
from saegim.domain.errors import TooManyAtOnce
from saegim.domain.scope import Locale

API = "/v1/"
REQUEST = re.compile(rb"[A-Z]+ /v1/[^ ]* HTTP/1\.1\r\n")
FIELDS = re.compile(
    rb"\r\n(authorization|cookie|saegim-user|origin|accept-language|content-length"
    rb"|transfer-encoding):[ \t]*([^\r\n]*)",
    re.IGNORECASE,
)


class EarlyRefusals:
    def __init__(self, senders: Senders, refused: Callable[[str], None]) -> None:
        self._senders = senders
        self._refused = refused

    def refusal(self, data: bytes) -> tuple[TooManyAtOnce, Locale] | None:
        """Returns the error and its language; None if the request goes to the application."""
        head, ended, body = data.partition(b"\r\n\r\n")
        if not ended or REQUEST.match(data) is None:
            return None
        # The first of repeated fields counts, as in the application.
        fields = {name.lower(): value.strip() for name, value in reversed(FIELDS.findall(head))}
        # Browsers need CORS headers to read a refusal.
        if b"origin" in fields or b"transfer-encoding" in fields:
            return None
        # Closing a connection while its body arrives loses the response.
        if fields.get(b"content-length", b"0") != str(len(body)).encode():
            return None
        headers = Headers(raw=list(fields.items()))
        arrival = Arrival(API, headers, None, credential_of(headers))
        if not arrival.credential or not self._senders.full(arrival.sender):
            return None
        self._refused("user")
        return too_many("user"), locale_of_headers(headers)
