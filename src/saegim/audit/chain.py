"""The hash chain over sealed batches of the audit trail."""

import hmac
from collections.abc import Sequence

from saegim.audit.types import Event

FIRST_LINK = b""


def link(key: bytes, previous: bytes, number: int, events: Sequence[Event]) -> bytes:
    """Return the digest of a batch, which covers all earlier batches."""
    lines = "\n".join(event.text() for event in events)
    content = previous + f"\n{number}\n{len(events)}\n{lines}".encode()
    return hmac.digest(key, content, "sha256")
