"""Times that come from outside: with a zone, and such that every zone and store can tell them."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime

EARLIEST = datetime(1000, 1, 1, tzinfo=UTC)
LATEST = datetime(9000, 1, 1, tzinfo=UTC)


def _tellable(at: datetime) -> datetime:
    if not EARLIEST <= at <= LATEST:
        raise ValueError(f"a time between the years {EARLIEST.year} and {LATEST.year}")
    return at.astimezone(UTC)


Moment = Annotated[AwareDatetime, AfterValidator(_tellable)]
