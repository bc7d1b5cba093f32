"""Timestamps in requests: with a time zone, within the range that Postgres and Python share."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime

EARLIEST = datetime(1000, 1, 1, tzinfo=UTC)
LATEST = datetime(9000, 1, 1, tzinfo=UTC)


def _in_range(at: datetime) -> datetime:
    if not EARLIEST <= at <= LATEST:
        raise ValueError(f"must be between the years {EARLIEST.year} and {LATEST.year}")
    return at.astimezone(UTC)


Moment = Annotated[AwareDatetime, AfterValidator(_in_range)]
