"""When a notice is due: once a day, at its time, or up to an hour later."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from saegim.community.types import Notice

# A notice that is later than this waits for the next day.
LATEST = timedelta(hours=1)


def due_on(notice: Notice, now: datetime) -> date | None:
    """Return the day whose notice is due, or None. A late one may be of yesterday."""
    last = last_day(notice.at, notice.time_zone, now)
    zone = ZoneInfo(notice.time_zone)
    at = datetime.combine(last, time.fromisoformat(notice.at), zone)
    if now.astimezone(zone) >= at + LATEST:
        return None
    already_sent = notice.last_sent_on is not None and notice.last_sent_on >= last
    return None if already_sent else last


def last_day(at: str, time_zone: str, now: datetime) -> date:
    """Return the last day on which this time has passed. Raises ZoneInfoNotFoundError."""
    local = now.astimezone(ZoneInfo(time_zone))
    passed = time.fromisoformat(at) <= local.time()
    return local.date() if passed else local.date() - timedelta(days=1)
