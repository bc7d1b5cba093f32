"""Refuses requests of a sender beyond its bounds before they are parsed.

A flood costs most where every request of it goes through the whole application to be refused. Here
a few header fields are read from the bytes that came in; whatever is not plainly a whole request
of the API takes the usual way, where the same bounds hold."""

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
        """Why a request is refused and in which language; None if it is to be looked at."""
        head, ended, body = data.partition(b"\r\n\r\n")
        if not ended or REQUEST.match(data) is None:
            return None
        # Where a field is repeated, the first counts, as it does later.
        found = {name.lower(): value.strip() for name, value in reversed(FIELDS.findall(head))}
        # Browsers read a refusal only with the headers of CORS.
        if b"origin" in found or b"transfer-encoding" in found:
            return None
        # A connection that is closed with a body on its way loses the response, too.
        if found.get(b"content-length", b"0") != str(len(body)).encode():
            return None
        headers = Headers(raw=list(found.items()))
        arrival = Arrival(API, headers, None, credential_of(headers))
        if not arrival.credential or not self._senders.full(arrival.sender):
            return None
        self._refused("user")
        return too_many("user"), locale_of_headers(headers)
