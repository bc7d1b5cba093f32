"""Links that sign a browser in once, for `saegim dev`: like Jupyter's `?token=`.

They live in the memory of one process, so they end with it, and only their hashes are kept.
"""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256

from saegim.domain.errors import AuthenticationRequired
from saegim.domain.ids import Clock

LASTS = timedelta(minutes=10)


class SignInLinks:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._links: dict[bytes, tuple[datetime, Callable[[], str | None]]] = {}

    def create(self, credential: Callable[[], str | None]) -> str:
        """Returns a token that is valid once, for ten minutes. The credential is read on use."""
        token = secrets.token_urlsafe(24)
        self._links[_digest(token)] = (self._clock.now() + LASTS, credential)
        return token

    def redeem(self, token: str) -> str:
        """Returns the credential and ends the token. Raises AuthenticationRequired if it is
        unknown, used or expired."""
        link = self._links.pop(_digest(token), None)
        if link is None:
            raise AuthenticationRequired
        expires_at, credential = link
        found = credential() if self._clock.now() < expires_at else None
        if found is None:
            raise AuthenticationRequired
        return found


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
